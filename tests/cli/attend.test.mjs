// Attention over long sequences on the terminal: what it writes, against attention by the book.
import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test from 'node:test';
import { npy, numbers, readNpz, safetensors } from './array_files.mjs';
import { programIn } from './program.mjs';

const folder = mkdtempSync(join(tmpdir(), 'attnscope-attend-'));
test.after(() => rmSync(folder, { recursive: true }));
const { succeeds, fails } = programIn(folder);

// Of one head, in double precision: each row's output, largest score and sum.
function byTheBook({ q, k, v, d, dv = d, reads = () => true }) {
  const [T, S] = [q.length / d, k.length / d];
  return Array.from({ length: T }, (_, i) => {
    const sources = Array.from({ length: S }, (_, j) => j).filter((j) => reads(i, j));
    const scores = sources.map((j) => {
      let sum = 0;
      for (let f = 0; f < d; ++f) sum += q[i * d + f] * k[j * d + f];
      return sum / Math.sqrt(d);
    });
    const max = Math.max(...scores);
    const exps = scores.map((score) => Math.exp(score - max));
    const sum = exps.reduce((a, b) => a + b);
    const output = Array.from({ length: dv }, (_, f) => sources.reduce((total, j, n) => total + exps[n] / sum * v[j * dv + f], 0));
    return { output, max, sum };
  });
}

function checkHead(rows, o, rowMax, rowSum) {
  rows.forEach(({ output, max, sum }, i) => {
    output.forEach((number, f) => assert.ok(Math.abs(number - o[i * output.length + f]) <= 5e-6, `row ${i}, feature ${f}`));
    assert.ok(Math.abs(max - rowMax[i]) <= 5e-6, `row ${i}: largest`);
    assert.ok(Math.abs(sum - rowSum[i]) <= 2e-6 * sum, `row ${i}: sum`);
  });
}

test('numbers of a seed are written with what is computed of them, under each mask', () => {
  for (const [options, reads] of [[[], () => true], [['--mask', 'causal'], (i, j) => j <= i],
    [['--mask', 'causal', '--window', '20'], (i, j) => j <= i && i - j < 20], [['--window=7'], (i, j) => Math.abs(i - j) < 7]]) {
    succeeds('attend', '--random', '333,24,5', ...options, '--out', 'drawn.npz');
    const { q, k, v, o, row_max, row_sum } = readNpz(join(folder, 'drawn.npz'));
    for (const each of [q, k, v, o]) assert.deepEqual(each.shape, [333, 24]);
    for (const each of [row_max, row_sum]) assert.deepEqual(each.shape, [333]);
    const variance = q.values.reduce((sum, number) => sum + number * number, 0) / q.values.length;
    assert.ok(Math.abs(variance - 1) < 0.05, String(variance));
    assert.notDeepEqual(q.values, k.values);
    checkHead(byTheBook({ q: q.values, k: k.values, v: v.values, d: 24, reads }), o.values, row_max.values, row_sum.values);
  }
});

test('the same seed draws the same numbers, another seed others', () => {
  const drawn = (seed) => {
    succeeds('attend', '--random', `40,8,${seed}`, '--out', 'seed.npz');
    return readNpz(join(folder, 'seed.npz'));
  };
  assert.deepEqual(drawn(1), drawn(1));
  assert.notDeepEqual(drawn(1).q, drawn(2).q);
});

test('heads of a file, fewer of keys and values, of another length and width, and a batch of one', () => {
  const [T, S, d, dv] = [130, 77, 10, 6];
  const arrays = { Q: { shape: [1, 4, T, d], values: numbers(4 * T * d, 1) }, K: { shape: [1, 2, S, d], values: numbers(2 * S * d, 2) },
    V: { shape: [1, 2, S, dv], values: numbers(2 * S * dv, 3) } };
  writeFileSync(join(folder, 'heads.safetensors'), safetensors(arrays));
  succeeds('attend', 'heads.safetensors', '--out', 'heads.npz');
  const written = readNpz(join(folder, 'heads.npz'));
  assert.deepEqual(Object.keys(written), ['o', 'row_max', 'row_sum']);
  assert.deepEqual(written.o.shape, [1, 4, T, dv]);
  assert.deepEqual(written.row_max.shape, [1, 4, T]);
  const part = (values, width, rows, n) => values.slice(n * rows * width, (n + 1) * rows * width);
  for (let head = 0; head < 4; ++head) {
    const shared = head >> 1;
    checkHead(byTheBook({ q: part(arrays.Q.values, d, T, head), k: part(arrays.K.values, d, S, shared), v: part(arrays.V.values, dv, S, shared), d, dv }),
      part(written.o.values, dv, T, head), part(written.row_max.values, 1, T, head), part(written.row_sum.values, 1, T, head));
  }
});

