// Files that the person opens: chosen, dropped or pasted; and one that the screen gives to keep. Files stay on this machine.
// Knows no format.

import { tr } from './language.js';
import { pixelsOf } from './pixels.js';

const OPEN_FILE = 2; // Request::kOpenFile in src/platform/web.cpp
const SAVE_FILE = 4; // Request::kSaveFile
const MAX_BYTES = 64 << 20;
const BYTES = 'application/octet-stream';
const TYPES = { json: 'application/json', csv: 'text/csv', svg: 'image/svg+xml', wav: 'audio/wav', npy: BYTES, npz: BYTES, safetensors: BYTES };

// openArrays: see open() in scenes.js.
export function createFiles(canvas, core, loop, openArrays) {
  const chooser = document.createElement('input');
  chooser.type = 'file';
  chooser.accept = '.json,.npy,.npz,.safetensors,.pt,.pth,.csv,.tsv,.txt,application/json';
  chooser.multiple = true;
  chooser.hidden = true;
  canvas.after(chooser);
  let opening = 0;
  let fetching = ''; // the file beside the page that is on its way

  function tell(sentence) {
    core.notify(sentence);
    loop.wake();
    return sentence;
  }

  // A document may begin with many tokens: where it can be one, it is looked through to its end.
  async function isDocument(file) {
    if (core.takesText()) return true;
    for (const size of [1 << 16, MAX_BYTES]) {
      const bytes = new Uint8Array(await file.slice(0, size).arrayBuffer());
      if (core.isDocument(bytes)) return true;
      if (bytes.length === file.size || bytes[0] !== 0x7b) return false; // {
    }
    return false;
  }

  const tooLarge = (name) => tr('{0} has more than 64 MiB, which is more than a document may have; open a smaller one.', name);

  // '' when it is open, a sentence when it cannot be, null when it is no document.
  async function openDocument(file) {
    if (!await isDocument(file)) return null;
    if (file.size > MAX_BYTES) return tooLarge(file.name);
    return openBytes(new Uint8Array(await file.arrayBuffer()), file.name);
  }

  function openBytes(bytes, name) {
    if (bytes.length > MAX_BYTES) return tell(tooLarge(name));
    const failed = core.open(bytes, name);
    core.poke();
    loop.wake();
    return failed;
  }

  async function openOne(list, refused) {
    const arrays = [];
    for (const file of list) {
      const why = await openDocument(file).catch(() => tr('{0} cannot be read; it may be a folder, or gone. Choose a file.', file.name));
      if (why === '') {
        const others = list.filter((each) => each !== file).map((each) => each.name);
        if (others.length) tell(tr('One document is open at a time: this is {0}; left out: {1}.', file.name, others.join(', ')));
        return '';
      }
      if (why) refused.push(why);
      else arrays.push(file);
    }
    const other = core.filesGoToOther();
    const { label, sentences } = arrays.length ? await openArrays(arrays, other) : { label: '', sentences: [] };
    const all = [...refused, ...sentences].join(' ');
    core.openArrays(label, other, all);
    loop.wake();
    return label ? '' : all;
  }

  // The first document that opens, alone; where there is none, all the others together, as arrays. Resolves to '' or to
  // what was refused, one sentence for each file, when nothing could be opened. All of it is also shown.
  function openFiles(list, refused = []) {
    ++opening;
    return openOne(list, refused).finally(() => { --opening; });
  }

  async function openText(text) {
    const why = await openFiles([new File([text], tr('pasted text'))]);
    if (why) tell(`${why} ${tr('To write it into a field, go into the field first.')}`);
  }

  function openPasted(what) {
    if (Array.isArray(what)) return void openFiles(what);
    const text = what.trim();
    const link = /(?:^|#)(v=1(?:&\S*)?)$/.exec(text);
    if (link) {
      core.loadLink(link[1]);
      openAwaited();
    } else if (text) openText(text);
    loop.wake();
  }

  // Into the person's downloads; with a scale, an SVG as pixels.
  async function saveFile({ name, bytes, scale }) {
    const file = new Blob([bytes], { type: scale ? TYPES.svg : TYPES[name.split('.').pop()] ?? 'text/plain' });
    const anchor = document.createElement('a');
    try {
      anchor.href = URL.createObjectURL(scale ? await pixelsOf(file, scale) : file);
    } catch {
      return tell(tr('The browser could not draw {0}. Choose a smaller size, or SVG.', name));
    }
    anchor.download = name;
    anchor.click();
    setTimeout(() => URL.revokeObjectURL(anchor.href), 60000);
  }

  chooser.addEventListener('change', () => {
    openFiles([...chooser.files]);
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
    const folders = all.filter((_, i) => isFolder[i]).map((folder) => tr('{0} is a folder; drop the files in it.', folder.name));
    openFiles(all.filter((_, i) => !isFolder[i]), folders);
  });

  // doc=name.json in a link: a file beside the page, and nothing else. What comes too late for another link is dropped.
  async function openBeside(name) {
    if (!/^[A-Za-z0-9][A-Za-z0-9._-]*\.json$/.test(name)) return tell(tr('doc={0} does not name a .json file beside this page.', name));
    const late = () => core.documentFile() !== name;
    ++opening;
    try {
      const response = await fetch(new URL(name, document.baseURI), { credentials: 'same-origin' });
      if (late()) return '';
      if (!response.ok) return tell(tr('{0} was not found beside this page ({1}).', name, response.status));
      const bytes = new Uint8Array(await response.arrayBuffer());
      return late() ? '' : openBytes(bytes, name);
    } catch {
      return late() ? '' : tell(tr('{0} could not be fetched from beside this page. Check the connection, or open the file itself.', name));
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
    openFiles,
    openPasted,
    openAwaited,
    isOpening: () => opening > 0,
    serve(requests) {
      if (requests & OPEN_FILE) chooser.click();
      if (requests & SAVE_FILE) saveFile(core.savedFile());
    },
  };
}
