// What this person prefers, kept between visits where the browser allows it, and what their machine prefers.

import { tr } from './language.js';

const KEY = 'attnscope';
const THEMES = ['', 'light', 'dark']; // by the core's number

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

// English, or one of the codes offered: by the address (?lang=de), as chosen before, or the first that the browser asks for.
export function preferredLanguage(offered) {
  const wanted = [new URLSearchParams(location.search).get('lang'), read().language, ...navigator.languages];
  const codes = wanted.map((each) => String(each).split('-')[0].toLowerCase());
  return codes.find((code) => code === 'en' || offered.includes(code)) ?? 'en';
}

// The page again, in the language that has been chosen; the address keeps the moment.
function reopen() {
  const address = new URL(location.href);
  address.searchParams.delete('lang');
  history.replaceState(history.state, '', address);
  location.reload();
}

export function createPreferences(core, loop) {
  const kept = read();
  const number = (value, fallback) => (typeof value === 'number' && Number.isFinite(value) ? value : fallback);
  const given = THEMES.indexOf(document.documentElement.dataset.theme); // by whoever wrote the page
  core.setPreferences({
    theme: given > 0 ? given : number(kept.theme, 0),
    textScale: number(kept.textScale, 1),
    letterKeys: kept.letterKeys !== false,
    sounds: kept.sounds === true,
  });
  if (typeof kept.speed === 'number') core.dispatch(JSON.stringify({ type: 'speed', speed: kept.speed }));
  const text = (value) => (typeof value === 'string' ? value : '');
  core.setHistory(text(kept.visited), text(kept.resume));
  // Who is here for the first time, and was not sent to a moment of somebody's choice.
  if (!kept.visited && !kept.resume && location.hash.length <= 1 && parent === window) core.beginTour();

  let resume = text(kept.resume);
  let revision = core.revision();
  const opening = core.link();
  // Where the person is: the opening state, which is where everyone starts, is no place to go back to.
  function remember() {
    if (core.revision() === revision) return;
    revision = core.revision();
    if (core.link() !== opening) resume = core.link();
  }
  const current = () => ({ ...core.preferences(), visited: core.visited(), resume });

  let last = JSON.stringify(current());
  const { language } = core.preferences();
  function showTheme() {
    const name = THEMES[core.preferences().theme];
    if (name) document.documentElement.dataset.theme = name;
    else delete document.documentElement.dataset.theme;
  }
  showTheme();
  loop.onFrame((next) => {
    if (next !== 0) remember(); // while it moves there is no place to remember
    const now = JSON.stringify(current());
    if (now === last) return;
    last = now;
    const wanted = current();
    write(wanted.theme === given ? { ...wanted, theme: kept.theme } : wanted);
    showTheme();
    if (wanted.language !== language) reopen();
  });
}

const NOTEBOOK = 'attnscope-notebook';

// Predictions and notes, in an entry of their own. Where the browser keeps nothing, that is said once there is something
// to keep.
export function createNotebook(core, loop) {
  let kept = '';
  try {
    kept = localStorage.getItem(NOTEBOOK) || '';
    if (kept) core.setNotebook(kept);
  } catch {
    kept = '';
  }
  let last = core.notebook();
  let revision = core.revision();
  let told = false;
  loop.onFrame((next) => {
    if (next === 0 || core.revision() === revision) return;
    revision = core.revision();
    const now = core.notebook();
    if (now === last) return;
    last = now;
    try {
      localStorage.setItem(NOTEBOOK, now);
    } catch {
      if (told) return;
      told = true;
      core.notify(tr('This browser does not keep the notebook. Save it as Markdown before you leave the page.'));
      loop.wake();
    }
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
