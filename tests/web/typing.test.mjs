// Writing in a field of the canvas as one writes anywhere: select, replace, Enter, Tab, Escape, undo.
import { strict as assert } from 'node:assert';
import { after, before, test } from 'node:test';
import { click, launch, openApp, press, rectOf, settled, site, state } from './support/browser.mjs';
import { serve } from './support/server.mjs';

let browser, server;
before(async () => { [browser, server] = await Promise.all([launch(), serve(site)]); });
after(() => Promise.all([browser.close(), server.close()]));

const open = () => openApp(browser, `${server.url}#v=1&scene=why-context`);
const set = async (page) => (await state(page)).set;
const focused = (page) => page.evaluate(() => document.activeElement.dataset.control || document.activeElement.id);

async function replace(page, label, text) {
  await click(page, label);
  await page.keyboard.press('Control+a');
  await page.keyboard.type(text);
  await settled(page);
}

test('what is selected is replaced, and Enter takes it', async () => {
  const page = await open();
  await replace(page, 'Sentence 1', 'a boat on the bank');
  assert.deepEqual(await set(page), {});
  await press(page, 'Enter');
  assert.deepEqual(await set(page), { first: 'a boat on the bank' });
  await page.done();
});

test('Tab takes it and goes on from that field, Shift+Tab back', async () => {
  const page = await open();
  await replace(page, 'Sentence 1', 'a boat on the bank');
  await press(page, 'Tab');
  assert.deepEqual(await set(page), { first: 'a boat on the bank' });
  assert.equal(await focused(page), 'try/second');
  await replace(page, 'Sentence 2', 'gold in the bank');
  await press(page, 'Shift+Tab');
  assert.equal((await set(page)).second, 'gold in the bank');
  assert.equal(await focused(page), 'try/first');
  await page.done();
});

test('a click elsewhere takes it, Escape does not', async () => {
  const page = await open();
  await replace(page, 'Sentence 1', 'a boat on the bank');
  await press(page, 'Escape');
  assert.deepEqual(await set(page), {});
  await replace(page, 'Sentence 1', 'the sea bank');
  const { x, y } = await rectOf(page, 'Why a token must read others');
  await page.mouse.click(x + 5, y + 5);
  await settled(page);
  assert.deepEqual(await set(page), { first: 'the sea bank' });
  await press(page, 'Control+z');
  assert.deepEqual(await set(page), {});
  await page.done();
});

test('what cannot be used is said and changes nothing', async () => {
  const page = await open();
  await replace(page, 'Seed', 'many');
  await press(page, 'Enter');
  assert.deepEqual(await set(page), {});
  assert.match((await state(page)).notice || (await page.locator('#mirror').textContent()), /many/);
  await page.done();
});

test('an input method that begins in a field of the mirror writes into it, and what stands there is told', async () => {
  const page = await open();
  await page.locator('[data-control="try/first"]').focus();
  await settled(page);
  await press(page, 'Escape'); // left, and in focus all the same
  assert.equal(await page.evaluate(() => document.activeElement.id), '');
  await page.evaluate(() => document.activeElement.dispatchEvent(
    new KeyboardEvent('keydown', { key: 'Process', keyCode: 229, bubbles: true, cancelable: true })));
  const agent = page.locator('#text-agent');
  assert.equal(await page.evaluate(() => document.activeElement.id), 'text-agent');
  await page.keyboard.press('Control+a');
  await page.keyboard.insertText('海 bank');
  await settled(page);
  assert.equal(await agent.getAttribute('aria-label'), 'Sentence 1');
  assert.equal(await agent.inputValue(), '海 bank');
  await press(page, 'Enter');
  assert.deepEqual(await set(page), { first: '海 bank' });
  await page.done();
});

test('a field that merely has the focus takes the keys of a field and what comes without a key', async () => {
  const page = await open();
  const field = page.locator('#mirror [data-control="try/first"]');
  const was = await field.inputValue();
  await field.focus();
  await settled(page);
  assert.equal(await page.locator('#text-agent').inputValue(), was);
  await page.keyboard.press('End');
  await page.keyboard.type('s');
  await press(page, 'Enter');
  assert.deepEqual(await set(page), { first: `${was}s` });
  assert.equal(await focused(page), 'try/first');
  for (const key of ['Delete', 'Backspace']) { // after Enter, and once more after Escape
    await page.keyboard.press('Control+a');
    await page.keyboard.press(key);
    assert.equal(await page.locator('#text-agent').inputValue(), '');
    await press(page, 'Escape');
    assert.equal(await field.inputValue(), `${was}s`);
  }
  await press(page, 'Shift+Tab', 'Tab');
  await page.keyboard.insertText('the sea bank'); // as dictation does
  await settled(page);
  await press(page, 'Enter');
  assert.deepEqual(await set(page), { first: 'the sea bank' });
  await page.done();
});

test('Tab through untouched fields changes nothing and leaves the last of them', async () => {
  const page = await open();
  await page.locator('#mirror [data-control="try/first"]').focus();
  await settled(page);
  await page.evaluate(() => { // as if no control came after it
    const all = [...document.querySelectorAll('#mirror [data-control]')];
    const at = all.findIndex((each) => each.dataset.control === 'try/first');
    for (const each of all.slice(at + 1)) each.tabIndex = -1;
    const elsewhere = document.createElement('button');
    elsewhere.id = 'elsewhere';
    document.body.append(elsewhere);
  });
  await page.keyboard.press('Tab');
  assert.equal(await focused(page), 'elsewhere');
  await page.keyboard.press('Shift+Tab');
  assert.equal(await focused(page), 'try/first');
  assert.deepEqual(await set(page), {});
  await page.done();
});

test('several lines that come without a key stay lines', async () => {
  const page = await openApp(browser, `${server.url}#v=1&scene=implement`);
  await page.locator('#mirror [data-control="try/numbers"]').focus();
  await settled(page);
  const agent = page.locator('#text-agent');
  assert.equal(await agent.evaluate((each) => each.localName), 'textarea');
  await page.keyboard.insertText('1 2\n3 4\n5');
  await settled(page);
  assert.equal((await set(page)).numbers, '1 2\n3 4\n5');
  assert.equal(await agent.getAttribute('aria-label'), 'Your numbers');
  assert.match(await agent.getAttribute('aria-description'), /9 characters in 3 lines taken/);
  await page.keyboard.press('Enter');
  await page.keyboard.type('6');
  await press(page, 'Control+Enter');
  assert.equal((await set(page)).numbers, '1 2\n3 4\n5\n6');
  await page.done();
});

test('a caret that the pointer sets in the picture is where the next key writes', async () => {
  const page = await open();
  await replace(page, 'Sentence 1', 'bank');
  const { x, y, h } = await rectOf(page, 'Sentence 1');
  await page.mouse.click(x + 9, y + h / 2);
  await settled(page);
  await page.keyboard.type('a ');
  await press(page, 'Enter');
  assert.deepEqual(await set(page), { first: 'a bank' });
  await page.done();
});
