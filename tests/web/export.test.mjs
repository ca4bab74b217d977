// Files that the page gives away: opened again, they hold the numbers of the page bit for bit.
import { strict as assert } from 'node:assert';
import { readFile } from 'node:fs/promises';
import { after, before, test } from 'node:test';
import { inflateRawSync } from 'node:zlib';
import { click, launch, openApp, press, settled, singleFile, site } from './support/browser.mjs';
import { serve } from './support/server.mjs';

let browser, server;
before(async () => { [browser, server] = await Promise.all([launch(), serve(site)]); });
after(() => Promise.all([browser.close(), server.close()]));

const context = { permissions: ['clipboard-read', 'clipboard-write'] };

async function openExports(url, options = {}) {
  const page = await openApp(browser, url, { context, ...options });
  await click(page, 'Export');
  await page.waitForSelector('#mirror [data-control="export/save"]', { state: 'attached' });
  return page;
}

// Presses a control by its id, as assistive technology does.
async function work(page, id) {
  await page.evaluate((control) => document.querySelector(`#mirror [data-control="${control}"]`).click(), id);
  await settled(page);
}

async function saved(page, id = 'export/save') {
  const [download] = await Promise.all([page.waitForEvent('download'), work(page, id)]);
  return { name: download.suggestedFilename(), bytes: await readFile(await download.path()) };
}

const choose = async (page, ...ids) => { for (const id of ids) await work(page, `export/${id}`); };

// {shape, numbers} of a .npy of float64 numbers.
function npy(bytes) {
  assert.equal(bytes.subarray(1, 6).toString('latin1'), 'NUMPY');
  const start = 10 + bytes.readUInt16LE(8);
  const header = bytes.subarray(10, start).toString('latin1');
  assert.match(header, /'descr': '<f8', 'fortran_order': False/);
  const shape = header.match(/'shape': \(([^)]*)\)/)[1].split(',').filter((n) => n.trim()).map(Number);
  const data = bytes.subarray(start);
  return { shape, numbers: Array.from({ length: data.length / 8 }, (_, n) => data.readDoubleLE(8 * n)) };
}

// {name: bytes} of a ZIP archive, by its directory.
function unzipped(bytes) {
  const end = bytes.lastIndexOf(Buffer.from([0x50, 0x4b, 5, 6]));
  const members = {};
  let at = bytes.readUInt32LE(end + 16);
  for (let n = bytes.readUInt16LE(end + 10); n > 0; --n) {
    const [method, size, length, extra, comment] = [10, 20, 28, 30, 32].map((place) => place === 20 ? bytes.readUInt32LE(at + 20) : bytes.readUInt16LE(at + place));
    const local = bytes.readUInt32LE(at + 42);
    const data = local + 30 + bytes.readUInt16LE(local + 26) + bytes.readUInt16LE(local + 28);
    const raw = bytes.subarray(data, data + size);
    members[bytes.subarray(at + 46, at + 46 + length).toString()] = method === 8 ? inflateRawSync(raw) : raw;
    at += 46 + length + extra + comment;
  }
  return members;
}

const flat = (rows) => rows.flat(9).map((value) => (value === '-inf' ? -Infinity : value));
const trace = (page) => page.evaluate(() => window.attnscope.trace());

test('an archive opened again holds every number of the page bit for bit, and its tokens', async () => {
  const page = await openExports(`${server.url}#v=1&ex=cat-sat-down&mask=causal`);
  await choose(page, 'kind/whole', 'format/npz');
  const { name, bytes } = await saved(page);
  assert.match(name, /^The-cat-sat-down\.npz$/);
  const members = unzipped(bytes), now = await trace(page);
  for (const [array, rows] of Object.entries({ weights: now.heads[0].weights, masked: now.heads[0].masked, z: now.heads[0].z, y: now.y })) {
    const found = npy(members[`${array}.npy`]);
    assert.deepEqual(found.shape, [rows.length, rows[0].length], array);
    assert.ok(found.numbers.every((value, n) => Object.is(value, flat(rows)[n])), array);
  }
  assert.ok(members['tokens.npy'].toString('latin1').includes("'descr': '<U"));
  await page.done();
});

