// Draws when something happened and sleeps otherwise: no frame is drawn while nothing changes. Of frames that follow each
// other at once only the last is painted. Knows no element but the page's visibility.

const GESTURE_FRAMES = 4; // what ImGui spreads one press and release over
const HOLD = 40; // ms that a picture may be kept back; longer, and a key would seem to do nothing

// onFailure is told once when a frame cannot be drawn at all; nothing is drawn after that.
export function createLoop(core, onFailure) {
  const listeners = [];
  let request = 0;
  let timer = 0;
  let last = 0;
  let stopped = false;
  let held = 0; // the timer of a picture that is kept back

  function frame(seconds) {
    try {
      return core.frame(seconds);
    } catch (error) {
      stop();
      onFailure();
      throw error;
    }
  }

  function stop() {
    stopped = true;
    clearTimeout(timer);
    release();
  }

  function layOut(now) {
    const seconds = last ? Math.max(0, (now - last) / 1000) : 1 / 60;
    last = now;
    const next = frame(seconds);
    for (const listener of listeners) listener(next);
    return next;
  }

  function paint() {
    if (!held) core.paint();
  }

  function release() {
    clearTimeout(held);
    held = 0;
  }

  function schedule(next) {
    clearTimeout(timer);
    timer = 0;
    if (held) return; // until then there is time for other work
    if (next === 0) wake();
    if (next > 0) timer = setTimeout(onTimer, next * 1000);
  }

  function onTimer() {
    timer = 0;
    wake();
  }

  function tick(now) {
    request = 0;
    if (stopped) return;
    const next = layOut(now);
    paint();
    schedule(next);
  }

  function wake() {
    if (request || stopped || document.hidden) return;
    request = requestAnimationFrame(tick);
  }

  // At once, inside the person's gesture, so that a file dialog, a copy or a download may follow from it; and once more
  // when that changed what there is to see and is to be painted now.
  function gesture() {
    if (stopped) return;
    let next = 0;
    for (let i = 0; i < GESTURE_FRAMES; ++i) {
      const before = core.revision();
      next = layOut(performance.now());
      if (held || (!core.inputWaits() && core.revision() === before)) break;
    }
    paint();
    schedule(next);
  }

  // The same, and what was kept back is painted now.
  function redraw() {
    release();
    gesture();
  }

  function onVisibility() {
    if (document.hidden) {
      cancelAnimationFrame(request);
      clearTimeout(timer);
      request = timer = 0;
    } else {
      last = performance.now(); // the time in the background does not count
      core.poke();
      wake();
    }
  }
  document.addEventListener('visibilitychange', onVisibility);
  addEventListener('pageshow', onVisibility);

  return {
    wake,
    gesture,
    redraw,
    // What will be seen is about to change again: the picture waits for redraw(), but not long.
    hold: () => { held = held || setTimeout(redraw, HOLD); },
    // Called after every frame with the seconds until the next one, −1 when the loop goes to sleep.
    onFrame: (listener) => listeners.push(listener),
    // Something will be drawn even if nothing more happens.
    isPending: () => request !== 0 || timer !== 0 || held !== 0,
    stop,
  };
}
