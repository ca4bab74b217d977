// Files of arrays on the terminal: inspect, audit, compare, export. What the readers themselves do is tested in tests/io.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test from 'node:test';
import { npy, numbers, safetensors } from './array_files.mjs';
import { programIn } from './program.mjs';

const folder = mkdtempSync(join(tmpdir(), 'attnscope-arrays-'));
test.after(() => rmSync(folder, { recursive: true }));
const { run, succeeds, fails } = programIn(folder);

function file(name, content) {
  const path = join(folder, name);
  writeFileSync(path, content);
  return path;
}

// Weights of one head from q and k, by the book.
function attention(q, k, T, d, { scale = 1 / Math.sqrt(d), may = () => true } = {}) {
  const weights = [];
  for (let i = 0; i < T; ++i) {
    const scores = Array.from({ length: T }, (_, j) =>
      may(i, j) ? scale * Array.from({ length: d }, (_, c) => q[i * d + c] * k[j * d + c]).reduce((a, b) => a + b) : -Infinity);
    const largest = Math.max(...scores);
    const exp = scores.map((score) => Math.exp(score - largest));
    const sum = exp.reduce((a, b) => a + b);
    weights.push(...exp.map((value) => value / sum));
  }
  return weights;
}

const T = 8, d = 4;
const q = numbers(T * d, 1), k = numbers(T * d, 2), v = numbers(T * d, 3);
const causal = (i, j) => j <= i;
const exported = (weights) => safetensors({
  q: { shape: [T, d], values: q }, k: { shape: [T, d], values: k }, v: { shape: [T, d], values: v }, weights: { shape: [T, T], values: weights },
});

// Everything at once: norm, biases, shared heads, soft-cap, temperature, bias, ALiBi, sink, mask, W_O, residual, edits.
const rich = {
  attnscope: 1, tokens: ['the', 'cat\n', '"sat"'],
  wq: [[[1, 0.5], [0.25, -1]], [[0.5, 2], [1, 1]]], wk: [[1, 0], [0.5, 1]], wv: [[1, 2], [3, 0.5]],
  bq: [[0.1, 0.2], [0.3, 0.4]], bk: [[0.5, -0.5]], bv: [[1, -1]],
  wo: [[1, 0], [0, 1], [0.5, 0.5], [1, -1]], bo: [0.25, -0.25],
  temperature: 1.5, softcap: 3, sink: [0.5, -0.5], alibi: [0.25, 0.5], bias: [[0.1, 0.2, 0.3], [0, 0, 0], [-1, 0.5, 0.25]],
  mask: { causal: true, allowed: [[false, true, true], [true, true, true], [true, false, true]] },
  residual: { state: [[1, 3], [2, -1], [0.5, 0.25]], norm: { eps: 1e-5, gain: [1.5, 0.5], bias: [0.1, 0.2] } },
  edits: ['h1.scores[2][0]=1/3', 'h0.weights[1]=0.25,0.5,0', 'x[1]=1,2'],
};

test('inspect lists name, type, shape and range of each array, in the order in which people count', () => {
  const path = file('layers.safetensors', safetensors({
    layer10: { shape: [1, 2], values: [0.5, 0.5] }, layer2: { shape: [2, 2], values: [1, NaN, -Infinity, -3] },
  }));
  const seen = JSON.parse(succeeds('inspect', path, '--json'));
  assert.equal(seen.file, path);
  assert.deepEqual(seen.arrays, [
    { name: 'layer2', dtype: 'float32', shape: [2, 2], min: -3, max: 1, nan: 1, inf: 1 },
    { name: 'layer10', dtype: 'float32', shape: [1, 2], min: 0.5, max: 0.5, nan: 0, inf: 0 },
  ]);
  const text = succeeds('inspect', path);
  assert.match(text, /layer2\tfloat32\t2×2\t-3 … 1, 1 NaN, 1 infinite\tattention weights of layer 2/);
});

test('a file whose only array is damaged is refused in one line; an empty one is an empty list', () => {
  fails(/cut\.npy/, 'inspect', file('cut.npy', npy([4, 4], numbers(16, 1)).subarray(0, 150)));
  fails(/nothing\.npy/, 'inspect', file('nothing.npy', ''));
  const empty = Buffer.from([0x50, 0x4b, 5, 6, ...Array(18).fill(0)]);
  assert.deepEqual(JSON.parse(succeeds('inspect', file('empty.npz', empty), '--json')).arrays, []);
  fails(/cannot be read|no such|There is no file|cannot be opened/i, 'inspect', join(folder, 'missing.npy'));
  fails(/folder/, 'inspect', folder);
});

