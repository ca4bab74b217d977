// The page by keyboard alone, and the keys that stay the browser's.
import { strict as assert } from 'node:assert';
import { after, before, test } from 'node:test';
import { launch, openApp, press, settled, site, state } from './support/browser.mjs';
import { serve } from './support/server.mjs';

let browser, server;
before(async () => { [browser, server] = await Promise.all([launch(), serve(site)]); });
after(() => Promise.all([browser.close(), server.close()]));

test('from load to the last number by the keyboard alone', async () => {
  const page = await openApp(browser, server.url);
  const { steps } = await state(page);
  for (let step = 1; step <= steps; ++step) {
    await press(page, 'ArrowRight');
    assert.equal((await state(page)).position, step);
  }
  assert.equal((await state(page)).stage, 'residual');
  assert.match(await page.evaluate(() => window.attnscope.text()), /5\/2/); // the residual of position 3 begins with it
  await page.done();
});

test('the third position has its z after eight presses and its residual after ten', async () => {
  const page = await openApp(browser, server.url);
  await press(page, ...Array(8).fill('ArrowRight'));
  assert.equal((await state(page)).stage, 'z');
  await press(page, 'ArrowRight', 'ArrowRight');
  assert.equal((await state(page)).stage, 'residual');
  await page.done();
});

const KEYS = [
  ['ArrowRight steps', ['ArrowRight'], (s) => s.position === 1],
  ['ArrowLeft steps back', ['ArrowRight', 'ArrowRight', 'ArrowLeft'], (s) => s.position === 1],
  ['Shift+ArrowRight goes to the end of the stage', ['3', 'Shift+ArrowRight'], (s) => s.position > 1 && s.stage === 'q'],
  ['End shows the whole result', ['End'], (s) => s.position === s.steps],
  ['Home goes back to the start', ['End', 'Home'], (s) => s.position === 0],
  ['ArrowUp chooses the row above', ['ArrowUp'], (s) => s.row === 1],
  ['1 makes a step a stage', ['1'], (s) => s.grain === 'stage'],
  ['4 makes a step one multiply-add', ['4'], (s) => s.grain === 'term'],
  ['o goes stage by stage', ['o'], (s) => s.order === 'stage'],
  ['m chooses the next mask', ['m'], (s) => s.mask === 'none'],
  ['Control+z undoes', ['m', 'Control+z'], (s) => s.mask === 'document'],
  ['Control+Shift+z does it again', ['m', 'Control+z', 'Control+Shift+Z'], (s) => s.mask === 'none'],
  ['Enter moves into a matrix and arrows move in it', ['Enter', 'Home', 'ArrowRight'], (s) => /\.1$/.test(s.cursor)],
  ['Escape leaves the matrix', ['Enter', 'Escape', 'ArrowRight'], (s) => s.cursor === '' && s.position === 1],
  ['. steps inside a matrix', ['Enter', '.'], (s) => s.position === 1 && s.cursor !== ''],
];

test('every key of the stage does what it says', async () => {
  const page = await openApp(browser, server.url);
  for (const [name, keys, holds] of KEYS) {
    await page.evaluate(() => window.attnscope.dispatch({ type: 'link', link: 'v=1' }));
    await press(page, 'Escape', ...keys);
    const now = await state(page);
    assert.ok(holds(now), `${name}: ${JSON.stringify(now)}`);
  }
  await page.done();
});

test('Space plays and pauses', async () => {
  const page = await openApp(browser, `${server.url}#v=1&order=stage&grain=term`);
  await page.keyboard.press('Space');
  await page.waitForFunction(() => window.attnscope.state().playing);
  await page.keyboard.press('Space');
  await page.waitForFunction(() => !window.attnscope.state().playing);
  assert.ok((await state(page)).position > 0);
  assert.equal(await page.evaluate(() => scrollY), 0);
  await page.done();
});

test('? opens the help on any layout, and Escape closes it', async () => {
  const page = await openApp(browser, server.url);
  const before = await page.evaluate(() => window.attnscope.layout().length);
  await press(page, '?');
  assert.notEqual(await page.evaluate(() => window.attnscope.layout().length), before);
  await press(page, 'Escape');
  assert.equal(await page.evaluate(() => window.attnscope.layout().length), before);
  await page.done();
});

