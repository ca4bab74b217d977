// What assistive technology gets: the core's own words and numbers, controls that work, and a whole page without WebGL2.
import { strict as assert } from 'node:assert';
import { after, before, test } from 'node:test';
import { launch, openApp, press, settled, site, state, texts, trace } from './support/browser.mjs';
import { serve } from './support/server.mjs';

let browser, server;
before(async () => { [browser, server] = await Promise.all([launch(), serve(site)]); });
after(() => Promise.all([browser.close(), server.close()]));

const number = (text) => Number(text.replace('−', '-'));
const table = (page) => page.evaluate(() => [...document.querySelectorAll('#mirror tbody tr')]
  .map((row) => [...row.querySelectorAll('td')].map((cell) => cell.textContent)));

// Printed with six decimals, so half a unit of the sixth.
function assertSame(printed, numbers, blocked) {
  assert.equal(printed.length, numbers.length);
  numbers.forEach((row, i) => row.forEach((value, j) => {
    if (blocked && blocked[i][j]) assert.match(printed[i][j], new RegExp(`blocked.*${blocked[i][j].split('+')[0]}`));
    else assert.ok(Math.abs(number(printed[i][j]) - value) <= 5.1e-7, `[${i}][${j}] says ${printed[i][j]}, the core ${value}`);
  }));
}

async function inDecimals(page) {
  await page.evaluate(() => {
    window.attnscope.dispatch({ type: 'exact', on: false });
    window.attnscope.dispatch({ type: 'decimals', decimals: 6 });
  });
}

test('the table says what the core says, at every stage', async () => {
  const page = await openApp(browser, `${server.url}#v=1&order=stage&grain=stage`);
  await inDecimals(page);
  const core = await trace(page);
  const head = core.heads[0];
  const seen = [];
  for (let i = 0; i < (await state(page)).steps; ++i) {
    await press(page, 'ArrowRight');
    const { stage } = await state(page);
    seen.push(stage);
    const numbers = stage === 'y' ? core.y : stage === 'residual' ? core.residual : head[stage];
    assertSame(await table(page), numbers, ['masked', 'weights'].includes(stage) ? head.blocked_by : null);
  }
  assert.deepEqual(seen, ['q', 'k', 'v', 'scores', 'scaled', 'masked', 'weights', 'z', 'y', 'residual']);
  await page.done();
});

test('the live line and the words say the current step', async () => {
  const page = await openApp(browser, server.url);
  const lines = new Set();
  for (let i = 0; i < 8; ++i) {
    await press(page, 'ArrowRight');
    const [live] = await texts(page, '.live');
    assert.match(live, new RegExp(`\\b${i + 1}\\b`));
    lines.add(live);
  }
  assert.equal(lines.size, 8);
  const spoken = (await texts(page, '> div p')).join('\n');
  const text = await page.evaluate(() => window.attnscope.text());
  assert.ok(spoken.includes('3/2'), spoken);
  assert.ok(text.includes('3/2'), text);
  await page.done();
});

test('what is not reached is said to be not yet known, never a number', async () => {
  const page = await openApp(browser, server.url);
  await press(page, ...Array(7).fill('ArrowRight'));
  const cells = await table(page);
  assert.deepEqual(cells.slice(0, 2).flat().filter((text) => text !== 'not yet known'), []);
  assert.deepEqual(cells[2], ['1/4', '1/4', '1/2']);
  await page.done();
});

test('the cell under the keyboard is marked and spoken in full precision', async () => {
  const page = await openApp(browser, server.url);
  await press(page, 'End', 'Enter', 'Home');
  const marked = page.locator('#mirror td[aria-current="true"]');
  assert.equal(await marked.count(), 1);
  const { cursor } = await state(page);
  const [array, row, column] = cursor.split('.');
  const [live] = await texts(page, '.live');
  assert.ok(live.startsWith(`${array} = ${(await trace(page))[array][row][column]}`), live);
  await page.done();
});

test('the accessibility tree lists the controls, the live line and the table', async () => {
  const page = await openApp(browser, server.url);
  await press(page, 'ArrowRight');
  const session = await page.context().newCDPSession(page);
  const { nodes } = await session.send('Accessibility.getFullAXTree');
  const roles = (role) => nodes.filter((node) => node.role && node.role.value === role && !node.ignored)
    .map((node) => (node.name ? node.name.value : ''));
  assert.ok(roles('button').includes('Next step'));
  assert.ok(roles('slider').some((name) => name.includes('Step')));
  assert.ok(roles('radio').includes('Row'));
  assert.ok(roles('checkbox').includes('Run on'));
  assert.equal(roles('table').length, 1);
  assert.equal(roles('status').length >= 1, true);
  assert.equal(roles('heading').length >= 1, true);
  await page.done();
});