function audit(content, ...more) {
  const path = file('audit.safetensors', content);
  const result = run('audit', path, '--json', ...more);
  return { status: result.status, ...JSON.parse(result.stdout) };
}

test('audit finds nothing in the textbook computation, and names its mask', () => {
  const clean = audit(exported(attention(q, k, T, d, { may: causal })), '--mask', 'causal');
  assert.equal(clean.status, 0);
  assert.equal(clean.verdict, 'clean');
  assert.deepEqual(clean.findings, []);
  assert.deepEqual(clean.fits.map((fit) => fit.hypothesis), ['causal']);
  assert.ok(clean.fits[0].max_abs_diff < 1e-6);
});

test('audit names a scale that was left out, transposed weights, and a mask that is not the one claimed', () => {
  const unscaled = audit(exported(attention(q, k, T, d, { scale: 1, may: causal })));
  assert.equal(unscaled.status, 1);
  assert.equal(unscaled.verdict, 'findings');
  assert.deepEqual(unscaled.findings.map((finding) => finding.code), ['scale']);
  assert.deepEqual(unscaled.fits.map((fit) => fit.hypothesis), ['causal + scale 1']);
  const weights = attention(q, k, T, d);
  const turned = weights.map((_, n) => weights[(n % T) * T + Math.floor(n / T)]);
  assert.deepEqual(audit(exported(turned)).findings.map((finding) => finding.code), ['transposed']);
  const open = audit(exported(weights), '--mask', 'causal');
  assert.deepEqual(open.findings.map((finding) => finding.code), ['future', 'mask']);
  assert.equal(open.findings[0].row, 0);
  assert.equal(open.findings[0].col, 1);
});

test('audit never calls wrong what nothing explains: it names the nearest, the difference and the first place', () => {
  const weights = attention(q, k, T, d);
  [weights[3 * T], weights[3 * T + 1]] = [weights[3 * T + 1], weights[3 * T]];
  const none = audit(exported(weights));
  assert.deepEqual(none.findings.map((finding) => finding.code), ['none-fits']);
  assert.equal(none.findings[0].row, 3);
  assert.match(none.findings[0].sentence, /Nearest is scale 1\/√d_k and no mask/);
  assert.deepEqual(none.fits, []);
});

test('audit takes weights alone, and output in the place of weights', () => {
  const path = file('alone.npy', npy([2, 2], [0.5 / 0.9, 0.5 / 0.9, 0, 1 / 0.9]));
  const alone = run('audit', path, '--weights', 'alone', '--json');
  assert.equal(alone.status, 1);
  assert.ok(JSON.parse(alone.stdout).findings.some((finding) => finding.code === 'row-sum' && /1\/0\.9/.test(finding.sentence)));
  const weights = attention(q, k, T, d, { may: causal });
  const z = Array.from({ length: T * d }, (_, n) =>
    Array.from({ length: T }, (_, j) => weights[Math.floor(n / d) * T + j] * v[j * d + (n % d)]).reduce((a, b) => a + b));
  const output = audit(safetensors({ q: { shape: [T, d], values: q }, k: { shape: [T, d], values: k }, v: { shape: [T, d], values: v }, mixed: { shape: [T, d], values: z } }), '--out', 'mixed');
  assert.deepEqual(output.fits.map((fit) => fit.hypothesis), ['causal']);
});

test('audit says what it needs where there is nothing to audit', () => {
  fails(/say which is which with --weights/, 'audit', file('other.safetensors', safetensors({ loss: { shape: [3], values: [1, 2, 3] } })));
  fails(/has no array attn; its arrays are loss/, 'audit', join(folder, 'other.safetensors'), '--weights', 'attn');
  fails(/--mask is "diagonal"/, 'audit', join(folder, 'other.safetensors'), '--mask', 'diagonal');
});

