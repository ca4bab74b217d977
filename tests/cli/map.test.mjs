// Maps of attention on the terminal: every pixel against the pairs that it stands for, and what is refused.
import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test from 'node:test';
import { numbers, readNpy, readNpz, safetensors } from './array_files.mjs';
import { programIn } from './program.mjs';

const folder = mkdtempSync(join(tmpdir(), 'attnscope-map-'));
test.after(() => rmSync(folder, { recursive: true }));
const { succeeds, fails } = programIn(folder);

// Scores and weights of every pair, by the book.
function pairs({ q, k, d, reads = () => true }) {
  const [T, S] = [q.length / d, k.length / d];
  const scores = Array.from({ length: T }, (_, i) => Array.from({ length: S }, (_, j) => {
    let sum = 0;
    for (let f = 0; f < d; ++f) sum += q[i * d + f] * k[j * d + f];
    return sum / Math.sqrt(d);
  }));
  const weights = scores.map((row, i) => {
    const exps = row.map((score, j) => (reads(i, j) ? Math.exp(score) : 0));
    const sum = exps.reduce((a, b) => a + b);
    return exps.map((each) => each / sum);
  });
  return { score: scores, weight: weights };
}

function pixel(grid, [r0, r1], [c0, c1], reduce) {
  const all = grid.slice(r0, r1).flatMap((row) => row.slice(c0, c1));
  return reduce === 'max' ? Math.max(...all) : all.reduce((a, b) => a + b) / all.length;
}

function checkMap(grid, { rect: [r0, c0, r1, c1], size: [width, height], reduce }, { shape, values }, told) {
  assert.deepEqual(shape, [height, width], told);
  const edge = (from, to, count, n) => from + Math.floor(n * (to - from) / count);
  for (let y = 0; y < height; ++y) {
    for (let x = 0; x < width; ++x) {
      const expected = pixel(grid, [edge(r0, r1, height, y), edge(r0, r1, height, y + 1)], [edge(c0, c1, width, x), edge(c0, c1, width, x + 1)], reduce);
      const off = Math.abs(values[y * width + x] - expected);
      assert.ok(off <= 1e-6 + 1e-5 * Math.abs(expected), `${told}: pixel ${y}, ${x} is off by ${off}`);
    }
  }
}

test('every pixel is the largest or the mean of its pairs, at any rectangle and size', () => {
  succeeds('attend', '--random', '150,24,3', '--out', 'drawn.npz'); // the same q and k
  const { q, k } = readNpz(join(folder, 'drawn.npz'));
  for (const [mask, reads] of [[[], () => true], [['--mask', 'causal'], (i, j) => j <= i], [['--mask', 'causal', '--window', '9'], (i, j) => j <= i && i - j < 9]]) {
    const grids = pairs({ q: q.values, k: k.values, d: 24, reads });
    for (const [rect, size] of [[[0, 0, 150, 150], [150, 150]], [[0, 0, 150, 150], [7, 11]], [[13, 40, 102, 41], [1, 8]], [[149, 0, 150, 150], [50, 1]]]) {
      for (const what of ['score', 'weight']) {
        for (const reduce of ['max', 'mean']) {
          const told = [...mask, rect, size, what, reduce].join(' ');
          assert.equal(succeeds('map', '--random', '150,24,3', ...mask, '--rect', rect.join(), '--size', size.join('x'), '--what', what, '--reduce', reduce, '--out', 'map.npy'), '');
          checkMap(grids[what], { rect, size, reduce }, readNpy(join(folder, 'map.npy')), told);
        }
      }
    }
  }
});

test('without options it is the largest weights of everything, and one head of several is chosen', () => {
  const [T, S, d] = [70, 33, 6];
  const q = numbers(4 * T * d, 1), k = numbers(2 * S * d, 2);
  writeFileSync(join(folder, 'heads.safetensors'), safetensors({ q: { shape: [4, T, d], values: q }, k: { shape: [2, S, d], values: k } }));
  for (const head of [0, 3]) {
    succeeds('map', 'heads.safetensors', '--head', String(head), '--out', 'head.npy');
    const part = (values, rows, n) => values.slice(n * rows * d, (n + 1) * rows * d);
    const grids = pairs({ q: part(q, T, head), k: part(k, S, head >> 1), d });
    checkMap(grids.weight, { rect: [0, 0, T, S], size: [S, T], reduce: 'max' }, readNpy(join(folder, 'head.npy')), `head ${head}`);
  }
});

