// The sample files: opened with one press, linked to, saved, and left for files of one's own; nothing of them comes unasked.
import { strict as assert } from 'node:assert';
import { readdirSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { after, before, test } from 'node:test';
import { drop, heads } from './support/arrays.mjs';
import { launch, openApp, openPage, settled, singleFile, site, state } from './support/browser.mjs';
import { serving } from './support/server.mjs';

let browser;
before(async () => { browser = await launch(); });
after(() => browser.close());

const folder = fileURLToPath(new URL('../../web/data/samples', import.meta.url));
const samples = readdirSync(folder);
const arrays = samples.filter((name) => name !== 'document.json');
const LINK = 'v=1&scene=arrays';
const data = (server) => server.requested.filter((path) => path.startsWith('/data/'));
const text = (page) => page.evaluate(() => window.attnscope.text());
const says = (page, pattern) => page.waitForFunction((source) => new RegExp(source).test(window.attnscope.text()), pattern);

// The words are known before they are painted, and only what is painted can be pressed.
async function pressButton(page, label) {
  await settled(page);
  await page.locator('#mirror button', { hasText: label }).first().focus();
  await page.keyboard.press('Enter');
}

const opened = (page, name) => says(page, `\`?${name.replace('.', '\\.')}\`?: .*20 (destinations|sources)`);

test('the empty page offers every sample, and one press fetches that one and opens it', async () => {
  await serving(site, {}, async (server) => {
    const page = await openApp(browser, `${server.url}#${LINK}`);
    await says(page, 'Nothing is open yet');
    const buttons = await page.locator('#mirror button').allTextContents();
    for (const name of samples) assert.ok(buttons.some((label) => label.startsWith(name) || label.startsWith(`\`${name}`)), name);
    assert.deepEqual(data(server), []);
    for (const name of arrays) {
      await pressButton(page, name);
      await opened(page, name);
      assert.equal(data(server).at(-1), `/data/samples/${name}`);
      await pressButton(page, 'All samples');
      await says(page, 'Nothing is open yet');
    }
    assert.equal(data(server).length, arrays.length);
    await page.done();
  });
});

test('a link to a sample opens it, as a reload does, and what is set stays', async () => {
  await serving(site, {}, async (server) => {
    const page = await openApp(browser, `${server.url}#${LINK}&set.sample=attention.npz`);
    await opened(page, 'attention.npz');
    await page.evaluate(() => window.attnscope.dispatch({ type: 'set', values: { part: 'head', layer: '1', head: '1' } }));
    await settled(page);
    const shown = await text(page);
    await page.waitForFunction(() => location.hash.includes('set.part=head'));
    await page.reload();
    await settled(page);
    await page.waitForFunction((before) => window.attnscope.text() === before, shown);
    assert.deepEqual((await state(page)).set, { head: '1', layer: '1', part: 'head', sample: 'attention.npz' });
    await page.done();
  });
});

test('a sample is saved as it is', async () => {
  await serving(site, {}, async (server) => {
    const page = await openApp(browser, server.url);
    for (const name of samples) {
      await page.evaluate((sample) => window.attnscope.dispatch({ type: 'scene', id: 'arrays', set: { sample } }), name);
      await page.locator('#mirror button', { hasText: 'Save' }).filter({ hasText: name }).waitFor({ state: 'attached' });
      const coming = page.waitForEvent('download');
      await pressButton(page, new RegExp(`Save .*${name}`));
      const download = await coming;
      assert.equal(download.suggestedFilename(), name);
      assert.deepEqual(await readFile(await download.path()), await readFile(join(folder, name)), name);
    }
    await page.done();
  });
});

test('the document among them opens on the stage, and the way back leads to its page', async () => {
  await serving(site, {}, async (server) => {
    const page = await openApp(browser, `${server.url}#${LINK}`);
    await says(page, 'Nothing is open yet');
    await pressButton(page, 'document.json');
    await page.waitForFunction(() => window.attnscope.state().title === 'Mr. Darcy, Mr. Darcy' && !window.attnscope.state().scene);
    await settled(page);
    await pressButton(page, 'Back to: Your own arrays');
    await says(page, 'It opens on the stage');
    await settled(page);
    assert.equal((await state(page)).scene, 'arrays');
    await page.done();
  });
});

test('files of one’s own take the place of a sample, and undo leads back to it', async () => {
  await serving(site, {}, async (server) => {
    const page = await openApp(browser, `${server.url}#${LINK}&set.sample=weights.npy`);
    await opened(page, 'weights.npy');
    await drop(page, ['q.npy', heads(1)]);
    await says(page, '`?q\\.npy`?: ');
    assert.deepEqual((await state(page)).set, {});
    await page.keyboard.press('Control+z');
    await opened(page, 'weights.npy');
    await page.evaluate(() => window.attnscope.dispatch({ type: 'redo' }));
    await says(page, '`?q\\.npy`?: ');
    await page.done();
  });
});

test('a sample that is not there is told in one sentence, and it can be asked for again', async () => {
  const missing = new Set(['/data/samples/weights.csv']);
  await serving(site, { missing }, async (server) => {
    const page = await openApp(browser, `${server.url}#${LINK}&set.sample=weights.csv`, { expected: ['404'] });
    await says(page, 'weights\\.csv`? was not found: the server answered 404');
    missing.clear();
    await pressButton(page, 'All samples');
    await says(page, 'Nothing is open yet');
    await pressButton(page, 'weights.csv');
    await opened(page, 'weights.csv');
    await page.done();
  });
});

test('the single file has every sample in it', async () => {
  const page = await openPage(browser, `${pathToFileURL(singleFile).href}#${LINK}`);
  await settled(page);
  for (const sample of arrays) {
    await page.evaluate((set) => window.attnscope.dispatch({ type: 'scene', id: 'arrays', set }), { sample });
    await opened(page, sample);
  }
  await page.done();
});
