// The service worker of a published page: keeps the files of one version, serves the page from them, and gives way to a newer
// version only when it is told to. Knows no file but by the list that comes with it.
'use strict';

// scripts/site.mjs writes before this VERSION and its FILES: the name of each, and the digest by which the browser checks what
// the server sends, so that no other version and no “not found” page is ever kept.

const PAGE = 'index.html';
const { scope } = registration;
const prefix = `attnscope ${scope} `; // other copies may lie at the same origin
const own = prefix + VERSION;
const urlOf = (name) => scope + (name === PAGE ? '' : name);

// What is fetched at once: the few parts of the page itself, so that every scene opens without a network; most are in the
// browser's cache by then. Whoever saves data gets those of the scenes when they first open one. The model's data, the
// tables of languages and the pictures of the icon are kept when something first asks for them.
function isFetchedAtOnce(name) {
  if (navigator.connection?.saveData && /^(rest|scenes)\b/.test(name)) return false;
  return !/^(data|language)\/|\.png$/.test(name);
}

const nameOf = (url) => url.slice(scope.length).split(/[?#]/)[0] || PAGE;

// A name other than the page's stands for one content: what an older version kept, or the browser, is as good.
async function keep(name) {
  const url = urlOf(name);
  const same = name === PAGE ? null : await caches.match(url);
  const response = same ?? await fetch(url, { integrity: FILES[name], cache: name === PAGE ? 'no-cache' : 'default' });
  const cache = await caches.open(own);
  await cache.put(url, response.clone());
  return response;
}

const kept = async (name) => await caches.match(urlOf(name), { cacheName: own }) ?? keep(name);

// A page of an older version may still be open and ask for a file of that version.
const older = async (request) => await caches.match(request.url) ?? fetch(request);

// A document beside the page, for links with doc=, may change: as the server has it now, or else as it was last.
const isDocument = (name) => /^[\w.-]+\.json$/.test(name);

async function latest(request) {
  try {
    const response = await fetch(request);
    const cache = await caches.open(own);
    if (response.ok) await cache.put(request, response.clone());
    return response;
  } catch (error) {
    return await caches.match(request) ?? Promise.reject(error);
  }
}

// Older versions go when the page that has just started is the only one open, and nothing newer is on its way.
async function tidy() {
  if (registration.installing || registration.waiting || (await clients.matchAll()).length > 1) return;
  const others = (await caches.keys()).filter((name) => name.startsWith(prefix) && name !== own);
  await Promise.all(others.map((name) => caches.delete(name)));
}

async function started(fetched) {
  await tidy();
  const names = fetched.filter((url) => url.startsWith(scope)).map(nameOf);
  await Promise.all([...names.filter((name) => name in FILES).map(kept), ...names.filter(isDocument).map(urlOf).map(latest)]);
}

oninstall = (event) => event.waitUntil(Promise.all(Object.keys(FILES).filter(isFetchedAtOnce).map(keep)));

// The page of a first visit is served too, so that what it opens from then on is kept.
onactivate = (event) => event.waitUntil(clients.claim());

onfetch = (event) => {
  const { request } = event;
  if (request.method !== 'GET' || !request.url.startsWith(scope)) return;
  const name = nameOf(request.url);
  // What cannot be kept is answered as without all this.
  if (name in FILES) event.respondWith(kept(name).catch(() => fetch(request)));
  else if (isDocument(name)) event.respondWith(latest(request));
  else if (/-[0-9a-f]{12}\.\w+$/.test(name)) event.respondWith(older(request));
};

// From web/offline.js: 'take over', or the addresses of what a page that has just started had fetched before.
onmessage = (event) => event.waitUntil(event.data === 'take over' ? skipWaiting() : started(event.data));
