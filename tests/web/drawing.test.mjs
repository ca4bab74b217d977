// When and how the page draws: not at all while nothing changes, in exact device pixels, and again after a loss.
import { strict as assert } from 'node:assert';
import { after, before, test } from 'node:test';
import { emulate, launch, openApp, press, rectOf, settled, site, state } from './support/browser.mjs';
import { serve } from './support/server.mjs';

let browser, server;
before(async () => { [browser, server] = await Promise.all([launch(), serve(site)]); });
after(() => Promise.all([browser.close(), server.close()]));

const frames = (page) => page.evaluate(() => window.attnscope.stats().frames);
const idleFor = (page, ms) => page.evaluate((time) => new Promise((done) => setTimeout(done, time)), ms);

test('no frame is drawn in two seconds of idling', async () => {
  const page = await openApp(browser, server.url);
  await press(page, 'ArrowRight');
  const before = await frames(page);
  await idleFor(page, 2000);
  assert.equal(await frames(page), before);
  await page.mouse.move(300, 300);
  await page.waitForFunction((count) => window.attnscope.stats().frames > count, before, { timeout: 1000 });
  await page.done();
});

test('after the last step of playback the page is idle again', async () => {
  const page = await openApp(browser, `${server.url}#v=1&grain=stage`);
  await page.evaluate(() => window.attnscope.dispatch({ type: 'speed', speed: 16 }));
  await press(page, 'Space');
  await page.waitForFunction(() => window.attnscope.state().position > 0 && !window.attnscope.state().playing);
  await settled(page);
  const before = await frames(page);
  await idleFor(page, 1000);
  assert.equal(await frames(page), before);
  await page.done();
});

for (const ratio of [1, 1.25, 1.5, 2, 2.625]) {
  test(`the canvas has one pixel per device pixel at a ratio of ${ratio}, and the pointer meets what is drawn`, async () => {
    const scaled = await launch({ args: [`--force-device-scale-factor=${ratio}`] });
    try {
      const page = await openApp(scaled, server.url, { context: { viewport: null } });
      const size = await page.evaluate(() => {
        const canvas = document.getElementById('stage');
        const box = canvas.getBoundingClientRect();
        return { ratio: devicePixelRatio, css: [box.width, box.height], pixels: [canvas.width, canvas.height] };
      });
      assert.equal(size.ratio, ratio);
      assert.deepEqual(size.pixels, size.css.map((length) => Math.round(length * ratio)));
      const { x, y, w, h } = await rectOf(page, 'Next step');
      await page.mouse.click(x + w - 2, y + h - 2);
      await settled(page);
      assert.equal((await state(page)).position, 1);
      await page.mouse.click(x + w + 3, y + h / 2);
      await settled(page);
      assert.equal((await state(page)).position, 1);
      await page.done();
    } finally {
      await scaled.close();
    }
  });
}

test('a new window size changes canvas and layout', async () => {
  const page = await openApp(browser, server.url);
  await page.setViewportSize({ width: 390, height: 844 });
  await page.waitForFunction(() => document.getElementById('stage').width === 390);
  await settled(page);
  const outside = await page.evaluate(() => window.attnscope.layout()
    .filter((each) => each.role === 'button' && (each.x < 0 || each.x + each.w > innerWidth + 0.5)));
  assert.deepEqual(outside, []);
  await page.done();
});

test('a lost context comes back to the same picture and the same moment', async () => {
  const page = await openApp(browser, server.url);
  await press(page, ...Array(6).fill('ArrowRight'));
  const before = await page.screenshot();
  await page.evaluate(() => {
    window.loser = document.getElementById('stage').getContext('webgl2').getExtension('WEBGL_lose_context');
    window.loser.loseContext();
  });
  await page.locator('#status.corner').waitFor();
  await press(page, 'ArrowRight', 'ArrowLeft'); // stepping goes on without a picture
  await page.evaluate(() => window.loser.restoreContext());
  await page.locator('#status').waitFor({ state: 'hidden' });
  await settled(page);
  assert.equal((await state(page)).position, 6);
  assert.ok(before.equals(await page.screenshot()), 'the picture differs from the one before the loss');
  await page.done();
});

