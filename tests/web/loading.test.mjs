// The page starts wherever it is put, and says in words why when it cannot.
import { strict as assert } from 'node:assert';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { after, before, test } from 'node:test';
import { launch, openApp, openPage, press, settled, singleFile, site, state } from './support/browser.mjs';
import { STRICT_POLICY, serving } from './support/server.mjs';

let browser;
before(async () => { browser = await launch(); });
after(() => browser.close());

const withServer = (options, use) => serving(site, options, use);

async function stepsToTheEnd(page) {
  await press(page, 'End');
  const { position, steps } = await state(page);
  assert.ok(steps > 0);
  assert.equal(position, steps);
}

test('a worked example is on the screen before any choice, paused', async () => {
  await withServer({}, async (server) => {
    const page = await openApp(browser, server.url);
    const { ex, position, playing, title } = await state(page);
    assert.deepEqual({ ex, position, playing }, { ex: 'three-positions', position: 0, playing: false });
    assert.notEqual(title, '');
    assert.equal(await page.locator('#status').isHidden(), true);
    await page.done();
  });
});

for (const wasmType of ['application/wasm', 'application/octet-stream', 'text/html', 'application/wasm; charset=utf-8', 'text/plain']) {
  test(`the program loads when the server calls it ${wasmType}`, async () => {
    await withServer({ wasmType }, async (server) => {
      const page = await openApp(browser, server.url);
      await stepsToTheEnd(page);
      await page.done();
    });
  });
}

test('the page works under the strict policy as a header', async () => {
  await withServer({ headers: { 'Content-Security-Policy': STRICT_POLICY } }, async (server) => {
    const page = await openApp(browser, server.url);
    await stepsToTheEnd(page);
    await page.done();
  });
});

test('the page works with and without cross-origin isolation', async () => {
  const isolation = { 'Cross-Origin-Opener-Policy': 'same-origin', 'Cross-Origin-Embedder-Policy': 'require-corp' };
  for (const headers of [{}, isolation]) {
    await withServer({ headers }, async (server) => {
      const page = await openApp(browser, server.url);
      assert.equal(await page.evaluate(() => crossOriginIsolated), headers === isolation);
      await stepsToTheEnd(page);
      await page.done();
    });
  }
});

test('nothing is fetched but the page, its style, its script and its program, each once', async () => {
  await withServer({}, async (server) => {
    const page = await openApp(browser, server.url);
    await stepsToTheEnd(page);
    assert.deepEqual([...server.requested].sort(), ['/app.css', '/app.js', '/attnscope.wasm', '/index.html']);
    await page.done();
  });
});

test('a program that is not there is named, with the status', async () => {
  await withServer({ wasmType: null }, async (server) => {
    const page = await openPage(browser, server.url, { expected: ['404'] });
    await page.locator('#status.problem').waitFor();
    assert.match(await page.locator('#status').textContent(), /404.*attnscope\.wasm/);
    await page.done();
  });
});

test('a “not found” page in place of the program is recognised', async () => {
  await withServer({ extra: { '/attnscope.wasm': '<!doctype html><title>Nothing here</title>' } }, async (server) => {
    const page = await openPage(browser, server.url);
    await page.locator('#status.problem').waitFor();
    assert.match(await page.locator('#status').textContent(), /not WebAssembly/);
    await page.done();
  });
});

test('a page of another version than its program asks to be reloaded', async () => {
  const script = await readFile(join(site, 'app.js'), 'utf8');
  const older = script.replace(/(\b_attn_interface\(\)) ?!==/, '$1===');
  assert.notEqual(older, script);
  await withServer({ extra: { '/app.js': older } }, async (server) => {
    const page = await openPage(browser, server.url);
    await page.locator('#status.problem').waitFor();
    assert.match(await page.locator('#status').textContent(), /different versions/);
    assert.equal(await page.getByRole('button', { name: 'Reload' }).isVisible(), true);
    await page.done();
  });
});

test('a browser without WebAssembly is told so', async () => {
  await withServer({}, async (server) => {
    const page = await openPage(browser, server.url, {
      prepare: (each) => each.addInitScript(() => { delete window.WebAssembly; }),
    });
    await page.locator('#status.problem').waitFor();
    assert.match(await page.locator('#status').textContent(), /no WebAssembly/);
    await page.done();
  });
});

test('a browser without scripts is told so', async () => {
  await withServer({}, async (server) => {
    const page = await openPage(browser, server.url, { context: { javaScriptEnabled: false } });
    assert.match(await page.locator('noscript').innerText(), /needs JavaScript/);
    await page.done();
  });
});

test('the single file opens from a folder, offline, and remembers the moment', async () => {
  const page = await openApp(browser, pathToFileURL(singleFile).href, { context: { offline: true } });
  await press(page, ...Array(8).fill('ArrowRight'));
  assert.equal((await state(page)).stage, 'z');
  await page.waitForFunction(() => location.hash.includes('stage=z'));
  await page.reload();
  await settled(page);
  assert.equal((await state(page)).position, 8);
  await page.done();
});
