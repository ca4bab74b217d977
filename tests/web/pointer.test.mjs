// Mouse, wheel and fingers.
import { strict as assert } from 'node:assert';
import { after, before, test } from 'node:test';
import { click, launch, openApp, press, rectOf, settled, site, state } from './support/browser.mjs';
import { serve } from './support/server.mjs';

let browser, server;
before(async () => { [browser, server] = await Promise.all([launch(), serve(site)]); });
after(() => Promise.all([browser.close(), server.close()]));

const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true };

async function fingers(page) {
  const session = await page.context().newCDPSession(page);
  return (type, points) => session.send('Input.dispatchTouchEvent', { type, touchPoints: points.map(([x, y], id) => ({ x, y, id })) });
}

test('a click presses a control and a click on a cell chooses it', async () => {
  const page = await openApp(browser, server.url);
  await click(page, 'Next step');
  assert.equal((await state(page)).position, 1);
  await click(page, 'x[0][1]');
  assert.equal((await state(page)).cursor, 'x.0.1');
  await page.done();
});

test('a press that a slow frame meets still counts once', async () => {
  const page = await openApp(browser, server.url);
  const { x, y, w, h } = await rectOf(page, 'Next step');
  await page.mouse.move(x + w / 2, y + h / 2);
  for (let i = 0; i < 5; ++i) {
    await page.mouse.down();
    await page.mouse.up();
  }
  await settled(page);
  assert.equal((await state(page)).position, 5);
  await page.done();
});

test('the wheel moves the stage by the same amount in every unit', async () => {
  const page = await openApp(browser, server.url);
  const moved = async (deltas, deltaMode) => {
    await click(page, 'Follow the step').catch(() => {});
    await page.evaluate(() => window.attnscope.dispatch({ type: 'first' }));
    const before = await rectOf(page, 'x[0][0]');
    for (const deltaY of deltas) {
      await page.evaluate(([y, mode]) => document.getElementById('stage').dispatchEvent(new WheelEvent('wheel',
        { deltaY: y, deltaMode: mode, clientX: 560, clientY: 360, bubbles: true, cancelable: true })), [deltaY, deltaMode]);
      await settled(page);
    }
    const after = await rectOf(page, 'x[0][0]');
    return after.y - before.y;
  };
  await page.mouse.move(560, 360);
  const inPixels = await moved([100], 0);
  const inLines = await moved([3], 1);
  const inSmallSteps = await moved(Array(40).fill(2.5), 0);
  assert.ok(inPixels < -5, `scrolling down should move the picture up, not by ${inPixels}`);
  assert.ok(Math.abs(inLines - inPixels) < 1, `${inLines} against ${inPixels}`);
  assert.ok(Math.abs(inSmallSteps - inPixels) < 2, `${inSmallSteps} against ${inPixels}`);
  await page.done();
});

test('Control and the wheel zoom the stage, not the page', async () => {
  const page = await openApp(browser, server.url);
  const before = await rectOf(page, 'x[0][0]');
  await page.mouse.move(before.x, before.y);
  await page.keyboard.down('Control');
  await page.mouse.wheel(0, -100);
  await page.keyboard.up('Control');
  await settled(page);
  assert.ok((await rectOf(page, 'x[0][0]')).w > before.w);
  assert.equal(await page.evaluate(() => devicePixelRatio), 1);
  await page.done();
});

test('a tap presses once', async () => {
  const page = await openApp(browser, server.url, { context: PHONE });
  const { x, y, w, h } = await rectOf(page, 'Next step');
  assert.ok(h >= 44 && w >= 44, `the control is ${w}×${h} under a finger`);
  await page.touchscreen.tap(x + w / 2, y + h / 2);
  await settled(page);
  assert.equal((await state(page)).position, 1);
  await page.done();
});

test('a tap on a cell tells it in full', async () => {
  const link = '#v=1&ex=cat-sat-down&exact=0&stage=weights';
  const page = await openApp(browser, `${server.url}${link}`, { context: PHONE });
  const { x, y, w, h } = await rectOf(page, 'weights[3][1]');
  await page.touchscreen.tap(x + w / 2, y + h / 2);
  await settled(page);
  assert.equal((await state(page)).cursor, 'weights.3.1');
  const live = await page.locator('#mirror .live').textContent();
  const weight = await page.evaluate(() => window.attnscope.trace().heads[0].weights[3][1]);
  assert.ok(live.includes(String(weight)), `${live} should hold ${weight}`);
  assert.match(live, /reads/);
  await page.done();
});

test('one finger moves the stage', async () => {
  const page = await openApp(browser, `${server.url}#v=1`, { context: PHONE });
  const touch = await fingers(page);
  const before = await rectOf(page, 'x[0][0]');
  await touch('touchStart', [[200, 250]]);
  for (let i = 1; i <= 6; ++i) await touch('touchMove', [[200 - i * 10, 250 - i * 5]]);
  await touch('touchEnd', []);
  await settled(page);
  const after = await rectOf(page, 'x[0][0]');
  assert.ok(after.x < before.x - 30, `moved from ${before.x} to ${after.x}`);
  await page.done();
});

test('a finger takes a handle along where the page would scroll', async () => {
  const page = await openApp(browser, `${server.url}#v=1&scene=plane`, { context: PHONE });
  const touch = await fingers(page);
  const handle = (await page.evaluate(() => window.attnscope.layout())).find((each) => each.label === 'Move k1');
  const [x, y] = [handle.x + handle.w / 2, handle.y + handle.h / 2];
  await touch('touchStart', [[x, y]]);
  for (let i = 1; i <= 6; ++i) await touch('touchMove', [[x - i * 8, y - i * 8]]);
  await touch('touchEnd', []);
  await settled(page);
  const { k1x, k1y } = (await state(page)).set;
  assert.ok(Number(k1x) < 0.9 && Number(k1y) > 0.1, `k1 stands at ${k1x}, ${k1y}`);
  await page.done();
});

test('two fingers zoom the stage and the page stays as it is', async () => {
  const page = await openApp(browser, server.url, { context: PHONE });
  const touch = await fingers(page);
  const before = await rectOf(page, 'x[0][0]');
  await touch('touchStart', [[180, 250], [220, 250]]);
  for (let i = 1; i <= 5; ++i) await touch('touchMove', [[180 - i * 6, 250], [220 + i * 6, 250]]);
  await touch('touchEnd', []);
  await settled(page);
  const after = await page.evaluate(() => window.attnscope.layout().find((each) => each.role === 'cell'));
  assert.ok(after.w > before.w * 1.5, `cells were ${before.w} wide and are ${after.w}`);
  assert.equal(await page.evaluate(() => visualViewport.scale), 1);
  await page.done();
});

test('a long press tells and does not press', async () => {
  const page = await openApp(browser, server.url, { context: PHONE });
  const touch = await fingers(page);
  const { x, y, w, h } = await rectOf(page, 'Next step');
  await touch('touchStart', [[x + w / 2, y + h / 2]]);
  await page.waitForTimeout(700);
  await touch('touchEnd', []);
  await settled(page);
  assert.equal((await state(page)).position, 0);
  await page.done();
});
