// The trained model on the terminal, against what PyTorch gives with the same weights.
import assert from 'node:assert/strict';
import { copyFileSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test from 'node:test';
import { fileURLToPath } from 'node:url';
import { programIn } from './program.mjs';

const { succeeds, fails } = programIn('.');
const here = (path) => new URL(path, import.meta.url);
const vocabulary = JSON.parse(readFileSync(here('../../web/data/model.json'), 'utf8')).vocabulary;
const run = (text, ...more) => JSON.parse(succeeds('model', '--text', text, '--json', ...more));

// Arrays of a .safetensors file: {name: {shape, numbers}}.
function arraysOf(path) {
  const file = readFileSync(path);
  const size = Number(file.readBigUInt64LE(0));
  const header = JSON.parse(file.subarray(8, 8 + size).toString());
  const arrays = {};
  delete header.__metadata__;
  for (const [name, { dtype, shape, data_offsets: [from, to] }] of Object.entries(header)) {
    const bytes = file.subarray(8 + size + from, 8 + size + to);
    const read = { F32: (at) => bytes.readFloatLE(4 * at), I64: (at) => Number(bytes.readBigInt64LE(8 * at)) }[dtype];
    assert.ok(read, `${name} is ${dtype}`);
    arrays[name] = { shape, numbers: Array.from({ length: shape.reduce((a, b) => a * b, 1) }, (_, at) => read(at)) };
  }
  return arrays;
}

const largest = (a, b) => a.reduce((most, value, at) => Math.max(most, Math.abs(value - b[at])), 0);

test('weights and logits are those of PyTorch, and rows sum to 1', () => {
  const reference = arraysOf(here('../data/arrays/model-reference.safetensors'));
  for (const name of ['0', '1', '2']) {
    const ids = reference[`${name}.tokens`].numbers;
    const answer = run(ids.map((id) => vocabulary[id]).join(''));
    assert.deepEqual(answer.ids, ids);
    const logits = answer.logits.flat();
    assert.equal(logits.length, reference[`${name}.logits`].numbers.length);
    assert.ok(largest(logits, reference[`${name}.logits`].numbers) <= 2e-5);
    const weights = answer.layers.flatMap((layer) => layer.heads.flatMap((head) => head.weights.flat()));
    assert.equal(weights.length, reference[`${name}.attention`].numbers.length);
    assert.ok(largest(weights, reference[`${name}.attention`].numbers) <= 2e-6);
    for (const layer of answer.layers)
      for (const head of layer.heads) for (const row of head.weights) assert.ok(Math.abs(row.reduce((a, b) => a + b) - 1) < 1e-5);
  }
});

test('a later character changes no earlier logit', () => {
  const [one, other] = ['Mr. Darcy', 'Mr. Darxy'].map((text) => run(text).logits);
  assert.deepEqual(one.slice(0, 7), other.slice(0, 7));
  assert.notDeepEqual(one[7], other[7]);
});

test('heads are switched off one by one and together, and what is likeliest is listed', () => {
  const text = 'Mr. Darcy danced with Eliza';
  const [whole, without, both] = [[], ['--ablate', 'l0.h3'], ['--ablate', 'l0.h3', '--ablate', 'l1.h1']].map((more) => run(text, ...more));
  assert.ok(without.loss > whole.loss + 0.5);
  assert.notEqual(both.loss, without.loss);
  assert.deepEqual(whole.layers[0], without.layers[0]); // what it attends to stays, what it writes does not
  assert.equal(whole.next.length, 10);
  assert.equal(whole.next[0].token, 'b');
  const chances = whole.next.map(({ probability }) => probability);
  assert.deepEqual(chances, [...chances].sort((a, b) => b - a));
  assert.equal(run(text, '--top', '100').next.length, vocabulary.length);
  assert.ok(Math.abs(run(text, '--top', '63').next.reduce((sum, { probability }) => sum + probability, 0) - 1) < 1e-9);
});

test('as lines, each head has its scores and each likely character its logit and probability', () => {
  const lines = succeeds('model', '--text', 'Mr. Darcy', '--top', '3').trimEnd().split('\n');
  assert.match(lines[0], /^model [0-9a-f]{8}, 9 characters, loss \d\.\d+ nats$/);
  assert.equal(lines.length, 1 + 8 + 3);
  assert.ok(lines.slice(1, 9).every((line) => /^l[01]\.h[0-3]\tentropy .*\tdiagonal .*\tprevious .*\tfirst .*\tsame .*\trepeat /.test(line)));
  assert.ok(lines.slice(9).every((line) => line.split('\t').length === 3));
});

test('a text that is too long is cut and said to be, and what cannot be done is one line', () => {
  const long = run('a'.repeat(70));
  assert.equal(long.tokens.length, 64);
  assert.match(long.note, /70 characters, and the model reads 64/);
  fails(/“1”, at position 5/, 'model', '--text', 'Room 101');
  fails(/empty/, 'model', '--text', '');
  fails(/--text/, 'model');
  fails(/--top/, 'model', '--text', 'a', '--top', '0');
  for (const head of ['l2.h0', 'l0.h4', 'h1', 'l-1.h0', 'l1.h', 'l99999999999.h0']) fails(/--ablate is/, 'model', '--text', 'a', '--ablate', head);
  fails(/no-such-file/, 'model', 'no-such-file.safetensors', '--text', 'a');
  fails(/one file at most/, 'model', 'a', 'b', '--text', 'a');
});

const checkpoint = (name) => fileURLToPath(here(`../data/checkpoint/${name}`));
const beside = ['config.json', 'vocab.json', 'merges.txt'];
const DANCE = 'Mr. Darcy danced with the';

test('a checkpoint in the shape of GPT-2 runs on tokens, with the files that lie beside it', () => {
  const answer = run(DANCE, checkpoint('model.safetensors'));
  assert.deepEqual(answer.tokens, ['Mr', '.', ' ', 'D', 'ar', 'cy', ' d', 'a', 'n', 'c', 'ed', ' with', ' the']);
  assert.equal(answer.layers.length, 2);
  assert.equal(answer.layers[0].heads.length, 2); // as the config says
  assert.equal(answer.logits[0].length, 256 + 14 + 1);
  assert.match(succeeds('model', checkpoint('model.safetensors'), '--text', DANCE), /^model f9d91d26, 13 tokens, /);
});

test('a checkpoint without the files beside it is refused, and each sentence names what to open', () => {
  const folder = mkdtempSync(join(tmpdir(), 'attnscope-model-'));
  const copied = (name) => (copyFileSync(checkpoint(name), join(folder, name)), join(folder, name));
  try {
    const model = copied('model.safetensors');
    fails(/n_head in its config/, 'model', model, '--text', DANCE);
    copied('config.json');
    fails(/open `vocab.json` and `merges.txt`/, 'model', model, '--text', DANCE);
    copied('vocab.json');
    fails(/open `merges.txt` too/, 'model', model, '--text', DANCE);
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test('the page about the model shows of an opened checkpoint what the command gives', () => {
  const files = ['model.safetensors', ...beside].flatMap((name) => ['--file', checkpoint(name)]);
  const set = ['model=opened', 'part=head', `text=${DANCE}`, 'layer=1', 'head=0'].flatMap((each) => ['--set', each]);
  const { results } = JSON.parse(succeeds('scene', 'model', ...files, ...set));
  const answer = run(DANCE, checkpoint('model.safetensors'));
  assert.equal(results.model, answer.model);
  assert.deepEqual(results.weights, answer.layers[1].heads[0].weights);
});
