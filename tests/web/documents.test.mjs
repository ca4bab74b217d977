// Documents that people open: chosen, dropped, pasted or handed over; good, bad and large.
import { strict as assert } from 'node:assert';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { click, launch, openApp, press, settled, site, state } from './support/browser.mjs';
import { longSequence, manyHeads, small } from './support/documents.mjs';
import { serve } from './support/server.mjs';

let browser, server;
before(async () => { [browser, server] = await Promise.all([launch(), serve(site)]); });
after(() => Promise.all([browser.close(), server.close()]));

const hasTitle = (page, title) => page.waitForFunction((wanted) => window.attnscope.state().title === wanted, title);
const hasNotice = (page, pattern) =>
  page.waitForFunction((source) => new RegExp(source).test(window.attnscope.state().notice), pattern.source);

async function drop(page, files) {
  await page.evaluate((list) => {
    const data = new DataTransfer();
    for (const { name, text } of list) data.items.add(new File([text], name));
    document.getElementById('stage').dispatchEvent(new DragEvent('drop', { dataTransfer: data, bubbles: true, cancelable: true }));
  }, files);
}

test('the button opens the file chooser, and the chosen document opens', async () => {
  const page = await openApp(browser, server.url);
  const [chooser] = await Promise.all([page.waitForEvent('filechooser'), click(page, 'Open a file…')]);
  await chooser.setFiles({ name: 'two.json', mimeType: 'application/json', buffer: Buffer.from(small) });
  await hasTitle(page, 'Two tokens');
  await page.done();
});

test('the file chooser opens by the keyboard too', async () => {
  const page = await openApp(browser, server.url);
  const chosen = page.waitForEvent('filechooser');
  await page.focus('[data-control="contents/open"]'); // by the time it answers, the driver listens for the chooser
  await page.keyboard.press('Enter');
  assert.equal((await chosen).isMultiple(), true);
  await page.done();
});

test('a dropped document opens, and undo goes back', async () => {
  const page = await openApp(browser, server.url);
  await drop(page, [{ name: 'two.json', text: small }]);
  await hasTitle(page, 'Two tokens');
  await press(page, 'Control+z');
  assert.equal((await state(page)).ex, 'three-positions');
  await page.done();
});

test('a pasted document opens, a pasted link is followed, other text is explained', async () => {
  const page = await openApp(browser, server.url, { context: { permissions: ['clipboard-read', 'clipboard-write'] } });
  const paste = async (text) => {
    await page.evaluate((value) => navigator.clipboard.writeText(value), text);
    await page.keyboard.press('Control+v');
  };
  await paste(small);
  await hasTitle(page, 'Two tokens');
  await paste('see http://example.org/attnscope/#v=1&ex=cat-sat-down');
  await page.waitForFunction(() => window.attnscope.state().ex === 'cat-sat-down');
  await paste('hello');
  await hasNotice(page, /pasted text/);
  await page.done();
});

test('the copy key gives the step in words, the button the link', async () => {
  const page = await openApp(browser, server.url, { context: { permissions: ['clipboard-read', 'clipboard-write'] } });
  await press(page, 'ArrowRight');
  await page.keyboard.press('Control+c');
  assert.equal(await page.evaluate(() => navigator.clipboard.readText()), await page.evaluate(() => window.attnscope.text()));
  await click(page, 'Copy link');
  const link = await page.evaluate(async () => {
    let copied = '';
    while (!copied.includes('#v=1')) {
      await new Promise((next) => { requestAnimationFrame(next); });
      copied = await navigator.clipboard.readText();
    }
    return copied;
  });
  assert.equal(link, `${server.url}#${await page.evaluate(() => window.attnscope.link())}`);
  await page.done();
});

const BAD = [
  ['not JSON', 'hello', /bad\.json/],
  ['binary', '\u0000\u0001\u0002', /bad\.json/],
  ['empty', '', /bad\.json/],
  ['an unknown field', '{"attnscope":1,"tokens":["a"],"colour":1}', /colour/],
  ['no tokens', '{"attnscope":1,"tokens":[]}', /tokens/],
  ['a ragged matrix', '{"attnscope":1,"tokens":["a","b"],"q":[[1,2],[3]],"k":[[1,2],[3,4]],"v":[[1],[2]]}', /q/],
];
test('a document that cannot be opened changes nothing and says why in one sentence', async () => {
  const page = await openApp(browser, server.url);
  for (const [name, text, pattern] of BAD) {
    await page.evaluate(() => window.attnscope.dispatch({ type: 'first' }));
    await drop(page, [{ name: 'bad.json', text }]);
    await hasNotice(page, pattern).catch(() => assert.fail(`no notice for ${name}`));
    assert.equal((await state(page)).ex, 'three-positions', name);
  }
  await page.done();
});

test('the API refuses what it cannot open with the same sentence, and the error event tells', async () => {
  const page = await openApp(browser, server.url);
  const told = await page.evaluate(async () => {
    const heard = [];
    window.attnscope.on('error', (sentence) => heard.push(sentence));
    const refused = await window.attnscope.open(new TextEncoder().encode('{}'), 'empty.json').catch((error) => error.message);
    let unknown = '';
    try { window.attnscope.dispatch({ type: 'dance' }); } catch (error) { unknown = error.message; }
    return { refused, unknown, heard };
  });
  assert.match(told.refused, /empty\.json/);
  assert.match(told.unknown, /dance/);
  assert.ok(told.heard.includes(told.refused) && told.heard.includes(told.unknown));
  await page.done();
});

