// Files that the person opens: chosen, dropped or pasted; and one that the screen gives to keep. Files stay on this machine.
// Knows no format.

import { pixelsOf } from './pixels.js';

const OPEN_FILE = 2; // Request::kOpenFile in src/platform/web.cpp
const SAVE_FILE = 4; // Request::kSaveFile
const MAX_BYTES = 64 << 20;
const BYTES = 'application/octet-stream';
const TYPES = { json: 'application/json', csv: 'text/csv', svg: 'image/svg+xml', npy: BYTES, npz: BYTES, safetensors: BYTES };

export function createFiles(canvas, core, loop) {
  const chooser = document.createElement('input');
  chooser.type = 'file';
  chooser.accept = '.json,application/json';
  chooser.hidden = true;
  canvas.after(chooser);
  let opening = 0;
  let fetching = ''; // the file beside the page that is on its way

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

  // The first of several that opens; the others are named. The last refusal stays when none does.
  async function openFirst(list, folders = []) {
    if (list.length === 0 && folders.length) return tell(`${folders[0]} is a folder; drop one document from it.`);
    for (const file of list) {
      if (await openFile(file)) continue;
      const others = [...folders, ...list.filter((other) => other !== file).map((other) => other.name)];
      if (others.length) tell(`One document is open at a time: this is ${file.name}; left out: ${others.join(', ')}.`);
      return '';
    }
    return core.notice();
  }

  function openPasted(what) {
    if (Array.isArray(what)) return void openFirst(what);
    const text = what.trim();
    const link = /(?:^|#)(v=1(?:&\S*)?)$/.exec(text);
    if (link) {
      core.loadLink(link[1]);
      openAwaited();
    } else if (text.startsWith('{') || (text && core.takesText())) openBytes(new TextEncoder().encode(text), 'pasted document');
    else if (text) tell('What you pasted is neither an example document, which begins with {, nor a link with v=1. To write it into a field, go into the field first.');
    loop.wake();
  }

  // Into the person's downloads; with a scale, an SVG as pixels.
  async function saveFile({ name, bytes, scale }) {
    const file = new Blob([bytes], { type: scale ? TYPES.svg : TYPES[name.split('.').pop()] ?? 'text/plain' });
    const anchor = document.createElement('a');
    try {
      anchor.href = URL.createObjectURL(scale ? await pixelsOf(file, scale) : file);
    } catch {
      return tell(`The browser could not draw ${name}. Choose a smaller size, or SVG.`);
    }
    anchor.download = name;
    anchor.click();
    setTimeout(() => URL.revokeObjectURL(anchor.href), 60000);
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
    const items = [...event.dataTransfer.items].filter((item) => item.kind === 'file');
    const isFolder = items.map((item) => Boolean(item.webkitGetAsEntry && item.webkitGetAsEntry()?.isDirectory));
    const all = [...event.dataTransfer.files];
    openFirst(all.filter((_, i) => !isFolder[i]), all.filter((_, i) => isFolder[i]).map((folder) => folder.name));
  });

  // doc=name.json in a link: a file beside the page, and nothing else. What comes too late for another link is dropped.
  async function openBeside(name) {
    if (!/^[A-Za-z0-9][A-Za-z0-9._-]*\.json$/.test(name)) return tell(`doc=${name} does not name a .json file beside this page.`);
    const late = () => core.documentFile() !== name;
    ++opening;
    try {
      const response = await fetch(new URL(name, document.baseURI), { credentials: 'same-origin' });
      if (late()) return '';
      if (!response.ok) return tell(`${name} was not found beside this page (${response.status}).`);
      const bytes = new Uint8Array(await response.arrayBuffer());
      return late() ? '' : openBytes(bytes, name);
    } catch {
      return late() ? '' : tell(`${name} could not be fetched from beside this page. Check the connection, or open the file itself.`);
    } finally {
      --opening;
    }
  }

  // To be called after whatever may have loaded a link.
  function openAwaited() {
    const name = core.documentFile();
    if (!name || name === fetching) return;
    fetching = name;
    openBeside(name).finally(() => { if (fetching === name) fetching = ''; });
  }

  return {
    openBytes,
    openPasted,
    openAwaited,
    isOpening: () => opening > 0,
    serve(requests) {
      if (requests & OPEN_FILE) chooser.click();
      if (requests & SAVE_FILE) saveFile(core.savedFile());
    },
  };
}
