// The README against what it describes: actions, link keys, folders, scripts and the example document.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test from 'node:test';
import { read, root, tracked } from './files.mjs';

const readme = read('README.md');
const all = (text, pattern) => [...text.matchAll(pattern)].map((found) => found[1]);
const names = (words) => words.filter((word) => !readme.includes(`\`${word}\``));

test('the README names every action', () => {
  const actions = all(read('src/app/parse_action.cpp'), /Kind\{"(\w+)"/g);
  assert.ok(actions.length > 20);
  assert.deepEqual(names(actions), []);
});

test('the README names every edit and every array that can be set', () => {
  const section = readme.split('## Edits')[1].split('\n## ')[0];
  const grammar = read('src/core/edit.cpp');
  const forms = all(grammar, /Form\{EditKind::k\w+, "([\w-]+)"/g).map((form) => `\`${form}=`);
  const arrays = all(grammar.match(/kSettable = \{([^}]*)\}/)[1], /Array::k(\w+)/g)
    .map((name) => `\`${name.replace(/(?!^)[A-Z]/g, (letter) => `_${letter}`).toLowerCase()}\``);
  assert.ok(forms.length >= 20 && arrays.length >= 12);
  assert.deepEqual([...forms, ...arrays].filter((word) => !section.includes(word)), []);
});

test('the README names every key of a link', () => {
  const table = read('src/app/link.h').split('#pragma once')[0];
  const keys = all(table, /(?:^\/\/ {3}| {2,})([a-z]+) {2,}/gm).filter((key) => !['v', 'edits'].includes(key));
  assert.ok(keys.length >= 12, keys.join(' '));
  assert.deepEqual(names(keys), []);
});

test('the keys of the README are those of the table of keys', () => {
  const keys = all(read('src/ui/keys.cpp'), /KeyBinding\{(?:trLater\()?"([^"]+)"/g).map((key) => key.split(' + ').pop().trim());
  const section = readme.split('## Keys')[1].split('\n## ')[0];
  assert.ok(keys.length > 20);
  assert.deepEqual(keys.filter((key) => !section.includes(key)), []);
});

test('the map of the code names every folder of src, and every path in it exists', () => {
  const map = readme.split('## Map of the code')[1].split('\n## ')[0];
  const paths = all(map, /`([\w./-]+)`/g).filter((path) => !path.includes('←') && path !== '#include');
  assert.deepEqual(paths.filter((path) => !existsSync(root + path)), []);
  const folders = all(tracked.join('\n'), /^(src\/\w+)\//gm);
  assert.deepEqual([...new Set(folders)].filter((folder) => !paths.includes(folder)), []);
});

test('the scripts and pictures that the README names exist', () => {
  const scripts = all(readme, /(?:^|[\s`(/])(scripts\/[a-z-]+(?:\.\w+)?)/gm);
  const pictures = all(readme, /!\[[^\]]*\]\(([^)]+)\)/g);
  assert.ok(scripts.length && pictures.length);
  assert.deepEqual([...scripts, ...pictures].filter((path) => !existsSync(root + path)), []);
});

test('the example document of the README is read and computed', () => {
  const folder = mkdtempSync(join(tmpdir(), 'readme-'));
  try {
    const file = join(folder, 'example.json');
    writeFileSync(file, readme.match(/```json\n([\s\S]*?)```/)[1]);
    const run = spawnSync(`${root}build/desktop/attnscope-cli`, ['trace', file], { encoding: 'utf8' });
    assert.ifError(run.error);
    assert.equal(run.status, 0, run.stderr);
    // The first destination may read itself only, so it takes its own value, and the residual adds x.
    const trace = JSON.parse(run.stdout);
    assert.deepEqual(trace.heads[0].weights[0], [1, 0]);
    assert.deepEqual(trace.residual[0], [3, 0]);
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test('THIRD_PARTY.md names everything that the About page names', () => {
  const parts = all(read('src/ui/about.cpp'), /^ {4}\{"([^"]+)",/gm);
  assert.ok(parts.length >= 8);
  const notices = read('THIRD_PARTY.md').toLowerCase();
  assert.deepEqual(parts.filter((part) => !notices.includes(part.toLowerCase())), []);
});
