// In pages that are read from right to left nothing moves: neither where attnscope is such a page nor inside one.
import { strict as assert } from 'node:assert';
import { after, before, test } from 'node:test';
import { click, launch, openApp, openPage, press, settled, site, state, texts } from './support/browser.mjs';
import { serve } from './support/server.mjs';

const RIGHT_TO_LEFT = '<html lang="ar" dir="rtl">';
const around = (html) => `<!doctype html>${html}<title>Embedding page</title><link rel="icon" href="data:,">
<body style="margin: 0"><iframe id="frame" width="900" height="600" style="position: absolute; left: 0; top: 0; border: 0" src="index.html"></iframe>`;

let browser, ordinary, turned;
before(async () => {
  const extra = { '/around.html': around('<html lang="en">'), '/turned.html': around(RIGHT_TO_LEFT) };
  [browser, ordinary, turned] = await Promise.all([launch(), serve(site, { extra }),
    serve(site, { replace: { '/index.html': [/<html [^>]*>/, RIGHT_TO_LEFT] } })]);
});
after(() => Promise.all([browser.close(), ordinary.close(), turned.close()]));

// What `look` finds in the ordinary page, and in one that is read from right to left.
async function inBoth(link, look, using = browser) {
  const found = [];
  for (const server of [ordinary, turned]) {
    const page = await openApp(using, `${server.url}#${link}`);
    assert.equal(await page.evaluate(() => document.documentElement.dir), server === turned ? 'rtl' : '');
    found.push(await look(page));
    await page.done();
  }
  return found;
}

const layout = (page) => page.evaluate(() => window.attnscope.layout());

test('a page that is read from right to left looks like every other, and a press lands where it should', async () => {
  const [usual, other] = await inBoth('v=1', async (page) => {
    const before = [await layout(page), await page.screenshot()];
    await click(page, 'Next step');
    assert.equal((await state(page)).position, 1);
    return [...before, await layout(page), await page.screenshot()];
  });
  assert.deepEqual(other[0], usual[0]);
  assert.ok(other[1].equals(usual[1]), 'the picture differs');
  assert.deepEqual(other[2], usual[2]);
  assert.ok(other[3].equals(usual[3]), 'the picture after a step differs');
});

test('there a slider of the mirror and a field are worked as everywhere', async () => {
  const [usual, other] = await inBoth('v=1&scene=why-context', async (page) => {
    await click(page, 'Sentence 1');
    for (const key of ['End', 'Shift+Home', 'ArrowLeft', 'ArrowRight']) await page.keyboard.press(key);
    await page.keyboard.type('- (');
    const agent = await page.locator('#text-agent').evaluate((each) => [getComputedStyle(each).direction, each.value]);
    await press(page, 'Escape');
    await page.evaluate(() => window.attnscope.dispatch({ type: 'scene', id: 'scaling' }));
    await settled(page);
    const slider = page.locator('#mirror input[type="range"]').first();
    await slider.focus();
    const values = [await slider.inputValue()];
    await press(page, 'ArrowRight');
    return { agent, values: [...values, await slider.inputValue()], set: (await state(page)).set };
  });
  assert.equal(usual.agent[0], 'ltr');
  assert.notEqual(usual.values[0], usual.values[1]);
  assert.deepEqual(other, usual);
});

test('there paper and the line of what is going on stand as everywhere', async () => {
  const [usual, other] = await inBoth('v=1', async (page) => {
    await press(page, 'ArrowRight');
    await page.evaluate(() => {
      const status = document.getElementById('status');
      Object.assign(status, { hidden: false, className: 'problem', textContent: 'Something went wrong (see above).' });
    });
    const status = await page.locator('#status').screenshot();
    await page.evaluate(() => dispatchEvent(new Event('beforeprint')));
    await page.locator('#paper img').evaluate((image) => image.decode());
    await page.emulateMedia({ media: 'print' });
    return [status, await page.screenshot({ fullPage: true })];
  });
  assert.ok(other[0].equals(usual[0]), 'the status differs');
  assert.ok(other[1].equals(usual[1]), 'the paper differs');
});

test('there the mirror without graphics looks as everywhere', async () => {
  const bare = await launch({ graphics: false });
  try {
    const [usual, other] = await inBoth('v=1', async (page) => {
      assert.ok((await texts(page, 'button')).includes('Next step'));
      return page.screenshot({ fullPage: true });
    }, bare);
    assert.ok(other.equals(usual));
  } finally {
    await bare.close();
  }
});

test('inside a page that is read from right to left the picture stays, and a press lands where it should', async () => {
  const found = [];
  for (const path of ['around.html', 'turned.html']) {
    const page = await openPage(browser, ordinary.url + path);
    const [, frame] = page.frames();
    await frame.waitForFunction(() => window.attnscope);
    await settled(frame);
    const before = [await layout(frame), await page.screenshot()];
    const { x, y, w, h } = before[0].find(({ label }) => label === 'Next step');
    await page.mouse.click(x + w / 2, y + h / 2);
    await settled(frame);
    assert.equal((await state(frame)).position, 1);
    found.push(before);
    await page.done();
  }
  assert.deepEqual(found[1][0], found[0][0]);
  assert.ok(found[1][1].equals(found[0][1]), 'the picture differs');
});
