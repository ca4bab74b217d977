// Documents that the person opens: chosen, dropped or pasted. Files stay on this machine. Knows no format.

const OPEN_FILE = 2; // Request::kOpenFile in src/platform/web.cpp
const SAVE_FILE = 4; // Request::kSaveFile
const MAX_BYTES = 64 << 20;

export function createFiles(canvas, core, loop) {
  const chooser = document.createElement('input');
  chooser.type = 'file';
  chooser.accept = '.json,application/json';
  chooser.hidden = true;
  canvas.after(chooser);
  let opening = 0;

  function tell(sentence) {
    core.notify(sentence);
    loop.wake();
    return sentence;
  }

  // Resolves to '' or the sentence that says why not, which is also shown.
  async function openFile(file) {
    if (file.size > MAX_BYTES) return tell(`${file.name} has more than 64 MiB, which is more than a document may have; open a smaller one.`);
    ++opening;
    try {
      return openBytes(new Uint8Array(await file.arrayBuffer()), file.name);
    } catch {
      return tell(`${file.name} cannot be read; it may be a folder, or gone. Choose a document.`);
    } finally {
      --opening;
    }
  }

  function openBytes(bytes, name) {
    if (bytes.length > MAX_BYTES) return tell(`${name} has more than 64 MiB, which is more than a document may have; open a smaller one.`);
    const failed = core.open(bytes, name);
    core.poke();
    loop.wake();
    return failed;
  }

  function openPasted(what) {
    if (what instanceof File) return void openFile(what);
    const text = what.trim();
    const link = /(?:^|#)(v=1(?:&\S*)?)$/.exec(text);
    if (link) core.loadLink(link[1]);
    else if (text.startsWith('{')) openBytes(new TextEncoder().encode(text), 'pasted document');
    else if (text) tell('What you pasted is neither an example document, which begins with {, nor a link with v=1.');
    loop.wake();
  }

  // Into the person's downloads.
  function saveFile({ name, text }) {
    const address = URL.createObjectURL(new Blob([text], { type: 'application/json' }));
    const anchor = document.createElement('a');
    anchor.href = address;
    anchor.download = name;
    anchor.click();
    setTimeout(() => URL.revokeObjectURL(address), 60000);
  }

  chooser.addEventListener('change', () => {
    if (chooser.files[0]) openFile(chooser.files[0]);
    chooser.value = '';
  });

  const carriesFiles = (event) => event.dataTransfer && [...event.dataTransfer.types].includes('Files');
  addEventListener('dragover', (event) => {
    if (carriesFiles(event)) event.preventDefault();
  });
  addEventListener('drop', (event) => {
    if (!carriesFiles(event)) return;
    event.preventDefault();
    const item = event.dataTransfer.items[0];
    const entry = item && item.webkitGetAsEntry && item.webkitGetAsEntry();
    if (entry && entry.isDirectory) return void tell(`${entry.name} is a folder; drop one document from it.`);
    if (event.dataTransfer.files[0]) openFile(event.dataTransfer.files[0]);
  });

  return {
    openBytes,
    openPasted,
    isOpening: () => opening > 0,
    serve(requests) {
      if (requests & OPEN_FILE) chooser.click();
      if (requests & SAVE_FILE) saveFile(core.savedFile());
    },
    // doc=name.json in a link: a file beside the page, and nothing else.
    async openBeside(name) {
      if (!/^[A-Za-z0-9][A-Za-z0-9._-]*\.json$/.test(name)) return tell(`doc=${name} does not name a .json file beside this page.`);
      ++opening;
      try {
        const response = await fetch(new URL(name, document.baseURI), { credentials: 'same-origin' });
        if (!response.ok) return tell(`${name} was not found beside this page (${response.status}).`);
        return openBytes(new Uint8Array(await response.arrayBuffer()), name);
      } catch {
        return tell(`${name} could not be fetched from beside this page. Check the connection, or open the file itself.`);
      } finally {
        --opening;
      }
    },
  };
}
