// Edits through the terminal program: the cases with known answers, their order, and every form that is refused.
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test from 'node:test';
import { programIn } from './program.mjs';

const folder = mkdtempSync(join(tmpdir(), 'attnscope-edit-'));
test.after(() => rmSync(folder, { recursive: true }));
const { succeeds, fails } = programIn(folder);

function file(name, content) {
  const path = join(folder, name);
  writeFileSync(path, JSON.stringify({ attnscope: 1, ...content }));
  return path;
}

// The base case of public bug reports.
const q = [[1, 0], [0, 1], [1, 1]];
const base = file('base.json', { tokens: ['a', 'b', 'c'], q, k: q, v: [[1, 2], [3, 4], [5, 6]] });

const trace = (name, ...edits) => JSON.parse(succeeds('trace', name, ...edits.flatMap((edit) => ['--edit', edit])));
const causal = (...edits) => trace(base, 'mask=causal', ...edits).heads[0];
// Answers are printed with six digits, exact ones are fractions.
const close = (found, right, tolerance = 1e-6) => {
  assert.equal(found.flat().length, right.flat().length);
  found.flat().forEach((value, i) => assert.ok(Math.abs(value - right.flat()[i]) <= tolerance, `cell ${i}: ${value}`));
};

const causalWeights = [[1, 0, 0], [.330238, .669762, 0], [.248255, .248255, .503490]];
const causalOutput = [[1, 2], [2.339523, 3.339523], [3.510470, 4.510470]];
const zeroedOutput = [[0, 0], [2.009285, 2.679046], [3.262214, 4.013959]];

test('L2: without the value of source 1 the weights stay bit for bit', () => {
  const plain = trace('three-positions').heads[0];
  const { heads: [head] } = trace('three-positions', 'v[1]=0,0');
  assert.deepEqual(head.weights, plain.weights);
  assert.deepEqual(head.v, [[2, 0], [0, 0], [2, 4]]);
  close(head.z, [[2, 0], [2 / 3, 0], [3 / 2, 2]], 1e-14);
});

test('L3: a forbidden source leaves its weight to the others of the row', () => {
  const plain = trace('three-positions').heads[0];
  const { heads: [head] } = trace('three-positions', 'forbid=2,1');
  close(head.exp_plain[2], [2, 0, 4], 1e-14);
  close(head.weights[2], [1 / 3, 0, 2 / 3], 1e-15);
  close(head.z[2], [2, 8 / 3], 1e-14);
  assert.deepEqual(head.blocked_by[2], ['', 'edit', '']);
  for (const row of [0, 1]) assert.deepEqual([head.weights[row], head.z[row]], [plain.weights[row], plain.z[row]]);
});

test('C2, C3: a row that may read nothing is zero and marked, the rest stays', () => {
  const plain = causal();
  close(plain.weights, causalWeights);
  close(plain.z, causalOutput);
  const head = causal('forbid=0,*');
  assert.deepEqual(head.row_status, ['no_source', 'ok', 'ok']);
  assert.deepEqual([head.weights[0], head.z[0], head.row_max[0], head.row_sum[0]], [[0, 0, 0], [0, 0], '-inf', 0]);
  assert.deepEqual(head.weights.slice(1), plain.weights.slice(1));
  assert.deepEqual(head.z.slice(1), plain.z.slice(1));
});

test('C4: a zeroed value, a zeroed weight and a forbidden source are three different acts', () => {
  const value = causal('v[0]=0,0');
  close(value.weights, causalWeights);
  close(value.z, zeroedOutput);
  const weight = causal('zero-weight=*,0');
  close(weight.weights.map((row) => row.reduce((sum, one) => sum + one)), [0, .669762, .751745]);
  close(weight.weights, causalWeights.map(([, ...rest]) => [0, ...rest]));
  close(weight.z, zeroedOutput);
  assert.deepEqual(weight.row_status, ['ok', 'ok', 'ok']);
  const source = causal('forbid=*,0');
  close(source.weights, [[0, 0, 0], [0, 1, 0], [0, .330238, .669762]]);
  close(source.z, [[0, 0], [3, 4], [4.339523, 5.339523]]);
  assert.deepEqual(source.row_status, ['no_source', 'ok', 'ok']);
});

test('C12: the scale 1 leaves the scores as they are', () => {
  const { heads: [head] } = trace(base, 'scale=1');
  assert.equal(head.scale, 1);
  assert.deepEqual(head.scaled, head.scores);
  close(head.weights[2], [.211942, .211942, .576117]);
});

