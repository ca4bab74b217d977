// The desktop program on a terminal: pictures without a display, and what it says when it cannot.
import { strict as assert } from 'node:assert';
import { execFile, execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { lstat, mkdtemp, readFile, readdir, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { inflateSync } from 'node:zlib';

const program = process.env.ATTN_DESKTOP || fileURLToPath(new URL('../../build/desktop/attnscope', import.meta.url));
const environment = { ...process.env };
delete environment.DISPLAY;
delete environment.WAYLAND_DISPLAY;
environment.LC_ALL = 'C';

let folder;
before(async () => {
  assert.ok(existsSync(program), `${program} is not built; build the target attnscope of the preset desktop`);
  folder = await mkdtemp(join(tmpdir(), 'attnscope-'));
});
after(() => rm(folder, { recursive: true }));

const run = (...args) => runWith({}, ...args);
const runWith = (settings, ...args) => new Promise((resolve) => {
  execFile(program, args, { env: { ...environment, ...settings } }, (error, stdout, stderr) => resolve({ status: error ? error.code : 0, stdout, stderr }));
});

// Width, height and how many different pixels a PNG holds (capped); filters are undone as the standard says.
function readPng(bytes) {
  assert.equal(bytes.toString('latin1', 1, 4), 'PNG');
  const width = bytes.readUInt32BE(16);
  const height = bytes.readUInt32BE(20);
  const parts = [];
  for (let at = 8; at < bytes.length;) {
    const length = bytes.readUInt32BE(at);
    if (bytes.toString('latin1', at + 4, at + 8) === 'IDAT') parts.push(bytes.subarray(at + 8, at + 8 + length));
    at += length + 12;
  }
  const raw = inflateSync(Buffer.concat(parts));
  const stride = width * 3;
  const lines = new Set();
  for (let y = 0; y < height; ++y) lines.add(raw.toString('latin1', y * (stride + 1), (y + 1) * (stride + 1)));
  return { width, height, lines: lines.size, raw };
}

async function picture(name, ...args) {
  const out = join(folder, name);
  const result = await run('render', ...args, '--out', out);
  assert.deepEqual(result, { status: 0, stdout: '', stderr: '' });
  return readPng(await readFile(out));
}

async function fails(pattern, ...args) {
  const { status, stdout, stderr } = await run(...args);
  assert.equal(status, 2, stderr);
  assert.equal(stdout, '');
  assert.match(stderr, pattern);
  assert.equal(stderr.trimEnd().split('\n').length, 1, stderr);
}

test('a picture has the size asked for, in pixels of the scale asked for, and is not blank', async () => {
  const plain = await picture('plain.png', '--size', '1280x800');
  assert.deepEqual([plain.width, plain.height], [1280, 800]);
  assert.ok(plain.lines > 100);
  const fine = await picture('fine.png', '--size', '390x844', '--scale', '2', '--theme', 'dark', '--text-scale', '1.5');
  assert.deepEqual([fine.width, fine.height], [780, 1688]);
});

test('the same moment gives the same picture and another moment another', async () => {
  const once = await picture('a.png', '--link', 'v=1&stage=z');
  const again = await picture('b.png', '--link', 'v=1&stage=z');
  const other = await picture('c.png', '--link', 'v=1&stage=scores');
  assert.ok(once.raw.equals(again.raw));
  assert.ok(!once.raw.equals(other.raw));
});

test('a document is drawn at the moment of the link', async () => {
  const file = join(folder, 'two.json');
  await writeFile(file, JSON.stringify({ attnscope: 1, tokens: ['a', 'b'], q: [[1], [2]], k: [[1], [2]], v: [[1], [2]] }));
  const start = await picture('d.png', file);
  const end = await picture('e.png', file, '--link', 'v=1&stage=z');
  assert.ok(!start.raw.equals(end.raw));
});

test('a picture replaces plain files only, follows links and leaves its neighbours alone', async () => {
  const at = (name) => join(folder, name);
  execFileSync('mkfifo', [at('pipe.png')]);
  await fails(/not a plain file/, 'render', '--out', at('pipe.png'));
  assert.ok((await stat(at('pipe.png'))).isFIFO());
  await symlink('nowhere.png', at('dangling.png'));
  await fails(/link to a file that is not there/, 'render', '--out', at('dangling.png'));
  await writeFile(at('old.png'), 'old', { mode: 0o640 });
  await writeFile(at('old.png.part'), 'mine');
  await symlink('old.png', at('link.png'));
  await picture('link.png');
  assert.ok((await lstat(at('link.png'))).isSymbolicLink());
  assert.equal((await stat(at('old.png'))).mode & 0o777, 0o640);
  readPng(await readFile(at('old.png')));
  assert.equal(await readFile(at('old.png.part'), 'utf8'), 'mine');
  assert.deepEqual((await readdir(folder)).filter((name) => /png\.(?!part$)/.test(name)), []);
});

test('a built-in example is drawn by its id, and a bad value of the link is told beside the picture', async () => {
  const named = await picture('named.png', 'cat-sat-down', '--link', 'v=1&stage=z');
  const linked = await picture('linked.png', '--link', 'v=1&ex=cat-sat-down&stage=z');
  assert.ok(named.raw.equals(linked.raw));
  for (const [link, note] of [['v=1&grain=atom', /grain/], ['v=1&doc=nope.json', /nope\.json/]]) {
    const { status, stderr } = await run('render', '--link', link, '--out', join(folder, 'noted.png'));
    assert.equal(status, 0);
    assert.match(stderr, note);
  }
});

// A .npy file of four-byte numbers.
function npy(shape, numbers) {
  const header = `{'descr': '<f4', 'fortran_order': False, 'shape': (${shape.join(', ')}), }`.padEnd(117) + '\n';
  const head = Buffer.from(`\x93NUMPY\x01\x00\x76\x00${header}`, 'latin1');
  return Buffer.concat([head, Buffer.from(Float32Array.from(numbers).buffer)]);
}

test('files of arrays are drawn together when they have been read, at the moment of the link', async () => {
  const numbers = Array.from({ length: 32 }, (_, i) => i / 32);
  const [q, k, broken] = ['q.npy', 'k.npy', 'broken.npy'].map((name) => join(folder, name));
  await writeFile(q, npy([2, 4, 4], numbers));
  await writeFile(k, npy([2, 4, 4], numbers.map((x) => 1 - x)));
  await writeFile(broken, 'nothing');
  const both = await picture('both.png', q, k);
  const alone = await picture('alone.png', q);
  const code = await picture('code.png', q, '--link', 'set.part=code');
  assert.ok(!both.raw.equals(alone.raw));
  assert.ok(!code.raw.equals(alone.raw));
  const out = join(folder, 'noted.png');
  const noted = await run('render', q, k, broken, '--out', out);
  assert.equal(noted.status, 0, noted.stderr);
  assert.match(noted.stderr, /broken\.npy/);
  await fails(/broken\.npy/, 'render', broken, '--out', join(folder, 'x.png'));
});

test('mistakes are one sentence that names them', async () => {
  await fails(/--out/, 'render');
  await fails(/--size: "big"/, 'render', '--size', 'big', '--out', join(folder, 'x.png'));
  await fails(/--scale: "9"/, 'render', '--scale', '9', '--out', join(folder, 'x.png'));
  await fails(/--language.*"xx".*en, de/, 'render', '--language', 'xx', '--out', join(folder, 'x.png'));
  await fails(/--theme: "blue"/, 'render', '--theme', 'blue', '--out', join(folder, 'x.png'));
  await fails(/--wide/, 'render', '--wide', '1', '--out', join(folder, 'x.png'));
  await fails(/no option --bogus; there are --link, --language, --help and --version/, '--bogus');
  await fails(/no option -x of render; there are --link, --language, --size, .*--out/, 'render', '-x');
  await fails(/--out stands twice/, 'render', '--out', join(folder, 'x.png'), '--out', join(folder, 'y.png'));
  await fails(/only PNG is written/, 'render', '--out', join(folder, 'x.jpg'));
  await fails(/--link needs a value/, 'render', '--link');
  await fails(/no file "nowhere\.json"/, 'render', 'nowhere.json', '--out', join(folder, 'x.png'));
  await fails(/is a folder/, 'render', folder, '--out', join(folder, 'x.png'));
  await fails(/no file "a\.json".*no file "b\.json"/, 'render', 'a.json', 'b.json', '--out', join(folder, 'x.png'));
  await fails(/cannot be written/, 'render', '--out', join(folder, 'missing', 'x.png'));
  const bad = join(folder, 'bad.json');
  await writeFile(bad, '{"attnscope":1,"tokens":[]}');
  await fails(/tokens/, 'render', bad, '--out', join(folder, 'x.png'));
  assert.ok(!(await readdir(folder)).some((name) => name.startsWith('x.png')));
});

test('without a display the window says what to do instead', async () => {
  await fails(/attnscope render/);
});

test('the window speaks the language of the system, pictures English unless told otherwise', async () => {
  const german = { LC_ALL: '', LC_MESSAGES: '', LANG: 'de_AT.UTF-8' };
  assert.match((await runWith(german)).stderr, /kein Fenster/);
  assert.match((await runWith({ ...german, LC_ALL: 'fr_FR' })).stderr, /No window/);
  assert.match((await runWith(german, '--language', 'en')).stderr, /No window/);
  assert.match((await run('--language', 'de')).stderr, /kein Fenster/);
  const english = await picture('english.png', '--language', 'en');
  assert.equal((await runWith(german, 'render', '--out', join(folder, 'told.png'))).status, 0);
  assert.ok(readPng(await readFile(join(folder, 'told.png'))).raw.equals(english.raw));
  assert.ok(!(await picture('german.png', '--language', 'de')).raw.equals(english.raw));
});

test('help and version answer on standard output', async () => {
  const help = await run('--help');
  assert.deepEqual([help.status, help.stderr], [0, '']);
  assert.match(help.stdout, /attnscope render/);
  assert.match((await run('render', '--help')).stdout, /--text-scale/);
  assert.match((await run('--version')).stdout, /^attnscope \d+\.\d+\.\d+\n$/);
});
