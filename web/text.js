// Typing into a field of the canvas: an unseen input takes the keyboard, so that input methods and phones' keyboards
// work, and gives it back to what had it. Knows no key of the stage.

const EDITING = new Set(['ArrowLeft', 'ArrowRight', 'ArrowUp', 'ArrowDown', 'Home', 'End', 'Backspace', 'Delete', 'Enter', 'Escape']);
const WITH_CONTROL = new Set(['a', 'c', 'x', 'y', 'z']); // paste comes as input

const COMMAND = /mac|iphone|ipad/i.test(navigator.platform) ? 8 : 2; // as in input.js

// What Tab would reach next from `field` among the controls beside the canvas's picture.
function neighbourOf(canvas, field, back) {
  const all = [canvas, ...canvas.querySelectorAll('button, input, textarea')].filter((each) => each.tabIndex >= 0);
  const at = all.indexOf(field);
  return all[at + (back ? -1 : 1)] || canvas;
}

export function createTextAgent(canvas, core, loop, modifiersOf) {
  const agent = document.createElement('input');
  agent.id = 'text-agent';
  agent.type = 'text';
  agent.hidden = true;
  agent.tabIndex = -1;
  agent.autocapitalize = 'off';
  agent.autocomplete = 'off';
  agent.spellcheck = false;
  agent.setAttribute('aria-label', 'Text of the field in the canvas');
  canvas.after(agent);

  const fieldOf = (id) => [...canvas.querySelectorAll('input, textarea')].find((each) => each.dataset.control === id);
  const hasLines = (field) => Boolean(field) && field.localName === 'textarea';
  let composing = false;
  let before = canvas; // what had the focus
  // Let go of with its modifiers: theirs are not told here, and letters that come while Control is held are no text.
  function send(name, modifiers) {
    core.key(name, 1, modifiers);
    core.key(name, 0, 0);
    loop.gesture();
  }
  function flush() {
    if (composing || agent.value === '') return;
    core.characters(agent.value);
    agent.value = '';
    loop.gesture();
  }
  agent.addEventListener('compositionstart', () => { composing = true; });
  agent.addEventListener('compositionend', () => {
    composing = false;
    flush();
  });
  agent.addEventListener('input', flush);
  // A line of input would lose the line breaks of what is pasted.
  function paste(text) {
    if (!hasLines(fieldOf(core.writtenControl()))) return false;
    core.setClipboard(text);
    send('v', COMMAND);
    return true;
  }
  agent.addEventListener('keydown', (event) => {
    if (event.isComposing || event.keyCode === 229) return;
    if (event.key === 'Tab') {
      event.preventDefault();
      const id = core.writtenControl();
      const field = fieldOf(id) || before;
      const next = neighbourOf(canvas, field, event.shiftKey);
      send('Enter', hasLines(field) ? COMMAND : 0); // what was written stands
      next.focus({ preventScroll: true });
      return;
    }
    const shortcut = (event.ctrlKey || event.metaKey) && WITH_CONTROL.has(event.key.toLowerCase());
    if (!shortcut && !EDITING.has(event.key)) return;
    event.preventDefault();
    send(event.key, modifiersOf(event));
  });

  // A click into the field that is being written in moves the caret; the canvas took the focus only on the way.
  canvas.addEventListener('click', () => {
    if (!agent.hidden && core.wantsText()) agent.focus({ preventScroll: true });
  });

  // What is written goes to the core at once, so the field's text is told beside the agent's own, which is empty.
  function describe() {
    const field = fieldOf(core.writtenControl());
    const label = field && field.closest('label');
    const words = { 'aria-label': label ? label.textContent : 'Text of the field in the canvas', 'aria-description': field ? field.value : '' };
    for (const [name, text] of Object.entries(words)) if (agent.getAttribute(name) !== text) agent.setAttribute(name, text);
  }

  loop.onFrame(() => {
    const wanted = core.wantsText();
    if (wanted) describe();
    if (wanted === !agent.hidden) return;
    agent.hidden = !wanted;
    if (wanted) {
      before = canvas.contains(document.activeElement) ? document.activeElement : canvas;
      agent.focus({ preventScroll: true });
    } else {
      (before.isConnected ? before : canvas).focus({ preventScroll: true });
    }
  });
  return { isActive: () => !agent.hidden, paste };
}
