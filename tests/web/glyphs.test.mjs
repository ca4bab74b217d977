// Characters that the program's own fonts lack, with whatever fonts the browser finds on this machine: letters where it
// has them, boxes with code points where it has not, never a character of another meaning.
import { strict as assert } from 'node:assert';
import { after, before, test } from 'node:test';
import { drop } from './support/arrays.mjs';
import { click, launch, openApp, rectOf, settled, site, trace } from './support/browser.mjs';
import { serve } from './support/server.mjs';

let browser, server;
before(async () => { [browser, server] = await Promise.all([launch(), serve(site)]); });
after(() => Promise.all([browser.close(), server.close()]));

const TEXTS = ['猫', '犬', 'é', 'Ж', 'שלום', 'سلام', 'नमस्ते', '😀', '😁', '𓀀', '\u0378', '\u0379', '\u{F0000}', '?', '�'];

const documentOf = (text) => JSON.stringify({
  attnscope: 1, title: text, tokens: [text, 'end'], q: [[1], [2]], k: [[1], [2]], v: [[1], [2]],
});

// The pixels of a rectangle of the screen: "r,g,b" each.
async function pixels(page, { x, y, w, h }) {
  const png = await page.screenshot({ clip: { x, y, width: w, height: h } });
  return page.evaluate(async (base64) => {
    const image = new Image();
    image.src = `data:image/png;base64,${base64}`;
    await image.decode();
    const context = new OffscreenCanvas(image.width, image.height).getContext('2d');
    context.drawImage(image, 0, 0);
    const { data } = context.getImageData(0, 0, image.width, image.height);
    return Array.from({ length: data.length / 4 }, (_, i) => data.slice(4 * i, 4 * i + 3).join());
  }, png.toString('base64'));
}

const inkOf = (picture) => picture.filter((pixel) => pixel !== picture.at(-1)).length;
const isBright = (pixel) => {
  const parts = pixel.split(',').map(Number);
  return Math.max(...parts) - Math.min(...parts) > 100;
};

function assertAllDiffer(pictures) {
  const seen = new Map();
  for (const [text, picture] of pictures) {
    assert.ok(inkOf(picture) > 8, `${text} is blank`);
    const key = picture.join(' ');
    assert.ok(!seen.has(key), `${text} looks like ${seen.get(key)}`);
    seen.set(key, text);
  }
}

test('every title and token of any script can be told from every other, and from a question mark', async () => {
  const page = await openApp(browser, server.url);
  const titles = new Map(), tokens = new Map();
  for (const text of TEXTS) {
    await drop(page, ['text.json', documentOf(text)]);
    await settled(page);
    assert.equal((await trace(page)).tokens[0], text);
    const { x, y, w, h } = await rectOf(page, text); // the entry of the contents says the real text
    titles.set(text, await pixels(page, { x: x + 8, y, w: w - 16, h }));
    assert.ok((await page.locator('#mirror').textContent()).includes(`“${text}”`), `the mirror says nothing of ${text}`);
  }
  assertAllDiffer(titles);
  const colored = await page.evaluate(() => {
    const pen = document.createElement('canvas').getContext('2d');
    const font = '32px "Apple Color Emoji", "Segoe UI Emoji", "Noto Color Emoji", sans-serif';
    Object.assign(pen, { font, fillStyle: '#fff' }).fillText('😀', 0, 40);
    return pen.getImageData(0, 0, 50, 50).data.some((value, i, all) => value < 200 && all[i | 3] === 255);
  });
  assert.equal(titles.get('😀').some(isBright), colored);
  assert.ok(!titles.get('猫').some(isBright));
  await page.done();
});

test('what is typed into a field is drawn as it is, whatever its script', async () => {
  const page = await openApp(browser, server.url);
  const pictures = new Map();
  for (const text of ['猫', '犬', '😀', '\u0378', '?']) {
    await click(page, 'Search the scenes');
    await page.keyboard.press('Control+a');
    await page.keyboard.insertText(text);
    await page.keyboard.press('Tab');
    await settled(page);
    const { x, y, w, h } = await rectOf(page, 'Search the scenes');
    pictures.set(text, await pixels(page, { x: x + 4, y: y + 4, w: w / 2, h: h - 8 }));
  }
  assertAllDiffer(pictures);
  await page.done();
});

test('a browser that gives false pixels to guard against fingerprints gets boxes with code points', async () => {
  const spoil = (page) => page.addInitScript(() => {
    const { getImageData } = CanvasRenderingContext2D.prototype;
    CanvasRenderingContext2D.prototype.getImageData = function spoilt(...area) {
      const image = getImageData.apply(this, area);
      if (window.honest) return image;
      image.data.forEach((_, i, data) => { data[i] = Math.random() * 256; });
      return image;
    };
  });
  const page = await openApp(browser, server.url, { prepare: spoil });
  await drop(page, ['text.json', documentOf('ש')]);
  await settled(page);
  const { x, y, h } = await rectOf(page, 'ש');
  await page.evaluate(() => { window.honest = true; });
  const width = 40, height = h - 8, picture = await pixels(page, { x: x + 8, y: y + 4, w: width, h: height });
  const row = (i) => [...picture.slice(i * width, (i + 1) * width), picture.at(-1)];
  const ink = Array.from({ length: height }, (_, i) => inkOf(row(i)));
  assert.deepEqual(ink.filter((count) => count > 8), [11, 11], 'the letter is not in a frame 11 pixels wide');
  await page.done();
});
