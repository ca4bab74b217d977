// Inside somebody else's page: messages, sandboxes, focus and coming back.
import { strict as assert } from 'node:assert';
import { readFile } from 'node:fs/promises';
import { after, before, test } from 'node:test';
import { launch, openApp, openPage, press, settled, singleFile, site, state, texts } from './support/browser.mjs';
import { serve } from './support/server.mjs';

const around = (attributes, source) => `<!doctype html><title>Embedding page</title><link rel="icon" href="data:,">
<body style="height: 3000px"><input id="field"><iframe id="frame" width="900" height="600" ${attributes} src="${source}"></iframe>
<script>
  const frame = document.getElementById('frame');
  const waiting = new Map();
  const heard = [];
  addEventListener('message', ({ source, data }) => {
    if (source !== frame.contentWindow || data.attnscope !== 1) return;
    if (data.event) heard.push(data);
    else if (waiting.has(data.id)) waiting.get(data.id)(data);
  });
  let last = 0;
  const call = (name, ...args) => new Promise((resolve) => {
    waiting.set(++last, resolve);
    frame.contentWindow.postMessage({ attnscope: 1, id: last, call: name, args }, '*');
  });
</script>`;

const OTHER = '<!doctype html><title>Other</title><link rel="icon" href="data:,">';

let browser, server;
before(async () => {
  [browser, server] = await Promise.all([launch(), serve(site, {
    extra: {
      '/around.html': around('', 'index.html#v=1&grain=stage'),
      '/here.html': around('', 'index.html'),
      '/sandboxed.html': around('sandbox="allow-scripts"', 'single.html'),
      '/sandboxed-site.html': around('sandbox="allow-scripts"', 'index.html'),
      '/single.html': await readFile(singleFile),
    },
  })]);
});
after(() => Promise.all([browser.close(), server.close()]));

async function answered(page) {
  await page.frameLocator('#frame').locator('#status').waitFor({ state: 'hidden' });
  await page.evaluate(() => call('ready'));
}

test('an embedding page reads and steers by messages', async () => {
  const page = await openPage(browser, server.url + 'around.html');
  await answered(page);
  const replies = await page.evaluate(async () => {
    const empty = [await call('ready'), await call('on', 'change'), await call('dispatch', { type: 'step', by: 2 })];
    return {
      empty: empty.map((reply) => reply.result), state: await call('state'), link: await call('link'), wrong: await call('fly'), bad: await call('dispatch', { type: 'fly' }) };
  });
  assert.deepEqual(replies.empty, [null, null, null]);
  assert.equal(replies.state.result.position, 2);
  assert.match(replies.link.result, /^v=1&/);
  assert.match(replies.wrong.error, /fly/);
  assert.match(replies.bad.error, /fly/);
  await page.waitForFunction(() => heard.some((message) => message.event === 'change' && message.detail.position === 2));
  await page.done();
});

test('what one listener does leaves the others, the page and its words alone', async () => {
  const page = await openApp(browser, server.url, { expected: ['listener of mine'] });
  const heard = await page.evaluate(async () => {
    const { attnscope } = window;
    let count = 0;
    attnscope.on('change', () => { throw new Error('listener of mine'); });
    const end = attnscope.on('change', () => {});
    attnscope.on('change', () => { count += 1; });
    end();
    end(); // a second time ends nothing else
    attnscope.dispatch({ type: 'step' });
    while (count === 0) await new Promise(requestAnimationFrame);
    return count;
  });
  assert.equal(heard, 1);
  await settled(page);
  assert.match((await texts(page, '.live'))[0], /\b1\b/);
  assert.deepEqual(page.complaints, ['Error: listener of mine']);
  page.complaints.length = 0;
  await page.done();
});

for (const [what, address] of [['a frame', 'around.html'], ['a sandboxed frame', 'sandboxed.html']]) {
  test(`${what} does not take the focus, a click gives it, and the wheel stays the page’s until then`, async () => {
    const page = await openPage(browser, server.url + address);
    await answered(page);
    assert.equal(await page.evaluate(() => document.activeElement === document.body), true);
    const box = await page.locator('#frame').boundingBox();
    await page.mouse.move(box.x + 300, box.y + 300);
    await page.mouse.wheel(0, 200);
    await page.waitForFunction(() => scrollY > 0);
    await page.evaluate(() => scrollTo(0, 0));
    await page.mouse.click(box.x + 440, box.y + 200);
    await page.keyboard.press('End');
    await page.evaluate(async () => {
      for (let at = {}; at.position !== at.steps || !at.steps;) at = (await call('state')).result;
    });
    // Who goes on writing in the page around it finds the keyboard there.
    await page.click('#field');
    await page.keyboard.type('Home?');
    assert.equal(await page.inputValue('#field'), 'Home?');
    assert.equal(await page.evaluate(async () => { const { result } = await call('state'); return result.position === result.steps; }), true);
    await page.done();
  });
}

