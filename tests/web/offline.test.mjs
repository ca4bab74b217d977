// The published site between visits: without a network, when a newer version comes, and where nothing can be kept.
import { strict as assert } from 'node:assert';
import { after, before, test } from 'node:test';
import { partsOf, site as siteOf } from '../../scripts/site.mjs';
import { build, launch, openApp, openPage, press, settled, site, state, until } from './support/browser.mjs';
import { small } from './support/documents.mjs';
import { serving } from './support/server.mjs';

let browser, parts;
before(async () => {
  browser = await launch();
  parts = partsOf(build);
});
after(() => browser.close());

// The files of one version, as the server's `extra` has them; versions with other marks differ in their script.
function version(mark) {
  const files = siteOf({ ...parts, script: `${parts.script};globalThis.mark=${JSON.stringify(mark)};\n`, versioned: true });
  return Object.fromEntries(Object.entries(files).map(([name, content]) => [`/${name}`, content]));
}

// `publish` puts another version in the place of the one that is served.
function withPublished(mark, use, options = {}) {
  const extra = version(mark);
  const publish = (next) => {
    for (const name of Object.keys(extra)) delete extra[name];
    Object.assign(extra, version(next));
  };
  return serving('/nowhere', { extra, ...options }, (server) => use(server, publish));
}

const markOf = (page) => page.evaluate(() => window.mark);
const controlled = (page) => page.waitForFunction(() => navigator.serviceWorker.controller?.state === 'activated');
const plain = (name) => name.replace(/-[0-9a-f]{12}\./, '.');
const offer = (page) => page.getByRole('status').filter({ hasText: 'A new version is here' });
const caches = (page) => page.evaluate(() => window.caches.keys());
const hasCaches = (page, count) => until(async () => (await caches(page)).length === count);
const isKept = (page, address) => page.evaluate(async (each) => Boolean(await window.caches.match(each)), address);

async function visit(url, options) {
  const page = await openApp(browser, url, options);
  await controlled(page);
  return page;
}

// No worker of the browser is on its way: one that waited has taken the place of the one before it, which takes the browser
// a moment after the last page was left.
async function workersAtRest(page) {
  const session = await page.context().newCDPSession(page);
  const now = new Map();
  await new Promise((then) => {
    session.on('ServiceWorker.workerVersionUpdated', ({ versions }) => {
      for (const { versionId, status } of versions) now.set(versionId, status);
      if ([...now.values()].every((status) => ['activated', 'redundant'].includes(status))) then();
    });
    session.send('ServiceWorker.enable');
  });
  await session.detach();
}

// Leaves the page, as if for long, and opens its address anew in the same tab.
async function again(page, url) {
  await page.goto('about:blank');
  await workersAtRest(page);
  await page.goto(url);
  await settled(page);
}

async function openScene(page, id) {
  await page.evaluate((each) => window.attnscope.dispatch({ type: 'scene', id: each }), id);
  await settled(page);
}

const says = (page, pattern) => page.waitForFunction((source) => new RegExp(source).test(window.attnscope.text()), pattern);

test('a second visit needs no network for the page and every scene, nor for the data that was opened', async () => {
  await withPublished('one', async (server) => {
    const page = await visit(server.url);
    await openScene(page, 'model');
    await says(page, 'with probability');
    await page.context().setOffline(true);
    const asked = server.requested.length;
    await again(page, `${server.url}#v=1&stage=z`);
    assert.equal((await state(page)).stage, 'z');
    await openScene(page, 'masks');
    assert.equal(await page.evaluate(() => window.attnscope.text() !== '' && window.attnscope.state().notice === ''), true);
    await openScene(page, 'model');
    await says(page, 'with probability');
    assert.equal(server.requested.length, asked);
    await page.done();
  });
});

test('only the page’s own parts are fetched in the background, and of the model what is opened', async () => {
  await withPublished('one', async (server) => {
    const page = await visit(server.url);
    const names = () => [...new Set(server.requested)].map(plain).sort();
    const own = ['/app.css', '/app.js', '/attnscope.wasm', '/icon.svg', '/index.html', '/manifest.webmanifest', '/rest.wasm', '/scenes.js',
      '/scenes.wasm', '/service_worker.js'];
    assert.deepEqual(names(), own);
    await openScene(page, 'model');
    await says(page, 'with probability');
    assert.deepEqual(names().filter((name) => !own.includes(name)), ['/data/model.json', '/data/model.safetensors']);
    await page.done();
  });
});

test('what a first visit opens before anything is kept is there on the second', async () => {
  await withPublished('one', async (server) => {
    const link = `${server.url}#v=1&scene=model`;
    const page = await openApp(browser, link);
    await says(page, 'with probability');
    await controlled(page);
    for (const name of server.requested.filter((each) => each.startsWith('/data/'))) await until(() => isKept(page, name));
    await page.context().setOffline(true);
    await again(page, link);
    await says(page, 'with probability');
    await page.done();
  });
});

