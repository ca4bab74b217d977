// The module for attention over long sequences, in Node, against double precision; what it refuses, and its memory.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import test from 'node:test';
import { fileURLToPath } from 'node:url';
import { normals, Streaming } from '../support/streaming.mjs';

const built = fileURLToPath(new URL('../../build/web/', import.meta.url));
const start = async () =>
  new Streaming(await createRequire(import.meta.url)(`${built}streaming.js`)({ wasmBinary: readFileSync(`${built}streaming.wasm`) }));

const SHAPE = { T: 70, S: 70, d_k: 16, d_v: 16, heads: 1, key_value_heads: 1 };
const inputsOf = ({ T, S, d_k, d_v, heads, key_value_heads: shared }) => ({
  q: normals(heads * T * d_k, 1), k: normals(shared * S * d_k, 2), v: normals(shared * S * d_v, 3),
});

function prepared(streaming, setup) {
  assert.equal(streaming.begin(setup), null);
  for (const [name, numbers] of Object.entries(inputsOf(setup))) streaming.fill(name, numbers);
  assert.equal(streaming.prepare(), null);
}

function allowed(setup, i, j) {
  const { T, S, causal, bottom_right, window, padding, pattern, pattern_rows: rows = 1, pattern_columns: columns = 1 } = setup;
  const position = i + (bottom_right ? S - T : 0);
  if (causal && j > position) return false;
  if (window && (j <= position - window || (!causal && j >= position + window))) return false;
  if (padding && !padding[j]) return false;
  return !pattern || pattern[Math.floor(i / rows) * Math.ceil(S / columns) + Math.floor(j / columns)] !== 0;
}

// Row i of query head h: its output, largest score and sum, and whether it may read nothing.
function rowOf(setup, { q, k, v }, h, i) {
  const { T, S, d_k, d_v, heads, key_value_heads: shared, bottom_right, softcap, alibi, sink } = setup;
  const g = Math.floor(h * shared / heads);
  const scores = [];
  for (let j = 0; j < S; ++j) {
    let score = 0;
    for (let n = 0; n < d_k; ++n) score += q[(h * T + i) * d_k + n] * k[(g * S + j) * d_k + n];
    score *= setup.scale ?? 1 / Math.sqrt(d_k);
    if (softcap) score = softcap * Math.tanh(score / softcap);
    if (alibi) score -= alibi[h] * Math.abs(i + (bottom_right ? S - T : 0) - j);
    scores.push(allowed(setup, i, j) ? score : -Infinity);
  }
  const max = Math.max(...scores);
  const z = new Float64Array(d_v);
  if (max === -Infinity) return { z, max, sum: 0, none: 1 };
  const powers = scores.map((score) => Math.exp(score - max));
  const sum = powers.reduce((a, b) => a + b, 0);
  const all = sum + (sink ? Math.exp(sink[h] - max) : 0);
  powers.forEach((power, j) => z.forEach((_, n) => { z[n] += power / all * v[(g * S + j) * d_v + n]; }));
  return { z, max, sum, none: 0 };
}

function assertRight(streaming, setup) {
  const { T, d_v, heads } = setup;
  const [z, max, sum, status] = [['z', heads * T * d_v], ['row_max', heads * T], ['row_sum', heads * T],
    ['row_status', heads * T]].map(([name, length]) => streaming.array(name, length));
  const near = (got, want, what) => assert.ok(got === want || Math.abs(got - want) <= 5e-6 * Math.max(1, Math.abs(want)),
    `${what}: ${got}, not ${want}`);
  const inputs = inputsOf(setup);
  for (let h = 0; h < heads; ++h) {
    for (let i = 0; i < T; ++i) {
      const row = rowOf(setup, inputs, h, i);
      row.z.forEach((want, n) => near(z[(h * T + i) * d_v + n], want, `z[${h}][${i}][${n}]`));
      near(max[h * T + i], row.max, `row_max[${h}][${i}]`);
      near(sum[h * T + i], row.sum, `row_sum[${h}][${i}]`);
      assert.equal(status[h * T + i], row.none);
    }
  }
}

