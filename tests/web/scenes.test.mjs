// Scenes in the page: fetched when the first is opened, computed beside it, set by links and the API, never waited for.
import { strict as assert } from 'node:assert';
import { readFile } from 'node:fs/promises';
import { pathToFileURL } from 'node:url';
import { after, before, test } from 'node:test';
import { launch, openApp, openPage, press, rectOf, settled, singleFile, site, state, texts } from './support/browser.mjs';
import { serve, STRICT_POLICY, serving } from './support/server.mjs';

const LINK = 'v=1&scene=why-context&set.layers=4';
const LONG = { type: 'scene', id: 'scaling', set: { pairs: 1000000, d: 512 } }; // many seconds of computing

let browser, server;
before(async () => { [browser, server] = await Promise.all([launch(), serve(site)]); });
after(() => Promise.all([browser.close(), server.close()]));

const text = (page) => page.evaluate(() => window.attnscope.text());
const dispatch = (page, action) => page.evaluate((each) => window.attnscope.dispatch(each), action);
const notice = async (page) => (await state(page)).notice;

const withServer = (options, use) => serving(site, options, use);

// Every worker that the page starts and ends, in window.workers.
const countWorkers = (page) => page.addInitScript(() => {
  window.workers = { started: 0, ended: 0 };
  const Original = window.Worker;
  window.Worker = class extends Original {
    constructor(...args) {
      super(...args);
      ++window.workers.started;
    }
    terminate() {
      ++window.workers.ended;
      super.terminate();
    }
  };
});

async function showsScene(page, layers) {
  await settled(page);
  const { scene, notice: said } = await state(page);
  assert.deepEqual({ scene, said }, { scene: 'why-context', said: '' });
  assert.match(await text(page), new RegExp(`After ${layers} per-token layers?\\b`));
}

test('a link opens a scene with what is set in it', async () => {
  const page = await openApp(browser, `${server.url}#${LINK}`);
  await showsScene(page, 4);
  assert.deepEqual((await state(page)).set, { layers: '4' });
  assert.equal(await page.evaluate(() => window.attnscope.link()), LINK);
  await page.done();
});

const isLater = (name) => /scene|rest/.test(name);

test('nothing of the scenes is fetched before one is opened, and then each file once', async () => {
  await withServer({}, async (own) => {
    const page = await openPage(browser, own.url, { prepare: countWorkers });
    await settled(page);
    await press(page, 'ArrowRight', 'End');
    assert.deepEqual(own.requested.filter(isLater), []);
    assert.equal((await page.evaluate(() => window.workers)).started, 0);
    await dispatch(page, { type: 'scene', id: 'why-context' });
    await showsScene(page, 2);
    await dispatch(page, { type: 'set', key: 'layers', value: 5 });
    await showsScene(page, 5);
    assert.deepEqual(own.requested.filter(isLater).sort(), ['/rest.wasm', '/scenes.js', '/scenes.wasm']);
    assert.deepEqual(await page.evaluate(() => window.workers), { started: 1, ended: 0 });
    await page.done();
  });
});

test('a key of the keyboard changes the main control, undo takes it back, and the address follows', async () => {
  const page = await openApp(browser, `${server.url}#v=1&scene=why-context`);
  await press(page, 'ArrowRight', 'ArrowRight');
  assert.deepEqual((await state(page)).set, { layers: '4' });
  assert.match(await text(page), /After 4 per-token layers/);
  await page.waitForFunction(() => location.hash === '#v=1&scene=why-context&set.layers=4');
  await press(page, 'Control+z');
  assert.deepEqual((await state(page)).set, {});
  await page.done();
});

test('Back returns from a scene to where the walkthrough was', async () => {
  const page = await openApp(browser, `${server.url}#v=1&stage=scores`);
  await dispatch(page, { type: 'scene', id: 'why-context' });
  await settled(page);
  await page.waitForFunction(() => location.hash.includes('scene=why-context'));
  await page.goBack();
  await page.waitForFunction(() => window.attnscope.state().scene === '');
  assert.equal((await state(page)).stage, 'scores');
  await page.done();
});

