// Has the open scene computed beside the page: loads the scenes when the first one is opened, lets the newest request win,
// and hands over what comes of it; has files of arrays opened there too. Knows no scene, and of the page only that the
// single file keeps data in elements.
import { fetchFile, programOf } from './core.js';
import { tr } from './language.js';

// Must equal kSceneInterface in src/platform/scenes_web.cpp.
const VERSION = 5;
const PATIENCE = 100; // ms that an outdated computation may still take before its worker is ended,
const FILES_PATIENCE = 2000; // or where all that it has read or fetched would be lost with it
const QUICK = 30; // ms of a computation whose result can be in the picture that shows what asked for it

// source: { scriptUrl, programUrl } or { script, program } (text, and base64).
async function loadParts(source) {
  if (source.script) return { script: source.script, program: await WebAssembly.compile(programOf(source.program)) };
  const [script, program] = await Promise.all([fetchFile(source.scriptUrl), fetchFile(source.programUrl)]);
  return { script: await script.text(), program: await WebAssembly.compile(programOf(await program.arrayBuffer())) };
}

// From a blob, so that neither its MIME type nor a file:// address matters.
function startWorker({ script, program }, table) {
  const address = URL.createObjectURL(new Blob([script], { type: 'text/javascript' }));
  return new Promise((resolve, reject) => {
    const worker = new Worker(address);
    const fail = (why) => {
      worker.terminate();
      reject(new Error(why));
    };
    worker.onerror = (event) => {
      event.preventDefault();
      fail(event.message || tr('the browser does not allow it here'));
    };
    worker.onmessage = ({ data }) => {
      if (data.broken === 'stale') return fail(tr('the page and its scenes are of different versions; reload the page'));
      if (data.broken) return fail(data.broken);
      resolve(worker);
    };
    worker.postMessage({ program, version: VERSION, table });
  }).finally(() => URL.revokeObjectURL(address));
}

// table: of the language, '' for English.
export function createScenes(core, loop, source, table) {
  let parts = null; // a promise, once a scene has been opened
  let worker = null;
  let starting = false;
  let busy = 0; // the ticket that the worker computes
  let since = 0;
  let took = Infinity; // the last computation, ms
  let timer = 0;
  let keeps = false; // the worker has asked for files of web/data
  const fetched = []; // addresses of those that came
  let onFetched = () => {};
  let opening = []; // {request, done}: files that the worker has not opened yet
  const kept = new Map(); // requests of what is open, for a fresh worker: to be looked at, and to be compared with

  function hand(tell) {
    tell();
    loop.wake();
  }

  // A result is shown at once.
  function handResult(tell) {
    tell();
    if (!document.hidden) loop.redraw();
  }

  function endWorker() {
    if (worker) worker.terminate();
    worker = null;
    busy = 0;
    keeps = false;
  }

  function onOpened(outcome) {
    const { request, done } = opening.shift();
    if (outcome.added) kept.get(request.other).push(request);
    else if (outcome.label) kept.set(request.other, [request]);
    done(outcome);
  }

  function onMessage({ data }) {
    if (data.sentences) return onOpened(data);
    if (data.wants) {
      keeps = true;
      return worker.postMessage({ ...data, text: document.getElementById(data.wants)?.textContent, base: document.baseURI });
    }
    if (data.fetched) {
      fetched.push(data.fetched);
      return onFetched();
    }
    if (data.done !== undefined) {
      if (!busy) [busy, since] = [data.ticket, performance.now()]; // a page that comes again, and takes long
      return hand(() => core.sceneProgress(data.ticket, data.done));
    }
    if (data.ticket === busy) {
      busy = 0;
      took = performance.now() - since;
    }
    handResult(() => {
      if (!data.page) core.sceneFailed(data.ticket, data.failed, true);
      else if (!core.scenePage(data.ticket, data.page)) worker.postMessage({ rest: data.ticket });
    });
    follow();
  }

  // What went wrong is told about the files that were being opened, about the page that was asked for, or by itself.
  function tellFailure(sentence, refused) {
    const ticket = core.sceneTicket();
    if (opening.length) onOpened({ label: '', sentences: [sentence] });
    else hand(() => (ticket ? core.sceneFailed(ticket, sentence, refused) : core.notify(sentence)));
  }

  // Out of memory, most likely; the next request gets a fresh worker.
  function onError(event) {
    event.preventDefault();
    endWorker();
    tellFailure(tr('The computation broke off, most likely for want of memory; choose a smaller size.'), true);
    follow();
  }

  async function prepare() {
    starting = true;
    try {
      parts = parts || loadParts(source);
      const [loaded] = await Promise.all([parts, core.loadRest()]); // without the rest no page can be shown
      worker = await startWorker(loaded, table);
      worker.onmessage = onMessage;
      worker.onerror = onError;
      for (const request of [...kept.values()].flat()) worker.postMessage({ ...request, again: true });
      for (const { request } of opening) worker.postMessage(request);
    } catch (error) {
      parts = null;
      tellFailure(tr('The scenes could not be loaded ({0}). Check the connection, then try again.', error.message), false);
    }
    starting = false;
    follow();
  }

  // Brings the worker to what the core asks for now.
  function follow() {
    clearTimeout(timer);
    timer = 0;
    const ticket = core.sceneTicket();
    if (busy && (busy !== ticket || opening.length)) {
      const left = since + (kept.size || keeps ? FILES_PATIENCE : PATIENCE) - performance.now();
      if (left > 0) return void (timer = setTimeout(follow, left));
      endWorker();
    }
    if (busy || starting || !(ticket || opening.length)) return;
    if (!worker) return void prepare();
    if (!ticket) return;
    busy = ticket;
    since = performance.now();
    worker.postMessage({ ticket, ...core.sceneRequest() });
    if (took < QUICK) loop.hold();
  }

  let seen = -1;
  loop.onFrame(() => {
    if (core.revision() === seen) return;
    seen = core.revision();
    follow();
  });

  return {
    fetched,
    onFetched: (listener) => { onFetched = listener; },
    isComputing: () => core.sceneTicket() !== 0,
    // A promise of {label, sentences}: what is open now, '' when none could be, and one sentence for each that could not.
    open: (list, other) => new Promise((done) => {
      const request = { open: list, other };
      opening.push({ request, done });
      if (worker) worker.postMessage(request);
      follow();
    }),
  };
}