test('compare says where two files differ most, per head, and what only one of them has', () => {
  const a = file('a.safetensors', safetensors({ w: { shape: [2, 2, 2], values: [1, 2, 3, 4, 5, 6, 7, 8] }, x: { shape: [1], values: [1] } }));
  const b = file('b.safetensors', safetensors({ w: { shape: [2, 2, 2], values: [1, 2, 3, 4, 5, 6.5, 7, 7] }, y: { shape: [1], values: [1] } }));
  const seen = JSON.parse(succeeds('compare', a, b, '--json'));
  assert.deepEqual(seen.arrays, [{ a: 'w', b: 'w', shape: [2, 2, 2], max_abs_diff: 1, at: [1, 1, 1], mean_abs_diff: 1.5 / 8, differing: 2,
    heads: [{ max_abs_diff: 0 }, { max_abs_diff: 1, at: [1, 1, 1] }] }]);
  assert.deepEqual([seen.only_a, seen.only_b], [['x'], ['y']]);
  assert.match(succeeds('compare', a, b), /2 of 8 differ, at most by 1 at \[1\]\[1\]\[1\]/);
  assert.match(succeeds('compare', a, a), /w\t2×2×2\tthe same/);
  assert.equal(JSON.parse(succeeds('compare', a, b, '--map', 'x=y', '--json')).arrays[0].max_abs_diff, 0);
  fails(/has no array z/, 'compare', a, b, '--map', 'x=z');
});

test('what is exported as arrays is read back bit for bit', () => {
  const trace = JSON.parse(succeeds('trace', 'cat-sat-down'));
  const values = (name) => (['tokens', 'y', 'concat', 'residual'].includes(name) ? trace[name] : trace.heads[0][name]);
  for (const format of ['npz', 'safetensors']) {
    const path = join(folder, `whole.${format}`);
    assert.equal(succeeds('export', 'cat-sat-down', '--format', format, '--out', path), '');
    const seen = JSON.parse(succeeds('inspect', path, '--json')).arrays;
    const weights = seen.find((array) => array.name === 'weights');
    assert.deepEqual([weights.dtype, weights.shape, weights.max], ['float64', [4, 4], Math.max(...values('weights').flat())]);
    assert.equal(seen.some((array) => array.name === 'tokens'), format === 'npz');
  }
  const one = join(folder, 'weights.npy'), other = join(folder, 'whole.npz');
  succeeds('export', 'cat-sat-down', '--what', 'weights', '--format', 'npy', '--out', one);
  assert.match(succeeds('compare', one, other, '--map', 'weights=weights'), /the same/);
});

test('an archive with the names of a document is that document, bit for bit', () => {
  for (const source of ['cat-sat-down', file('rich.json', JSON.stringify({ ...rich, edits: [] }))]) {
    for (const format of ['npz', 'safetensors']) {
      const path = join(folder, `again.${format}`);
      succeeds('export', source, '--format', format, '--out', path);
      const before = JSON.parse(succeeds('trace', source)), after = JSON.parse(succeeds('trace', path));
      assert.deepEqual(after.tokens, format === 'npz' ? before.tokens : before.tokens.map((_, n) => String(n)));
      assert.deepEqual(after.heads.map((head) => [head.weights, head.z]), before.heads.map((head) => [head.weights, head.z]));
      assert.deepEqual(after.y, before.y);
    }
  }
  fails(/is no example: it takes q, k and v, or x, wq, wk and wv; its arrays are `loss`/, 'trace',
    file('loss.safetensors', safetensors({ loss: { shape: [3], values: [1, 2, 3] } })));
});

