// Files of arrays that people open: several at once, good and bad; read beside the page, which goes on meanwhile.
import { strict as assert } from 'node:assert';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { after, before, test } from 'node:test';
import { drop, heads, npy } from './support/arrays.mjs';
import { click, launch, openApp, press, settled, singleFile, site, state, texts } from './support/browser.mjs';
import { small } from './support/documents.mjs';
import { serve, serving } from './support/server.mjs';

let browser, server, folder;
before(async () => {
  [browser, server, folder] = await Promise.all([launch(), serve(site), mkdtemp(join(tmpdir(), 'attnscope-'))]);
});
after(() => Promise.all([browser.close(), server.close(), rm(folder, { recursive: true })]));

const set = (page, values) => page.evaluate((each) => window.attnscope.dispatch({ type: 'set', values: each }), values);
const text = (page) => page.evaluate(() => window.attnscope.text());

// The files are open and their page is there.
async function shows(page, files) {
  await page.waitForFunction((wanted) => window.attnscope.state().files === wanted, files);
  await settled(page);
  assert.equal((await state(page)).scene, 'arrays');
}

// Every page that the worker sends, as [ticket, page], and every worker, in window.heard and window.workers.
const listen = (page) => page.addInitScript(() => {
  window.heard = [];
  window.workers = [];
  const Original = window.Worker;
  window.Worker = class extends Original {
    constructor(...args) {
      super(...args);
      window.workers.push(this);
      this.addEventListener('message', ({ data }) => { if (data.page) window.heard.push([data.ticket, data.page]); });
    }
  };
});

// Chosen from the disk, so that the page reads a file that can change.
async function choose(page, ...paths) {
  const chooser = page.waitForEvent('filechooser');
  await page.focus('[data-control="contents/open"]');
  await page.keyboard.press('Enter');
  await (await chooser).setFiles(paths);
}

test('of several dropped files those that can be read open together, and the other is named in one sentence', async () => {
  const page = await openApp(browser, server.url);
  await drop(page, ['q.npy', heads(1)], ['broken.npy', 'nothing'], ['k.npy', heads(2)]);
  await shows(page, 'q.npy, k.npy');
  const { notice } = await state(page);
  assert.equal(notice.split('broken.npy').length, 2, notice);
  assert.ok(!notice.includes('q.npy'), notice);
  const table = await text(page);
  assert.match(table, /q/);
  await page.done();
});

test('what was open stays open, as it was, when nothing of what is dropped can be read', async () => {
  const page = await openApp(browser, server.url);
  await drop(page, ['q.npy', heads(1)]);
  await shows(page, 'q.npy');
  await set(page, { part: 'code' });
  await settled(page);
  const before = await text(page);
  await drop(page, ['broken.npz', 'PK\x03\x04 and no more'], ['empty.npy', '']);
  await page.waitForFunction(() => /broken\.npz.*empty\.npy/.test(window.attnscope.state().notice));
  await settled(page);
  const { files, scene, set: settings } = await state(page);
  assert.deepEqual([files, scene, settings], ['q.npy', 'arrays', { part: 'code' }]);
  assert.equal(await text(page), before);
  await page.done();
});

test('files are chosen by the keyboard alone, several at once, and their page is in the mirror', async () => {
  const page = await openApp(browser, server.url);
  const paths = ['one.npy', 'two.npy'].map((name) => join(folder, name));
  await Promise.all(paths.map((path, i) => writeFile(path, heads(i))));
  await choose(page, ...paths);
  await shows(page, 'one.npy, two.npy');
  assert.ok((await texts(page, 'button')).some((label) => label.includes('Your own arrays: one.npy, two.npy')));
  await page.done();
});

test('a pasted matrix of two megabytes opens, and the page answers meanwhile', async (t) => {
  const page = await openApp(browser, server.url);
  const longest = await page.evaluate(async () => {
    const rows = Array.from({ length: 512 }, (_, i) => `[${Array.from({ length: 512 }, (__, j) => (((i * 512 + j) % 9973) / 9973).toFixed(5)).join(', ')}]`);
    const data = new DataTransfer();
    data.setData('text/plain', `[${rows.join(',\n')}]`);
    let longestPause = 0;
    let last = performance.now();
    let stop = false;
    const watch = () => {
      const now = performance.now();
      longestPause = Math.max(longestPause, now - last);
      last = now;
      if (!stop) setTimeout(watch, 0);
    };
    document.body.focus();
    watch();
    document.dispatchEvent(new ClipboardEvent('paste', { clipboardData: data, bubbles: true, cancelable: true }));
    while (!window.attnscope.state().files) await new Promise((next) => { setTimeout(next, 5); });
    stop = true;
    return longestPause;
  });
  t.diagnostic(`longest pause of the page: ${longest.toFixed(0)} ms`);
  assert.ok(longest < 1500, `${longest} ms`);
  await shows(page, 'pasted text');
  assert.equal((await state(page)).notice, '');
  await page.done();
});

