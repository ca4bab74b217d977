// Keeps a published page for visits without a network, and offers a newer version once it is there. Knows no file of the page.

// address: of the service worker. scenes.fetched: the addresses of what the scenes' worker has fetched, a list that grows;
// scenes.onFetched(listener) tells when.
// offer(reload) is told when a newer version waits; until reload() all stays as it is.
export async function keepOffline(address, scenes, offer) {
  let serviceWorker, registration;
  try {
    ({ serviceWorker } = navigator);
    registration = await serviceWorker.register(address);
  } catch {
    return; // no secure address, no origin of its own, no storage: the page then works as ever, with a network
  }

  function reload() {
    if (!registration.waiting) return location.reload(); // it has taken over already, in another tab
    serviceWorker.addEventListener('controllerchange', () => location.reload());
    registration.waiting.postMessage('take over');
  }

  function look() {
    if (registration.waiting && registration.active) offer(reload);
  }

  const watch = () => registration.installing?.addEventListener('statechange', look);
  registration.addEventListener('updatefound', watch);
  watch();
  look();

  // What a first visit fetched before it was served is kept as well; its worker goes on fetching past the service worker.
  function tell() {
    const own = performance.getEntriesByType('resource').map(({ name }) => name);
    serviceWorker.controller.postMessage([...own, ...scenes.fetched.map((each) => new URL(each, document.baseURI).href)]);
  }
  scenes.onFetched(() => { if (serviceWorker.controller) tell(); });
  if (serviceWorker.controller) tell();
  else serviceWorker.addEventListener('controllerchange', tell, { once: true });
}
