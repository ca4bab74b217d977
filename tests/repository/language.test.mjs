// The texts and their tables: whole, and nothing in them that is no longer said.
import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import test from 'node:test';
import { fault, table, texts } from '../../scripts/texts.mjs';
import { read, under } from './files.mjs';

const codes = readdirSync(new URL('../../src/language/', import.meta.url)).map((name) => name.replace(/\.json$/, ''));
const said = new Set([...texts().values()].flat());

test('there are texts, and a table of another language', () => {
  assert.ok(said.size > 3000, `only ${said.size} texts`);
  assert.deepEqual(codes, ['de']);
});

test('every text has its entry in every table, with the same places to fill in', () => {
  for (const code of codes) {
    const entries = table(code);
    assert.deepEqual([...said].filter((text) => !(text in entries)), [], `missing; node scripts/texts.mjs missing ${code} prints them`);
    assert.deepEqual(Object.entries(entries).map(([english, other]) => fault(english, other)).filter(Boolean), []);
  }
});

test('no table holds what is no longer said', () => {
  for (const code of codes) assert.deepEqual(Object.keys(table(code)).filter((text) => !said.has(text)), []);
});

test('what is said is a literal, or was marked as one', () => {
  const odd = under('src', 'h', 'cpp').flatMap((path) => [...read(path).replace(/\/\/.*$/gm, '').matchAll(/\btr(?:Later)?\([^"();]*\?/g)]
    .map(([call]) => `${path}: ${call}`));
  assert.deepEqual(odd, [], 'write the choice outside: on ? tr("a") : tr("b")');
});

test('the numbers of a table are written with a full stop', () => {
  for (const code of codes) {
    const wrong = Object.entries(table(code)).filter(([english, other]) => /\d,\d/.test(other.replace(/\{[^}]*\}/g, '')) && !/\d,\d/.test(english));
    assert.deepEqual(wrong, []);
  }
});