for (const [name, rules] of Object.entries({
  'one token': { T: 1, S: 1 },
  'everything read': { T: 150, S: 150, d_k: 64, d_v: 64 },
  'odd widths and other sources': { T: 33, S: 301, d_k: 7, d_v: 13 },
  'causal': { T: 300, S: 300, causal: true },
  'causal to the end, in a window': { T: 40, S: 130, causal: true, bottom_right: true, window: 9 },
  'shared heads with slopes and sinks': { heads: 4, key_value_heads: 2, alibi: [0.5, 0.25, 0.125, 0], sink: [0, 1, -2, 3] },
  'padding, scale and cap': { padding: Array.from({ length: 70 }, (_, j) => j % 5 ? 1 : 0), scale: 0.7, softcap: 3 },
  'a pattern that leaves rows nothing': {
    pattern: Array.from({ length: 5 * 7 }, (_, n) => n < 7 || n % 3 ? 0 : 1), pattern_rows: 16, pattern_columns: 10,
  },
})) {
  test(`Numbers are right: ${name}`, async () => {
    const streaming = await start(), setup = { ...SHAPE, ...rules };
    prepared(streaming, setup);
    streaming.compute();
    assertRight(streaming, setup);
  });
}

test('Blocks may be computed in any order, and progress tells of them', async () => {
  const streaming = await start(), setup = { ...SHAPE, T: 1500, S: 64, heads: 2, causal: true };
  prepared(streaming, setup);
  assert.ok(streaming.blocks > 4);
  assert.ok(Number.isNaN(streaming.module._streaming_seconds_left()));
  for (let n = streaming.blocks - 1; n >= 0; n -= 2) streaming.compute(n, n + 1);
  const half = streaming.module._streaming_rows_done();
  assert.ok(half > 0 && half < 3000, `${half} rows`);
  assert.ok(streaming.module._streaming_seconds_left() >= 0);
  for (let n = streaming.blocks - 2; n >= 0; n -= 2) streaming.compute(n, n + 1);
  assert.equal(streaming.module._streaming_rows_done(), 3000);
  assert.equal(streaming.module._streaming_seconds_left(), 0);
  assertRight(streaming, setup);
});

test('What cannot be computed is refused in a sentence', async () => {
  const streaming = await start();
  for (const [change, sentence] of [
    [{ T: 0 }, /^tokens: /], [{ T: 1.5 }, /^tokens: /], [{ S: NaN }, /^sources: /], [{ d_k: 257 }, /^d_k: 257 numbers per head/],
    [{ heads: 3, key_value_heads: 2 }, /cannot share/], [{ window: 0 }, /^mask\.window: /], [{ scale: Infinity }, /^scale: /],
    [{ softcap: -1 }, /^softcap: /],
  ]) assert.match(streaming.begin({ ...SHAPE, ...change }) ?? '', sentence, JSON.stringify(change));
  prepared(streaming, SHAPE);
  streaming.begin({ ...SHAPE, alibi: [NaN] });
  assert.match(streaming.prepare() ?? '', /^alibi\[0\]: /);
});

test('Too much memory is refused in a sentence, and nothing of it is kept', async () => {
  const streaming = await start(), before = streaming.memory;
  for (const T of [2 ** 24, 2 ** 30, 2 ** 31 + 5])
    assert.match(streaming.begin({ ...SHAPE, T, S: T, d_k: 256, d_v: 256 }) ?? '', /^There is no memory left for \d/);
  assert.equal(streaming.memory, before);
  prepared(streaming, SHAPE);
});

test('Memory beyond 2 GB is within reach', async () => {
  const streaming = await start(), T = 1_800_000, d = 256;
  assert.equal(streaming.begin({ ...SHAPE, T, S: 2, d_k: d, d_v: d }), null);
  streaming.fill('v', new Float32Array(2 * d).fill(3));
  assert.equal(streaming.prepare(), null);
  streaming.compute(streaming.blocks - 1, streaming.blocks);
  assert.ok(streaming.memory > 2 ** 31 + 2 ** 30);
  assert.deepEqual([...streaming.array('z', T * d).subarray(-2)], [3, 3]);
  assert.ok(Math.abs(streaming.array('row_sum', T).at(-1) - 2) < 1e-6);
});

test('A second computation needs no more memory than the first', async () => {
  const streaming = await start(), setup = { ...SHAPE, T: 20000, S: 20000, d_k: 64, d_v: 64, causal: true, window: 8 };
  const bytes = [];
  for (let time = 0; time < 3; ++time) {
    prepared(streaming, setup);
    streaming.compute(0, 2);
    bytes.push(streaming.memory);
    streaming.end();
  }
  assert.deepEqual(bytes, [bytes[0], bytes[0], bytes[0]]);
  assert.ok(bytes[0] < 20000 * 64 * 4 * 6 * 1.1 + 2 ** 23, `${bytes[0]} bytes`);
});
