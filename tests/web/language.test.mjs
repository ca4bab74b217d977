// The page in another language: who gets it, how it is chosen, and that nothing of it stays English.
import { strict as assert } from 'node:assert';
import { after, before, test } from 'node:test';
import { readFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import { click, launch, openApp, openPage, press, rectOf, settled, singleFile, site, state } from './support/browser.mjs';
import { serving } from './support/server.mjs';

let browser;
before(async () => { browser = await launch(); });
after(() => browser.close());

const german = { context: { locale: 'de-DE' } };
const languageOf = (page) => page.evaluate(() => document.documentElement.lang);
const tables = (server) => server.requested.filter((path) => path.startsWith('/language/'));

// Everything that the page says to who cannot see it.
const said = (page) => page.evaluate(() => {
  const texts = [document.getElementById('status').textContent];
  for (const each of document.querySelectorAll('#mirror, #mirror *')) {
    for (const name of ['aria-label', 'aria-description', 'aria-roledescription', 'aria-valuetext', 'title', 'placeholder']) texts.push(each.getAttribute(name) ?? '');
    for (const node of each.childNodes) if (node.nodeType === Node.TEXT_NODE) texts.push(node.data);
  }
  return texts.filter(Boolean);
});

// Words that only an English sentence has; the tokens of examples stand in quotes.
const english = (texts) => texts.filter((text) => / (of|and|is|are|with|which|than|from) /.test(text.replace(/„[^“]*“|`[^`]*`/g, '')));

test('who reads German gets German, and nobody else fetches its table', async () => {
  await serving(site, {}, async (server) => {
    const page = await openApp(browser, server.url, german);
    assert.equal(await languageOf(page), 'de');
    await rectOf(page, 'Nächster Schritt');
    assert.equal(tables(server).length, 1);
    await page.done();
  });
  await serving(site, {}, async (server) => {
    const page = await openApp(browser, server.url);
    assert.equal(await languageOf(page), 'en');
    await rectOf(page, 'Next step');
    assert.deepEqual(tables(server), []);
    await page.done();
  });
});

test('the address decides before the browser does', async () => {
  await serving(site, {}, async (server) => {
    const page = await openApp(browser, `${server.url}?lang=en#v=1&stage=z`, german);
    assert.deepEqual([await languageOf(page), (await state(page)).stage], ['en', 'z']);
    await page.goto(`${server.url}?lang=de#v=1&stage=z`);
    await settled(page);
    assert.deepEqual([await languageOf(page), (await state(page)).stage], ['de', 'z']);
    await page.done();
  });
});

test('a language that is chosen comes at once, with the moment as it was, and is there on the next visit', async () => {
  await serving(site, {}, async (server) => {
    const page = await openApp(browser, `${server.url}?lang=en#v=1&stage=weights`);
    await click(page, 'Settings');
    await click(page, 'Deutsch');
    await page.waitForFunction(() => document.documentElement.lang === 'de' && window.attnscope);
    await settled(page);
    assert.equal((await state(page)).stage, 'weights');
    await page.goto('about:blank');
    await page.goto(server.url);
    await settled(page);
    assert.equal(await languageOf(page), 'de');
    await page.done();
  });
});

test('without its table the page is English, and says so', async () => {
  // A “not found” page, as it should be and as some hosts send it.
  const name = '/language/de.json';
  for (const options of [{ missing: new Set([name]) }, { extra: { [name]: '<!doctype html><title>Not found</title>' } }]) {
    await serving(site, options, async (server) => {
      const page = await openApp(browser, server.url, { ...german, expected: ['404'] });
      assert.equal(await languageOf(page), 'en');
      await page.waitForFunction(() => window.attnscope.state().notice.includes('could not be fetched, so the page is in English'));
      await page.done();
    });
  }
});

test('the single file has its languages in it', async () => {
  const page = await openApp(browser, `${pathToFileURL(singleFile)}?lang=de#v=1`);
  assert.equal(await languageOf(page), 'de');
  await rectOf(page, 'Nächster Schritt');
  await page.evaluate(() => window.attnscope.dispatch({ type: 'scene', id: 'masks' }));
  await page.waitForFunction(() => window.attnscope.text().includes('gesperrt'));
  await page.done();
});

test('nothing on the stage or in a sheet is English', async () => {
  await serving(site, {}, async (server) => {
    const page = await openApp(browser, server.url, german);
    for (const each of ['v=1&stage=weights', 'v=1&ex=cat-sat-down&order=stage&stage=z&mask=causal']) {
      await page.evaluate((link) => { location.hash = link; }, each);
      await settled(page);
      assert.deepEqual(english(await said(page)), [], each);
    }
    for (const sheet of ['Einstellungen', 'Hilfe', 'Bearbeiten', 'Exportieren', 'Link erstellen']) {
      await click(page, sheet);
      assert.deepEqual(english(await said(page)), [], sheet);
      await press(page, 'Escape');
    }
    await page.done();
  });
});

test('nothing of a scene, computed beside the page, is English', async () => {
  const { scenes } = JSON.parse(readFileSync(new URL('../../src/lesson/catalogue.json', import.meta.url)));
  await serving(site, {}, async (server) => {
    const page = await openApp(browser, server.url, german);
    for (const { id } of scenes.filter((each) => each.id !== 'walkthrough')) {
      await page.evaluate((each) => window.attnscope.dispatch({ type: 'scene', id: each }), id);
      await settled(page);
      assert.deepEqual(english(await said(page)).filter((text) => !/ \(\d{4}\), |documentation/.test(text)), [], id);
    }
    await page.done();
  });
});

test('data that leaves the page has a point in its numbers in every language', async () => {
  await serving(site, {}, async (server) => {
    const exported = async (language) => {
      const page = await openPage(browser, `${server.url}?lang=${language}#v=1&ex=cat-sat-down&stage=weights`);
      await settled(page);
      const trace = await page.evaluate(() => window.attnscope.trace());
      await page.done();
      return JSON.stringify(trace);
    };
    assert.equal(await exported('de'), await exported('en'));
  });
});