test('a letter in a text paints only what it changes, and all of that', async () => {
  const page = await openApp(browser, `${server.url}#v=1&scene=model`);
  await page.waitForFunction(() => window.attnscope.text().includes('with probability'));
  const { x, y, w, h } = await rectOf(page, 'Text');
  await page.mouse.click(x + w / 2, y + h / 2);
  await press(page, 'End', 'a', 'b');
  await page.evaluate(() => {
    const context = document.getElementById('stage').getContext('webgl2');
    window.painted = 0;
    context.clear = (what) => {
      const [, , width, height] = context.getParameter(context.SCISSOR_BOX);
      window.painted += width * height;
      WebGL2RenderingContext.prototype.clear.call(context, what);
    };
  });
  await press(page, 'Backspace');
  assert.ok(await page.evaluate(() => window.painted > 0 && window.painted < innerWidth * innerHeight / 2));
  await press(page, 'c', 'Home', 'z', 'Delete');
  const picture = () => page.evaluate(() => document.getElementById('stage').toDataURL());
  const before = await picture();
  for (const height of [801, 800]) { // a new size clears the canvas
    await page.setViewportSize({ width: 1280, height });
    await page.waitForFunction((pixels) => document.getElementById('stage').height === pixels, height);
    await settled(page);
  }
  assert.equal(await picture(), before);
  await page.done();
});

test('under reduced motion a step is on the screen at once and nothing moves after it', async () => {
  const page = await openApp(browser, server.url);
  await press(page, 'ArrowRight', 'ArrowRight', 'ArrowRight', 'ArrowRight');
  const first = await page.screenshot();
  await idleFor(page, 300);
  assert.ok(first.equals(await page.screenshot()));
  await page.done();
});

test('light and dark follow the system', async () => {
  const page = await openApp(browser, server.url, { context: { colorScheme: 'light' } });
  const light = await page.screenshot();
  await emulate(page, { colorScheme: 'dark' });
  const dark = await page.screenshot();
  assert.ok(!light.equals(dark));
  await emulate(page, { colorScheme: 'light' });
  assert.ok(light.equals(await page.screenshot()));
  await page.done();
});

// What is put on the paper: of its picture the number of colours and the share that is light, its words, and that it goes.
const onPaper = (page) => page.evaluate(async () => {
  dispatchEvent(new Event('beforeprint'));
  const image = document.querySelector('#paper img');
  await image.decode();
  const sample = document.createElement('canvas');
  sample.width = sample.height = 64;
  const context = sample.getContext('2d');
  context.drawImage(image, 0, 0, 64, 64);
  const { data } = context.getImageData(0, 0, 64, 64);
  const words = document.querySelector('#paper pre').textContent;
  dispatchEvent(new Event('afterprint'));
  const light = data.filter((value, i) => i % 4 === 1 && value > 200).length / 4096;
  return { colours: new Set(new Uint32Array(data.buffer)).size, light, words, gone: !document.getElementById('paper') };
});

test('a dark screen is printed in light colours, and stays dark', async () => {
  const page = await openApp(browser, server.url, { context: { colorScheme: 'dark' } });
  const before = await page.screenshot();
  assert.ok((await onPaper(page)).light > 0.6);
  await settled(page);
  assert.ok(before.equals(await page.screenshot()));
  await page.done();
});

test('printing puts the picture and the step in words on the paper', async () => {
  const page = await openApp(browser, server.url);
  await press(page, ...Array(8).fill('ArrowRight'));
  const seen = await onPaper(page);
  assert.ok(seen.colours > 10, `the printed picture has ${seen.colours} colours`);
  assert.equal(seen.words, await page.evaluate(() => window.attnscope.text()));
  assert.equal(seen.gone, true);
  await page.done();
});