test('one array is saved as bytes, as text and as a picture, each with its own ending and content', async () => {
  const page = await openExports(`${server.url}#v=1&ex=cat-sat-down`);
  const weights = flat((await trace(page)).heads[0].weights);
  await choose(page, 'what/weights', 'format/npy');
  const binary = await saved(page);
  assert.ok(npy(binary.bytes).numbers.every((value, n) => Object.is(value, weights[n])));
  await choose(page, 'format/csv');
  const csv = await saved(page);
  assert.match(csv.name, /-weights\.csv$/);
  const cells = csv.bytes.toString().split('\r\n').slice(1, 5).flatMap((line) => line.split(',').slice(1).map(Number));
  assert.deepEqual(cells, weights);
  await choose(page, 'format/json');
  assert.deepEqual(flat(JSON.parse((await saved(page)).bytes.toString())), weights);
  for (const [format, pattern] of [['tsv', /\t/], ['md', /\|---\|/], ['tex', /^\\begin\{tabular\}/], ['svg', /^<svg [\s\S]*<\/svg>\n$/]]) {
    await choose(page, `format/${format}`);
    assert.match((await saved(page)).bytes.toString(), pattern, format);
  }
  await page.done();
});

test('everything is saved as .safetensors and as programs', async () => {
  const page = await openExports(server.url);
  await choose(page, 'kind/whole', 'format/safetensors');
  const { bytes } = await saved(page);
  const length = Number(bytes.readBigUInt64LE(0)), header = JSON.parse(bytes.subarray(8, 8 + length).toString());
  const { data_offsets: [from, to], dtype } = header.weights;
  const data = bytes.subarray(8 + length + from, 8 + length + to);
  assert.equal(dtype, 'F64');
  assert.ok(flat((await trace(page)).heads[0].weights).every((value, n) => Object.is(value, data.readDoubleLE(8 * n))));
  for (const [format, pattern] of [['py', /^import math$/m], ['numpy', /^import numpy as np$/m], ['torch', /^import torch$/m]]) {
    await choose(page, `format/${format}`);
    const code = (await saved(page)).bytes.toString();
    assert.match(code, pattern);
    assert.match(code, /def softmax|print\(/);
  }
  await page.done();
});

test('pixels are as many as the picture says, times the chosen size', async () => {
  const page = await openExports(server.url);
  await choose(page, 'what/weights', 'format/svg', 'colours/dark');
  const [, width, height] = (await saved(page)).bytes.toString().match(/width="([\d.]+)" height="([\d.]+)"/).map(Number);
  for (const size of [1, 2, 4]) {
    await choose(page, 'format/png', `size/${size}`);
    const { name, bytes } = await saved(page);
    assert.match(name, /\.png$/);
    assert.equal(bytes.subarray(0, 8).toString('latin1'), '\x89PNG\r\n\x1a\n');
    assert.ok(Math.abs(bytes.readUInt32BE(16) - width * size) <= size, `${bytes.readUInt32BE(16)} for ${width} × ${size}`);
    assert.ok(Math.abs(bytes.readUInt32BE(20) - height * size) <= size);
    assert.ok(bytes.length > 2000, 'the picture is empty');
  }
  await page.done();
});

test('the keyboard alone opens the panel, and what is text is copied as it is saved', async () => {
  const page = await openApp(browser, server.url, { context });
  await page.evaluate(() => document.getElementById('stage').focus());
  await press(page, 'x');
  await page.waitForSelector('#mirror [data-control="export/copy"]', { state: 'attached' });
  const text = (await saved(page)).bytes.toString();
  await page.evaluate(() => document.querySelector('[data-control="export/copy"]').focus());
  await press(page, 'Enter');
  const lines = (all) => all.split(/\r?\n/); // some systems end lines anew
  let copied = [];
  for (let i = 0; i < 100 && String(copied) !== String(lines(text)); ++i) copied = lines(await page.evaluate(() => navigator.clipboard.readText()));
  assert.deepEqual(copied, lines(text));
  await page.done();
});

test('a figure of a scene is saved as it is drawn', async () => {
  const page = await openApp(browser, `${server.url}#v=1&scene=softmax`, { context });
  await click(page, 'Export');
  await page.waitForSelector('#mirror [data-control^="export/figure/"]', { state: 'attached' });
  const id = await page.evaluate(() => document.querySelector('#mirror [data-control^="export/figure/"]').dataset.control);
  const { name, bytes } = await saved(page, id);
  assert.match(name, /^softmax-\d+\.svg$/);
  const svg = bytes.toString();
  assert.match(svg, /^<svg [\s\S]*<\/svg>\n$/);
  assert.ok((svg.match(/<text/g) ?? []).length > 3);
  await page.done();
});

test('the single file saves pixels too, under its own policy', async () => {
  const page = await openExports(`file://${singleFile}`);
  await choose(page, 'format/png', 'size/1');
  assert.equal((await saved(page)).bytes.subarray(1, 4).toString(), 'PNG');
  await page.done();
});