test('the edits of a document come first, --mask is the mask that they find, and all are told', () => {
  const path = file('edited.json', {
    tokens: ['a', 'b'], q: [[1], [2]], k: [[3], [4]], v: [[5], [6]], edits: ['v[0]=1', 'insert=2,a'],
  });
  const found = trace(path, 'v[0]=7', 'v[2]=8', 'token[2]=c d');
  assert.deepEqual(found.heads[0].v, [[7], [6], [8]]);
  assert.deepEqual(found.tokens, ['a', 'b', 'c d']);
  assert.deepEqual(found.edits, ['v[0]=1', 'insert=2,a', 'v[0]=7', 'v[2]=8', 'token[2]=c d']);
  const masked = JSON.parse(succeeds('trace', path, '--edit=forbid=2,0', '--mask', 'causal')).heads[0].blocked_by;
  assert.deepEqual(masked, [['', 'causal', 'causal'], ['', '', 'causal'], ['edit', '', '']]);
  const replaced = JSON.parse(succeeds('trace', path, '--mask=causal', '--edit', 'mask=none')).heads[0].blocked_by;
  assert.deepEqual(replaced.flat(), Array(9).fill(''));
  assert.equal('edits' in trace(base), false);
});

test('numbers are written as people write them', () => {
  const { heads: [head] } = trace('three-positions', 'v[0]=-2*sqrt(2)/3, 1/4', 'h0.scores[2][0]=ln(2)');
  assert.deepEqual(head.v[0], [-2 * Math.sqrt(2) / 3, 0.25]);
  assert.ok(Math.abs(head.scores[2][0] - Math.LN2) < 1e-16);
});

test('every bad form is refused on one line with nothing on standard output', () => {
  const bad = [
    '', ' ', 'forbid', '=', 'z[0]=1', 'v=1', 'v[x]=1', 'v[-1]=0,0', 'v[0]=', 'v[0]=1', 'v[0]=1,2,3', 'v[0]=1,x',
    'v[0]=1,inf', 'v[0]=1,nan', 'v[0]=1/0,1', 'v[0]=1e999,1', 'v[3]=0,0', 'v[0][2]=1', 'v[0][0]=1,2', 'h1.v[0]=0,0',
    'h.v[0]=0,0', 'h0.x[0]=1,2', 'x_sources[0]=1', 'scores[0]=1', 'weights[3]=1,2,3', 'bias[0]=1', 'wq[2]=1,2',
    'wo[0]=1', 'forbid=3,0', 'forbid=0,3', 'forbid=0', 'forbid=a,b', 'allow=*', 'allow=9,*', 'zero-weight=3,*',
    'uniform=0,0', 'uniform=h1,0', 'uniform=h0,3', 'permute=h0,0', 'permute=h0,3,1', 'ablate=h1', 'ablate=1',
    'mean-ablate=', 'scale=', 'scale=1,2', 'scale=inf', 'temperature=0', 'temperature=-1', 'softcap=0', 'sink=',
    'alibi=1', 'alibi=h1:1', 'alibi=h0:x', 'mask=diagonal', 'mask=', 'token=x', 'token[3]=x', 'insert=x',
    'insert=4,x', 'delete=3', 'delete=', 'move=0', 'move=0,3', 'add-head=h1', 'remove-head=h0', 'd_k=0', 'd_k=65',
    'd_v=x', 'line\nend',
  ];
  const refused = (pattern, name, ...edits) => fails(pattern, 'trace', name, ...edits.flatMap((edit) => ['--edit', edit]));
  for (const edit of bad) refused(/^attnscope-cli: (“.*”|An edit is empty).*\.\n$/, 'three-positions', edit);
  refused(/“forbid=9,9” cannot be carried out: there is no row 9/, 'three-positions', 'scale=1', 'forbid=9,9');
  const norm = file('norm.json', {
    tokens: ['a'], wq: [[1], [2]], wk: [[1], [2]], wv: [[1, 2], [3, 4]],
    residual: { state: [[1, 2]], norm: { eps: 0 } },
  });
  refused(/residual\.norm\.eps: it is 0 and all numbers of row 1 of the state are equal/, norm, 'insert=1,b');
});

test('the help of trace tells of --edit', () => {
  assert.match(succeeds('trace', '--help'), /--edit E .*in the order given/s);
});