test('help and about are told, with headings, and their opening is announced', async () => {
  const page = await openApp(browser, server.url);
  assert.equal(await page.locator('#mirror .panel').isHidden(), true);
  await page.focus('[data-control="header/help"]');
  await press(page, 'Enter');
  assert.match((await texts(page, '.opened'))[0], /^Help is open/);
  assert.deepEqual(await texts(page, '.panel h2'), ['Help']);
  assert.ok((await texts(page, '.panel h3')).includes('Inside a matrix'));
  assert.ok((await texts(page, '.panel p')).includes('Space: Play to the end of the stage, or pause'));
  await page.focus('[data-control="header/about"]');
  await press(page, 'Enter');
  assert.deepEqual(await texts(page, '.panel h2'), ['About']);
  assert.ok((await texts(page, '.panel h3')).includes('Dear ImGui'));
  await press(page, 'Escape');
  assert.deepEqual(await texts(page, '.opened'), ['']);
  await page.done();
});

test('what the screen shows by place has words: the row, the title of the distribution, the example', async () => {
  const page = await openApp(browser, server.url);
  assert.match((await texts(page, 'caption'))[0], /^x, 3×2/);
  assert.equal((await texts(page, '[data-control="row/previous"]'))[0], 'Previous row (now position 3)');
  await press(page, 'End');
  assert.match((await texts(page, 'h2'))[1], /^How position 3 spreads its attention/); // after the panel's
  assert.deepEqual((await texts(page, '[data-control^="stage/zoom"]')).sort(), ['Zoom in', 'Zoom out']);
  assert.ok(!(await page.evaluate(() => document.getElementById('mirror').textContent)).includes('hover'));
  await page.done();
});

test('before the first step everything that is given is a table, and a slider shows its value', async () => {
  const page = await openApp(browser, server.url);
  const captions = (await texts(page, 'caption')).map((each) => each.split(',')[0]);
  assert.deepEqual(captions.slice(0, 4), ['x', 'wq', 'wk', 'wv']);
  assert.equal(await page.locator('#mirror label:has([data-control="transport/speed"]) output').textContent(), '1 step/s');
  await press(page, 'ArrowRight');
  assert.equal((await texts(page, 'caption')).length, 1);
  await page.done();
});

test('every kind of control works from its element', async () => {
  const page = await openApp(browser, server.url);
  await page.focus('[data-control="transport/run-on"]');
  await press(page, 'Space');
  assert.equal((await state(page)).run_on, true);
  assert.equal(await page.isChecked('[data-control="transport/run-on"]'), true);
  await page.focus('[data-control="grain/row"]');
  await press(page, 'ArrowRight');
  assert.equal((await state(page)).grain, 'cell');
  await page.focus('[data-control="transport/scrub"]');
  await press(page, 'ArrowRight', 'ArrowRight');
  assert.equal((await state(page)).position, 2);
  await page.focus('[data-control="transport/next"]');
  await press(page, 'Enter');
  assert.equal((await state(page)).position, 3);
  assert.equal(await page.evaluate(() => document.activeElement.dataset.control), 'transport/next');
  await page.done();
});

test('a control that cannot act stays focusable and does nothing', async () => {
  const page = await openApp(browser, server.url);
  await page.focus('[data-control="transport/previous"]');
  assert.equal(await page.getAttribute('[data-control="transport/previous"]', 'aria-disabled'), 'true');
  await press(page, 'Enter');
  assert.equal((await state(page)).position, 0);
  await page.done();
});