test('a document beside the page is as it was last when there is no network, and as it is now when there is', async () => {
  await withPublished('one', async (server) => {
    const document = (title) => JSON.stringify({ ...JSON.parse(small), title });
    const hasTitle = (page, title) => page.waitForFunction((wanted) => window.attnscope.state().title === wanted, title);
    const link = `${server.url}#v=1&doc=beside.json`;
    server.extra['/beside.json'] = document('First');
    const page = await visit(link);
    await hasTitle(page, 'First');
    await until(() => isKept(page, 'beside.json'));
    server.extra['/beside.json'] = document('Second');
    await page.context().setOffline(true);
    await again(page, link);
    await hasTitle(page, 'First');
    await page.context().setOffline(false);
    await again(page, link);
    await hasTitle(page, 'Second');
    await page.done();
  });
});

test('a newer version is offered, and comes when the person agrees, with the moment as it was', async () => {
  await withPublished('one', async (server, publish) => {
    const page = await visit(server.url);
    publish('two');
    await again(page, server.url);
    assert.equal(await markOf(page), 'one');
    await offer(page).waitFor();
    await press(page, 'ArrowRight', 'ArrowRight', 'ArrowRight');
    await page.waitForFunction(() => location.hash.includes('stage=v'));
    await page.getByRole('button', { name: 'Reload' }).click();
    await page.waitForFunction(() => window.mark === 'two' && window.attnscope);
    await settled(page);
    assert.equal((await state(page)).position, 3);
    await hasCaches(page, 1);
    await page.done();
  });
});

test('nothing is offered in the middle of a presentation', async () => {
  await withPublished('one', async (server, publish) => {
    const page = await visit(`${server.url}#v=1&present=1`);
    publish('two');
    await page.reload();
    await settled(page);
    await page.evaluate(async () => {
      const registration = await navigator.serviceWorker.ready;
      while (!registration.waiting) await new Promise((later) => setTimeout(later, 50));
    });
    await page.reload();
    await settled(page);
    await page.evaluate(() => navigator.serviceWorker.register('service_worker.js')); // after the page's own
    assert.equal(await page.locator('#status').isHidden(), true);
    await again(page, `${server.url}#v=1`);
    assert.equal(await markOf(page), 'two');
    await page.done();
  });
});

test('who declines goes on with the old version, scenes and all, and is asked again on the next visit', async () => {
  await withPublished('one', async (server, publish) => {
    const page = await visit(server.url);
    publish('two');
    await again(page, server.url);
    await offer(page).waitFor();
    await page.getByRole('button', { name: 'Later' }).click();
    await page.locator('#status').waitFor({ state: 'hidden' });
    await press(page, 'ArrowRight');
    assert.equal((await state(page)).position, 1); // the stage has the keyboard again
    await openScene(page, 'masks');
    assert.equal((await state(page)).notice, '');
    await page.reload();
    await settled(page);
    assert.equal(await markOf(page), 'one');
    await offer(page).waitFor();
    await again(page, server.url); // no page is open in between
    assert.equal(await markOf(page), 'two');
    await page.locator('#status').waitFor({ state: 'hidden' });
    await page.done();
  });
});

test('one tab that agrees leaves the other as it is, with its own files, until it is reloaded', async () => {
  await withPublished('one', async (server, publish) => {
    const first = await visit(server.url);
    const second = await first.context().newPage();
    await second.goto(server.url);
    await settled(second);
    await second.evaluate(() => { window.untouched = true; });
    publish('two');
    await again(first, server.url);
    await first.getByRole('button', { name: 'Reload' }).click();
    await first.waitForFunction(() => window.mark === 'two' && window.attnscope);
    await settled(first);
    assert.deepEqual([await markOf(second), await second.evaluate(() => window.untouched)], ['one', true]);
    await openScene(second, 'masks');
    assert.equal(await second.evaluate(() => window.attnscope.state().notice), '');
    assert.equal((await caches(first)).length, 2);
    await second.reload();
    await settled(second);
    assert.equal(await markOf(second), 'two');
    await second.close();
    await again(first, server.url);
    await hasCaches(first, 1);
    await first.done();
  }, { headers: { Vary: 'Accept, Accept-Encoding, Origin' } }); // as hosts send it
});

