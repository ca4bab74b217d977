// Editing in the browser: by the keyboard alone, by a link, by the page's API, and what is fetched for it.
import { strict as assert } from 'node:assert';
import { after, before, test } from 'node:test';
import { click, launch, openApp, openPage, press, settled, site, state } from './support/browser.mjs';
import { serve } from './support/server.mjs';

let browser, server;
before(async () => { [browser, server] = await Promise.all([launch(), serve(site)]); });
after(() => Promise.all([browser.close(), server.close()]));

const edits = async (page) => (await state(page)).edits;
const trace = (page) => page.evaluate(() => window.attnscope.trace());
const focused = (page) => page.evaluate(() => document.activeElement.dataset.control || document.activeElement.id);

test('Enter goes into a matrix, Enter again into the field of the cell, and what is typed takes effect', async () => {
  const page = await openApp(browser, `${server.url}#v=1&ex=cat-sat-down&stage=weights`);
  await page.evaluate(() => document.getElementById('stage').focus());
  await press(page, 'Enter');
  await press(page, 'ArrowRight');
  await press(page, 'Enter');
  await page.waitForFunction(() => document.activeElement.dataset.control === 'lab/value');
  await page.keyboard.press('Control+a');
  await page.keyboard.type('1/2');
  await press(page, 'Enter');
  assert.deepEqual(await edits(page), ['weights[3][1]=1/2']);
  assert.equal((await trace(page)).heads[0].weights[3][1], 0.5);
  assert.match(await page.locator('#mirror').textContent(), /weights\[down\]\[cat\] := 1\/2/);
  await page.waitForFunction(() => document.activeElement.id === 'stage'); // on to the next cell, or back
  await press(page, 'Control+z');
  assert.deepEqual(await edits(page), []);
  await page.done();
});

test('what edits is fetched when it is first opened, not before', async () => {
  const asked = [];
  const page = await openPage(browser, `${server.url}#v=1&edits=v%5B1%5D%3D0%2C0&show=difference`, {
    prepare: (page) => page.on('request', (request) => asked.push(new URL(request.url()).pathname)),
  });
  await settled(page);
  assert.deepEqual(await edits(page), ['v[1]=0,0']);
  assert.equal((await state(page)).show, 'difference');
  const before = asked.length;
  await click(page, 'Edit');
  await page.waitForFunction(() => window.attnscope.layout().some((each) => each.label === 'Remove all'));
  assert.equal(asked.length, before + 1, asked.join(' '));
  await page.done();
});

test('an edit through the API is undone by Ctrl+Z, and a bad one is thrown as one sentence', async () => {
  const page = await openApp(browser, server.url);
  await page.evaluate(() => window.attnscope.dispatch({ type: 'edit', edit: 'forbid=2,1' }));
  assert.deepEqual((await trace(page)).heads[0].weights[2].map((weight) => Math.round(weight * 3)), [1, 0, 2]);
  const thrown = await page.evaluate(() => {
    try {
      window.attnscope.dispatch({ type: 'edit', edit: 'v[9]=0,0' });
      return '';
    } catch (error) {
      return error.message;
    }
  });
  assert.match(thrown, /v has no row 9/);
  await page.evaluate(() => document.getElementById('stage').focus());
  await press(page, 'Control+z');
  assert.deepEqual(await edits(page), []);
  await page.done();
});

test('Tab reaches the list of edits and its buttons, and Enter removes one', async () => {
  const page = await openApp(browser, `${server.url}#v=1&edits=v%5B1%5D%3D0%2C0%3Bscale%3D1`);
  await page.evaluate(() => document.getElementById('stage').focus());
  await press(page, 'e');
  await page.waitForFunction(() => [...document.querySelectorAll('#mirror *')].some((each) => each.dataset.control === 'lab/edit/1'));
  await page.evaluate(() => document.querySelector('[data-control="lab/edit/0"]').focus());
  await press(page, 'Tab');
  assert.equal(await focused(page), 'lab/edit/1');
  await press(page, 'Enter');
  assert.deepEqual(await edits(page), ['v[1]=0,0']);
  await page.done();
});
