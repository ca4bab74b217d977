// The scenes on the terminal: their list, their results as JSON, their controls, and what is refused.
import assert from 'node:assert/strict';
import { tmpdir } from 'node:os';
import test from 'node:test';
import { programIn } from './program.mjs';

const { succeeds, fails } = programIn('.');
const lines = (text) => text.trimEnd().split('\n').map((line) => line.split('\t'));
const ids = lines(succeeds('scenes')).map(([id]) => id);

// What a scene may be told of an example is no control of its page.
const aboutExample = new Set(['', 'pinned_'].flatMap((before) => ['example', 'mask', 'edits', 'head'].map((key) => before + key)));

test('scenes lists each scene once, with its title', () => {
  const list = lines(succeeds('scenes'));
  assert.ok(list.every((parts) => parts.length === 2 && /^[a-z0-9-]+$/.test(parts[0]) && parts[1] !== ''));
  assert.equal(new Set(ids).size, ids.length);
  assert.equal(ids[0], 'why-context');
});

test('every scene prints its params with their types, results and what came out', () => {
  for (const id of ids) {
    const scene = JSON.parse(succeeds('scene', id));
    assert.deepEqual(Object.keys(scene), ['scene', 'params', 'results', 'says'], id);
    assert.equal(scene.scene, id);
    assert.ok(Object.keys(scene.results).length > 0, id);
    assert.ok(scene.says.length > 0, id);
    const keys = lines(succeeds('scene', id, '--keys')).filter(([key]) => key !== '');
    const controls = keys.filter(([key]) => key in scene.params || !aboutExample.has(key));
    assert.deepEqual(controls.map(([key]) => key), Object.keys(scene.params), id);
    const types = { integer: 'number', number: 'number', seed: 'number', toggle: 'boolean' };
    for (const [key, type, range, preset] of controls) {
      assert.equal(typeof scene.params[key], types[type] ?? 'string', `${id} ${key}`);
      assert.ok(range !== '' && preset !== undefined, `${id} ${key}`);
    }
  }
});

test('every preset that --keys lists may be set', () => {
  for (const id of ids) {
    const keys = lines(succeeds('scene', id, '--keys')).filter(([key]) => key !== '');
    const set = keys.flatMap(([key, , , preset]) => ['--set', `${key}=${preset}`]);
    assert.deepEqual(JSON.parse(succeeds('scene', id, ...set)).params, JSON.parse(succeeds('scene', id)).params, id);
  }
});

test('why-context says that "bank" is the same twice without attention, and not with it', () => {
  const { params, results } = JSON.parse(succeeds('scene', 'why-context', '--set', 'layers=6', '--set=first=by the bank'));
  assert.equal(params.layers, 6);
  assert.equal(params.first, 'by the bank');
  assert.equal(results.equal, true);
  assert.equal(results.equal_with_attention, false);
  assert.equal(results.change_per_token, 0);
});

test('a scene about an example takes a built-in one or a file, its mask and its edits', () => {
  const results = (...set) => JSON.parse(succeeds('scene', 'what-if', ...set.flatMap((each) => ['--set', each]))).results;
  assert.equal(results('row=2').outcome_now, 1.5);
  assert.ok(Math.abs(results('row=2', 'edits=forbid=2,1').outcome_now - 2) < 1e-15);
  assert.equal(results('row=0', 'example=three-positions', 'mask=causal').outcome_now, 2);
  assert.equal(results('row=0', 'example=src/lesson/examples/three-positions.json').outcome_now, 2);
  fails(/no-such-file/, 'scene', 'compare', '--set', 'example=no-such-file');
  fails(/“forbid=9,9”/, 'scene', 'compare', '--set', 'edits=forbid=9,9');
});

test('a value may hold an equals sign, and the same scene prints the same text twice', () => {
  const args = ['scene', 'why-context', '--set', 'first=a=b', '--set', 'second=c a=b'];
  assert.equal(JSON.parse(succeeds(...args)).params.first, 'a=b');
  assert.equal(succeeds(...args), succeeds(...args));
});

test('the scene about the trained model needs no file, wherever it is called', () => {
  const elsewhere = programIn(tmpdir());
  const { results, says } = JSON.parse(elsewhere.succeeds('scene', 'model', '--set', 'text=Mr. Darc'));
  assert.equal(results.there, true);
  assert.equal(results.expected, 'y');
  assert.match(says, /“y”/);
  const page = JSON.parse(elsewhere.succeeds('scene', 'model', '--set', 'checkpoint=0', '--page'));
  assert.equal(page.id, 'model');
  assert.notEqual(page.says, says);
  assert.match(elsewhere.succeeds('scene', 'model', '--keys'), /^checkpoint\tinteger\t0\.\.11\t11$/m);
  elsewhere.fails(/--other opens files for the scene arrays/, 'scene', 'model', '--other', 'model.safetensors');
});

test('what cannot be is refused in one line', () => {
  fails(/no scene `nope`.*why-context/, 'scene', 'nope');
  fails(/no scene `nope`/, 'scene', 'nope', '--keys');
  fails(/takes one id, found 0/, 'scene');
  fails(/takes one id, found 2/, 'scene', 'why-context', 'masks');
  fails(/no key `colour`.*layers/, 'scene', 'why-context', '--set', 'colour=red');
  fails(/`layers` is "9".*1\.\.6/, 'scene', 'why-context', '--set', 'layers=9');
  fails(/`layers` is set twice/, 'scene', 'why-context', '--set', 'layers=1', '--set', 'layers=2');
  fails(/key=value/, 'scene', 'why-context', '--set', 'layers');
  fails(/--set stands without a value/, 'scene', 'why-context', '--set');
  fails(/--keys takes no value/, 'scene', 'why-context', '--keys=1');
  fails(/leave --set out/, 'scene', 'why-context', '--keys', '--set', 'layers=1');
  fails(/no option --mask/, 'scene', 'why-context', '--mask', 'none');
  fails(/takes nothing after it/, 'scenes', 'why-context');
  fails(/`task` is "zz".*o0\|o1/, 'scene', 'task', '--set', 'task=zz');
  fails(/`row` is "99".*0\|1\|2/, 'scene', 'what-if', '--set', 'row=99');
  fails(/outcome is NaN/, 'scene', 'what-if', '--set', 'edits=x[0]=1e308,1e308');
  fails(/end both in the same word/, 'scene', 'why-context', '--set', 'second=the river');
});

test('both commands describe themselves', () => {
  assert.match(succeeds('scene', '--help'), /--set key=value[\s\S]*--keys/);
  assert.match(succeeds('scenes', '--help'), /id<TAB>title/);
});
