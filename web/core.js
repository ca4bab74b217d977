// Loads the computing core, whatever MIME type it comes with, and wraps its functions. Knows no element of the page.

import { createGlyphs } from './glyphs.js';
import { tr } from './language.js';

// Must equal kInterface in src/platform/web.cpp.
const INTERFACE = 13;

// Something that the person can be told as it is.
export class LoadError extends Error {}

const stale = () => new LoadError(tr('This page and its program are of different versions. Reload the page to get both anew.'));

// What beside the page is fetched; anything but the file itself is told in words.
export async function fetchFile(url) {
  let response;
  try {
    response = await fetch(url, { credentials: 'same-origin' });
  } catch {
    throw new LoadError(location.protocol === 'file:'
      ? tr('A browser does not load the program from a folder. Open the single file attnscope.html instead, or serve this folder.')
      : tr('The program could not be fetched. Check the connection, then reload; a sandboxed frame needs the single file.'));
  }
  if (!response.ok) throw new LoadError(tr('The program was not found: the server answered {0} for {1}. Publish all files of the folder.', response.status, url));
  return response;
}

function checkMagic(bytes) {
  const head = new Uint8Array(bytes, 0, Math.min(4, bytes.byteLength));
  if (String.fromCharCode(...head) === '\0asm') return bytes;
  throw new LoadError(tr('What came instead of the program is not WebAssembly, perhaps a “not found” page. Publish all files of the folder.'));
}

export function fromBase64(text) {
  const binary = atob(text);
  const bytes = new Uint8Array(binary.length);
  for (let i = 0; i < binary.length; ++i) bytes[i] = binary.charCodeAt(i);
  return bytes.buffer;
}

// The bytes of a program, from its file's bytes or from base64.
export const programOf = (data) => checkMagic(typeof data === 'string' ? fromBase64(data) : data);

async function instantiate(source, imports) {
  if (source.inlined) return WebAssembly.instantiate(programOf(source.inlined), imports);
  let response = await fetchFile(source.url);
  // Streaming refuses every other type, parameters included.
  if (WebAssembly.instantiateStreaming && response.headers.get('content-type') === 'application/wasm') {
    try {
      return await WebAssembly.instantiateStreaming(response, imports);
    } catch (error) {
      if (!(error instanceof WebAssembly.CompileError)) throw error;
      response = await fetchFile(source.url); // to see what came instead
    }
  }
  return WebAssembly.instantiate(programOf(await response.arrayBuffer()), imports);
}

function explain(error) {
  if (error instanceof LoadError) return error;
  if (error instanceof WebAssembly.LinkError) return stale();
  return new LoadError(tr('The program could not be started ({0}). Reload, or try a current browser.', error.message || error));
}

// What the other half is to give stands in for itself until it is there. Both halves call each other by one name, which
// holds their version: it is the only one that Emscripten's imports do not have.
function withBorder(imports) {
  const border = { name: '' };
  const early = new Proxy({}, {
    get: (_, place) => () => { throw new Error(`the rest of the program was called before it was there (${String(place)})`); },
  });
  border.imports = new Proxy(imports, {
    get(all, name) {
      if (name in all) return all[name];
      border.name = name;
      return early;
    },
  });
  return border;
}

// Fetches the other half when it is first needed; after a failure, again.
function createRest(source, border, exports, tell) {
  let loading = null;
  async function load() {
    try {
      await instantiate(source, { [border.name]: exports });
    } catch (error) {
      loading = null;
      const told = error instanceof TypeError ? stale() : explain(error); // there is no import of that name
      tell(told.message);
      throw told;
    }
    tell('');
  }
  return () => (loading ??= load());
}

// source and restSource: { url } or { inlined } (base64). onStop is told when the program can go no further.
export function loadCore(createModule, source, restSource, onStop) {
  if (typeof WebAssembly !== 'object') {
    return Promise.reject(new LoadError(
      tr('This browser has no WebAssembly, or it is switched off, and attnscope computes with it. Switch it on or use a current browser.')));
  }
  return new Promise((resolve, reject) => {
    const fail = (error) => reject(explain(error));
    let border, exports;
    createModule({
      instantiateWasm(imports, receive) {
        border = withBorder(imports);
        instantiate(source, border.imports).then(({ instance, module }) => {
          ({ exports } = instance);
          receive(instance, module);
        }).catch(fail);
        return {};
      },
      onAbort: (reason) => onStop(String(reason)),
      drawText: createGlyphs(),
    }).then((module) => {
      if (!module._attn_interface || module._attn_interface() !== INTERFACE) return fail(stale());
      const core = wrap(module);
      resolve({ ...core, loadRest: createRest(restSource, border, exports, core.rest) });
    }, fail);
  });
}

