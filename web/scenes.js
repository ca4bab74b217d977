// Has the open scene computed beside the page: loads the scenes when the first one is opened, lets the newest request win,
// and hands over what comes of it. Knows no scene.
import { fetchFile, programOf } from './core.js';

// Must equal kSceneInterface in src/platform/scenes_web.cpp.
const VERSION = 1;
const PATIENCE = 100; // ms that an outdated computation may still take before its worker is ended

const RETRY = 'Check the connection, then try again.';

// source: { scriptUrl, programUrl } or { script, program } (text, and base64).
async function loadParts(source) {
  if (source.script) return { script: source.script, program: await WebAssembly.compile(programOf(source.program)) };
  const [script, program] = await Promise.all([fetchFile(source.scriptUrl), fetchFile(source.programUrl)]);
  return { script: await script.text(), program: await WebAssembly.compile(programOf(await program.arrayBuffer())) };
}

// From a blob, so that neither its MIME type nor a file:// address matters.
function startWorker({ script, program }) {
  const address = URL.createObjectURL(new Blob([script], { type: 'text/javascript' }));
  return new Promise((resolve, reject) => {
    const worker = new Worker(address);
    const fail = (why) => {
      worker.terminate();
      reject(new Error(why));
    };
    worker.onerror = (event) => {
      event.preventDefault();
      fail(event.message || 'the browser does not allow it here');
    };
    worker.onmessage = ({ data }) => {
      if (data.broken === 'stale') return fail('the page and its scenes are of different versions; reload the page');
      if (data.broken) return fail(data.broken);
      resolve(worker);
    };
    worker.postMessage({ program, version: VERSION });
  }).finally(() => URL.revokeObjectURL(address));
}

export function createScenes(core, loop, source) {
  let parts = null; // a promise, once a scene has been opened
  let worker = null;
  let starting = false;
  let busy = 0; // the ticket that the worker computes
  let since = 0;
  let timer = 0;

  function hand(tell) {
    tell();
    loop.wake();
  }

  function endWorker() {
    if (worker) worker.terminate();
    worker = null;
    busy = 0;
  }

  function onMessage({ data }) {
    if (data.done !== undefined) return hand(() => core.sceneProgress(data.ticket, data.done));
    busy = 0;
    hand(() => (data.page ? core.scenePage(data.ticket, data.page) : core.sceneFailed(data.ticket, data.failed, true)));
    follow();
  }

  // Out of memory, most likely; the next request gets a fresh worker.
  function onError(event) {
    event.preventDefault();
    const ticket = busy;
    endWorker();
    const sentence = 'The computation broke off, most likely for want of memory; choose a smaller size.';
    hand(() => core.sceneFailed(ticket, sentence, true));
  }

  async function prepare() {
    starting = true;
    try {
      parts = parts || loadParts(source);
      const [loaded] = await Promise.all([parts, core.loadRest()]); // without the rest no page can be shown
      worker = await startWorker(loaded);
      worker.onmessage = onMessage;
      worker.onerror = onError;
    } catch (error) {
      parts = null;
      const ticket = core.sceneTicket();
      hand(() => core.sceneFailed(ticket, `The scenes could not be loaded (${error.message}). ${RETRY}`, false));
    }
    starting = false;
    follow();
  }

  // Brings the worker to what the core asks for now.
  function follow() {
    clearTimeout(timer);
    timer = 0;
    const ticket = core.sceneTicket();
    if (busy && busy !== ticket) {
      const left = since + PATIENCE - performance.now();
      if (left > 0) return void (timer = setTimeout(follow, left));
      endWorker();
    }
    if (!ticket || busy || starting) return;
    if (!worker) return void prepare();
    busy = ticket;
    since = performance.now();
    worker.postMessage({ ticket, ...core.sceneRequest() });
  }

  let seen = -1;
  loop.onFrame(() => {
    if (core.revision() === seen) return;
    seen = core.revision();
    follow();
  });

  return { isComputing: () => core.sceneTicket() !== 0 };
}
