// Typing into a field of the canvas: an unseen input takes the keyboard, so that input methods and phones' keyboards
// work. Knows no key of the stage.

const EDITING = new Set(['ArrowLeft', 'ArrowRight', 'ArrowUp', 'ArrowDown', 'Home', 'End', 'Backspace', 'Delete', 'Enter', 'Escape']);

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

  let composing = false;
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
  agent.addEventListener('keydown', (event) => {
    if (event.isComposing || event.keyCode === 229 || !EDITING.has(event.key)) return;
    event.preventDefault();
    core.key(event.key, 1, modifiersOf(event));
    core.key(event.key, 0, modifiersOf(event));
    loop.gesture();
  });

  loop.onFrame(() => {
    const wanted = core.wantsText();
    if (wanted === !agent.hidden) return;
    agent.hidden = !wanted;
    if (wanted) agent.focus({ preventScroll: true });
    else canvas.focus({ preventScroll: true });
  });
  return { isActive: () => !agent.hidden };
}
