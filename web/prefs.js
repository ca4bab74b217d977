// What this person prefers, kept between visits where the browser allows it, and what their machine prefers.

const KEY = 'attnscope';

function read() {
  try {
    return JSON.parse(localStorage.getItem(KEY)) || {};
  } catch {
    return {}; // no storage in sandboxed frames, or somebody else's value
  }
}

function write(preferences) {
  try {
    localStorage.setItem(KEY, JSON.stringify(preferences));
  } catch {
    return; // kept for this visit only
  }
}

export function createPreferences(core, loop) {
  const kept = read();
  const number = (value, fallback) => (typeof value === 'number' && Number.isFinite(value) ? value : fallback);
  core.setPreferences({
    theme: number(kept.theme, 0),
    textScale: number(kept.textScale, 1),
    letterKeys: kept.letterKeys !== false,
  });
  if (typeof kept.speed === 'number') core.dispatch(JSON.stringify({ type: 'speed', speed: kept.speed }));

  let last = JSON.stringify(core.preferences());
  function showTheme() {
    const name = ['', 'light', 'dark'][core.preferences().theme];
    if (name) document.documentElement.dataset.theme = name;
    else delete document.documentElement.dataset.theme;
  }
  showTheme();
  loop.onFrame(() => {
    const now = JSON.stringify(core.preferences());
    if (now === last) return;
    last = now;
    write(core.preferences());
    showTheme();
  });
}

export function watchEnvironment(core, loop) {
  const queries = {
    dark: matchMedia('(prefers-color-scheme: dark)'),
    reducedMotion: matchMedia('(prefers-reduced-motion: reduce)'),
    forcedColors: matchMedia('(forced-colors: active), (prefers-contrast: more)'),
    coarsePointer: matchMedia('(pointer: coarse)'),
  };
  const mac = /mac|iphone|ipad/i.test(navigator.platform);
  function tell() {
    const environment = { mac };
    for (const [name, query] of Object.entries(queries)) environment[name] = query.matches;
    core.environment(environment);
    loop.wake();
  }
  for (const query of Object.values(queries)) query.addEventListener('change', tell);
  tell();
}
