// Predicting first in the page: pasting with line breaks, a dropped text, and a notebook that survives a reload.
import { strict as assert } from 'node:assert';
import { after, before, test } from 'node:test';
import { click, launch, openApp, settled, site, state } from './support/browser.mjs';
import { serve } from './support/server.mjs';

let browser, server;
before(async () => { [browser, server] = await Promise.all([launch(), serve(site)]); });
after(() => Promise.all([browser.close(), server.close()]));

const LINES = 'array([[1.  , 0.  , 0.  ],\n       [0.33333333, 0.66666667, 0.  ],\n       [0.25, 0.25, 0.5 ]])';
const open = (rest) => openApp(browser, `${server.url}#v=1&scene=${rest}`);
const text = (page) => page.evaluate(() => window.attnscope.text());

// As the browser tells of a paste; the clipboard itself may not be written in every headless browser.
const paste = (page, what) => page.evaluate((pasted) => {
  const data = new DataTransfer();
  data.setData('text/plain', pasted);
  document.activeElement.dispatchEvent(new ClipboardEvent('paste', { clipboardData: data, bubbles: true, cancelable: true }));
}, what);

test('what is pasted into a field of several lines keeps its lines', async () => {
  const page = await open('implement');
  await settled(page);
  await click(page, 'Your numbers');
  await settled(page);
  await paste(page, LINES);
  await settled(page);
  assert.equal((await state(page)).set.numbers, LINES);
  assert.match(await text(page), /Right: all 9 cells agree/);
  await page.done();
});

test('the mirror has a textarea for it, in place of which a paste goes into the field as well', async () => {
  const page = await open('implement');
  await settled(page);
  assert.equal(await page.evaluate(() => document.querySelector('textarea[data-control="try/numbers"]').rows), 6);
  await page.evaluate(() => document.querySelector('textarea[data-control="try/numbers"]').focus());
  await paste(page, LINES);
  await settled(page);
  assert.equal((await state(page)).set.numbers, LINES);
  await page.done();
});

test('a dropped text goes into the field, and a document is still opened', async () => {
  const page = await open('implement');
  await settled(page);
  const drop = (name, body) => page.evaluate(([file, content]) => {
    const data = new DataTransfer();
    data.items.add(new File([content], file));
    dispatchEvent(new DragEvent('drop', { dataTransfer: data, bubbles: true, cancelable: true }));
  }, [name, body]);
  await drop('weights.txt', LINES);
  await settled(page);
  assert.equal((await state(page)).set.numbers, LINES);
  await drop('mine.json', JSON.stringify({ attnscope: 1, title: 'Mine', tokens: ['a'], q: [[1]], k: [[1]], v: [[1]] }));
  await settled(page);
  assert.equal((await state(page)).title, 'Mine');
  await page.done();
});

test('a prediction is in the notebook after a reload, and no longer when it is cleared', async () => {
  const page = await open('task&set.typed=1%2F3%2C1%2F3%2C1%2F3&set.note=hm');
  await settled(page);
  await click(page, 'Reveal the answer');
  await settled(page);
  assert.match(await text(page), /Not within 0\.005: off by up to 0\.1667/);
  await page.reload();
  await settled(page);
  const kept = await page.evaluate(() => localStorage.getItem('attnscope-notebook'));
  assert.match(kept, /A softmax by hand/);
  await page.evaluate(() => document.querySelector('#mirror [data-control="page/notebook"]').click());
  await settled(page);
  assert.match(await page.locator('#mirror').textContent(), /Yours: 1\/3/);
  await click(page, 'Clear the notebook');
  await settled(page);
  await click(page, 'Clear all of it');
  await settled(page);
  assert.doesNotMatch(await page.evaluate(() => localStorage.getItem('attnscope-notebook')), /softmax/);
  await page.done();
});

test('a prediction is written and revealed by the keyboard alone', async () => {
  const page = await open('task');
  await settled(page);
  const focus = (id) => page.evaluate((control) => document.querySelector(`#mirror [data-control="${control}"]`).focus(), id);
  await focus('try/typed');
  await page.keyboard.type('1/4, 1/4, 1/2');
  await page.keyboard.press('Enter');
  await settled(page);
  assert.equal((await state(page)).set.typed, '1/4, 1/4, 1/2');
  assert.doesNotMatch(await page.locator('#mirror').textContent(), /ratios count/);
  await focus('try/reveal');
  await page.keyboard.press('Space');
  await settled(page);
  assert.match(await page.locator('#mirror').textContent(), /Right, within 0\.005\..*ratios count/s);
  await page.done();
});

test('the hint is told when it is shown', async () => {
  const page = await open('task');
  await settled(page);
  await page.focus('#mirror [data-control="try/hint"]');
  await page.keyboard.press('Space');
  await settled(page);
  await page.waitForFunction(() => /Hint: \S/.test(document.querySelector('#mirror .live').textContent));
  await page.done();
});

test('where the browser keeps nothing, that is said once', async () => {
  const page = await open('task');
  await settled(page);
  await page.evaluate(() => { Storage.prototype.setItem = () => { throw new DOMException('full', 'QuotaExceededError'); }; });
  await click(page, 'Reveal the answer');
  await settled(page);
  assert.match((await state(page)).notice, /does not keep the notebook/);
  await page.done();
});

test('what is pasted while a button has the focus goes into the field that waits for numbers', async () => {
  const page = await open('task&set.task=o14');
  await settled(page);
  await page.evaluate(() => document.querySelector('#mirror [data-control="try/reveal"]').focus());
  await paste(page, '0.25 0.75');
  await settled(page);
  assert.equal((await state(page)).set.numbers, '0.25 0.75');
  await page.done();
});

test('by key alone a task leads to its row of the stage, and the stage back to the task as it was left', async () => {
  const page = await open('task&set.task=o12&set.typed=0.5%200.5&set.reveal=1');
  await settled(page);
  const press = async (label) => {
    await page.evaluate((text) => [...document.querySelectorAll('#mirror [data-control]')]
      .find((each) => (each.getAttribute('aria-label') ?? each.textContent).includes(text)).focus(), label);
    await page.keyboard.press('Enter');
    await settled(page);
  };
  await press('Carry it out on the stage');
  const there = await state(page);
  assert.deepEqual([there.scene, there.ex, there.row, there.stage], ['', 'cat-sat-down', 2, 'z']);
  await press('Back to the task');
  assert.deepEqual((await state(page)).set, { task: 'o12', typed: '0.5 0.5', reveal: '1' });
  await page.done();
});