test('text that holds no numbers is explained, and a link and a document stay what they are', async () => {
  const page = await openApp(browser, server.url);
  const paste = (value) => page.evaluate((given) => {
    const data = new DataTransfer();
    data.setData('text/plain', given);
    document.dispatchEvent(new ClipboardEvent('paste', { clipboardData: data, bubbles: true, cancelable: true }));
  }, value);
  await paste('good morning');
  await page.waitForFunction(() => /pasted text.*go into the field first/.test(window.attnscope.state().notice));
  assert.deepEqual([(await state(page)).scene, (await state(page)).files], ['', '']);
  await paste('#v=1&scene=arrays&set.part=code');
  await page.waitForFunction(() => window.attnscope.state().set.part === 'code');
  await paste(small);
  await page.waitForFunction(() => window.attnscope.state().title === 'Two tokens' && !window.attnscope.state().scene);
  await page.done();
});

test('a document among arrays opens alone, and the arrays are named', async () => {
  const page = await openApp(browser, server.url);
  await drop(page, ['q.npy', heads(1)], ['two.json', small]);
  await page.waitForFunction(() => window.attnscope.state().title === 'Two tokens');
  await page.waitForFunction(() => /this is two\.json; left out: q\.npy/.test(window.attnscope.state().notice));
  assert.equal((await state(page)).files, '');
  await page.done();
});

test('nothing is asked of the network once the scenes are there', async () => {
  await serving(site, {}, async (own) => {
    const page = await openApp(browser, own.url);
    await drop(page, ['q.npy', heads(1)]);
    await shows(page, 'q.npy');
    const fetched = own.requested.length;
    assert.deepEqual(own.requested.slice(-3).sort(), ['/rest.wasm', '/scenes.js', '/scenes.wasm']);
    for (const part of ['heads', 'head', 'audit', 'code', 'compare']) {
      await set(page, { part });
      await settled(page);
    }
    await drop(page, ['k.npy', heads(2)]);
    await settled(page);
    assert.deepEqual(own.requested.slice(fetched), []);
    await page.done();
  });
});

test('the page comes again while the files are read, and the focus and all that is set stay', async () => {
  const page = await openApp(browser, server.url, { prepare: listen });
  const path = join(folder, 'large.npy');
  await writeFile(path, npy([24, 512, 512], { length: 24 * 512 * 512 })); // of no numbers at all: NaN
  await choose(page, path);
  await page.waitForFunction(() => window.attnscope.state().files === 'large.npy' && !window.attnscope.state().computing);
  await page.focus('[data-control="try/part/file"]');
  const before = await state(page);
  await page.waitForFunction(() => {
    const tickets = window.heard.map(([ticket]) => ticket);
    return tickets.length > 1 && tickets.at(-1) === tickets.at(-2) && !window.heard.at(-1)[1].includes('not read yet');
  });
  await settled(page);
  assert.equal(await page.evaluate(() => document.activeElement.dataset.control), 'try/part/file');
  assert.deepEqual(await state(page), before);
  await page.done();
});

test('the walk through a head opens the stage with the numbers of the files, and leads back to the page as it was', async () => {
  const page = await openApp(browser, server.url);
  const numbers = Array.from({ length: 32 }, (_, i) => ((i * 5) % 33) / 33);
  await drop(page, ['q.npy', npy([2, 4, 4], numbers)], ['k.npy', heads(2)], ['v.npy', heads(3)]);
  await shows(page, 'q.npy, k.npy, v.npy');
  await set(page, { part: 'head', head: '1' });
  await settled(page);
  await page.locator('#mirror button', { hasText: 'Walk through this head' }).focus();
  await page.keyboard.press('Enter');
  await page.waitForFunction(() => window.attnscope.state().scene === '');
  const { q } = (await page.evaluate(() => window.attnscope.trace())).heads[0];
  assert.deepEqual(q.flat(), Array.from(Float32Array.from(numbers.slice(16))));
  assert.ok(!(await page.evaluate(() => location.hash)).includes('walk'));
  await settled(page);
  await page.locator('#mirror button', { hasText: 'Back to: Your own arrays' }).focus();
  await page.keyboard.press('Enter');
  await shows(page, 'q.npy, k.npy, v.npy');
  assert.deepEqual((await state(page)).set, { head: '1', part: 'head' });
  await page.goBack();
  await page.waitForFunction(() => window.attnscope.state().scene === '');
  assert.match((await state(page)).title, /head 1/);
  await page.done();
});

