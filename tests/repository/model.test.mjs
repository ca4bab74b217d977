// The files of the trained model: what web/data/model.json says of them, and how large they may be.
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import test from 'node:test';
import { read, root, tracked } from './files.mjs';

const data = (name) => readFileSync(`${root}web/data/${name}`);
const about = JSON.parse(read('web/data/model.json'));

function headerOf(name) {
  const bytes = data(name);
  return JSON.parse(bytes.subarray(8, 8 + Number(bytes.readBigUInt64LE(0))));
}

test('the model is the one that its losses and scores were measured with', () => {
  assert.equal(createHash('sha256').update(data('model.safetensors')).digest('hex'), about.sha256);
});

test('the model is small enough to download, and so are all checkpoints together', () => {
  assert.ok(data('model.safetensors').length < 300_000);
  const files = tracked.filter((path) => path.startsWith('web/data/checkpoints/'));
  assert.ok(files.length >= 11);
  assert.ok(files.reduce((sum, path) => sum + readFileSync(root + path).length, 0) < 3_000_000);
});

test('each checkpoint is the same model at the step that it is said to be of', () => {
  const shapes = (name) => Object.entries(headerOf(name)).filter(([key]) => key !== '__metadata__')
    .map(([key, tensor]) => `${key} ${tensor.dtype} ${tensor.shape}`).sort();
  const listed = about.checkpoints.map(({ file }) => `web/data/${file}`);
  assert.deepEqual(tracked.filter((path) => /^web\/data\/(checkpoints\/)?[^/]*\.safetensors$/.test(path)).sort(), listed.sort());
  for (const { step, file } of about.checkpoints) {
    const { __metadata__: notes } = headerOf(file);
    assert.equal(notes.step, String(step));
    assert.equal(notes.texts_sha256, about.texts_sha256);
    assert.deepEqual(JSON.parse(notes.config), about.config);
    assert.deepEqual([...JSON.parse(notes.vocabulary)], about.vocabulary);
    assert.deepEqual(shapes(file), shapes('model.safetensors'));
    assert.ok(about.curve.some(([at]) => at === step), `${step}`);
  }
  assert.equal(about.checkpoints[0].step, 0);
});

test('the twin without positions was measured at steps of the model, and in the end predicts worse', () => {
  const model = new Map(about.curve.map(([step, , validation]) => [step, validation]));
  assert.equal(about.without_positions[0][0], 0);
  assert.deepEqual(about.without_positions.filter(([step]) => !model.has(step)), []);
  const [step, , validation] = about.without_positions.at(-1);
  assert.ok(validation > model.get(step) + 0.05, `${validation} and ${model.get(step)} at step ${step}`);
});

test('notes of the files are short enough to be read in full', () => {
  for (const text of Object.values(headerOf('model.safetensors').__metadata__)) assert.ok(Buffer.byteLength(text) <= 200, text);
});

test('the model predicts English and has a head that copies', () => {
  assert.ok(about.validation <= 1.5, `${about.validation} nats`);
  assert.ok(Math.max(...about.scores.repeat.flat()) >= 0.8);
  assert.ok(Math.max(...about.scores.previous[0]) >= 0.8);
});

test('the held-out lines are 200, different, and such as the model can read', () => {
  const lines = read('web/data/lines.txt').trimEnd().split('\n');
  assert.equal(new Set(lines).size, 200);
  const known = new Set(about.vocabulary);
  assert.deepEqual(lines.filter((line) => line.length > about.config.n_ctx || [...line].some((c) => !known.has(c))), []);
});
