// The terminal program as a person or a script meets it: output, errors and exit status. ATTN_CLI is its path.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test from 'node:test';
import { program, programIn } from './program.mjs';

const folder = mkdtempSync(join(tmpdir(), 'attnscope-cli-'));
test.after(() => rmSync(folder, { recursive: true }));
const { run, succeeds, fails } = programIn(folder);

function file(name, content) {
  const path = join(folder, name);
  writeFileSync(path, content);
  return path;
}

const document = (more = {}) => ({
  attnscope: 1, tokens: ['a', 'b'], q: [[1], [2]], k: [[3], [4]], v: [[5], [6]], ...more,
});
const close = (a, b, tolerance) =>
  a.flat(9).forEach((value, i) => assert.ok(Math.abs(value - b.flat(9)[i]) <= tolerance, `cell ${i}: ${value}`));

test('list names the built-in examples with their titles', () => {
  const lines = succeeds('list').trimEnd().split('\n').map((line) => line.split('\t'));
  assert.ok(lines.every((parts) => parts.length === 2 && parts[1] !== ''));
  assert.deepEqual(lines.map(([id]) => id), ['three-positions', 'cat-sat-down']);
});

test('trace of three positions has the exact weights of the lesson', () => {
  const trace = JSON.parse(succeeds('trace', 'three-positions'));
  assert.deepEqual(trace.tokens, ['1', '2', '3']);
  // Fractions, so the last bits only.
  close(trace.heads[0].weights, [[1, 0, 0], [1 / 3, 2 / 3, 0], [1 / 4, 1 / 4, 1 / 2]], 1e-15);
  close(trace.residual[2], [5 / 2, 4], 1e-14);
});

test('--mask replaces the mask of the document, written either way', () => {
  const blocked = (...args) => JSON.parse(succeeds('trace', ...args)).heads[0].blocked_by[0];
  assert.deepEqual(blocked('cat-sat-down'), ['', '', '', '']);
  assert.deepEqual(blocked('cat-sat-down', '--mask', 'causal'), ['', 'causal', 'causal', 'causal']);
  assert.deepEqual(blocked('--mask=none', 'three-positions'), ['', '', '']);
  const path = file('window.json', JSON.stringify(document({ mask: { window: 1 } })));
  assert.deepEqual(blocked(path), ['', 'window']);
  assert.deepEqual(blocked(path, '--mask', 'causal'), ['', 'causal']);
});

test('trace reads a document from a file and keeps awkward tokens', () => {
  const tokens = ['<b>', '\u{1F468}\u200D\u{1F469}', '\ud83d', '\udcf0', ' the', '', '%s%n', '\u0000', '\n', '你好'];
  const column = tokens.map((_, i) => [i]);
  const path = file('tokens.json', JSON.stringify(document({ tokens, q: column, k: column, v: column })));
  assert.deepEqual(JSON.parse(succeeds('trace', path)).tokens, tokens);
  assert.ok(succeeds('trace', path).includes('"<b>"'));
});

test('numbers that are not finite are texts', () => {
  const path = file('infinite.json',
    '{"attnscope": 1, "tokens": ["a"], "q": [[1]], "k": [[1]], "v": [[NaN, -Infinity, Infinity]]}');
  assert.deepEqual(JSON.parse(succeeds('trace', path)).heads[0].v, [['nan', '-inf', 'inf']]);
});

test('a built-in id comes before a file of that name, and ./ names the file', () => {
  file('three-positions', JSON.stringify(document()));
  assert.equal(JSON.parse(succeeds('trace', 'three-positions')).tokens.length, 3);
  assert.equal(JSON.parse(succeeds('trace', './three-positions')).tokens.length, 2);
});

test('help and version go to standard output', () => {
  assert.match(succeeds('--version'), /^attnscope-cli \d+\.\d+\.\d+\n$/);
  for (const args of [['--help'], ['-h'], ['help']]) assert.match(succeeds(...args), /list[^]*trace ID\|FILE/);
  assert.match(succeeds('list', '--help'), /^Usage: attnscope-cli list\n/);
  assert.match(succeeds('trace', '--help'), /^Usage: attnscope-cli trace ID\|FILE \[--mask none\|causal\]/);
  assert.match(succeeds('trace', 'nothing-like-that', '--help'), /^Usage/);
});

