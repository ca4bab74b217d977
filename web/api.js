// window.attnscope, and the same through postMessage for an embedding page. Data in, data out; nothing is evaluated.

const EVENTS = ['change', 'open', 'error'];

const kindOf = (value) => Object.prototype.toString.call(value).slice(8, -1); // the same for another frame's objects

// What open() takes, as bytes; null for everything else.
async function bytesOf(source) {
  if (typeof source === 'string') return new TextEncoder().encode(source);
  if (ArrayBuffer.isView(source)) return new Uint8Array(source.buffer, source.byteOffset, source.byteLength);
  if (['ArrayBuffer', 'SharedArrayBuffer'].includes(kindOf(source))) return new Uint8Array(source);
  if (['Blob', 'File'].includes(kindOf(source))) return new Uint8Array(await source.arrayBuffer());
  return null;
}

function jsonOf(action) {
  if (kindOf(action) !== 'Object') throw new Error(`dispatch takes an action such as {type: 'step', by: 1}, not ${kindOf(action)}.`);
  try {
    return JSON.stringify(action);
  } catch (error) {
    throw new Error(`The action cannot be written as JSON (${error.message}); give plain values.`);
  }
}

export function createApi(core, loop, { files, scenes, rest }, whenReady) {
  const listeners = { change: [], open: [], error: [] };
  // Whatever a listener of the embedding page does, the others and the page itself go on.
  const emit = (event, detail) => [...listeners[event]].forEach(({ listen }) => {
    try {
      listen(detail);
    } catch (error) {
      queueMicrotask(() => { throw error; });
    }
  });

  function done(sentence) {
    files.openAwaited();
    core.poke();
    loop.wake();
    if (!sentence) return;
    emit('error', sentence);
    throw new Error(sentence);
  }

  const api = {
    ready: whenReady,
    state: () => JSON.parse(core.state()),
    dispatch: (action) => done(core.dispatch(jsonOf(action))),
    text: () => core.text(),
    trace: () => JSON.parse(core.trace()),
    async open(bytes, name) {
      const read = await bytesOf(bytes);
      if (!read) throw new Error(`open takes a file as text, ArrayBuffer, typed array or Blob, not ${kindOf(bytes)}.`);
      done(await files.openFiles([new File([read], String(name || bytes.name || 'document'))]));
    },
    link: () => core.link(),
    on(event, listen) {
      if (!EVENTS.includes(event)) throw new Error(`There is no event "${event}"; there are ${EVENTS.join(', ')}.`);
      if (typeof listen !== 'function') throw new Error(`on('${event}', …) takes a function as its second argument, not ${kindOf(listen)}.`);
      const entry = { listen };
      listeners[event].push(entry);
      return () => { listeners[event] = listeners[event].filter((each) => each !== entry); };
    },
    layout: () => JSON.parse(core.layout()),
    stats: () => ({
      frames: core.frames(),
      heap_bytes: core.heapBytes(),
      pending: (loop.isPending() ? 1 : 0) + (files.isOpening() ? 1 : 0) + (scenes.isComputing() ? 1 : 0) + (rest.isLoading() ? 1 : 0),
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
      reply(event.origin, { id: message.id, result: result === undefined ? null : result });
    } catch (error) {
      reply(event.origin, { id: message.id, error: error.message });
    }
  });
}