test('a finger in a frame moves the page around it until the stage has been chosen', async () => {
  const page = await openPage(browser, server.url + 'around.html', { context: { hasTouch: true } });
  await answered(page);
  const stage = page.frameLocator('#frame').locator('#stage');
  const touchAction = () => stage.evaluate((element) => getComputedStyle(element).touchAction);
  const box = await page.locator('#frame').boundingBox();
  assert.equal(await touchAction(), 'pan-y');
  const fingers = await page.context().newCDPSession(page);
  await fingers.send('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints: [{ x: box.x + 440, y: box.y + 200 }] });
  await fingers.send('Input.dispatchTouchEvent', { type: 'touchCancel', touchPoints: [] }); // as when the browser takes the swipe
  assert.equal(await touchAction(), 'pan-y');
  await page.touchscreen.tap(box.x + 440, box.y + 200);
  await page.frameLocator('#frame').locator('#stage:focus').waitFor();
  assert.equal(await touchAction(), 'none');
  await page.click('#field');
  await page.waitForFunction(() => document.activeElement.id === 'field');
  assert.equal(await touchAction(), 'pan-y');
  await page.done();
});

test('what a sandbox forbids is said in one sentence', async () => {
  const page = await openPage(browser, server.url + 'sandboxed.html', { expected: ['permissions policy'] });
  await answered(page);
  const frame = page.frameLocator('#frame');
  await frame.getByRole('button', { name: 'Copy link', includeHidden: true }).focus();
  await page.keyboard.press('Enter');
  await page.evaluate(async () => { while (!/did not allow copying/.test((await call('state')).result.notice)); });
  await page.done();
});

test('moves in a frame leave the history of the page around it alone', async () => {
  const page = await openPage(browser, server.url + 'here.html');
  await answered(page);
  const before = await page.evaluate(() => history.length);
  for (const stage of ['k', 'v', 'scores']) {
    await page.evaluate((name) => call('dispatch', { type: 'link', link: `v=1&stage=${name}` }), stage);
    await page.waitForURL((url) => url.pathname === '/here.html'); // the page itself stays
    await page.frames()[1].waitForFunction((name) => location.hash.includes(`stage=${name}`), stage);
  }
  await page.evaluate(() => call('dispatch', { type: 'scene', id: 'masks' }));
  await page.frames()[1].waitForFunction(() => location.hash.includes('scene=masks'));
  assert.equal(await page.evaluate(() => history.length), before);
  await page.done();
});

test('the single file works in a sandbox without storage, clipboard or an origin', async () => {
  const page = await openPage(browser, server.url + 'sandboxed.html');
  await answered(page);
  const replies = await page.evaluate(async () => {
    await call('dispatch', { type: 'last' });
    return call('state');
  });
  assert.equal(replies.result.position, replies.result.steps);
  await page.done();
});

test('the site in a sandbox without an origin says what to use instead', async () => {
  const page = await openPage(browser, server.url + 'sandboxed-site.html', { expected: ['CORS', 'net::ERR_FAILED'] });
  const status = page.frameLocator('#frame').locator('#status.problem');
  await status.waitFor();
  assert.match(await status.textContent(), /single file/);
  await page.done();
});

test('coming back from another page finds the same page, awake, and Back goes on from there', async () => {
  const cached = await launch({ ignoreDefaultArgs: ['--disable-back-forward-cache'] });
  const headers = { 'Cache-Control': 'no-cache' }; // with no-store a browser lays no page aside
  const own = await serve(site, { headers, extra: { '/other.html': OTHER } });
  try {
    const page = await openApp(cached, own.url);
    await page.evaluate(() => {
      window.attnscope.dispatch({ type: 'scene', id: 'masks' });
      window.addEventListener('pageshow', ({ persisted }) => { window.persisted = persisted; });
    });
    await settled(page);
    await page.evaluate(() => window.attnscope.dispatch({ type: 'scene', id: '' }));
    await settled(page);
    for (let i = 0; i < 3; ++i) await press(page, 'ArrowRight'); // faster ones share an entry
    const link = await page.evaluate(() => window.attnscope.link());
    await page.waitForFunction((wanted) => location.hash === `#${wanted}`, link);
    await page.goto(own.url + 'other.html');
    await page.evaluate(() => { history.back(); });
    await page.waitForFunction(() => window.persisted === true && document.hasFocus());
    assert.equal((await state(page)).position, 3);
    await press(page, 'ArrowRight');
    assert.equal((await state(page)).position, 4);
    const back = (wanted) => page.evaluate(() => history.back()).then(() => page.waitForFunction((each) => {
      const { scene, position } = window.attnscope.state();
      return scene === each.scene && position === each.position;
    }, wanted));
    for (const position of [3, 2, 1, 0]) await back({ scene: '', position });
    await page.evaluate(() => history.back());
    await page.waitForFunction(() => window.attnscope.state().scene === 'masks');
    await page.done();
  } finally {
    await Promise.all([cached.close(), own.close()]);
  }
});