test('what a scene does not know is told when its page arrives', async () => {
  const page = await openApp(browser, `${server.url}#v=1&scene=why-context&set.colour=red&set.layers=99`);
  await settled(page);
  assert.deepEqual((await state(page)).set, {});
  assert.match(await notice(page), /“colour”.*“99” is not possible/);
  const refused = (action) => page.evaluate((each) => {
    try {
      window.attnscope.dispatch(each);
    } catch (error) {
      return error.message;
    }
  }, action);
  assert.match(await refused({ type: 'set', key: 'colour', value: 'red' }), /colour/);
  assert.match(await refused({ type: 'set', key: 'layers', value: 99 }), /“99” is not possible for “Layers”/);
  await page.done();
});

test('a long computation goes on beside the page, tells its progress and gives way to a newer one', async () => {
  const page = await openPage(browser, server.url, { prepare: countWorkers });
  await settled(page);
  await dispatch(page, LONG);
  assert.equal(await page.evaluate(() => window.attnscope.stats().pending > 0), true);
  await page.waitForFunction(() => window.workers.started === 1);
  // The page answers at once meanwhile.
  const asked = await page.evaluate(() => {
    const start = performance.now();
    window.attnscope.dispatch({ type: 'decimals', decimals: 3 });
    window.attnscope.state();
    return performance.now() - start;
  });
  assert.ok(asked < 50, `an action took ${asked} ms while a scene was being computed`); // one of many frames at most
  await page.waitForFunction(() => window.attnscope.state().progress > 0);
  await dispatch(page, { type: 'scene', id: 'why-context' });
  await showsScene(page, 2);
  assert.deepEqual(await page.evaluate(() => window.workers), { started: 2, ended: 1 });
  await page.done();
});

test('a computation that is stopped leaves nothing pending', async () => {
  const page = await openApp(browser, server.url);
  await dispatch(page, LONG);
  await page.waitForFunction(() => window.attnscope.state().progress > 0);
  await dispatch(page, { type: 'stop' });
  await settled(page);
  assert.match(await notice(page), /stopped/);
  await dispatch(page, { type: 'scene', id: 'why-context' });
  await showsScene(page, 2);
  await page.done();
});

test('many changes at once end at the last one', async () => {
  const page = await openApp(browser, `${server.url}#v=1&scene=why-context`);
  await page.evaluate(() => {
    for (const value of [1, 6, 2, 5, 3, 4, 6]) window.attnscope.dispatch({ type: 'set', key: 'layers', value });
  });
  await showsScene(page, 6);
  await dispatch(page, { type: 'undo' });
  await showsScene(page, 2);
  await page.done();
});

test('scenes work under the strict policy, and whatever the server calls their program', async () => {
  for (const options of [{ headers: { 'Content-Security-Policy': STRICT_POLICY } }, { wasmType: 'text/html' }, { scriptType: 'text/plain' }]) {
    await withServer(options, async (own) => {
      const page = await openApp(browser, `${own.url}#${LINK}`);
      await showsScene(page, 4);
      await page.done();
    });
  }
});

test('the single file shows scenes from a folder, offline', async () => {
  const page = await openApp(browser, `${pathToFileURL(singleFile).href}#${LINK}`, { context: { offline: true } });
  await showsScene(page, 4);
  await dispatch(page, { type: 'set', key: 'layers', value: 1 });
  await showsScene(page, 1);
  await page.done();
});

test('the single file shows scenes in a sandboxed frame', async () => {
  const around = '<!doctype html><title>Around</title><link rel="icon" href="data:,"><iframe sandbox="allow-scripts" width="900" height="600" ' +
    `src="single.html#${LINK}"></iframe>`;
  await withServer({ extra: { '/around.html': around, '/single.html': await readFile(singleFile) } }, async (own) => {
    const page = await openPage(browser, `${own.url}around.html`);
    await page.frameLocator('iframe').locator('#mirror p', { hasText: /After 4 per-token layers/ }).first().waitFor({ state: 'attached' });
    await page.done();
  });
});