test('a version that is only half published, or mixed with another, is not taken', async () => {
  await withPublished('one', async (server, publish) => {
    const page = await visit(server.url, { expected: ['404', 'integrity', 'Failed to find a valid digest'] });
    const old = Object.keys(version('one')).find((name) => /app-.*\.js/.test(name));
    publish('two');
    const [script, content] = Object.entries(server.extra).find(([name]) => /app-.*\.js/.test(name));
    for (const half of [undefined, version('one')[old], '<!doctype html><title>Not found</title>']) {
      if (half) server.extra[script] = half;
      else delete server.extra[script];
      const asked = server.requested.length;
      await page.reload();
      await settled(page);
      await page.evaluate(async () => {
        const registration = await navigator.serviceWorker.ready;
        await registration.update().catch(() => {});
        while (registration.installing) await new Promise((then) => { registration.installing.onstatechange = then; });
      });
      assert.ok(server.requested.slice(asked).includes(script));
      assert.deepEqual([await markOf(page), await page.locator('#status').isHidden()], ['one', true]);
    }
    server.extra[script] = content;
    await page.reload();
    await offer(page).waitFor();
    await page.done();
  });
});

test('two copies at one origin keep out of each other’s way', async () => {
  await withPublished('one', async (server, publish) => {
    for (const [name, content] of Object.entries(version('other'))) server.extra[`/copy${name}`] = content;
    const copies = Object.entries(server.extra).filter(([name]) => name.startsWith('/copy'));
    const page = await visit(server.url);
    await page.goto(`${server.url}copy/`);
    await settled(page);
    await controlled(page);
    publish('two');
    Object.assign(server.extra, Object.fromEntries(copies));
    await again(page, server.url);
    await page.getByRole('button', { name: 'Reload' }).click();
    await page.waitForFunction(() => window.mark === 'two');
    await hasCaches(page, 2);
    await page.context().setOffline(true);
    await page.goto(`${server.url}copy/`);
    await settled(page);
    assert.equal(await markOf(page), 'other');
    await page.done();
  });
});

test('a frame registers nothing, and so does a page without an origin, a secure address or storage', async () => {
  const around = '<!doctype html><title>Around</title><link rel="icon" href="data:,"><iframe src="index.html" width="900" height="600"></iframe>';
  await withPublished('one', async (server) => {
    server.extra['/around.html'] = around;
    const page = await openPage(browser, `${server.url}around.html`);
    await page.frameLocator('iframe').locator('#status').waitFor({ state: 'hidden' });
    assert.equal(await page.evaluate(async () => (await navigator.serviceWorker.getRegistrations()).length), 0);
    await page.done();
    for (const missing of ['throw new Error("no origin")', 'return undefined', 'return { register: async () => { throw new Error("no storage"); } }']) {
      const other = await openApp(browser, server.url, {
        prepare: (each) => each.addInitScript(`Object.defineProperty(Navigator.prototype, 'serviceWorker', { get() { ${missing}; } })`),
      });
      await press(other, 'ArrowRight');
      assert.equal((await state(other)).position, 1);
      await other.done();
    }
    assert.ok(!server.requested.includes('/service_worker.js'));
  });
});

test('whoever saves data keeps what was opened and nothing else', async () => {
  await withPublished('one', async (server) => {
    const [file] = Object.keys(server.extra).filter((name) => name.endsWith('service_worker.js'));
    server.extra[file] = `Object.defineProperty(navigator, 'connection', { value: { saveData: true } });${server.extra[file]}`;
    const page = await visit(server.url);
    assert.ok(!server.requested.some((name) => /scenes|rest/.test(name)));
    await openScene(page, 'masks');
    await page.context().setOffline(true);
    await again(page, `${server.url}#v=1&scene=masks`);
    assert.equal(await page.evaluate(() => window.attnscope.state().notice), '');
    await page.done();
  });
});

test('without a network Back and Forward lead through scenes and moments, and back from another page', async () => {
  await withPublished('one', async (server) => {
    const page = await visit(server.url);
    await page.context().setOffline(true);
    await page.reload();
    await settled(page);
    await press(page, 'ArrowRight');
    await openScene(page, 'masks');
    const shows = (...wanted) => page.waitForFunction(([scene, stage]) => {
      const now = window.attnscope?.state();
      return now?.scene === scene && now.stage === stage;
    }, wanted);
    await page.goBack();
    await shows('', 'q');
    await page.goForward();
    await shows('masks', 'q');
    await page.goto('about:blank');
    await page.goBack();
    await shows('masks', 'q');
    await page.done();
  });
});

test('the page can be installed as an app', async () => {
  await withPublished('one', async (server) => {
    const page = await visit(server.url);
    const session = await page.context().newCDPSession(page);
    const { errors, data } = await session.send('Page.getAppManifest');
    assert.deepEqual(errors, []);
    assert.equal(JSON.parse(data).short_name, 'attnscope');
    const { installabilityErrors } = await session.send('Page.getInstallabilityErrors');
    assert.deepEqual(installabilityErrors.filter(({ errorId }) => errorId !== 'in-incognito'), []);
    await page.done();
  });
});
