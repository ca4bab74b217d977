// One Chromium and pages in it that fail a test when anything goes wrong in them. Knows where the built page lies.
import { strict as assert } from 'node:assert';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { chromium } from 'playwright-core';

const root = fileURLToPath(new URL('../../../', import.meta.url));
export const build = process.env.ATTN_WEB_BUILD || join(root, 'build/web');
export const site = join(build, 'site');
export const singleFile = join(build, 'attnscope.html');
assert.ok(existsSync(join(site, 'index.html')), `the page is not built: ${site} holds no index.html; run scripts/test or build the preset web`);

const FLAGS = ['--no-sandbox', '--disable-background-networking', '--disable-component-update', '--disable-sync',
  '--no-first-run', '--disable-quic', '--disable-dev-shm-usage'];
const SOFTWARE_GRAPHICS = ['--use-angle=swiftshader', '--enable-unsafe-swiftshader'];

export function launch({ graphics = true, args = [], ...rest } = {}) {
  return chromium.launch({
    executablePath: process.env.ATTN_CHROMIUM || '/usr/bin/chromium',
    args: [...FLAGS, ...(graphics ? SOFTWARE_GRAPHICS : ['--disable-3d-apis']), ...args],
    ...rest,
  });
}

// A page that remembers every complaint: console errors, exceptions, and requests to another host than `home`.
// `expected` are texts of console messages that the test brings about itself.
export async function openPage(browser, url, { context = {}, expected = [], prepare } = {}) {
  const made = await browser.newContext({ viewport: { width: 1280, height: 800 }, reducedMotion: 'reduce', ...context });
  const page = await made.newPage();
  const complaints = [];
  const expectedText = (text) => expected.some((each) => text.includes(each));
  page.on('console', (message) => {
    const complaint = `${message.text()} (${message.location().url})`;
    // The picture of the tab a browser fetches in its own time: past any service worker, and while the page is being left.
    // That there is none the server would say.
    if (/\/icon(-\w+)?\.svg\b/.test(complaint) && !complaint.includes('responded with a status')) return;
    if (['error', 'warning'].includes(message.type()) && !expectedText(message.text())) complaints.push(complaint);
  });
  page.on('pageerror', (error) => complaints.push(String(error)));
  const home = new URL(url).host;
  page.on('request', (request) => {
    const { protocol, host } = new URL(request.url());
    if (/^(https?|wss?):$/.test(protocol) && host !== home) complaints.push(`a request to another host: ${host}`);
  });
  if (prepare) await prepare(page);
  await page.goto(url);
  return Object.assign(page, {
    complaints,
    async done() {
      await made.close();
      assert.deepEqual(complaints, []);
    },
  });
}

// The page has drawn and nothing is pending. A predicate here must not be async: its promise would count as true.
export async function settled(page) {
  await page.waitForFunction(() => Boolean(window.attnscope));
  await page.evaluate(() => window.attnscope.ready);
  await page.waitForFunction(() => window.attnscope.stats().pending === 0 && document.getElementById('status').textContent !== 'Loading …');
}

// As when a person changes a preference of the system. A page hears of it before the next frame of the browser.
export async function emulate(page, media) {
  await page.emulateMedia(media);
  await page.evaluate(() => new Promise(requestAnimationFrame));
  await settled(page);
}

// For what a page tells only when it is asked.
export async function until(holds) {
  const end = Date.now() + 30000;
  while (!await holds()) if (Date.now() > end) throw new Error(`in 30 seconds this has not come about: ${holds}`);
}

export async function openApp(browser, url, options) {
  const page = await openPage(browser, url, options);
  await settled(page);
  return page;
}

export const state = (page) => page.evaluate(() => window.attnscope.state());
export const trace = (page) => page.evaluate(() => window.attnscope.trace());

export async function press(page, ...keys) {
  for (const key of keys) await page.keyboard.press(key);
  await settled(page);
}

// The rectangle of a control or cell as the screen reports it.
export async function rectOf(page, label) {
  const all = await page.evaluate(() => window.attnscope.layout());
  const found = all.find((each) => each.label === label);
  assert.ok(found, `nothing on the screen is labelled “${label}”; there are: ${all.map((each) => each.label).join(', ')}`);
  return found;
}

export async function click(page, label) {
  const { x, y, w, h } = await rectOf(page, label);
  await page.mouse.click(x + w / 2, y + h / 2);
  await settled(page);
}

export const texts = (page, selector) => page.locator(`#mirror ${selector}`).allTextContents();
