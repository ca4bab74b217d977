// The data of the trained model: fetched when its page is open, told about when it cannot be, and never before.
import { strict as assert } from 'node:assert';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { after, before, test } from 'node:test';
import { launch, openApp, openPage, rectOf, settled, singleFile, site, state } from './support/browser.mjs';
import { serving, STRICT_POLICY } from './support/server.mjs';

let browser;
before(async () => { browser = await launch(); });
after(() => browser.close());

const LINK = 'v=1&scene=model';
const text = (page) => page.evaluate(() => window.attnscope.text());
const dispatch = (page, action) => page.evaluate((each) => window.attnscope.dispatch(each), action);
const set = (page, values) => dispatch(page, { type: 'set', values });
const says = (page, pattern) => page.waitForFunction((source) => new RegExp(source).test(window.attnscope.text()), pattern);
// What the page about the model says once it computes; a waiting or a refused one says nothing of the kind.
const COMPUTED = 'with probability';
const data = (server) => server.requested.filter((path) => path.startsWith('/data/'));
const withServer = (options, use) => serving(site, options, use);

test('the site holds every file of web/data', () => {
  const list = (folder) => readdirSync(folder, { recursive: true }).sort();
  assert.deepEqual(list(join(site, 'data')), list(new URL('../../web/data', import.meta.url)));
});

test('nothing of the data is fetched before the page about the model is open, and then each file once', async () => {
  await withServer({ headers: { 'Content-Security-Policy': STRICT_POLICY } }, async (server) => {
    const page = await openApp(browser, server.url);
    await dispatch(page, { type: 'scene', id: 'why-context' });
    await settled(page);
    assert.deepEqual(data(server), []);
    await dispatch(page, { type: 'scene', id: 'model' });
    await says(page, COMPUTED);
    assert.deepEqual(data(server).sort(), ['/data/model.json', '/data/model.safetensors']);
    await set(page, { part: 'head' });
    await settled(page);
    await dispatch(page, { type: 'scene', id: 'why-context' });
    await settled(page);
    await dispatch(page, { type: 'scene', id: 'model', set: { part: 'text' } });
    await settled(page);
    assert.match(await text(page), new RegExp(COMPUTED));
    assert.equal(data(server).length, 2);
    await page.done();
  });
});

test('a checkpoint is fetched when it is asked for, and what a link sets stays set', async () => {
  await withServer({}, async (server) => {
    const page = await openApp(browser, `${server.url}#${LINK}&set.checkpoint=3`);
    await says(page, COMPUTED);
    assert.equal((await state(page)).set.checkpoint, '3');
    assert.deepEqual(data(server).sort(), ['/data/checkpoints/step-200.safetensors', '/data/model.json', '/data/model.safetensors']);
    await page.done();
  });
});

test('a file that is not there is told in one sentence in the place of the figures, and the next change tries again', async () => {
  const missing = new Set(['/data/model.safetensors']);
  await withServer({ missing }, async (server) => {
    const page = await openApp(browser, `${server.url}#${LINK}`, { expected: ['404'] });
    await says(page, '`?model\\.safetensors`? was not found: the server answered 404');
    assert.equal((await state(page)).notice, '');
    const asked = data(server).length;
    await settled(page);
    assert.equal(data(server).length, asked); // not of itself
    missing.clear();
    await set(page, { at: '3' });
    await says(page, COMPUTED);
    assert.equal((await state(page)).set.at, '3');
    await page.done();
  });
});

test('a “not found” page in the place of a file is recognised by its size', async () => {
  const extra = { '/data/model.json': '<!doctype html><title>Nothing here</title>' };
  await withServer({ extra }, async (server) => {
    const page = await openApp(browser, `${server.url}#${LINK}`);
    await says(page, 'What came in the place of `?model\\.json`? has 42 bytes');
    delete extra['/data/model.json'];
    await set(page, { at: '3' });
    await says(page, COMPUTED);
    await page.done();
  });
});

test('without a network the page says so, and computes when it is back', async () => {
  await withServer({}, async (server) => {
    const page = await openApp(browser, server.url, { expected: ['ERR_INTERNET_DISCONNECTED'] });
    await dispatch(page, { type: 'scene', id: 'why-context' });
    await settled(page);
    await page.context().setOffline(true);
    await dispatch(page, { type: 'scene', id: 'model' });
    await says(page, 'could not be fetched\\. Check the connection');
    await page.context().setOffline(false);
    await set(page, { at: '3' });
    await says(page, COMPUTED);
    await page.done();
  });
});

