// The code that pages offer for PyTorch, run by it where it is installed: what it writes is audited and found clean.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test from 'node:test';
import { programIn } from './program.mjs';

const folder = mkdtempSync(join(tmpdir(), 'attnscope-frameworks-'));
test.after(() => rmSync(folder, { recursive: true }));
const { succeeds, fails } = programIn(folder);

const run = (python, code) => spawnSync(python, ['-c', code], { encoding: 'utf8' });
const python = ['python3', '/usr/bin/python3'].find((each) => run(each, 'import numpy, torch').status === 0);

test('the code for PyTorch writes arrays that are what they are taken for', { skip: python ? false : 'PyTorch is not installed' }, () => {
  const code = `import pathlib, sys; sys.path.insert(0, "tests/data"); sys.dont_write_bytecode = True
import make_torch_files; make_torch_files.exports(pathlib.Path(sys.argv[1]))`;
  const { status, stderr } = spawnSync(python, ['-c', code, folder], { encoding: 'utf8' });
  assert.equal(status, 0, stderr);
  assert.match(succeeds('audit', 'multihead.npz'), /^clean\n.*no mask/);
  assert.match(succeeds('audit', 'sdpa.npz', '--mask', 'causal'), /^clean\n/);
});

test('a scene about files reads them to the end, and names what cannot be opened', () => {
  const results = JSON.parse(succeeds('scene', 'arrays')).results;
  assert.equal(results.open, false);
  fails(/missing\.npz/, 'scene', 'arrays', '--file', 'missing.npz');
  fails(/--file opens files for the scene arrays or model/, 'scene', 'softmax', '--file', 'missing.npz');
});

test('a page about files can be had whole', () => {
  const data = join(process.cwd(), 'tests/data/arrays');
  const page = JSON.parse(succeeds('scene', 'arrays', '--file', join(data, 'savez.npz'), '--page'));
  const table = page.blocks.find((block) => block.title === 'Arrays');
  assert.ok(table.rows.length > 0);
  assert.ok(table.rows.every((row) => row[4] !== 'not read yet'));
  const head = JSON.parse(succeeds('scene', 'arrays', '--file', join(data, 'attentions.pt'), '--set', 'part=head', '--set', 'layer=2'));
  assert.ok(Math.abs(head.results.sum - 1) < 1e-6);
});
