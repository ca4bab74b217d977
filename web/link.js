// The address bar: the fragment is the moment on the screen. Knows no key of the link but those that make a new entry
// in the history.

const REPLACE_EVERY = 400; // ms; browsers limit how often the history may be written
const LARGE_MOVES = ['scene', 'ex', 'd', 'doc', 'mask', 'order', 'stage'];

export function largeMove(before, after) {
  const a = new URLSearchParams(before);
  const b = new URLSearchParams(after);
  return LARGE_MOVES.some((key) => a.get(key) !== b.get(key));
}

export function createLink(core, loop, files) {
  let shown = null; // the link that the address bar has or should have, once it has been read
  let revision = -1;
  let timer = 0;
  let written = -Infinity;
  let arriving = false; // a link is being followed: its entry of the history is already there

  function write(method) {
    clearTimeout(timer);
    timer = 0;
    written = performance.now();
    try {
      history[method](null, '', '#' + shown);
    } catch {
      // Frames without an address of their own refuse; the link is then just not in the address bar.
    }
  }

  function update() {
    if (shown === null || core.revision() === revision || core.documentFile()) return;
    revision = core.revision();
    const link = core.link();
    const followed = arriving;
    arriving = false;
    if (link === shown) return;
    const large = !followed && largeMove(shown, link) && !core.playing();
    shown = link;
    if (large && parent === window) return write('pushState'); // in a frame, Back is for the page around it
    if (!timer) timer = setTimeout(() => write('replaceState'), Math.max(0, written + REPLACE_EVERY - performance.now()));
  }

  function load() {
    const fragment = location.hash.slice(1);
    if (fragment === shown) return;
    core.loadLink(fragment);
    shown = fragment;
    revision = -1; // so that the address bar shows the link of what is on the screen, whatever was asked for
    arriving = true;
    files.openAwaited();
    loop.wake();
  }

  addEventListener('hashchange', load);
  addEventListener('popstate', load);
  loop.onFrame((next) => {
    if (next !== 0) update();
  });

  return {
    start() {
      if (location.hash.length > 1) load();
      else shown = core.link(); // the opening state needs no fragment
    },
  };
}
