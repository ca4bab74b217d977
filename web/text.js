// Typing into a field of the canvas: a field of the page's own takes the keyboard, with the same text and selection, and
// gives the keyboard back. So input methods, dictation, phones' keyboards and screen readers find a field like any other.
// Knows no key of the stage.
import { tap } from './input.js';
import { tr } from './language.js';

const COMMAND = /mac|iphone|ipad/i.test(navigator.platform) ? 8 : 2; // as in input.js
const NOT_FOR_TEXT = /^(Tab|Escape|Shift|Control|Alt|AltGraph|Meta|CapsLock|F\d+)$/;

const encoder = new TextEncoder();
const decoder = new TextDecoder();
const bytesOf = (text, units) => encoder.encode(text.slice(0, units)).length; // as the core counts
const unitsOf = (text, bytes) => decoder.decode(encoder.encode(text).subarray(0, bytes)).length;

const isField = (each) => each.localName === 'textarea' || (each.localName === 'input' && each.type === 'text');
const same = (a, b) => a.text === b.text && a.from === b.from && a.to === b.to;

function makeAgent(tag) {
  const agent = document.createElement(tag);
  agent.id = 'text-agent';
  if (tag === 'input') agent.type = 'text';
  else agent.wrap = 'off'; // a line of the picture is a line here
  agent.hidden = true;
  agent.tabIndex = -1;
  agent.autocapitalize = 'off';
  agent.autocomplete = 'off';
  agent.spellcheck = false;
  return agent;
}

function contentOf(agent) {
  const { value, selectionStart, selectionEnd, selectionDirection } = agent;
  const ends = [bytesOf(value, selectionStart), bytesOf(value, selectionEnd)];
  const [from, to] = selectionDirection === 'backward' ? ends.reverse() : ends;
  return { text: value, from, to };
}

function fillAgent(agent, { text, from, to }) {
  if (agent.value !== text) agent.value = text;
  const [a, b] = [unitsOf(text, from), unitsOf(text, to)];
  agent.setSelectionRange(Math.min(a, b), Math.max(a, b), a > b ? 'backward' : 'forward');
}

export function createTextAgent(canvas, core, loop) {
  const agents = { input: makeAgent('input'), textarea: makeAgent('textarea') };
  let agent = agents.input;
  canvas.after(agent);
  let id = ''; // of the control that is written in, '' for none
  let first = ''; // its text before anything was written
  let known = null; // what this field and the core's last agreed on
  let composing = false;
  let returning = false;
  let before = canvas; // what had the focus

  const fieldOf = (control) => [...canvas.querySelectorAll('input, textarea')].find((each) => each.dataset.control === control);

  function begin() {
    if (!id) before = canvas.contains(document.activeElement) ? document.activeElement : canvas;
    id = core.writtenControl();
    const field = fieldOf(id);
    const wanted = agents[field ? field.localName : 'input'];
    if (wanted !== agent) {
      agent.hidden = true;
      agent.replaceWith(wanted);
      agent = wanted;
    }
    agent.dataset.control = id;
    known = core.edited();
    first = known.text;
    composing = false;
    agent.hidden = false;
    agent.focus({ preventScroll: true });
    fillAgent(agent, known);
  }

  function end() {
    const hadFocus = document.activeElement === agent;
    id = '';
    delete agent.dataset.control;
    agent.hidden = true;
    if (!hadFocus) return;
    returning = true;
    (before.isConnected ? before : canvas).focus({ preventScroll: true });
    returning = false;
  }

  // Opened at once, so that the key that asks for it already does here what it does.
  function open(control) {
    core.activate(control);
    for (let frame = 0; frame < 4 && !id; ++frame) loop.gesture();
  }

  // By the key that does so; done when this returns, since the browser goes on from where the focus is then.
  function leave(key) {
    tap(core, loop, key, key === 'Enter' && agent === agents.textarea ? COMMAND : 0);
    for (let frame = 0; frame < 4 && id; ++frame) loop.gesture();
  }

  // What was written stands.
  function finish() {
    leave(agent.value === first ? 'Escape' : 'Enter');
  }

  function tellCore() {
    if (!id || composing) return;
    const now = contentOf(agent);
    if (same(now, known)) return;
    known = now;
    core.edit(now);
    loop.gesture();
  }

  // A pointer moves the caret in the picture, and the core may have taken another text than was written.
  function takeFromCore() {
    const now = core.edited();
    if (composing || same(now, known)) return;
    known = now;
    fillAgent(agent, now);
  }

  function describe() {
    const field = fieldOf(id);
    const label = field && field.parentElement.querySelector('span');
    const words = { 'aria-label': label ? label.textContent : tr('Text of the field in the canvas'),
      'aria-description': (field && field.getAttribute('aria-description')) || '' };
    for (const [name, text] of Object.entries(words)) if (agent.getAttribute(name) !== text) agent.setAttribute(name, text);
  }

  function onKey(event) {
    if (event.isComposing || event.keyCode === 229) return;
    if (event.key === 'Tab') { // the browser goes on from the field that this one stands for
      before = fieldOf(id) || before;
      finish();
    } else if (event.key === 'Escape') {
      event.preventDefault();
      const untouched = agent.value === first;
      leave('Escape');
      if (untouched) tap(core, loop, 'Escape', 0); // there is nothing to take back: it closes the panel, as on a button
    } else if (event.key === 'Enter' && (agent === agents.input || event.ctrlKey || event.metaKey)) {
      event.preventDefault();
      leave('Enter');
    }
  }

  for (const each of Object.values(agents)) {
    each.addEventListener('compositionstart', () => { composing = true; });
    each.addEventListener('compositionend', () => {
      composing = false;
      tellCore();
    });
    each.addEventListener('input', tellCore);
    each.addEventListener('keydown', onKey);
    each.addEventListener('blur', (event) => {
      if (id && event.relatedTarget && event.relatedTarget !== canvas) finish();
    });
  }
  document.addEventListener('selectionchange', () => {
    if (document.activeElement === agent) tellCore();
  });
  // A browser writes into no field inside a canvas: who comes to one goes on here.
  canvas.addEventListener('focusin', ({ target }) => {
    if (!returning && isField(target)) open(target.dataset.control);
  });
  canvas.addEventListener('keydown', (event) => {
    if (!isField(event.target) || NOT_FOR_TEXT.test(event.key)) return;
    open(event.target.dataset.control);
    if (event.key === 'Enter') event.preventDefault();
  });
  // A click into the field that is being written in moves the caret; the canvas took the focus only on the way.
  canvas.addEventListener('click', () => {
    if (id && core.wantsText()) agent.focus({ preventScroll: true });
  });

  loop.onFrame(() => {
    const now = core.wantsText() ? core.writtenControl() : '';
    if (now !== id) (now ? begin : end)();
    if (!id) return;
    describe();
    takeFromCore();
  });

  return {
    isActive: () => id !== '',
    paste(text) {
      const pasted = agent === agents.input ? text.replace(/\s*[\r\n]+\s*/g, ' ') : text;
      document.execCommand('insertText', false, pasted); // unlike setRangeText it can be undone
    },
  };
}
