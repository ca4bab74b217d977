// What machines, windows and paper do to a page: little memory, narrow and hidden windows, high contrast, printing.
import { strict as assert } from 'node:assert';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { click, emulate, launch, openApp, press, settled, site, state } from './support/browser.mjs';
import { npy } from './support/arrays.mjs';
import { longSequence } from './support/documents.mjs';
import { serve, serving } from './support/server.mjs';

let browser, server;
before(async () => { [browser, server] = await Promise.all([launch(), serve(site)]); });
after(() => Promise.all([browser.close(), server.close()]));

const text = (page) => page.evaluate(() => window.attnscope.text());
const heap = (page) => page.evaluate(() => window.attnscope.stats().heap_bytes);
const open = (page, document) => page.evaluate((content) =>
  window.attnscope.open(content, 'large.json').then(() => '', (error) => error.message), document);

// No memory of the page grows beyond 200 MB, as on a telephone.
const LITTLE_MEMORY = `{
  const { grow } = WebAssembly.Memory.prototype;
  WebAssembly.Memory.prototype.grow = function (pages) {
    if (this.buffer.byteLength + pages * 65536 > 200e6) throw new RangeError('WebAssembly.Memory.grow(): no more');
    return grow.call(this, pages);
  };
}\n`;
const onLittleMemory = { prepare: (page) => page.addInitScript(LITTLE_MEMORY) };

test('a document that needs more memory than there is gets one sentence, and the page goes on', async () => {
  const page = await openApp(browser, server.url, onLittleMemory);
  assert.match(await open(page, longSequence(2048)), /takes 206 MiB, which this machine does not give; use fewer tokens/);
  await press(page, 'End');
  const { title, position, steps } = await state(page);
  assert.deepEqual([title, position], ['Three positions, worked exactly', steps]);
  assert.equal(await open(page, longSequence(512)), '');
  assert.equal((await state(page)).title, '512 tokens');
  await page.done();
});

test('a file that is larger than the memory opens, and what cannot be computed of it is one sentence', async () => {
  await serving(site, { replace: { '/scenes.js': [/^/, LITTLE_MEMORY] } }, async (own) => {
    const page = await openApp(browser, own.url, onLittleMemory);
    await page.evaluate((head) => {
      const data = new DataTransfer();
      const heads = Array(64).fill(new Float32Array(1 << 20).fill(1 / 1024));
      data.items.add(new File([Uint8Array.from(atob(head), (c) => c.charCodeAt(0)), ...heads], 'weights.npy'));
      document.getElementById('stage').dispatchEvent(new DragEvent('drop', { dataTransfer: data, bubbles: true, cancelable: true }));
    }, npy([64, 1024, 1024], []).toString('base64'));
    await page.waitForFunction(() => /1,024 destinations × 1,024 sources/.test(window.attnscope.text()));
    const set = (value) => page.evaluate((part) => window.attnscope.dispatch({ type: 'set', key: 'part', value: part }), value);
    await set('audit');
    await page.waitForFunction(() => /more than the .* allowed/.test(window.attnscope.state().notice));
    await set('head');
    await page.waitForFunction(() => /Weights as they stand/.test(window.attnscope.text()));
    await page.done();
  });
});

test('growing memory corrupts nothing, and a large document again and again needs no more', async () => {
  const page = await openApp(browser, server.url);
  const [before, large] = [await heap(page), longSequence(512)];
  assert.equal(await open(page, large), '');
  assert.ok(await heap(page) > before, `${before}, ${await heap(page)}`);
  // What came before lies beside it, and something small may lie where it would fit: this happens once or twice. Memory
  // that is not given back would have to be found anew every time.
  const sizes = [];
  for (let again = 0; again < 8; ++again) {
    assert.equal(await open(page, longSequence(64)), '');
    assert.equal(await open(page, large), '');
    sizes.push(await heap(page));
  }
  assert.equal(new Set(sizes.slice(-4)).size, 1, String(sizes));
  const computed = await page.evaluate(() => {
    const { q, k, v } = window.attnscope.trace().heads[0];
    return { q, k, v };
  });
  const { q, k, v } = JSON.parse(large);
  assert.deepEqual(computed, { q, k, v });
  await page.done();
});

