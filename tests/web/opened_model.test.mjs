// A checkpoint in the shape of GPT-2 that a person opens, run in the page, against what the terminal says of it.
import { strict as assert } from 'node:assert';
import { readFileSync } from 'node:fs';
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { after, before, test } from 'node:test';
import { drop } from './support/arrays.mjs';
import { click, launch, openApp, settled, site, state } from './support/browser.mjs';
import { serving } from './support/server.mjs';

const root = fileURLToPath(new URL('../../', import.meta.url));
const program = process.env.ATTN_CLI ?? `${root}build/desktop/attnscope-cli`;
const file = (name) => `${root}tests/data/checkpoint/${name}`;
const given = (name) => [name, readFileSync(file(name))];
const TEXT = 'Mr. Darcy danced with the';

let browser;
before(async () => { browser = await launch(); });
after(() => browser.close());

const text = (page) => page.evaluate(() => window.attnscope.text());
const set = (page, values) => page.evaluate((each) => window.attnscope.dispatch({ type: 'set', values: each }), values);
const says = (page, words) => page.waitForFunction((each) => window.attnscope.text().includes(each), words);

test('a checkpoint and the files beside it open together, and its page shows tokens and the numbers of the terminal', async () => {
  await serving(site, {}, async (server) => {
    const page = await openApp(browser, server.url);
    await drop(page, ...['vocab.json', 'model.safetensors', 'merges.txt', 'config.json'].map(given));
    await says(page, 'a model in the shape of GPT-2');
    assert.equal((await state(page)).notice, '');
    await click(page, 'Run this model');
    await says(page, 'the model expects');
    assert.equal((await state(page)).set.model, 'opened');
    assert.deepEqual(server.requested.filter((path) => path.startsWith('/data/')), []); // ours is not needed
    await set(page, { text: TEXT, at: '12' });
    await says(page, '“␣the” at position 12');
    const { status, stdout, stderr } = spawnSync(program, ['model', file('model.safetensors'), '--text', TEXT, '--json'], { encoding: 'utf8' });
    assert.equal(status, 0, stderr);
    const { next, loss } = JSON.parse(stdout);
    const shown = await text(page);
    assert.ok(shown.includes(`with probability ${next[0].probability.toFixed(3)}.`), shown.slice(0, 1000));
    assert.ok(shown.includes(`${loss.toFixed(3)} nats per token`));
    await page.done();
  });
});

test('a tokenizer that comes later goes to the checkpoint', async () => {
  await serving(site, {}, async (server) => {
    const page = await openApp(browser, server.url);
    await drop(page, ...['model.safetensors', 'config.json'].map(given));
    await says(page, 'needs vocab.json and merges.txt too');
    await drop(page, given('vocab.json'), given('merges.txt'));
    await page.waitForFunction(() => !window.attnscope.text().includes('needs vocab.json'));
    await settled(page);
    await click(page, 'Run this model');
    await says(page, 'the model expects');
    await page.done();
  });
});