function wrap(module) {
  const encoder = new TextEncoder();
  // Memory may have grown and moved, so HEAPU8 is looked up after every malloc.
  function withBytes(bytes, use) {
    const at = module._malloc(bytes.length + 1);
    if (!at) return tr('There is not enough memory for this; use a smaller one.');
    module.HEAPU8.set(bytes, at);
    module.HEAPU8[at + bytes.length] = 0;
    try {
      return use(at, bytes.length);
    } finally {
      module._free(at);
    }
  }
  const withText = (text, use) => withBytes(encoder.encode(text), use);
  const read = (pointer) => module.UTF8ToString(pointer);

  return {
    // Before everything else.
    setLanguage: ({ code, table }) => withText(code, (at) => withText(table, (json) => module._attn_set_language(at, json))),
    start: (address) => withText(address, (at) => module._attn_start(at)),
    startGraphics: () => module._attn_start_graphics() !== 0,
    loseGraphics: () => module._attn_lose_graphics(),
    resize: (width, height, pixelWidth, pixelHeight) => module._attn_resize(width, height, pixelWidth, pixelHeight),
    environment: (e) => module._attn_environment(e.dark, e.reducedMotion, e.forcedColors, e.coarsePointer, e.mac),
    frame: (seconds) => module._attn_frame(seconds),
    paint: () => module._attn_paint(),
    inputWaits: () => module._attn_input_waits() !== 0,
    poke: () => module._attn_poke(),
    frames: () => module._attn_frames(),
    revision: () => module._attn_revision(),
    playing: () => module._attn_playing() !== 0,
    pointer: (x, y, modifiers) => module._attn_pointer(x, y, modifiers),
    pointerLeave: () => module._attn_pointer_leave(),
    pointerButton: (button, down) => module._attn_pointer_button(button, down),
    wheel: (x, y, modifiers) => module._attn_wheel(x, y, modifiers),
    touch: (kind, id, x, y, now) => module._attn_touch(kind, id, x, y, now),
    key: (name, down, modifiers) => withText(name, (at) => module._attn_key(at, down, modifiers)),
    wantsText: () => module._attn_wants_text() !== 0,
    writtenControl: () => read(module._attn_written_control()),
    edited: () => ({ text: read(module._attn_edited_text()), from: module._attn_edited_from(), to: module._attn_edited_to() }),
    edit: ({ text, from, to }) => withText(text, (at) => module._attn_edit(at, from, to)),
    cursor: () => module._attn_cursor(),
    focus: (focused) => module._attn_focus(focused),
    showFocus: (visible) => module._attn_show_focus(visible),
    focusControl: (id) => withText(id, (at) => module._attn_focus_control(at)),
    activate: (id) => withText(id, (at) => module._attn_activate(at)),
    setValue: (id, value) => withText(id, (at) => module._attn_set_value(at, value)),
    setText: (id, text) => withText(id, (at) => withText(text, (written) => module._attn_set_text(at, written))),
    nudge: (id, x, y) => withText(id, (at) => module._attn_nudge(at, x, y)),
    requests: () => module._attn_requests(),
    savedFile: () => {
      const at = module._attn_saved_bytes();
      return { name: read(module._attn_saved_name()), bytes: module.HEAPU8.slice(at, at + module._attn_saved_size()), scale: module._attn_saved_scale() };
    },
    clipboard: () => read(module._attn_clipboard()),
    mirror: () => read(module._attn_mirror()),
    layout: () => read(module._attn_layout()),
    state: () => read(module._attn_state()),
    text: () => read(module._attn_text()),
    notice: () => read(module._attn_notice()),
    link: () => read(module._attn_link()),
    trace: () => read(module._attn_trace()),
    // The rest return '' when done, else one sentence.
    dispatch: (json) => withText(json, (at) => read(module._attn_dispatch(at))),
    loadLink: (link) => withText(link, (at) => read(module._attn_load_link(at))),
    open: (bytes, name) => withText(name, (at) => withBytes(bytes, (data, size) => read(module._attn_open(data, size, at)))),
    isDocument: (bytes) => withBytes(bytes, (data, size) => module._attn_is_document(data, size)) === 1,
    openArrays: (label, other, refused) =>
      withText(label, (at) => withText(refused, (sentences) => module._attn_open_arrays(at, other ? 1 : 0, sentences))),
    filesGoToOther: () => module._attn_files_go_to_other() !== 0,
    rest: (failure) => withText(failure, (at) => module._attn_rest(at)),
    documentFile: () => read(module._attn_document_file()),
    notify: (sentence) => withText(sentence, (at) => module._attn_notify(at)),
    sceneTicket: () => module._attn_scene_ticket(), // 0: nothing is asked for
    sceneRequest: () => ({ id: read(module._attn_scene_id()), settings: read(module._attn_scene_settings()) }),
    scenePage: (ticket, json) => withText(json, (at) => module._attn_scene_page(ticket, at)) !== 0, // false: it meant nothing
    sceneFailed: (ticket, sentence, refused) =>
      withText(sentence, (at) => module._attn_scene_failed(ticket, at, refused ? 1 : 0)),
    sceneProgress: (ticket, done) => module._attn_scene_progress(ticket, done),
    setHistory: (visited, resume) => withText(visited, (a) => withText(resume, (b) => module._attn_set_history(a, b))),
    beginTour: () => module._attn_begin_tour(),
    visited: () => read(module._attn_visited()),
    setNotebook: (json) => withText(json, (at) => module._attn_set_notebook(at)),
    notebook: () => read(module._attn_notebook()),
    takesText: () => module._attn_takes_text() !== 0,
    setPreferences: (p) => module._attn_set_preferences(p.theme, p.textScale, p.letterKeys, p.sounds),
    preferences: () => ({
      theme: module._attn_theme(),
      textScale: Math.round(module._attn_text_scale() * 100) / 100,
      letterKeys: module._attn_letter_keys() !== 0,
      sounds: module._attn_sounds() !== 0,
      speed: module._attn_speed(),
      language: read(module._attn_language()),
    }),
    heapBytes: () => module.HEAPU8.length,
  };
}