test('what cannot be computed is one sentence, and nothing is written', () => {
  writeFileSync(join(folder, 'one.npy'), npy([4, 4], numbers(16, 1)));
  const square = (seed, shape = [4, 4]) => ({ shape, values: numbers(shape.reduce((a, b) => a * b), seed) });
  writeFileSync(join(folder, 'misfit.safetensors'), safetensors({ q: square(1), k: square(2, [4, 5]), v: square(3), wide: square(4, [2, 300]),
    three: square(5, [3, 4, 4]), four: square(6, [4, 4, 4]), many: square(7, [2, 2, 4, 4]), empty: { shape: [0, 4], values: [] } }));
  const out = ['--out', 'never.npz'];
  fails(/one file, or --random/, 'attend', ...out);
  fails(/one file, or --random/, 'attend', 'one.npy', '--random', '4,4,1', ...out);
  fails(/--out is missing/, 'attend', '--random', '4,4,1');
  for (const bad of ['4,4', '0,4,1', '4,0,1', '4,257,1', '4,4,x', '4,4,1,1', '-4,4,1']) fails(/write T,d,seed/, 'attend', `--random=${bad}`, ...out);
  fails(/no memory/, 'attend', '--random', '99999999999,256,1', ...out);
  fails(/no memory/, 'attend', '--random', '18446744073709551615,256,1', ...out);
  fails(/--k names an array of a file/, 'attend', '--random', '4,4,1', '--k', 'k', ...out);
  fails(/name it with --q/, 'attend', 'one.npy', ...out);
  fails(/has no array nope/, 'attend', 'misfit.safetensors', '--q', 'nope', ...out);
  fails(/features of q: 4, and of k: 5/, 'attend', 'misfit.safetensors', ...out);
  fails(/heads of q: 4, and of k, which should divide them: 3/, 'attend', 'misfit.safetensors', '--q', 'four', '--k', 'three', '--v', 'three', ...out);
  fails(/heads of k: 1, and of v: 3/, 'attend', 'misfit.safetensors', '--k', 'q', '--v', 'three', ...out);
  fails(/300 features; a head may have up to 256/, 'attend', 'misfit.safetensors', '--q', 'wide', ...out);
  fails(/should be \(positions, features\)/, 'attend', 'misfit.safetensors', '--q', 'many', ...out);
  fails(/should be \(positions, features\)/, 'attend', 'misfit.safetensors', '--q', 'empty', ...out);
  const of = (number, seed) => ({ shape: [1, 2], values: [number, seed] });
  writeFileSync(join(folder, 'large.safetensors'), safetensors({ q: of(1e20, 0), k: of(-1e20, 0), v: of(1, 2) }));
  fails(/products of q and k .* beyond single precision/, 'attend', 'large.safetensors', ...out);
  writeFileSync(join(folder, 'q.npy'), npy([1, 2], [1e200, 0], '<f8'));
  fails(/holds 1e\+?200, .* beyond single precision/, 'attend', 'q.npy', '--q', 'q', ...out);
  fails(/--mask none or --mask causal/, 'attend', '--random', '4,4,1', '--mask', 'some', ...out);
  for (const bad of ['0', '-1', 'x', '1.5']) fails(/whole number from 1/, 'attend', '--random', '4,4,1', `--window=${bad}`, ...out);
  fails(/cannot be written/, 'attend', '--random', '4,4,1', '--out', join(folder, 'no', 'folder.npz'));
  assert.ok(!existsSync(join(folder, 'never.npz')));
});
