// Starts the page: loads the core, connects every concern to it, and says in words when something is missing.
import { createMirror } from './a11y.js';
import { createApi, listenToEmbedder } from './api.js';
import { createClipboard } from './clipboard.js';
import { fetchFile, fromBase64, LoadError, loadCore } from './core.js';
import { createFiles } from './files.js';
import { listenToKeys, listenToPointer } from './input.js';
import { setWords, tr } from './language.js';
import { createLink } from './link.js';
import { createLoop } from './loop.js';
import { keepOffline } from './offline.js';
import { createNotebook, createPreferences, preferredLanguage, watchEnvironment } from './prefs.js';
import { createPrint } from './print.js';
import { createRest } from './rest.js';
import { createScenes } from './scenes.js';
import { createSound } from './sound.js';
import { createSurface } from './surface.js';
import { createTextAgent } from './text.js';

const canvas = document.getElementById('stage');
const status = document.getElementById('status');
const embedded = parent !== window;

// kind: 'problem' for what the person should read, with 'news' where the work goes on; 'corner' for what passes by itself.
function say(sentence, kind = '') {
  status.textContent = sentence;
  status.className = kind;
  status.hidden = !sentence;
}

function addButton(label, act) {
  const button = document.createElement('button');
  button.type = 'button';
  button.textContent = label;
  button.addEventListener('click', act);
  status.append(button);
}

function offerReload(sentence) {
  say(sentence, 'problem');
  addButton(tr('Reload'), () => location.reload());
}

// Nothing changes before the person agrees: files that are open would have to be opened again.
function offerVersion(reload) {
  say(tr('A new version is here. Reloading closes opened files. '), 'problem news');
  addButton(tr('Reload'), reload);
  addButton(tr('Later'), () => {
    say('');
    canvas.focus({ preventScroll: true });
  });
}

function tellStopped() {
  offerReload(tr('The program stopped, most likely for want of memory. The link in the address bar keeps the moment. '));
}

const inlined = (id) => document.getElementById(id)?.textContent.trim();
const urlOf = (name) => new URL(name, document.baseURI).href;

function programSource() {
  if (inlined('program')) return { inlined: inlined('program') };
  return { url: urlOf(document.querySelector('link[as="fetch"]').getAttribute('href')) };
}

function restSource() {
  if (inlined('rest-program')) return { inlined: inlined('rest-program') };
  return { url: urlOf(document.getElementById('page').dataset.rest) };
}

function scenesSource() {
  const { scenesScript, scenesProgram } = document.getElementById('page').dataset;
  if (inlined('scenes-program')) return { script: inlined('scenes-script'), program: inlined('scenes-program') };
  return { scriptUrl: urlOf(scenesScript), programUrl: urlOf(scenesProgram) };
}

// A file that the page itself holds, as notebooks write it, opens as if the person had opened it; then the address is read.
function openHeld({ textContent, dataset }, core, files, link) {
  core.loadLink(dataset.link);
  files.openFiles([new File([fromBase64(textContent)], dataset.name)]).then(link.start);
}

// True when there is a picture; without WebGL2 the mirror is the page.
function startPicture(core, loop, mirror) {
  canvas.hidden = false;
  canvas.setAttribute('aria-label', tr('Attention, step by step. The keys of the stage work here; Tab leads on to the controls.'));
  if (core.startGraphics()) {
    createSurface(canvas, core, loop, say).observe();
    say('');
    return canvas;
  }
  canvas.hidden = true;
  document.body.classList.add('no-graphics');
  const stage = mirror.becomePage(document.getElementById('page'));
  core.resize(1280, 800, 1280, 800); // nothing is painted, but every control has to be there
  say(tr('This browser shows no WebGL2 graphics here, so there is no picture: everything else is below.'));
  return stage;
}

function connect(core, language) {
  const loop = createLoop(core, tellStopped);
  const scenes = createScenes(core, loop, scenesSource(), language.table);
  const files = createFiles(canvas, core, loop, scenes.open);
  const link = createLink(core, loop, files);
  const rest = createRest(core, loop);
  const sound = createSound(core, loop);
  createPreferences(core, loop);
  createNotebook(core, loop);
  watchEnvironment(core, loop);
  const mirror = createMirror(document.getElementById('mirror'), core, loop);
  const textAgent = createTextAgent(canvas, core, loop);
  const isOurs = () => canvas.contains(document.activeElement) || document.activeElement === document.body;
  const clipboard = createClipboard(core, loop, textAgent, isOurs, files.openPasted);
  loop.onFrame(() => {
    const requests = core.requests();
    if (!requests) return;
    clipboard.serve(requests);
    files.serve(requests);
    rest.serve(requests);
    sound.serve(requests);
  });
  const held = document.getElementById('held');
  if (held) openHeld(held, core, files, link);
  else link.start();
  const stage = startPicture(core, loop, mirror);
  listenToKeys(stage, core, loop);
  listenToPointer(canvas, core, loop, embedded);
  createPrint(canvas, core, loop);
  loop.gesture();
  if (!embedded) stage.focus({ preventScroll: true });
  return { loop, files, scenes, rest };
}

// The language, and its table: '' for English. Without the table, which may not be fetched, English is the language.
async function loadLanguage() {
  const addresses = JSON.parse(document.getElementById('page').dataset.languages);
  const code = preferredLanguage(Object.keys(addresses));
  if (code === 'en') return { code, table: '' };
  const table = inlined(`language-${code}`) ?? await fetchFile(urlOf(addresses[code])).then((answer) => answer.text(), () => '');
  if (!setWords(table)) return { code: 'en', table: '', missing: true };
  document.documentElement.lang = code;
  return { code, table };
}

async function start() {
  const language = await loadLanguage();
  let loop = null;
  const core = await loadCore(globalThis.createAttnscope, programSource(), restSource(), () => {
    if (loop) loop.stop();
    tellStopped();
  });
  core.setLanguage(language);
  core.start(location.href.split('#')[0]);
  if (language.missing) core.notify('The texts in your language could not be fetched, so the page is in English. Reload it to try again.');
  let ready;
  const parts = connect(core, language);
  loop = parts.loop;
  const api = createApi(core, loop, parts, new Promise((resolve) => { ready = resolve; }));
  window.attnscope = api;
  listenToEmbedder(api);
  requestAnimationFrame(() => ready());
  const { worker } = document.getElementById('page').dataset;
  if (worker && !embedded) keepOffline(urlOf(worker), parts.scenes, (reload) => {
    if (!api.state().present) offerVersion(reload); // not before an audience
  });
}

start().catch((error) => {
  if (error instanceof LoadError) offerReload(error.message + ' ');
  else offerReload(tr('The page could not start ({0}). ', error.message));
});