test('scenes that cannot be loaded are one sentence, and trying again loads them', async () => {
  await withServer({ missing: new Set(['/scenes.wasm']) }, async (own) => {
    const page = await openApp(browser, own.url, { expected: ['404'] });
    await dispatch(page, { type: 'scene', id: 'why-context' });
    await settled(page);
    assert.match(await notice(page), /could not be loaded.*404.*scenes\.wasm/);
    assert.match(await text(page), /could not be loaded/);
    own.missing.clear();
    await dispatch(page, { type: 'retry' });
    await showsScene(page, 2);
    await page.done();
  });
});

test('scenes of another version than the page ask to be reloaded', async () => {
  await withServer({ replace: { '/app.js': [/(\{ ?program: ?\w+, ?version:) ?\w+/, '$1 0'] } }, async (own) => {
    const page = await openApp(browser, `${own.url}#${LINK}`);
    assert.match(await notice(page), /different versions/);
    await page.done();
  });
});

test('without WebGL2 the mirror shows scenes and sets them', async () => {
  const plain = await launch({ graphics: false });
  try {
    const page = await openApp(plain, `${server.url}#${LINK}`, { expected: ['WebGL', 'webgl'] });
    await showsScene(page, 4);
    const spoken = (await texts(page, 'p')).join('\n');
    assert.match(spoken, /After 4 per-token layers/);
    await dispatch(page, { type: 'set', key: 'layers', value: 3 });
    await showsScene(page, 3);
    assert.match((await texts(page, 'p')).join('\n'), /After 3 per-token layers/);
    await page.done();
  } finally {
    await plain.close();
  }
});

test('a table is saved as CSV', async () => {
  const page = await openApp(browser, `${server.url}#v=1&scene=look-alikes`);
  await page.waitForFunction(() => window.attnscope.text().includes('Three acts'));
  await settled(page);
  const coming = page.waitForEvent('download');
  const { x, y, w, h } = await rectOf(page, 'Save as CSV');
  await page.mouse.click(x + w / 2, y + h / 2);
  const download = await coming;
  assert.match(download.suggestedFilename(), /^look-alikes-\d+\.csv$/);
  const lines = (await readFile(await download.path(), 'utf8')).split('\r\n');
  assert.equal(lines[0], 'act,edit (from 0),weights of the row,row sum,z of the row');
  assert.equal(lines[2], 'value zeroed,"v[1]=0,0","1/4, 1/4, 1/2",1.0000,"3/2, 2"');
  await page.done();
});

test('a scene comes back to the same picture after a lost context', async () => {
  const page = await openApp(browser, `${server.url}#${LINK}`);
  await showsScene(page, 4);
  const picture = await page.screenshot();
  await page.evaluate(() => {
    window.loser = document.getElementById('stage').getContext('webgl2').getExtension('WEBGL_lose_context');
    window.loser.loseContext();
  });
  await page.locator('#status.corner').waitFor();
  await dispatch(page, { type: 'set', key: 'layers', value: 2 });
  await settled(page);
  await dispatch(page, { type: 'set', key: 'layers', value: 4 }); // as one item of the history, which ends where it began
  await settled(page);
  await page.evaluate(() => window.loser.restoreContext());
  await page.locator('#status').waitFor({ state: 'hidden' });
  await showsScene(page, 4);
  assert.ok(picture.equals(await page.screenshot()), 'the picture differs from the one before the loss');
  await page.done();
});

test('visited scenes and the last moment are remembered, and a browser without storage does without', async () => {
  const page = await openApp(browser, `${server.url}#${LINK}`);
  await showsScene(page, 4);
  const kept = await page.evaluate(() => JSON.parse(localStorage.getItem('attnscope')));
  assert.deepEqual([kept.visited, kept.resume], ['why-context', LINK]);
  await page.goto(server.url + '?again');
  await settled(page);
  await page.evaluate(() => window.attnscope.dispatch({ type: 'speed', speed: 2 }));
  await settled(page);
  const still = await page.evaluate(() => JSON.parse(localStorage.getItem('attnscope')));
  assert.deepEqual([still.visited, still.resume], ['why-context', LINK]);
  await page.done();
  const without = await openPage(browser, `${server.url}#${LINK}`, {
    prepare: (each) => each.addInitScript(() => {
      Object.defineProperty(window, 'localStorage', { get() { throw new DOMException('no storage here', 'SecurityError'); } });
    }),
  });
  await showsScene(without, 4);
  await without.done();
});
