// Runs in a worker, after the scenes' own script: computes one request at a time. Whoever wants to stop it ends the worker.
'use strict';

const PROGRESS_EVERY = 100; // ms

// {program, interface} once, then {ticket, id, settings} again and again.
// Back: {ready}, {ticket, done}, {ticket, page}, {ticket, failed}, {broken}.
let scenes = null;
let ticket = 0;
let told = 0;

function onProgress(done) {
  const now = Date.now();
  if (now - told < PROGRESS_EVERY) return;
  told = now;
  postMessage({ ticket, done });
}

function start({ program, version }) {
  createScenes({
    instantiateWasm(imports, receive) {
      WebAssembly.instantiate(program, imports).then((instance) => receive(instance), (error) => postMessage({ broken: String(error) }));
      return {};
    },
    progress: onProgress,
  }).then((module) => {
    if (!module._scenes_interface || module._scenes_interface() !== version) return postMessage({ broken: 'stale' });
    scenes = module;
    postMessage({ ready: true });
  }, (error) => postMessage({ broken: String(error) }));
}

function withText(text, use) {
  const bytes = new TextEncoder().encode(text);
  const at = scenes._malloc(bytes.length + 1);
  scenes.HEAPU8.set(bytes, at);
  scenes.HEAPU8[at + bytes.length] = 0;
  const result = use(at);
  scenes._free(at);
  return result;
}

function compute(request) {
  ({ ticket } = request);
  told = Date.now();
  const text = withText(request.id, (id) => withText(request.settings, (settings) => scenes.UTF8ToString(scenes._scenes_run(id, settings))));
  postMessage(scenes._scenes_failed() ? { ticket, failed: text } : { ticket, page: text });
}

onmessage = ({ data }) => {
  if (data.program) start(data);
  else compute(data);
};
