// Runs in a worker, after the scenes' own script: computes one request at a time, reads on in the open files between
// them, and brings what a page wants of web/data. Whoever wants to stop it ends the worker.
import { setWords, tr } from './language.js';

const PROGRESS_EVERY = 100; // ms
const PAGE_EVERY = 250; // ms between pages that come again

// {program, version, table} once, then {ticket, id, settings} and {open: [File], other} again and again; {rest: ticket} when a page
// that came again meant nothing; {wants, text, base} as an answer.
// Back: {ready}, {ticket, done}, {ticket, page} (again when more is known), {ticket, failed}, {label, sentences}, {broken};
// {wants: path} of web/data, for its text (base64) where the page holds it, and the page's address; {fetched: address} of it.
let scenes = null;
let ticket = 0;
let told = 0;
let shown = null; // the request whose page comes again when more is known
let shownAt = 0;
let news = false;
const files = new Map();
let lastFile = 0;
const awaited = new Set(); // paths of web/data
const reader = new FileReaderSync();
const turn = new MessageChannel(); // to go on after the messages that wait
let turning = false;

function onProgress(done) {
  const now = Date.now();
  if (now - told < PROGRESS_EVERY) return;
  told = now;
  postMessage({ ticket, done });
}

function read(file, offset, into, size) {
  try {
    const bytes = new Uint8Array(reader.readAsArrayBuffer(files.get(file).slice(offset, offset + size)));
    if (bytes.length !== size) return 0;
    scenes.HEAPU8.set(bytes, into);
    return 1;
  } catch {
    return 0;
  }
}

function start({ program, version, table }) {
  if (table) setWords(table);
  createScenes({
    instantiateWasm(imports, receive) {
      WebAssembly.instantiate(program, imports).then((instance) => receive(instance), (error) => postMessage({ broken: String(error) }));
      return {};
    },
    progress: onProgress,
    read,
    close: (file) => files.delete(file),
  }).then((module) => {
    if (!module._scenes_interface || module._scenes_interface() !== version) return postMessage({ broken: 'stale' });
    scenes = module;
    withText(table, (json) => scenes._scenes_set_language(json));
    postMessage({ ready: true });
  }, (error) => postMessage({ broken: String(error) }));
}

function withBytes(bytes, use) {
  const at = scenes._malloc(bytes.length + 1);
  scenes.HEAPU8.set(bytes, at);
  scenes.HEAPU8[at + bytes.length] = 0;
  const result = use(at);
  scenes._free(at);
  return result;
}
const withText = (text, use) => withBytes(new TextEncoder().encode(text), use);

// `again`: not because a person asked for it.
function answer({ id, settings }, again) {
  told = Date.now();
  const text = withText(id, (name) => withText(settings, (set) => scenes.UTF8ToString(scenes._scenes_run(name, set, again ? 1 : 0))));
  shownAt = Date.now();
  news = false;
  for (const path of JSON.parse(scenes.UTF8ToString(scenes._scenes_wanted()))) {
    if (!awaited.has(path)) postMessage({ wants: path });
    awaited.add(path);
  }
  return scenes._scenes_failed() ? { ticket, failed: text } : { ticket, page: text };
}

// scripts/site.mjs writes DATA: of each path, the address beside the page, and the size.
async function fetchData(path, base) {
  if (!DATA[path]) throw new Error(tr('`{0}` is not part of this page. Reload to get its newest version; a page that a notebook made holds neither the trained model nor samples.', path));
  const [address, size] = DATA[path];
  let response, bytes;
  try {
    response = await fetch(new URL(address, base));
    bytes = new Uint8Array(await response.arrayBuffer());
  } catch {
    throw new Error(tr('`{0}` could not be fetched. Check the connection, then change something here to try again.', path));
  }
  if (!response.ok) throw new Error(tr('`{0}` was not found: the server answered {1}. Publish all files of the folder, then change something here to try again.', path, response.status));
  if (bytes.length !== size) throw new Error(tr('What came in the place of `{0}` has {1} bytes, not {2}: it is another version, or a “not found” page. Publish all files of the folder, then change something here to try again.', path, bytes.length, size));
  postMessage({ fetched: address });
  return bytes;
}

async function bring({ wants: path, text, base }) {
  let bytes, sentence;
  try {
    bytes = text ? Uint8Array.from(atob(text), (c) => c.charCodeAt(0)) : await fetchData(path, base);
  } catch (error) {
    sentence = error.message;
  }
  awaited.delete(path);
  const complete = withText(path, (at) => bytes ? withBytes(bytes, (data) => scenes._scenes_bring(at, data, bytes.length))
    : withText(sentence, (why) => scenes._scenes_refuse(at, why)));
  if (!complete || !shown) return;
  news = true;
  readOnLater();
}

function readOnLater() {
  if (turning || !shown || !(news || scenes._scenes_wanting())) return;
  turning = true;
  turn.port2.postMessage(0);
}

// A little, and the page once more when it shows something new: now and then, and when all is read.
function readOn() {
  turning = false;
  if (!shown) return;
  if (scenes._scenes_step()) news = true;
  if (news && (!scenes._scenes_wanting() || Date.now() - shownAt >= PAGE_EVERY)) postMessage(answer(shown, true));
  readOnLater();
}
turn.port1.onmessage = readOn;

function compute(request) {
  ({ ticket } = request);
  shown = null;
  const first = answer(request);
  if (first.page) shown = request;
  postMessage(first);
  readOnLater();
}

// `again`: they were open before, in a worker that has ended.
function open({ open: list, other, again }) {
  shown = null;
  for (const file of list) {
    files.set(++lastFile, file);
    withText(file.name, (name) => scenes._scenes_give(name, lastFile, file.size));
  }
  const outcome = JSON.parse(scenes.UTF8ToString(scenes._scenes_open(other ? 1 : 0)));
  if (!again) postMessage(outcome);
}

onmessage = ({ data }) => {
  if (data.program) start(data);
  else if (data.open) open(data);
  else if (data.wants) bring(data);
  else if (data.rest) shown = data.rest === ticket ? null : shown;
  else compute(data);
};
