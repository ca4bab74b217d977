// The address bar as a moment: out, in, back and forward.
import { strict as assert } from 'node:assert';
import { after, before, test } from 'node:test';
import { launch, openApp, press, settled, site, state } from './support/browser.mjs';
import { serve } from './support/server.mjs';

const DOCUMENT = JSON.stringify({ attnscope: 1, title: 'Beside the page', tokens: ['a', 'b'], q: [[1, 0], [0, 1]], k: [[1, 0], [0, 1]], v: [[1], [2]] });

let browser, server;
before(async () => { [browser, server] = await Promise.all([launch(), serve(site, { extra: { '/beside.json': DOCUMENT } })]); });
after(() => Promise.all([browser.close(), server.close()]));

test('a link restores the same state', async () => {
  const page = await openApp(browser, server.url);
  await page.evaluate(() => window.attnscope.dispatch({ type: 'example', id: 'cat-sat-down' }));
  await press(page, 'm', 'm', 'ArrowUp', '3', ...Array(12).fill('ArrowRight'));
  const there = await state(page);
  assert.equal(there.position, 12);
  const link = await page.evaluate(() => window.attnscope.link());
  const other = await openApp(browser, `${server.url}#${link}`);
  const { can_undo: a, can_redo: b, ...here } = await state(other);
  const { can_undo: c, can_redo: d, ...wanted } = there;
  assert.deepEqual(here, wanted);
  assert.equal(await other.evaluate(() => window.attnscope.link()), link);
  await other.done();
  await page.done();
});

test('the address follows the steps, and Back returns to the stage before', async () => {
  const page = await openApp(browser, server.url);
  await press(page, 'ArrowRight');
  await page.waitForFunction(() => location.hash.includes('stage=q'));
  await press(page, 'ArrowRight');
  await page.waitForFunction(() => location.hash.includes('stage=k'));
  await page.goBack();
  await page.waitForFunction(() => window.attnscope.state().stage === 'q');
  await page.goForward();
  await page.waitForFunction(() => window.attnscope.state().stage === 'k');
  await page.done();
});

test('many steps inside a stage are one entry of the history', async () => {
  const page = await openApp(browser, `${server.url}#v=1&grain=term&stage=scores&col=0&term=0`);
  const before = await page.evaluate(() => history.length);
  for (let i = 0; i < 3; ++i) await press(page, 'ArrowRight');
  const link = await page.evaluate(() => window.attnscope.link());
  await page.waitForFunction((wanted) => location.hash === `#${wanted}`, link);
  assert.equal(await page.evaluate(() => history.length), before);
  await page.done();
});

test('typing another link into the address bar goes there', async () => {
  const page = await openApp(browser, server.url);
  await page.evaluate(() => { location.hash = 'v=1&ex=cat-sat-down&mask=causal'; });
  await page.waitForFunction(() => window.attnscope.state().ex === 'cat-sat-down');
  assert.equal((await state(page)).mask, 'causal');
  await page.done();
});

test('a bad value becomes its default, with a note on the screen', async () => {
  const page = await openApp(browser, `${server.url}#v=1&grain=atom&row=1&nonsense=1`);
  const now = await state(page);
  assert.deepEqual([now.grain, now.row], ['row', 1]);
  assert.match(now.notice, /grain/);
  await page.done();
});

test('any fragment at all leaves a working page', async () => {
  for (const fragment of ['%', '%zz', 'v=1&stage=', '=', '&&&', 'v=1&row=1e999', 'x'.repeat(20000), '<script>alert(1)</script>', 'v=1&d=AAAA']) {
    const page = await openApp(browser, `${server.url}#${fragment}`);
    await press(page, 'End');
    const { position, steps } = await state(page);
    assert.equal(position, steps, fragment.slice(0, 40));
    await page.done();
  }
});

test('doc= opens a document from beside the page, and only from there', async () => {
  const page = await openApp(browser, `${server.url}#v=1&doc=beside.json&mask=causal`);
  await page.waitForFunction(() => window.attnscope.state().title === 'Beside the page');
  assert.equal((await state(page)).mask, 'causal');
  await page.done();
  const away = await openApp(browser, `${server.url}#v=1&doc=..%2Fother.json`);
  assert.notEqual((await state(away)).notice, '');
  assert.ok(!server.requested.some((name) => name.includes('other')));
  await away.done();
  const missing = await openApp(browser, `${server.url}#v=1&doc=missing.json`, { expected: ['404'] });
  await missing.waitForFunction(() => /missing\.json.*404/.test(window.attnscope.state().notice));
  await missing.done();
});

test('a link with doc= is followed however it comes, with a notice when the file is not there', async () => {
  const page = await openApp(browser, server.url, { expected: ['404'] });
  const dispatch = (link) => page.evaluate((value) => window.attnscope.dispatch({ type: 'link', link: value }), link);
  await dispatch('v=1&doc=nope.json');
  await page.waitForFunction(() => /nope\.json.*404/.test(window.attnscope.state().notice));
  await dispatch('v=1&doc=beside.json&mask=causal');
  await page.waitForFunction(() => window.attnscope.state().title === 'Beside the page');
  assert.equal((await state(page)).mask, 'causal');
  await page.done();
});

test('after a bad link the address bar holds the link of what is shown, in the same entry of the history', async () => {
  const page = await openApp(browser, server.url);
  const before = await page.evaluate(() => history.length);
  await page.evaluate(() => { location.hash = 'v=1&ex=nothing&grain=atom&row=1'; });
  await page.waitForFunction(() => window.attnscope.state().notice !== '' && location.hash === `#${window.attnscope.link()}`);
  assert.equal(await page.evaluate(() => history.length), before + 1);
  await page.done();
});
