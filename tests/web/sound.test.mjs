// A row of weights as a sound in the browser: only when it is switched on, of the right length and pitch, stopped by a
// second press, and a sentence where there is no loudspeaker. What sounds is seen by a class in the place of AudioContext.
import { strict as assert } from 'node:assert';
import { after, before, test } from 'node:test';
import { click, launch, openApp, press, settled, site, state, trace } from './support/browser.mjs';
import { manyHeads } from './support/documents.mjs';
import { serve } from './support/server.mjs';

let browser, server;
before(async () => { [browser, server] = await Promise.all([launch(), serve(site)]); });
after(() => Promise.all([browser.close(), server.close()]));

// window.heard: of each context what it was given, when it began and what became of it.
const listen = (page) => page.addInitScript(() => {
  window.heard = [];
  window.AudioContext = class extends AudioContext {
    constructor(...options) {
      super(...options);
      window.heard.push(this);
    }
    async decodeAudioData(...given) {
      this.given = await super.decodeAudioData(...given);
      return this.given;
    }
  };
  window.AudioBufferSourceNode = class extends AudioBufferSourceNode {
    start(...when) {
      super.start(...when);
      this.context.sounding = this.buffer;
    }
  };
});

const switchOn = async (page) => {
  await click(page, 'Settings');
  await click(page, 'Sound of a row');
  await page.focus('#stage');
  await press(page, 'Escape', 'End');
};

const count = (page) => page.evaluate(() => window.heard.length);
const sounding = (page, n) => page.waitForFunction((at) => window.heard[at]?.sounding, n);
const closed = (page, n) => page.waitForFunction((at) => window.heard[at].state === 'closed', n);

test('nothing sounds, and no sound is prepared, while the setting is off', async () => {
  const page = await openApp(browser, server.url, { prepare: listen });
  await page.focus('#stage');
  await press(page, 'End', 'h');
  assert.equal(await count(page), 0);
  assert.ok(!(await page.evaluate(() => window.attnscope.layout())).some(({ label }) => label.startsWith('Hear')));
  await page.done();
});

test('H plays one tone for each source, as high as its weight, and holds no loudspeaker afterwards', async () => {
  const page = await openApp(browser, server.url, { prepare: listen });
  await switchOn(page);
  assert.equal(await count(page), 0, 'the setting alone plays nothing');
  await press(page, 'h');
  await sounding(page, 0);
  const { seconds, channels, pitches } = await page.evaluate(() => {
    const buffer = window.heard[0].sounding;
    const samples = buffer.getChannelData(0);
    const length = samples.length / 3;
    const pitchOf = (tone) => tone.slice(1).filter((each, i) => (each < 0) !== (tone[i] < 0)).length / 2 / (buffer.duration / 3);
    return {
      seconds: buffer.duration,
      channels: buffer.numberOfChannels,
      pitches: [0, 1, 2].map((n) => pitchOf([...samples.slice(Math.round(n * length), Math.round((n + 1) * length))])),
    };
  });
  assert.ok(Math.abs(seconds - 0.75) < 0.01, `${seconds} s`);
  assert.equal(channels, 2);
  const weights = (await trace(page)).heads[0].weights[2];
  weights.forEach((weight, n) => assert.ok(Math.abs(pitches[n] - 220 * 8 ** weight) < 8, `${pitches[n]} Hz for ${weight}`));
  await closed(page, 0);
  await page.done();
});

test('the button plays too, and a second press stops what sounds', async () => {
  const page = await openApp(browser, server.url, { prepare: listen });
  await page.evaluate((json) => window.attnscope.open(json, 'long.json'), manyHeads()); // sounds for four seconds
  await switchOn(page);
  await page.focus('[data-control="explain/hear"]'); // as by a screen reader: it may be scrolled out of sight
  await press(page, 'Enter');
  await sounding(page, 0);
  await press(page, 'Enter');
  await closed(page, 0);
  const [at, whole] = await page.evaluate(() => [window.heard[0].currentTime, window.heard[0].sounding.duration]);
  assert.ok(whole > 3.9 && at < whole, `stopped at ${at} of ${whole} s`);
  assert.equal(await count(page), 1);
  await press(page, 'Enter');
  await sounding(page, 1);
  await page.done();
});

test('a sound ends with its moment, and the next press plays the row of the next one', async () => {
  const page = await openApp(browser, server.url, { prepare: listen });
  await page.evaluate((json) => window.attnscope.open(json, 'long.json'), manyHeads());
  await switchOn(page);
  const ends = async (n, ...keys) => {
    await press(page, 'h');
    await sounding(page, n);
    await press(page, ...keys);
    await closed(page, n);
    const [at, whole] = await page.evaluate((one) => [window.heard[one].currentTime, window.heard[one].sounding.duration], n);
    assert.ok(at < whole, `stopped at ${at} of ${whole} s`);
  };
  await ends(0, 'ArrowUp');
  await ends(1, 'Escape');
  await press(page, 'h');
  await sounding(page, 2);
  await click(page, 'Settings');
  await click(page, 'Sound of a row');
  await closed(page, 2);
  assert.equal(await count(page), 3);
  await page.done();
});

test('the setting is kept for the next visit, not in the link', async () => {
  const page = await openApp(browser, server.url, { prepare: listen });
  await switchOn(page);
  assert.ok(!(await page.evaluate(() => window.attnscope.link())).includes('sound'));
  await page.reload();
  await settled(page);
  await page.focus('#stage');
  await press(page, 'End', 'h');
  await sounding(page, 0);
  await page.done();
});

for (const [what, prepare] of [
  ['without Web Audio', (page) => page.addInitScript(() => { delete window.AudioContext; })],
  ['without a loudspeaker', (page) => page.addInitScript(() => { AudioContext.prototype.resume = () => new Promise(() => {}); })],
]) {
  test(`a browser ${what} says so in one sentence`, async () => {
    const page = await openApp(browser, server.url, { prepare });
    await switchOn(page);
    await press(page, 'h');
    await page.waitForFunction(() => window.attnscope.state().notice !== '');
    assert.equal((await state(page)).notice, 'This browser plays no sound here; Export gives the row as a file.');
    await page.done();
  });
}