test('in a window of 320 pixels no control is cut off at the sides', async () => {
  const page = await openApp(browser, server.url, { context: { viewport: { width: 320, height: 640 } } });
  const cut = () => page.evaluate(() => window.attnscope.layout()
    .filter(({ role, x, w }) => role !== 'cell' && (x < -0.5 || x + w > innerWidth + 0.5)));
  for (const panel of ['Step', 'Edit', 'Choices', 'Contents', 'Settings']) {
    await click(page, panel);
    assert.deepEqual(await cut(), [], panel);
  }
  for (const id of ['masks', 'model', 'softmax']) {
    await page.evaluate((scene) => window.attnscope.dispatch({ type: 'scene', id: scene }), id);
    await settled(page);
    assert.deepEqual(await cut(), [], id);
  }
  await page.done();
});

test('a page that was hidden, or whose machine slept, does not make up for the time', async () => {
  const page = await openApp(browser, server.url);
  await page.evaluate(() => {
    window.seen = [];
    window.attnscope.on('change', ({ position }) => window.seen.push(position));
    for (const action of [{ type: 'speed', speed: 4 }, { type: 'run_on', on: true }, { type: 'play' }]) window.attnscope.dispatch(action);
  });
  const sleeps = (hidden) => page.evaluate((isHidden) => {
    const show = (now) => {
      Object.defineProperty(document, 'hidden', { configurable: true, value: !now });
      document.dispatchEvent(new Event('visibilitychange'));
    };
    if (isHidden) show(false);
    const until = performance.now() + 2000;
    while (performance.now() < until);
    if (isHidden) show(true);
  }, hidden);
  for (const hidden of [true, false]) {
    const { length } = await page.evaluate(() => window.seen);
    await page.waitForFunction((count) => window.seen.length > count, length);
    await sleeps(hidden);
  }
  await page.waitForFunction(() => !window.attnscope.state().playing);
  const positions = await page.evaluate(() => [...new Set(window.seen)]);
  assert.deepEqual(positions, positions.map((_, i) => positions[0] + i)); // none is left out
  assert.equal(positions.at(-1), (await state(page)).steps);
  await page.done();
});

test('high contrast follows the system, and the words stay', async () => {
  const page = await openApp(browser, server.url);
  await press(page, 'ArrowRight', 'ArrowRight');
  const [usual, words] = [await page.screenshot(), await text(page)];
  for (const media of [{ forcedColors: 'active' }, { contrast: 'more' }]) {
    await emulate(page, media);
    assert.ok(!usual.equals(await page.screenshot()), JSON.stringify(media));
    assert.equal(await text(page), words);
    await emulate(page, { forcedColors: null, contrast: null });
  }
  assert.ok(usual.equals(await page.screenshot()));
  await page.done();
});

// A printed page: its words, and the pixels of its first sheet as a set of colours.
function printed(pdf) {
  const folder = mkdtempSync(join(tmpdir(), 'printed-'));
  try {
    const file = join(folder, 'page.pdf');
    writeFileSync(file, pdf);
    const words = execFileSync('pdftotext', ['-layout', file, '-'], { encoding: 'utf8' });
    const sheet = execFileSync('pdftoppm', ['-r', '50', '-singlefile', file], { maxBuffer: 1 << 24 });
    const pixels = sheet.subarray(sheet.indexOf('255\n') + 4);
    const colours = new Set(Array.from({ length: pixels.length / 3 }, (_, i) => pixels.readUIntBE(3 * i, 3)));
    return { words, colours: colours.size };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

test('what comes out of the printer is the figure and the step in words', async () => {
  const page = await openApp(browser, server.url);
  await press(page, ...Array(8).fill('ArrowRight'));
  const { words, colours } = printed(await page.pdf({ format: 'A4', printBackground: true }));
  assert.ok(colours > 50, `the sheet has ${colours} colours`);
  const [first] = (await text(page)).split('\n');
  const squeezed = (each) => each.replace(/\s+/g, ' ');
  assert.ok(squeezed(words).includes(squeezed(first)), `${words}\n— lacks —\n${first}`);
  await page.done();
});