test('tokens that look like markup are text', async () => {
  const page = await openApp(browser, server.url);
  const tokens = ['<b>', '</script>', 'a<b<c', '&lt;', '%s%n', '##id', 'x###y'];
  const rows = tokens.map((_, i) => [i === 0 ? 1 : 0, i]);
  await page.evaluate(([names, numbers]) => window.attnscope.open(
    JSON.stringify({ attnscope: 1, title: '<img src=x onerror=alert(1)>', tokens: names, q: numbers, k: numbers, v: numbers }), 'odd.json'), [tokens, rows]);
  await press(page, 'End');
  const heads = await texts(page, 'tbody th');
  tokens.forEach((token, i) => assert.ok(heads[i].includes(token), `${heads[i]} should show ${token}`));
  assert.deepEqual(await texts(page, 'h1'), ['<img src=x onerror=alert(1)>']);
  assert.equal(await page.locator('#mirror b, #mirror img, #mirror script').count(), 0);
  await page.done();
});

test('reading cells from the mirror gives the keys to the stage, and back', async () => {
  const page = await openApp(browser, server.url);
  await press(page, 'End');
  const enter = '[data-control="matrix/enter"]';
  await page.focus(enter);
  await press(page, 'Enter');
  assert.equal(await page.evaluate(() => document.activeElement.id), 'stage');
  assert.equal(await page.getAttribute(enter, 'aria-pressed'), 'true');
  const before = (await state(page)).cursor;
  await press(page, 'Home', 'ArrowRight');
  assert.match((await state(page)).cursor, /\.1$/);
  assert.notEqual(before, '');
  await page.focus('[data-control="matrix/leave"]');
  await press(page, 'Enter');
  assert.equal((await state(page)).cursor, '');
  assert.equal(await page.evaluate(() => document.activeElement.id), 'stage');
  await page.done();
});

test('every control works without WebGL2', async () => {
  const plain = await launch({ graphics: false });
  try {
    const page = await openApp(plain, server.url, { expected: ['WebGL', 'webgl'] });
    const pressed = async (id) => {
      await page.click(`[data-control="${id}"]`);
      await settled(page);
      return state(page);
    };
    assert.equal((await pressed('transport/next')).position, 1);
    assert.equal((await pressed('transport/previous')).position, 0);
    assert.equal((await pressed('transport/last')).stage, 'residual');
    assert.equal((await pressed('transport/first')).position, 0);
    assert.equal((await pressed('order/stage')).order, 'stage');
    assert.equal((await pressed('grain/cell')).grain, 'cell');
    assert.equal((await pressed('row/previous')).row, 1);
    assert.equal((await pressed('mask/none')).mask, 'none');
    assert.equal((await pressed('history/undo')).mask, 'document');
    assert.equal((await pressed('history/redo')).mask, 'none');
    assert.notEqual((await pressed('matrix/enter')).cursor, '');
    assert.equal(await page.evaluate(() => document.activeElement.className), 'matrix');
    assert.equal((await pressed('matrix/leave')).cursor, '');
    await pressed('header/settings');
    assert.equal((await pressed('decimals/6')).dec, 6);
    await pressed('sheet/close');
    assert.equal(await page.locator('[data-control="sheet/close"]').count(), 0);
    assert.equal((await pressed('contents/cat-sat-down')).ex, 'cat-sat-down');
    await page.done();
  } finally {
    await plain.close();
  }
});

test('without WebGL2 the mirror is the page, and stepping works', async () => {
  const plain = await launch({ graphics: false });
  try {
    const page = await openApp(plain, server.url, { expected: ['WebGL', 'webgl'] });
    assert.match(await page.locator('#status').innerText(), /no WebGL2/);
    const ids = await page.locator('#mirror [data-control]').evaluateAll((all) => all.map((each) => each.dataset.control));
    for (const id of ['stage/fit', 'stage/zoom-in', 'stage/zoom-out', 'header/contents']) assert.ok(!ids.includes(id), id);
    const said = await page.evaluate(() => document.getElementById('mirror').innerText.match(/Press →/g));
    assert.equal(said.length, 1);
    assert.equal(await page.locator('#stage').isVisible(), false);
    assert.equal(await page.locator('.matrix table').isVisible(), true);
    const next = page.getByRole('button', { name: 'Next step' });
    for (let i = 0; i < 8; ++i) await next.click();
    await settled(page);
    assert.equal((await state(page)).stage, 'z');
    assert.deepEqual((await table(page))[2], ['3/2', '3']);
    await page.focus('.matrix');
    await press(page, 'ArrowRight', 'ArrowRight');
    assert.equal((await state(page)).stage, 'residual');
    await page.getByRole('radio', { name: 'Causal' }).check();
    await settled(page);
    assert.equal((await state(page)).mask, 'causal');
    await page.done();
  } finally {
    await plain.close();
  }
});