test('tables carry tokens, escaped as each format asks', () => {
  const path = file('odd.json', JSON.stringify({ attnscope: 1, tokens: ['=1+1', 'a|b"c', '<b>'], q: [[1], [2], [0]], k: [[1], [1], [1]], v: [[1], [2], [3]] }));
  const written = (format) => {
    const out = join(folder, `odd.${format}`);
    succeeds('export', path, '--what', 'weights', '--format', format, '--out', out);
    return readFileSync(out, 'utf8');
  };
  const csv = written('csv').split('\r\n');
  assert.equal(csv[0], 'row reads column,0 =1+1,"1 a|b""c",2 <b>');
  assert.equal(csv[1], '0 =1+1,0.3333333333333333,0.3333333333333333,0.3333333333333333');
  assert.match(written('tsv'), /^row reads column\t0 =1\+1\t/);
  assert.match(written('md'), /\| 1 a\\\|b"c \|/);
  assert.match(written('tex'), /0 =1\+1 & \$0\.3333333333333333\$ & /);
  fails(/has 3 axes/, 'export', file('two.json', JSON.stringify({ attnscope: 1, tokens: ['a'], q: [[[1]], [[2]]], k: [[[1]], [[2]]], v: [[[1]], [[2]]] })),
    '--what', 'weights', '--format', 'csv', '--out', join(folder, 'x.csv'));
  assert.ok(!existsSync(join(folder, 'x.csv')));
});

for (const [format, interpreter, module] of [['py', 'python3', 'math'], ['numpy', '/usr/bin/python3', 'numpy'], ['torch', '/usr/bin/python3', 'torch']]) {
  const there = spawnSync(interpreter, ['-c', `import ${module}`]).status === 0;
  test(`the program for ${format} gives the same numbers`, { skip: there ? false : `${interpreter} has no ${module}` }, () => {
    for (const source of ['three-positions', 'cat-sat-down', file('rich.json', JSON.stringify(rich))]) {
      const path = join(folder, `code_${format}.py`);
      succeeds('export', source, '--format', format, '--out', path);
      assert.match(readFileSync(path, 'utf8'), /^allowed = \[\[/m);
      const result = spawnSync(interpreter, [path], { encoding: 'utf8' });
      assert.equal(result.status, 0, result.stderr);
      const given = JSON.parse(result.stdout), trace = JSON.parse(succeeds('trace', source));
      const close = (a, b, what) => a.flat(9).forEach((value, n) =>
        assert.ok(Math.abs(value - b.flat(9)[n]) <= 1e-12 * Math.max(1, Math.abs(value)), `${source} ${what} ${n}: ${value} and ${b.flat(9)[n]}`));
      close(trace.heads.map((head) => head.weights), given.weights, 'weights');
      close(trace.heads.map((head) => head.z), given.z, 'z');
      close(trace.y, given.y, 'y');
      if (trace.residual) close(trace.residual, given.residual, 'residual');
    }
  });
}

test('a picture of one array is SVG with its tokens, light or dark', () => {
  const out = join(folder, 'weights.svg');
  const picture = (...more) => {
    succeeds('export', file('markup.json', JSON.stringify({ attnscope: 1, tokens: ['<b>', '&"'], q: [[1], [2]], k: [[1], [1]], v: [[1], [2]] })),
      '--what', 'weights', '--format', 'svg', '--out', out, ...more);
    return readFileSync(out, 'utf8');
  };
  const light = picture();
  assert.match(light, /^<svg xmlns="http:\/\/www.w3.org\/2000\/svg"[^>]*>\n<title>weights, 2×2<\/title>/);
  assert.match(light, />0 &lt;b&gt;<\/text>/);
  assert.match(light, />1 &amp;&quot;<\/text>/);
  assert.match(light, />1\/2<\/text>/);
  assert.equal(picture('--theme', 'light'), light);
  assert.notEqual(picture('--theme', 'dark'), light);
});

test('export refuses what does not go together, and writes nothing', () => {
  fails(/write one of csv, tsv/, 'export', 'three-positions', '--format', 'xlsx', '--out', join(folder, 'no'));
  fails(/--out is missing/, 'export', 'three-positions', '--format', 'json');
  fails(/name it with --what/, 'export', 'three-positions', '--format', 'csv', '--out', join(folder, 'no'));
  fails(/has no colour; it has tokens, sources/, 'export', 'three-positions', '--what', 'colour', '--format', 'csv', '--out', join(folder, 'no'));
  fails(/There is no head 1; heads go from 0 to 0/, 'export', 'three-positions', '--what', 'z', '--head', '1', '--format', 'csv', '--out', join(folder, 'no'));
  fails(/--theme is "blue"; write dark or light/, 'export', 'three-positions', '--what', 'z', '--format', 'svg', '--theme', 'blue', '--out', join(folder, 'no'));
  fails(/--theme is for pictures/, 'export', 'three-positions', '--what', 'z', '--format', 'csv', '--theme', 'dark', '--out', join(folder, 'no'));
  fails(/tokens holds texts/, 'export', 'three-positions', '--what', 'tokens', '--format', 'svg', '--out', join(folder, 'no'));
  fails(/folder/, 'export', 'three-positions', '--what', 'z', '--format', 'csv', '--out', folder);
  assert.ok(!existsSync(join(folder, 'no')));
});