test('data that comes when another scene is open shows nothing there, and is there on the way back', async () => {
  let release;
  const held = { '/data/model.safetensors': new Promise((resolve) => { release = resolve; }) };
  await withServer({ held }, async (server) => {
    const page = await openApp(browser, `${server.url}#${LINK}`);
    await says(page, 'is being fetched');
    await dispatch(page, { type: 'scene', id: 'why-context' });
    await settled(page);
    const shown = await text(page);
    const arrived = page.waitForResponse(/model\.safetensors/);
    release();
    await (await arrived).finished();
    await page.waitForTimeout(200);
    assert.equal(await text(page), shown);
    await dispatch(page, { type: 'scene', id: 'model' });
    await settled(page);
    assert.match(await text(page), new RegExp(COMPUTED)); // at once
    assert.equal(data(server).length, 2);
    await page.done();
  });
});

test('a second visit fetches nothing of the data again, where the server lets the browser keep it', async () => {
  await withServer({ headers: { 'Cache-Control': 'max-age=31536000, immutable' } }, async (server) => {
    const page = await openPage(browser, `${server.url}#${LINK}`);
    await says(page, COMPUTED);
    const fetched = server.requested.length;
    await page.goto('about:blank');
    await page.context().setOffline(true);
    await page.goto(`${server.url}#${LINK}`);
    await says(page, COMPUTED);
    assert.equal(server.requested.length, fetched);
    await page.done();
  });
});

test('the model answers at every key that is typed into its text, and the link names it', async () => {
  await withServer({}, async (server) => {
    const page = await openApp(browser, `${server.url}#${LINK}`);
    await says(page, COMPUTED);
    const field = await rectOf(page, 'Text');
    await page.mouse.click(field.x + field.w / 2, field.y + field.h / 2);
    await page.keyboard.press('Control+a');
    for (const [n, key] of [...'Emma'].entries()) {
      await page.keyboard.press(key);
      await says(page, `After “${key}” at position ${n} the model expects`);
    }
    assert.equal((await state(page)).set.text, 'Emma');
    const link = await page.evaluate(() => window.attnscope.link());
    assert.match(link, /&set\.text=Emma(&|$)/);
    assert.match(link, /&set\.made_with=[0-9a-f]{8}(&|$)/);
    await page.done();
  });
});

test('a text that is typed anew leaves the positions that were chosen, however fast one types', async () => {
  await withServer({}, async (server) => {
    const page = await openApp(browser, `${server.url}#${LINK}&set.part=change&set.act=forbid&set.source=50&set.at=55`);
    await says(page, 'No later position may read');
    const field = await rectOf(page, 'Text');
    await page.mouse.click(field.x + field.w / 2, field.y + field.h / 2);
    await page.keyboard.press('Control+a');
    await page.keyboard.type('Mr. Bingley danced with Elizabeth. Mr. Bingley danced with Eli', { delay: 30 });
    await settled(page);
    const now = await state(page);
    assert.deepEqual([now.set.source, now.set.at], ['50', '55']);
    assert.match(await text(page), /at position 50 /);
    await page.done();
  });
});

test('a link to a walk through a layer walks again, at the same moment, also after a reload', async () => {
  await withServer({}, async (server) => {
    const page = await openApp(browser, `${server.url}#${LINK}&set.part=head&set.text=Emma`);
    await says(page, 'reads most from');
    await set(page, { walk: '1' });
    await page.waitForFunction(() => !window.attnscope.state().scene);
    await dispatch(page, { type: 'row', row: 2 });
    const link = await page.evaluate(() => window.attnscope.link());
    assert.match(link, /scene=model&.*set\.walk=1&row=2&head=1$/);
    await page.waitForFunction((to) => location.hash.slice(1) === to, link);
    await page.reload();
    await page.waitForFunction((to) => window.attnscope?.link() === to && !window.attnscope.state().scene, link);
    assert.ok(!(await state(page)).notice);
    await page.done();
  });
});

test('what is computed again when its data has arrived tells so, and can be stopped', async () => {
  await withServer({}, async (server) => {
    const page = await openPage(browser, `${server.url}#${LINK}&set.part=lines&set.inputs=lines&set.act=zero&set.layer=0&set.head=2`);
    await says(page, 'The held-out lines are being fetched');
    await page.waitForFunction(() => window.attnscope.state().computing && /being fetched/.test(window.attnscope.text()));
    await dispatch(page, { type: 'stop' });
    assert.equal((await state(page)).computing, false);
    await set(page, { head: '3' });
    await says(page, 'over 200 held-out lines');
    await page.done();
  });
});

test('the single file has the model and its checkpoints, with the network off', async () => {
  const page = await openApp(browser, `${pathToFileURL(singleFile).href}#${LINK}`, { context: { offline: true } });
  await says(page, COMPUTED);
  const trained = await text(page);
  await set(page, { checkpoint: '0' });
  await page.waitForFunction((before) => !window.attnscope.stats().pending && window.attnscope.text() !== before, trained);
  await says(page, COMPUTED);
  await page.done();
});
