// window.attnscope, and the same through postMessage for an embedding page. Data in, data out; nothing is evaluated.

const EVENTS = ['change', 'open', 'error'];

export function createApi(core, loop, files, whenReady) {
  const listeners = { change: [], open: [], error: [] };
  const emit = (event, detail) => listeners[event].forEach((listen) => listen(detail));

  function done(sentence) {
    core.poke();
    loop.wake();
    if (!sentence) return;
    emit('error', sentence);
    throw new Error(sentence);
  }

  const api = {
    ready: whenReady,
    state: () => JSON.parse(core.state()),
    dispatch: (action) => done(core.dispatch(JSON.stringify(action))),
    text: () => core.text(),
    trace: () => JSON.parse(core.trace()),
    async open(bytes, name) {
      const view = typeof bytes === 'string' ? new TextEncoder().encode(bytes) : new Uint8Array(bytes.buffer || bytes);
      done(files.openBytes(view, String(name || 'document')));
    },
    link: () => core.link(),
    on(event, listen) {
      if (!EVENTS.includes(event)) throw new Error(`There is no event "${event}"; there are ${EVENTS.join(', ')}.`);
      listeners[event].push(listen);
      return () => listeners[event].splice(listeners[event].indexOf(listen), 1);
    },
    layout: () => JSON.parse(core.layout()),
    stats: () => ({
      frames: core.frames(),
      heap_bytes: core.heapBytes(),
      pending: (loop.isPending() ? 1 : 0) + (files.isOpening() ? 1 : 0),
    }),
  };

  let revision = core.revision();
  let example = api.state().ex;
  let notice = '';
  loop.onFrame(() => {
    if (core.revision() === revision) return;
    revision = core.revision();
    const state = api.state();
    emit('change', state);
    if (state.ex !== example) emit('open', state);
    if (state.notice && state.notice !== notice) emit('error', state.notice);
    example = state.ex;
    notice = state.notice;
  });
  return api;
}

const CALLS = ['state', 'dispatch', 'text', 'trace', 'open', 'link', 'layout', 'stats', 'ready', 'on'];

// {attnscope: 1, id, call, args} → {attnscope: 1, id, result} or {attnscope: 1, id, error}. After a call `on` with an
// event's name, {attnscope: 1, event, detail} follow.
export function listenToEmbedder(api) {
  if (parent === window) return;
  const reply = (origin, message) => parent.postMessage({ attnscope: 1, ...message }, origin === 'null' ? '*' : origin);

  async function carryOut(call, args, origin) {
    if (!CALLS.includes(call)) throw new Error(`There is no call "${call}"; there are ${CALLS.join(', ')}.`);
    if (call === 'ready') return void (await api.ready);
    if (call === 'on') return void api.on(args[0], (detail) => reply(origin, { event: args[0], detail }));
    return api[call](...args);
  }

  addEventListener('message', async (event) => {
    const message = event.data;
    if (event.source !== parent || !message || message.attnscope !== 1 || typeof message.call !== 'string') return;
    try {
      const result = await carryOut(message.call, Array.isArray(message.args) ? message.args : [], event.origin);
      reply(event.origin, { id: message.id, result });
    } catch (error) {
      reply(event.origin, { id: message.id, error: error.message });
    }
  });
}