test('commands and options that do not exist are refused with those that do', () => {
  fails(/No command was given; write one of list, trace, /);
  fails(/There is no command render; write one of list, trace, .* and map, or --help/, 'render', 'cost');
  fails(/There is no command --verbose/, '--verbose');
  fails(/list has no option --json/, 'list', '--json');
  fails(/list takes nothing after it, found x/, 'list', 'x');
  fails(/trace has no option --maks; see attnscope-cli trace --help/, 'trace', 'cat-sat-down', '--maks', 'none');
  fails(/trace takes one built-in id or file, found 0/, 'trace');
  fails(/found 2/, 'trace', 'cat-sat-down', 'three-positions');
  fails(/--mask stands without a value/, 'trace', 'cat-sat-down', '--mask');
  fails(/--mask stands twice/, 'trace', 'cat-sat-down', '--mask', 'none', '--mask=none');
  fails(/--mask is "triangle"; write --mask none or --mask causal/, 'trace', 'cat-sat-down', '--mask', 'triangle');
  fails(/--edit stands without a value/, 'trace', 'cat-sat-down', '--edit');
  fails(/scene has no option --edit/, 'scene', 'cost', '--edit', 'x[0][0]=1');
});

test('files that cannot be read are refused, each in its own words', () => {
  fails(/no built-in example and no file absent\.json; the examples are three-positions,/, 'trace', 'absent.json');
  fails(/name of the example is empty/, 'trace', '');
  mkdirSync(join(folder, 'sub'), { recursive: true });
  fails(/is a folder/, 'trace', join(folder, 'sub'));
  fails(/nothing to read/, 'trace', file('empty.json', ''));
  fails(/zero byte/, 'trace', file('binary.json', Buffer.from([0x50, 0, 3, 4, 0, 1, 2])));
  fails(/directory at the end/, 'trace', file('arrays.npz', Buffer.from([0x50, 0x4b, 3, 4, 0, 1, 2])));
  fails(/is not UTF-8/, 'trace', file('latin.json', Buffer.from('{"title": "caf\xe9"}', 'latin1')));
  fails(/name with line end/, 'trace', 'name with\nline end');
  const locked = file('locked.json', '{}');
  chmodSync(locked, 0);
  // Root reads everything, so there the file itself is what is wrong.
  fails(process.getuid() === 0 ? /attnscope/ : /cannot be read/, 'trace', locked);
});

test('an endless or oversized input is refused before it fills the memory', { timeout: 60000 }, () => {
  fails(/more than 64 MiB/, 'trace', '/dev/zero');
});

test('what is wrong in a document is told with file, field and place', () => {
  const refused = (pattern, content) =>
    fails(pattern, 'trace', file('bad.json', typeof content === 'string' ? content : JSON.stringify(content)));
  refused(/bad\.json: Not JSON at line 2, column 1/, '{"attnscope": 1,\n');
  refused(/`tokens`.*empty list/, document({ tokens: [] }));
  refused(/There is no field `qq`/, document({ qq: 1 }));
  refused(/`q` at line 1.*is ragged: row 1 has 2 numbers, row 0 has 1/, document({ q: [[1], [2, 3]] }));
  refused(/k/, document({ k: [[1, 2], [3, 4]] }));
  refused(/bad\.json: `edits\[1\]` at line 1, column \d+ is refused: “forbid” has no “=”/, document({ edits: ['scale=1', 'forbid'] }));
  refused(/bad\.json: `edits`: “v\[2\]=1” cannot be carried out: v has no row 2/, document({ edits: ['v[2]=1'] }));
  refused(/More than 64 lists/, '['.repeat(200000));
});

test('a result that cannot be written is an error', { skip: process.platform !== 'linux' }, () => {
  const command = ['-c', '"$0" trace cat-sat-down > /dev/full', program];
  const { status, stderr } = spawnSync('sh', command, { encoding: 'utf8' });
  assert.equal(status, 2);
  assert.match(stderr, /cannot be written/);
});