test('of several dropped documents the first that opens is shown, and the others are named', async () => {
  const page = await openApp(browser, server.url);
  await drop(page, [{ name: 'broken.json', text: '{' }, { name: 'two.json', text: small }, { name: 'three.json', text: small }]);
  await hasTitle(page, 'Two tokens');
  await hasNotice(page, /this is two\.json; left out: broken\.json, three\.json/);
  await page.done();
});

test('a dropped folder is named, and the file beside it opens', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'dropped-'));
  try {
    mkdirSync(join(folder, 'many'));
    writeFileSync(join(folder, 'two.json'), small);
    const page = await openApp(browser, server.url);
    const session = await page.context().newCDPSession(page);
    const data = { items: [], files: [join(folder, 'many'), join(folder, 'two.json')], dragOperationsMask: 1 };
    for (const type of ['dragEnter', 'dragOver', 'drop']) await session.send('Input.dispatchDragEvent', { type, x: 600, y: 300, data });
    await hasTitle(page, 'Two tokens');
    data.files.pop();
    for (const type of ['dragEnter', 'dragOver', 'drop']) await session.send('Input.dispatchDragEvent', { type, x: 600, y: 300, data });
    await hasNotice(page, /many is a folder; drop the files in it/);
    await page.done();
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test('the API takes text, buffers, views and blobs, and says what it does not take', async () => {
  const page = await openApp(browser, server.url);
  const told = await page.evaluate(async (text) => {
    const { attnscope } = window;
    const bytes = new TextEncoder().encode(`xx${text}`);
    for (const source of [text, bytes.subarray(2), bytes.slice(2).buffer, new Blob([text])]) await attnscope.open(source, 'a.json');
    const loop = {};
    loop.self = loop;
    const wrong = [() => attnscope.open(), () => attnscope.open(5), () => attnscope.dispatch(), () => attnscope.dispatch(loop),
      () => attnscope.dispatch([]), () => attnscope.on('change', 5), () => attnscope.on('noise', () => {})];
    const said = [];
    for (const each of wrong) {
      try { await each(); said.push('accepted'); } catch (error) { said.push(error.message); }
    }
    return said;
  }, small);
  const wanted = [/open takes.*not Undefined/, /open takes.*not Number/, /dispatch takes.*not Undefined/, /as JSON/,
    /dispatch takes.*not Array/, /takes a function/, /no event "noise"/];
  told.forEach((sentence, i) => assert.match(sentence, wanted[i]));
  assert.equal((await state(page)).title, 'Two tokens');
  await page.done();
});

async function frameTimes(page, keys) {
  const times = [];
  for (const key of keys) {
    const start = performance.now();
    await page.keyboard.press(key);
    times.push(performance.now() - start);
  }
  times.sort((a, b) => a - b);
  return `median ${times[times.length >> 1].toFixed(0)} ms, worst ${times[times.length - 1].toFixed(0)} ms`;
}

for (const [name, make] of [['64 tokens, 8 heads', manyHeads], ['512 tokens', longSequence]]) {
  test(`a document of ${name} opens and steps at every grain`, async (t) => {
    const page = await openApp(browser, server.url);
    const opening = await page.evaluate(async (text) => {
      const start = performance.now();
      await window.attnscope.open(text, 'large.json');
      return performance.now() - start;
    }, make());
    await settled(page);
    assert.equal((await state(page)).title, name);
    t.diagnostic(`${name}: opened in ${opening.toFixed(0)} ms`);
    for (const [key, grain] of [['1', 'stage'], ['2', 'row'], ['3', 'cell'], ['4', 'term']]) {
      await press(page, 'Home', key);
      t.diagnostic(`${name}, grain ${grain}, from key to drawn frame: ${await frameTimes(page, Array(12).fill('ArrowRight'))}`);
      await settled(page);
      const { position, grain: chosen, steps } = await state(page);
      assert.equal(chosen, grain);
      assert.equal(position, Math.min(12, steps));
    }
    await press(page, 'End');
    const { position, steps } = await state(page);
    assert.equal(position, steps);
    assert.ok((await page.evaluate(() => window.attnscope.stats().heap_bytes)) < 512 * 2 ** 20);
    await page.done();
  });
}

for (const count of [128, 129, 2048]) {
  test(`a map of ${count} × ${count} cells is drawn, answers keys and then rests`, async (t) => {
    const page = await openApp(browser, server.url);
    const empty = await page.screenshot();
    await page.evaluate((text) => window.attnscope.open(text, 'map.json'), longSequence(count, 16));
    await press(page, '1', 'o', 'End');
    const { title, position, steps } = await state(page);
    assert.deepEqual([title, position], [`${count} tokens`, steps]);
    assert.ok(!empty.equals(await page.screenshot()));
    t.diagnostic(`${count} tokens, from key to drawn frame: ${await frameTimes(page, ['Home', ...Array(4).fill('ArrowRight'), 'ArrowUp'])}`);
    await settled(page);
    const drawn = () => page.evaluate(() => window.attnscope.stats().frames);
    const frames = await drawn();
    await page.evaluate(() => new Promise((done) => { setTimeout(done, 500); }));
    assert.equal(await drawn(), frames);
    await page.done();
  });
}

test('opening a large document over and over does not use up the memory', async () => {
  const page = await openApp(browser, server.url);
  const heap = await page.evaluate(async (text) => {
    const sizes = [];
    for (let i = 0; i < 6; ++i) {
      await window.attnscope.open(text, 'large.json');
      sizes.push(window.attnscope.stats().heap_bytes);
    }
    return sizes;
  }, longSequence());
  assert.equal(heap[5], heap[2], `the heap grew: ${heap.join(', ')}`);
  await page.done();
});