test('a picture has the size asked for, and what its colours mean is said', () => {
  const picture = (...options) => {
    const said = succeeds('map', '--random', '60,8,1', '--size', '30x20', ...options, '--out', 'map.png');
    const bytes = readFileSync(join(folder, 'map.png'));
    assert.equal(bytes.toString('latin1', 1, 4), 'PNG');
    assert.deepEqual([bytes.readUInt32BE(16), bytes.readUInt32BE(20)], [30, 20]);
    return { said, bytes };
  };
  const weights = picture(), scores = picture('--what', 'score', '--reduce', 'mean'), logarithmic = picture('--color', 'log');
  succeeds('map', '--random', '60,8,1', '--size', '30x20', '--out', 'map.npy');
  const most = Math.max(...readNpy(join(folder, 'map.npy')).values);
  const top = Number(weights.said.match(/^A pixel is the largest weight of 3 × 2 pairs; from 0 \(dark\) to (\S+) \(yellow\)\.\n$/)[1]);
  assert.ok(Math.abs(top - most) <= 1e-3 * most);
  const [, low, high] = scores.said.match(/^A pixel is the mean score of 3 × 2 pairs; from (\S+) \(blue\) to (\S+) \(orange\)\.\n$/);
  assert.equal(Number(low), -Number(high));
  assert.match(logarithmic.said, /and less \(dark\) to \S+ \(yellow\), logarithmic\.\n$/);
  assert.notDeepEqual(weights.bytes, logarithmic.bytes);
});

test('what cannot be drawn is one sentence, and nothing is written', () => {
  const drawn = (...options) => ['map', '--random', '20,4,1', ...options];
  const out = ['--out', 'never.npy'];
  fails(/one file, or --random/, 'map', ...out);
  fails(/--out is missing/, ...drawn());
  fails(/end it in \.png, for a picture, or \.npy/, ...drawn('--out', 'map.jpg'));
  for (const bad of ['0,0,21,20', '0,0,20,21', '5,0,5,20', '0,9,20,3', '0,0,20', '-1,0,20,20', '0,0,20,20,', 'x', ''])
    fails(/write r0,c0,r1,c1: .* within 20 rows and 20 columns/, ...drawn(`--rect=${bad}`, ...out));
  for (const bad of ['21x20', '20x21', '0x1', '4', '4x', 'x4', '4x4x4', '99999999999999999999x1'])
    fails(/write WIDTHxHEIGHT in pixels, at most 20x20/, ...drawn(`--size=${bad}`, ...out));
  fails(/more than 67108864 pixels/, 'map', '--random', '20000,1,1', '--size', '20000x20000', ...out);
  fails(/at most 3x2, the pairs of the rectangle/, ...drawn('--rect', '1,1,3,4', '--size', '4x2', ...out));
  fails(/--reduce max or --reduce mean/, ...drawn('--reduce', 'min', ...out));
  fails(/--what weight or --what score/, ...drawn('--what', 'value', ...out));
  fails(/--color linear or --color log/, ...drawn('--color', 'red', ...out));
  fails(/scores may be negative/, ...drawn('--color', 'log', '--what', 'score', ...out));
  fails(/from 0 to 0/, ...drawn('--head', '1', ...out));
  writeFileSync(join(folder, 'nan.safetensors'), safetensors({ q: { shape: [4, 4], values: Array(16).fill(NaN) }, k: { shape: [4, 4], values: Array(16).fill(1) } }));
  fails(/not finite|no number/, 'map', 'nan.safetensors', ...out);
  assert.ok(!existsSync(join(folder, 'never.npy')));
});
