// The half of the program that is fetched later: not before it is needed, and never called before it is there.
import { strict as assert } from 'node:assert';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { after, before, test } from 'node:test';
import { click, launch, openApp, press, settled, singleFile, site, state, texts } from './support/browser.mjs';
import { manyHeads } from './support/documents.mjs';
import { serving } from './support/server.mjs';

let browser;
before(async () => { browser = await launch(); });
after(() => browser.close());

const withServer = (options, use) => serving(site, options, use);

const dispatch = (page, action) => page.evaluate((each) => window.attnscope.dispatch(each), action);
const sheet = async (page) => (await texts(page, 'p')).join('\n');

// Every control that the mirror offers on this screen is pressed once; what one opens, Escape closes.
async function pressAll(page) {
  const ids = await page.evaluate(() => [...document.querySelectorAll('#mirror [data-control]')].map((each) => each.dataset.control));
  assert.ok(ids.length > 10);
  for (const id of ids.filter((each) => !/^scenes\/|about|help|settings|export|share|lab|edit|notebook|open|contents\/(?!three)/.test(each))) {
    await page.evaluate((each) => document.querySelector(`#mirror [data-control="${CSS.escape(each)}"]`)?.click(), id);
    await settled(page);
  }
  await page.keyboard.press('Escape');
}

test('the walkthrough, its panels and a large document do without the rest', async () => {
  await withServer({ missing: new Set(['/rest.wasm', '/scenes.js', '/scenes.wasm']) }, async (server) => {
    for (const viewport of [{ width: 1280, height: 800 }, { width: 390, height: 844 }]) {
      const page = await openApp(browser, server.url, { context: { viewport } });
      await page.focus('#stage');
      await press(page, 'ArrowRight', 'Shift+ArrowRight', '4', 'ArrowRight', 'o', 'm', 'Enter', 'ArrowDown', 'Escape', 'End', '+', '0');
      await pressAll(page);
      await dispatch(page, { type: 'example', id: 'cat-sat-down' });
      await page.evaluate((json) => window.attnscope.open(json, 'heads.json'), manyHeads());
      await press(page, 'End', ']');
      assert.deepEqual(server.requested.filter((name) => /scene|rest/.test(name)), []);
      await page.done();
    }
  });
});

test('a scene whose rest cannot be fetched says so, takes every key meanwhile, and comes when tried again', async () => {
  await withServer({ missing: new Set(['/rest.wasm']) }, async (server) => {
    const page = await openApp(browser, server.url, { expected: ['404'] });
    await page.focus('#stage');
    await dispatch(page, { type: 'scene', id: 'why-context' });
    await settled(page);
    assert.match((await state(page)).notice, /could not be loaded.*404.*rest\.wasm/);
    await press(page, 'ArrowRight', 'ArrowDown', 'PageDown', 'End', 'Home', 'ArrowLeft', '?', 'Escape');
    server.missing.clear();
    await dispatch(page, { type: 'retry' });
    await settled(page);
    assert.match(await sheet(page), /per-token layers/);
    await page.done();
  });
});

for (const [name, words] of [['About', /Nothing you open leaves your machine/], ['Settings', /Single-letter keys/]]) {
  test(`the sheet “${name}” fetches the rest, says why it cannot, and offers to try again`, async () => {
    await withServer({ missing: new Set(['/rest.wasm']) }, async (server) => {
      const page = await openApp(browser, server.url, { expected: ['404'] });
      await click(page, name);
      assert.match(await sheet(page), /404.*rest\.wasm/);
      server.missing.clear();
      await click(page, 'Try again');
      assert.match(await page.textContent('#mirror'), words);
      assert.deepEqual(server.requested.filter((file) => file === '/rest.wasm').length, 2);
      await page.done();
    });
  });
}

test('who tries again by keyboard is told what comes of it and stays in the sheet', async () => {
  await withServer({ missing: new Set(['/rest.wasm']) }, async (server) => {
    const page = await openApp(browser, server.url, { expected: ['404'] });
    await click(page, 'Settings');
    const again = async () => {
      await page.locator('#mirror [data-control="rest/retry"]').focus();
      await page.keyboard.press('Enter');
      await settled(page);
      return page.evaluate(() => ({ kept: Boolean(document.activeElement.closest('#mirror .panel')), told: document.querySelector('#mirror .opened').textContent }));
    };
    const failed = await again();
    assert.ok(failed.kept);
    assert.match(failed.told, /^Settings is open.*404/);
    server.missing.clear();
    const come = await again();
    assert.ok(come.kept);
    assert.match(come.told, /^Settings is open\. Esc or Close closes it\.$/);
    await page.done();
  });
});

test('a rest of another version asks to be reloaded and leaves the walkthrough as it is', async () => {
  const other = Buffer.from((await readFile(join(site, 'rest.wasm'))).toString('latin1').replaceAll(/rest-[0-9a-f]{8}/g, 'rest-00000000'), 'latin1');
  await withServer({ extra: { '/rest.wasm': other } }, async (server) => {
    const page = await openApp(browser, server.url);
    await click(page, 'About');
    assert.match(await sheet(page), /different versions/);
    await page.keyboard.press('Escape');
    await page.focus('#stage');
    await press(page, 'ArrowRight');
    assert.equal((await state(page)).position, 1);
    await page.done();
  });
});

test('the single file carries the rest', async () => {
  const page = await openApp(browser, pathToFileURL(singleFile).href, { context: { offline: true } });
  await click(page, 'About');
  assert.match(await sheet(page), /Nothing you open leaves your machine/);
  await page.done();
});