test('a panel opened by the keyboard takes the focus, and Escape gives it back', async () => {
  const page = await openApp(browser, server.url);
  const focused = () => page.evaluate(() => document.activeElement.dataset.control || document.activeElement.id);
  for (const id of ['header/settings', 'header/help', 'header/about']) {
    await page.focus(`[data-control="${id}"]`);
    await press(page, 'Enter');
    assert.equal(await focused(), 'sheet/close', id);
    await press(page, 'Tab', 'Escape'); // from anywhere in it
    assert.equal(await page.locator('[data-control="sheet/close"]').count(), 0, id);
    assert.equal(await focused(), id);
    // Closed again from the button that opened it.
    await press(page, 'Enter');
    await page.focus(`[data-control="${id}"]`);
    await press(page, 'Escape');
    assert.equal(await page.locator('[data-control="sheet/close"]').count(), 0, id);
  }
  await page.focus('#stage');
  await press(page, '?');
  assert.equal(await focused(), 'sheet/close');
  await press(page, 'Enter');
  assert.equal(await focused(), 'stage');
  await press(page, 'ArrowRight');
  assert.equal((await state(page)).position, 1);
  await page.done();
});

test('Tab enters the controls, walks them and leaves the page’s canvas', async () => {
  const page = await openApp(browser, server.url);
  await page.evaluate(() => {
    const field = document.createElement('input');
    field.id = 'elsewhere';
    document.body.append(field);
  });
  const focused = () => page.evaluate(() => document.activeElement.id || document.activeElement.dataset.control || '');
  assert.equal(await focused(), 'stage');
  await page.keyboard.press('Tab');
  assert.match(await focused(), /\//);
  const seen = new Set();
  let now = await focused();
  while (now !== 'elsewhere' && seen.size < 200) {
    seen.add(now);
    await page.keyboard.press('Tab');
    now = await focused();
  }
  assert.equal(now, 'elsewhere');
  assert.ok(seen.size > 10);
  const order = [...seen];
  assert.ok(order.indexOf('transport/next') < 8, order.join(' '));
  const header = order.filter((id) => /^(header|history)\//.test(id));
  assert.deepEqual(header, ['header/contents', 'history/undo', 'history/redo', 'header/link', 'header/lab', 'header/export', 'header/share', 'header/settings', 'header/help', 'header/about']);
  assert.deepEqual(order.filter((id) => /^stage\//.test(id)), ['stage/zoom-out', 'stage/zoom-in', 'stage/fit']);
  await page.keyboard.press('Shift+Tab');
  assert.match(await focused(), /\//);
  await page.done();
});

test('a focused control keeps its own keys', async () => {
  const page = await openApp(browser, server.url);
  await page.focus('[data-control="transport/next"]');
  await press(page, 'Enter');
  assert.equal((await state(page)).position, 1);
  await press(page, 'Space');
  assert.equal((await state(page)).position, 2);
  await press(page, 'ArrowRight', 'End');
  assert.equal((await state(page)).position, 2);
  await page.done();
});

test('what holds everywhere holds on a control too', async () => {
  const page = await openApp(browser, server.url);
  await press(page, 'm');
  await page.focus('[data-control="transport/first"]');
  await press(page, 'Control+z');
  assert.equal((await state(page)).mask, 'document');
  await press(page, 'Control+Shift+Z');
  assert.equal((await state(page)).mask, 'none');
  for (const id of ['transport/next', 'grain/row', 'transport/scrub', 'transport/run-on']) {
    await page.focus(`[data-control="${id}"]`);
    await press(page, '?');
    assert.deepEqual(await page.locator('#mirror .panel h2').allTextContents(), ['Help'], id);
    await press(page, 'Escape');
    assert.equal(await page.evaluate(() => document.activeElement.dataset.control), id);
  }
  assert.equal((await state(page)).position, 0);
  await page.done();
});

test('a key counts on a control even before the next picture', async () => {
  const page = await openApp(browser, server.url);
  await press(page, 'm');
  await page.evaluate(() => {
    const button = document.querySelector('#mirror [data-control="transport/first"]');
    button.focus();
    button.dispatchEvent(new KeyboardEvent('keydown', { key: 'z', ctrlKey: true, bubbles: true, cancelable: true }));
  });
  await settled(page);
  assert.equal((await state(page)).mask, 'document');
  await page.done();
});

test('a panel and the page of a scene scroll by key from a button', async () => {
  const page = await openApp(browser, server.url, { context: { viewport: { width: 1280, height: 500 } } });
  const topOf = (label) => page.evaluate((name) => window.attnscope.layout().find((each) => each.label === name)?.y, label);
  await page.focus('[data-control="header/settings"]');
  await press(page, 'Enter');
  const top = await topOf('Exact form where there is one');
  await press(page, 'End');
  assert.ok(!(await topOf('Exact form where there is one') >= top), 'it has not moved');
  await press(page, 'Home');
  assert.equal(await topOf('Exact form where there is one'), top);
  await press(page, 'Escape');
  await page.evaluate(() => window.attnscope.dispatch({ type: 'link', link: 'v=1&scene=why-context' }));
  await settled(page);
  await page.waitForFunction(() => window.attnscope.layout().some((each) => each.label === 'Sentence 1'));
  const title = 'Why a token must read others';
  const before = await topOf(title);
  await page.focus('[data-control="scenes/next"]');
  await press(page, 'PageDown');
  assert.ok(await topOf(title) < before);
  await page.done();
});

test('the notebook takes the focus from every button that opens it', async () => {
  const page = await openApp(browser, `${server.url}#v=1&scene=task&set.typed=1%2F4%201%2F4%201%2F2`);
  await page.focus('#mirror [data-control="try/reveal"]');
  await press(page, 'Space');
  for (const id of ['page/notebook', 'try/notebook']) {
    await page.focus(`#mirror [data-control="${id}"]`);
    await press(page, 'Enter');
    assert.equal(await page.evaluate(() => document.activeElement.dataset.control), 'sheet/close', id);
    const inside = await page.locator('#mirror .panel [data-control]').evaluateAll((all) => all.map((each) => each.dataset.control));
    assert.deepEqual(inside, ['sheet/close', 'notebook/save', 'notebook/clear']);
    await press(page, 'Escape');
    assert.equal(await page.evaluate(() => document.activeElement.dataset.control), id);
  }
  await page.done();
});

test('Tab follows the eye through the controls of a task', async () => {
  const page = await openApp(browser, `${server.url}#v=1&scene=implement&set.numbers=1%202`);
  await settled(page);
  const ids = await page.locator('#mirror [data-control^="try/"]').evaluateAll((all) => all.map((each) => each.dataset.control));
  assert.equal(ids.indexOf('try/numbers/empty'), ids.indexOf('try/numbers') + 1, ids.join(' '));
  assert.equal(ids.at(-1), 'try/reset');
  const places = await page.evaluate(() => ['#mirror .scene', '#mirror [data-control="try/numbers"]']
    .map((each) => document.querySelector(each)).reduce((a, b) => a.compareDocumentPosition(b)));
  assert.equal(places & 4, 4); // Node.DOCUMENT_POSITION_FOLLOWING: what is asked is read before where it is answered
  await page.done();
});

test('typing into a field of the page is not ours', async () => {
  const page = await openApp(browser, server.url);
  await page.evaluate(() => {
    const field = document.createElement('input');
    field.id = 'elsewhere';
    document.body.append(field);
    field.focus();
  });
  await page.keyboard.type('1 om?');
  await page.keyboard.press('Backspace');
  assert.equal(await page.inputValue('#elsewhere'), '1 om');
  const { position, grain, order, mask } = await state(page);
  assert.deepEqual({ position, grain, order, mask }, { position: 0, grain: 'row', order: 'row', mask: 'document' });
  await page.done();
});

test('keys of the browser are not prevented, keys that scroll are', async () => {
  const page = await openApp(browser, server.url);
  const prevented = await page.evaluate(() => {
    const canvas = document.getElementById('stage');
    const wasPrevented = (key, held = {}) =>
      !canvas.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true, ...held }));
    return {
      browser: [['F5'], ['F12'], ['Tab'], ['r', { ctrlKey: true }], ['l', { ctrlKey: true }], ['c', { ctrlKey: true }],
        ['v', { ctrlKey: true }], ['+', { ctrlKey: true }], ['ArrowLeft', { altKey: true }], ['I', { ctrlKey: true, shiftKey: true }]]
        .filter((each) => wasPrevented(...each)),
      scrolling: ['ArrowDown', ' ', 'Home', 'End', 'PageDown', '/'].filter((key) => !wasPrevented(key)),
    };
  });
  assert.deepEqual(prevented, { browser: [], scrolling: [] });
  await page.done();
});

test('a key held while the page loses the focus is let go', async () => {
  const page = await openApp(browser, server.url);
  await page.keyboard.down('ArrowRight');
  await page.evaluate(() => document.activeElement.blur());
  await settled(page);
  await page.keyboard.up('ArrowRight'); // the stage does not hear of it
  await page.focus('#stage');
  await press(page, 'ArrowRight');
  assert.equal((await state(page)).position, 2);
  await page.done();
});

test('a held key is let go even when the focus is back before the next picture', async () => {
  const page = await openApp(browser, server.url);
  await page.evaluate(() => {
    const stage = document.getElementById('stage');
    const down = () => stage.dispatchEvent(new KeyboardEvent('keydown', { key: 'ArrowRight', bubbles: true, cancelable: true }));
    down();
    stage.blur();
    stage.focus();
    down();
  });
  await settled(page);
  assert.equal((await state(page)).position, 2);
  await page.done();
});

test('letting go of Command lets go of the keys whose release macOS hides', async () => {
  const page = await openApp(browser, server.url);
  await page.evaluate(() => {
    const send = (type, key) => document.getElementById('stage').dispatchEvent(new KeyboardEvent(type, { key, bubbles: true, cancelable: true }));
    send('keydown', 'ArrowRight');
    send('keyup', 'Meta');
    send('keydown', 'ArrowRight');
  });
  await settled(page);
  assert.equal((await state(page)).position, 2);
  await page.done();
});
