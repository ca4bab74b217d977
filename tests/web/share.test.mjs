// Links made for others: the picture of one reads back, and it opens elsewhere to the same screen.
import { strict as assert } from 'node:assert';
import { after, before, test } from 'node:test';
import jsQR from 'jsqr';
import { click, launch, openApp, press, rectOf, settled, site, state } from './support/browser.mjs';
import { manyHeads } from './support/documents.mjs';
import { serve } from './support/server.mjs';

let browser, server;
before(async () => { [browser, server] = await Promise.all([launch(), serve(site)]); });
after(() => Promise.all([browser.close(), server.close()]));

const TALL = { context: { viewport: { width: 1280, height: 1500 } } };

async function openShare(page) {
  await click(page, 'Make a link');
  await page.waitForFunction(() => document.getElementById('mirror').textContent.includes('How it opens'));
  await settled(page);
}

// Pixels as red, green, blue, alpha of a part of the screen.
async function pixelsOf(page, { x, y, w, h }) {
  const png = await page.screenshot({ clip: { x, y, width: w, height: h } });
  return page.evaluate(async (base64) => {
    const bytes = Uint8Array.from(atob(base64), (c) => c.charCodeAt(0));
    const bitmap = await createImageBitmap(new Blob([bytes], { type: 'image/png' }));
    const context = new OffscreenCanvas(bitmap.width, bitmap.height).getContext('2d');
    context.drawImage(bitmap, 0, 0);
    const { data, width, height } = context.getImageData(0, 0, bitmap.width, bitmap.height);
    return { data: [...data], width, height };
  }, png.toString('base64'));
}

for (const colorScheme of ['light', 'dark']) {
  test(`the QR picture of a link reads back as that link, in the ${colorScheme} theme`, async () => {
    const page = await openApp(browser, `${server.url}#v=1&ex=cat-sat-down&mask=causal&stage=weights`,
      { context: { ...TALL.context, colorScheme } });
    await openShare(page);
    await click(page, 'Answers to questions and tasks');
    const link = await page.evaluate(() => window.attnscope.link());
    assert.match(link, /hide=answers/);
    const { data, width, height } = await pixelsOf(page, await rectOf(page, 'The link as a QR picture'));
    const read = jsQR(Uint8ClampedArray.from(data), width, height);
    assert.ok(read, 'no QR code is found in the picture');
    assert.equal(read.data, `${server.url}#${link}`);
    await page.done();
  });
}

test('a link with an example of one’s own opens in another profile to the same screen', async () => {
  const first = await openApp(browser, server.url);
  await first.evaluate((json) => window.attnscope.open(json, 'own.json'), JSON.stringify({
    attnscope: 1, title: 'My own', tokens: ['un', 'deux', 'trois'], q: [[1, 0], [0, 1], [1, 1]], k: [[1, 0], [0, 1], [1, 1]],
    v: [[1, 2], [3, 4], [5, 6]], mask: 'causal',
  }));
  await first.evaluate(() => {
    window.attnscope.dispatch({ type: 'last' });
    window.attnscope.dispatch({ type: 'edit', edit: 'v[1]=0,0' });
    window.attnscope.dispatch({ type: 'present', hide: 'contents.answers', note: 'What does “trois” read?' });
  });
  await settled(first);
  const link = await first.evaluate(() => window.attnscope.link());
  assert.match(link, /&d=/);
  const second = await openApp(browser, `${server.url}#${link}`);
  assert.equal(await second.evaluate(() => window.attnscope.link()), link);
  const [a, b] = [await state(first), await state(second)];
  for (const key of ['note', 'hide', 'edits', 'title', 'stage', 'row', 'position']) assert.deepEqual(b[key], a[key], key);
  await first.goto('about:blank'); // what the first one did on the way is not in the link: undo, the camera
  await first.goto(`${server.url}#${link}`);
  await settled(first);
  assert.ok((await first.screenshot()).equals(await second.screenshot()), 'the two screens differ');
  await Promise.all([first.done(), second.done()]);
});

test('a document too large for a link is offered as a file beside the page', async () => {
  const page = await openApp(browser, server.url, TALL);
  await page.evaluate((json) => window.attnscope.open(json, 'large.json'), manyHeads());
  await openShare(page);
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  const { label } = (await page.evaluate(() => window.attnscope.layout())).find((each) => each.label.startsWith('Copy a link to '));
  await click(page, label);
  const copied = await page.evaluate(() => navigator.clipboard.readText());
  const name = label.slice('Copy a link to '.length);
  assert.ok(copied.startsWith(`${server.url}#v=1&doc=${name}`), copied);
  server.extra[`/${name}`] = manyHeads();
  const other = await openApp(browser, copied);
  assert.equal((await state(other)).notice, '');
  assert.equal((await state(other)).title, (await state(page)).title);
  await Promise.all([page.done(), other.done()]);
});

test('what is chosen in the panel is gone from the address when it closes', async () => {
  const page = await openApp(browser, server.url, TALL);
  await openShare(page);
  await click(page, 'As a presentation');
  assert.equal((await state(page)).present, true);
  await page.keyboard.press('Escape');
  await settled(page);
  assert.equal((await state(page)).present, false);
  await page.waitForFunction(() => !location.hash.includes('present'));
  await page.done();
});

test('clickers step a presentation, wherever the keyboard is, and Esc leaves it', async () => {
  const page = await openApp(browser, `${server.url}#v=1&present=1`);
  await press(page, 'PageDown', 'PageDown', 'PageUp');
  assert.equal((await state(page)).position, 1);
  await press(page, 'Tab', 'Tab', 'PageDown');
  assert.notEqual(await page.evaluate(() => document.activeElement.id), 'stage');
  assert.equal((await state(page)).position, 2);
  await press(page, 'Escape');
  assert.equal((await state(page)).present, false);
  await page.waitForFunction(() => !location.hash.includes('present'));
  await page.done();
});