test('a reload asks for the files again and keeps what is set; Back and Forward lead to the page', async () => {
  const page = await openApp(browser, server.url);
  await drop(page, ['q.npy', heads(1)]);
  await shows(page, 'q.npy');
  await page.waitForFunction(() => location.hash.includes('scene=arrays'));
  await set(page, { part: 'heads' });
  await page.waitForFunction(() => location.hash.includes('set.part=heads'));
  await page.goBack();
  await page.waitForFunction(() => window.attnscope.state().scene === '');
  await page.goForward();
  await shows(page, 'q.npy');
  assert.deepEqual((await state(page)).set, { part: 'heads' });
  await page.reload();
  await settled(page);
  assert.deepEqual([(await state(page)).files, (await state(page)).scene], ['', 'arrays']);
  await drop(page, ['q.npy', heads(1)]);
  await shows(page, 'q.npy');
  assert.deepEqual((await state(page)).set, { part: 'heads' });
  await page.done();
});

test('a worker that was stopped is followed by one that has the files again', async () => {
  const page = await openApp(browser, server.url, { prepare: listen });
  await drop(page, ['q.npy', heads(1)]);
  await shows(page, 'q.npy');
  const before = await text(page);
  await page.evaluate(() => window.attnscope.dispatch({ type: 'scene', id: 'scaling', set: { pairs: 1000000, d: 1024 } }));
  await page.waitForFunction(() => window.attnscope.state().progress > 0);
  await page.evaluate(() => window.attnscope.dispatch({ type: 'scene', id: 'arrays' }));
  await settled(page);
  assert.equal(await text(page), before);
  assert.equal(await page.evaluate(() => window.workers.length), 2);
  await page.done();
});

test('a file that has changed since it was opened is told about in the place of its numbers', async () => {
  const page = await openApp(browser, server.url);
  const path = join(folder, 'changing.npy');
  await writeFile(path, heads(1));
  await page.evaluate(() => window.attnscope.dispatch({ type: 'scene', id: 'arrays', set: { part: 'code' } }));
  await settled(page);
  await choose(page, path);
  await shows(page, 'changing.npy');
  await writeFile(path, 'gone');
  await set(page, { part: 'file' });
  await page.waitForFunction(() => /changing\.npy cannot be read; it has changed/.test(document.getElementById('mirror').textContent));
  await page.done();
});

test('the API opens arrays as it opens documents, and says why not', async () => {
  const page = await openApp(browser, server.url);
  const refused = await page.evaluate(async () => {
    await window.attnscope.open('0.25 0.75\n0.5 0.5\n', 'weights.txt');
    return window.attnscope.open(new Uint8Array([1, 2, 3]), 'odd.npy').catch((error) => error.message);
  });
  assert.match(refused, /odd\.npy/);
  await shows(page, 'weights.txt');
  await page.done();
});

test('the single file opens arrays too', async () => {
  const page = await openApp(browser, pathToFileURL(singleFile).href);
  await drop(page, ['q.npy', heads(1)]);
  await shows(page, 'q.npy');
  await page.done();
});

test('on a phone the contents have the button, and the page fits', async () => {
  const page = await openApp(browser, server.url, { context: { viewport: { width: 390, height: 844 }, hasTouch: true } });
  await click(page, 'Contents');
  const chooser = page.waitForEvent('filechooser');
  await click(page, 'Open a file…');
  await (await chooser).setFiles({ name: 'q.npy', mimeType: 'application/octet-stream', buffer: heads(1) });
  await shows(page, 'q.npy');
  const wide = await page.evaluate(() => window.attnscope.layout().filter((each) => each.x + each.w > 391).map((each) => each.label));
  assert.deepEqual(wide, []);
  await press(page, 'Control+z');
  assert.equal((await state(page)).scene, '');
  await page.done();
});
