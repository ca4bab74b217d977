// Pointer, wheel and keys of the canvas. Knows which keys belong to the browser and leaves them alone.

const BUTTONS = [0, 2, 1]; // the page's left, middle, right as the core counts them
export const SCROLLING = new Set(['ArrowLeft', 'ArrowRight', 'ArrowUp', 'ArrowDown', 'Home', 'End', 'PageUp', 'PageDown', ' ']);
const QUICK_FIND = new Set(['/', "'", '?']); // some browsers search the page on these
const MODIFIERS = new Set(['Shift', 'Control', 'Alt', 'AltGraph', 'Meta']);
const WITH_CONTROL = new Set(['z', 'Z', 'y', 'Y', 'Home', 'End']);

export function modifiersOf(event) {
  // AltGr writes characters; it is neither Control nor Alt.
  const writes = event.getModifierState && event.getModifierState('AltGraph');
  return (event.shiftKey ? 1 : 0) | (event.ctrlKey && !writes ? 2 : 0) | (event.altKey && !writes ? 4 : 0) |
    (event.metaKey ? 8 : 0);
}

// Notches of a wheel, up and left positive, whatever unit the browser counts in.
export function notches(delta, mode, pageHeight) {
  const perUnit = mode === 1 ? 1 / 3 : mode === 2 ? pageHeight / 100 : 1 / 100;
  return delta === 0 ? 0 : -delta * perUnit;
}

// What to do with a key on the stage: 'ignore' leaves it to the browser, 'take' uses it and nobody else,
// 'share' uses it and lets the browser have it too.
export function keyPolicy(key, modifiers) {
  if (key === 'Tab' || key === 'Dead' || key === 'Unidentified') return 'ignore';
  if (/^F\d+$/.test(key)) return 'ignore';
  if (modifiers & 4) return 'ignore';
  if (modifiers & (2 | 8)) return WITH_CONTROL.has(key) ? 'take' : 'ignore';
  return SCROLLING.has(key) || QUICK_FIND.has(key) ? 'take' : 'share';
}

// Pressed and let go of. Without modifiers at the release: letters that come while Control is held are no text.
export function tap(core, loop, key, modifiers) {
  if (core.inputWaits()) loop.gesture(); // the canvas's loss of the focus lets go of what is pressed in the same frame
  core.key(key, 1, modifiers);
  core.key(key, 0, 0);
  loop.gesture();
}

export function listenToKeys(element, core, loop) {
  element.addEventListener('keydown', (event) => {
    if (event.isComposing || event.keyCode === 229 || event.target !== element) return;
    const policy = keyPolicy(event.key, modifiersOf(event));
    if (policy === 'ignore') return;
    if (policy === 'take') event.preventDefault();
    if (event.repeat) {
      core.poke(); // the core repeats held keys itself
      loop.wake();
    } else {
      core.key(event.key, 1, modifiersOf(event));
      loop.gesture();
    }
  });
  // A release changes nothing on the screen: the next frame takes it in.
  element.addEventListener('keyup', (event) => {
    core.key(event.key, 0, modifiersOf(event));
    // macOS reports no release of letters while Command is held.
    if (event.key === 'Meta') releaseKeys(core);
  });
  element.addEventListener('focus', () => {
    core.focus(1);
    loop.wake();
  });
  element.addEventListener('blur', () => {
    core.focus(0);
    loop.wake();
  });
  // Who uses keys sees where the focus is, however it came there.
  document.addEventListener('keydown', (event) => { if (!MODIFIERS.has(event.key)) core.showFocus(1); }, true);
  document.addEventListener('pointerdown', () => core.showFocus(0), true);
}

function releaseKeys(core) {
  core.focus(0);
  core.focus(1);
}

export function listenToPointer(canvas, core, loop, embedded) {
  // In a frame a finger moves the page around it, as the wheel does, until the stage has been chosen.
  const followFocus = () => { canvas.style.touchAction = document.activeElement === canvas ? 'none' : 'pan-y'; };
  if (embedded) {
    canvas.addEventListener('focus', followFocus);
    canvas.addEventListener('blur', followFocus);
    followFocus();
  }

  const at = (event) => {
    const box = canvas.getBoundingClientRect();
    return [event.clientX - box.left, event.clientY - box.top];
  };
  const fingerKinds = { pointerdown: 0, pointermove: 1, pointerup: 2, pointercancel: 3 };

  function onFinger(event) {
    core.touch(fingerKinds[event.type], event.pointerId, ...at(event), event.timeStamp / 1000);
    if (event.type === 'pointerup') loop.gesture();
    else loop.wake();
  }

  function onPointer(event) {
    // A finger that the browser lets go up again was no swipe over the page.
    const chooses = embedded && event.pointerType === 'touch' ? 'pointerup' : 'pointerdown';
    if (event.type === chooses) canvas.focus({ preventScroll: true });
    if (event.type === 'pointerdown') canvas.setPointerCapture(event.pointerId);
    if (event.pointerType === 'touch') return onFinger(event);
    core.pointer(...at(event), modifiersOf(event));
    const button = BUTTONS[event.button];
    if (event.type === 'pointerdown') loop.gesture(); // what is pressed must first be hovered
    if (event.type === 'pointercancel') BUTTONS.forEach((b) => core.pointerButton(b, 0));
    else if (event.type !== 'pointermove' && button !== undefined) core.pointerButton(button, event.type === 'pointerdown');
    if (event.type === 'pointerup') loop.gesture();
    else loop.wake();
  }
  for (const type of Object.keys(fingerKinds)) canvas.addEventListener(type, onPointer);

  canvas.addEventListener('pointerleave', (event) => {
    if (event.pointerType === 'touch') return;
    core.pointerLeave();
    loop.wake();
  });
  canvas.addEventListener('contextmenu', (event) => {
    if (event.pointerType === 'touch') event.preventDefault(); // a long press hovers
  });
  canvas.addEventListener('wheel', (event) => {
    // In somebody's page the wheel is theirs until the person has clicked into ours.
    if (embedded && document.activeElement !== canvas) return;
    event.preventDefault();
    const scale = (delta) => notches(delta, event.deltaMode, canvas.clientHeight);
    core.pointer(...at(event), modifiersOf(event));
    core.wheel(scale(event.deltaX), scale(event.deltaY), modifiersOf(event));
    loop.wake();
  }, { passive: false });
}
