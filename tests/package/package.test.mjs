// What scripts/package writes: a folder for any static host, one file for offline use, and the native programs.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test, { after } from 'node:test';
import { fileURLToPath } from 'node:url';
import { inflateSync } from 'node:zlib';
import { site } from '../../scripts/site.mjs';

const root = fileURLToPath(new URL('../..', import.meta.url));
const run = (script, ...args) => spawnSync(`${root}scripts/${script}`, args, { cwd: tmpdir(), encoding: 'utf8' });
const packaged = run('package');
const filesIn = (folder) => readdirSync(root + folder, { recursive: true }).filter((path) => statSync(join(root, folder, path)).isFile()).sort();
const files = packaged.status === 0 ? filesIn('dist/site') : [];
const data = filesIn('web/data');
const plain = (name) => name.replace(/-[0-9a-f]{12}\./, '.');
const text = (path) => readFileSync(root + path, 'utf8');
const references = (page) => [...page.matchAll(/\b(?:href|src|data-[\w-]+)="([^"]*)"/g)].map(([, target]) => target);
const digest = (data) => createHash('sha256').update(data).digest('base64');

test('packaging works from any folder and says what it wrote', () => {
  assert.equal(packaged.status, 0, packaged.stdout + packaged.stderr);
  assert.match(packaged.stdout, /dist\/site\/ \(\d+ files\), dist\/attnscope\.html, dist\/attnscope\.py, dist\/attnscope-cli and dist\/attnscope-\S+\.tar\.gz are ready/);
  assert.deepEqual(readdirSync(`${root}dist`).filter((name) => !/__pycache__|\.tar\.gz$/.test(name)).sort(),
    ['attnscope-cli', 'attnscope.html', 'attnscope.py', 'site']);
});

test('the site has a page, its style, script and programs, the data of the model, what installs it, and the notices', () => {
  const versioned = files.filter((name) => plain(name) !== name);
  assert.deepEqual(files.filter((name) => !versioned.includes(name)), ['THIRD_PARTY.txt', 'index.html', 'service_worker.js']);
  assert.deepEqual(versioned.map(plain).sort(), ['app.css', 'app.js', 'attnscope.wasm', ...data.map((path) => `data/${path}`),
    'icon-192.png', 'icon-512.png', 'icon-maskable.png', 'icon.svg', 'language/de.json', 'manifest.webmanifest', 'rest.wasm', 'scenes.js', 'scenes.wasm']);
});

test('everything that the page refers to lies beside it', () => {
  const targets = references(text('dist/site/index.html'));
  assert.equal(targets.length, 10);
  assert.deepEqual(targets.filter((target) => !files.includes(target)), []);
});

test('the page knows the address of each language, and the single file has its table', () => {
  const languages = JSON.parse(text('dist/site/index.html').match(/ data-languages='([^']*)'/)[1]);
  assert.deepEqual(Object.keys(languages), ['de']);
  const table = text(`dist/site/${languages.de}`);
  assert.ok(text('dist/attnscope.html').includes(`id="language-de">${table}<`));
});

test('the script of the scenes knows the address and the size of each file of the model', () => {
  const script = text(`dist/site/${files.find((name) => plain(name) === 'scenes.js')}`);
  const table = JSON.parse(script.match(/^const DATA=(.*);$/m)[1]);
  assert.deepEqual(Object.keys(table), data);
  for (const [path, [address, size]] of Object.entries(table)) {
    assert.equal(plain(address), `data/${path}`);
    const [there, here] = [`dist/site/${address}`, `web/data/${path}`].map((name) => readFileSync(root + name));
    assert.ok(there.equals(here) && here.length === size, path);
  }
});

test('the service worker knows the digest of every file of its version', () => {
  const list = JSON.parse(text('dist/site/service_worker.js').match(/^const VERSION="[0-9a-f]{12}",FILES=(.*);$/m)[1]);
  assert.deepEqual(Object.keys(list).sort(), files.filter((name) => !['THIRD_PARTY.txt', 'service_worker.js'].includes(name)));
  for (const [name, sum] of Object.entries(list)) assert.equal(sum, `sha256-${digest(readFileSync(`${root}dist/site/${name}`))}`, name);
});

test('the manifest names pictures of the sizes that they have, one of them for any shape', () => {
  const manifest = JSON.parse(text(`dist/site/${files.find((name) => plain(name) === 'manifest.webmanifest')}`));
  for (const { src, type, sizes } of manifest.icons) {
    const picture = readFileSync(`${root}dist/site/${src}`);
    if (type === 'image/svg+xml') assert.match(String(picture), /^<svg /);
    else assert.equal(`${picture.readUInt32BE(16)}x${picture.readUInt32BE(20)}`, sizes);
  }
  assert.deepEqual(manifest.icons.map(({ purpose }) => purpose).filter(Boolean), ['maskable']);
  assert.deepEqual([manifest.start_url, manifest.scope], ['.', '.']);
});

test('neither style nor page names another host', () => {
  for (const name of files.filter((name) => /\.(html|css)$/.test(name))) assert.doesNotMatch(text(`dist/site/${name}`), /\/\/\w/);
  assert.doesNotMatch(text('dist/attnscope.html').split('<script')[0].replace(/href="data:[^"]*"/, ''), /\/\/\w/);
});

test('a name changes when and only when the content does', () => {
  const icons = Object.fromEntries(['icon.svg', 'icon-192.png', 'icon-512.png', 'icon-maskable.png'].map((name) => [name, name]));
  const parts = { script: 'var a;\n', wasm: Buffer.from('one'), rest: Buffer.from('more'), scenesScript: 'var b;\n', scenesWasm: Buffer.from('other'), data: { 'in/a.txt': Buffer.from('text') }, languages: { xx: '{}' }, icons, serviceWorker: 'var c;\n', versioned: true };
  const [before, same, after, other, said] = [{}, {}, { wasm: Buffer.from('two') }, { data: { 'in/a.txt': Buffer.from('test') } }, { languages: { xx: '{"a":"b"}' } }]
    .map((change) => Object.keys(site({ ...parts, ...change })));
  assert.deepEqual(same, before);
  const changed = (names) => names.filter((name) => !before.includes(name)).map(plain).sort();
  assert.deepEqual(changed(after), ['attnscope.wasm']);
  assert.deepEqual(changed(other), ['data/in/a.txt', 'scenes.js']); // which knows its name
  assert.deepEqual(changed(said), ['language/xx.json']);
});

test('the single file refers to nothing, and its policy allows exactly its own script and style', () => {
  const page = text('dist/attnscope.html');
  const scripts = [...page.matchAll(/<script>([\s\S]*?)<\/script>/g)];
  const styles = [...page.matchAll(/<style>([\s\S]*?)<\/style>/g)];
  assert.deepEqual([scripts.length, styles.length], [1, 1]);
  const outside = page.replace(/<(script|style)\b[\s\S]*?<\/\1>/g, '');
  assert.deepEqual(references(outside).filter((target) => !target.startsWith('data:image/')), []);
  const policy = page.match(/http-equiv="Content-Security-Policy" content="([^"]*)"/)[1];
  assert.ok(policy.startsWith("default-src 'none'"));
  assert.ok(policy.includes(`script-src 'sha256-${digest(scripts[0][1])}'`));
  assert.ok(policy.includes(`style-src 'sha256-${digest(styles[0][1])}'`));
});

test('the programs and the data in the single file are those of the site', () => {
  const page = text('dist/attnscope.html');
  const names = { program: 'attnscope.wasm', 'rest-program': 'rest.wasm', 'scenes-program': 'scenes.wasm' };
  for (const path of data) names[path] = `data/${path}`;
  for (const [id, name] of Object.entries(names)) {
    const inlined = page.match(new RegExp(`id="${id}">([^<]*)<`))[1];
    const there = readFileSync(`${root}dist/site/${files.find((file) => plain(file) === name)}`);
    assert.ok(Buffer.from(inlined, 'base64').equals(there), id);
  }
});

test('the module for notebooks holds the page of the single file, without the data of the trained model', () => {
  const module = text('dist/attnscope.py');
  const page = inflateSync(Buffer.from(module.match(/^PAGE = """([^"]*)"""$/m)[1], 'base64')).toString();
  const withoutData = data.reduce((rest, path) => rest.replace(new RegExp(`<script [^>]*id="${path}">[^<]*</script>\n`), ''), text('dist/attnscope.html'));
  assert.ok(page === withoutData);
  assert.equal(module.replace(/^PAGE = """[^"]*"""$/m, 'PAGE = ""'), text('src/notebook/attnscope.py'));
});

// 350 KB is the limit that the project set itself for a first visit without the font, as scripts/size prints it.
test('the download without fonts stays below its limit', () => {
  const size = run('size');
  assert.equal(size.status, 0, size.stdout + size.stderr);
  assert.match(size.stdout, /^download without fonts .* KB$/m);
  assert.match(size.stdout, /^scenes-\w+\.wasm .* KB$/m);
  assert.match(size.stdout, /^rest-\w+\.wasm .* KB$/m);
  assert.match(size.stdout, /^service_worker\.js .* KB$/m);
  assert.match(size.stdout, /^data\/model-\w+\.safetensors .* KB$/m);
});

test('an unknown argument is refused in one line', () => {
  for (const script of ['setup', 'serve', 'package', 'size', 'test']) {
    const refused = run(script, '--nonsense');
    assert.equal(refused.status, 2, script);
    assert.match(refused.stderr, /^[^\n]*"--nonsense"[^\n]*\n$/);
  }
});

test('--help of every script says how it is used and changes nothing', () => {
  for (const script of ['setup', 'serve', 'package', 'size', 'test']) {
    const help = run(script, '--help');
    assert.equal(help.status, 0, script);
    assert.match(help.stdout, new RegExp(`^Usage: scripts/${script}`));
  }
});

// The native programs: complete, and in need of little.
const away = mkdtempSync(join(tmpdir(), 'attnscope-'));
after(() => rmSync(away, { recursive: true }));

const archives = packaged.status === 0 ? readdirSync(`${root}dist`).filter((name) => name.endsWith('.tar.gz')) : [];
const version = readFileSync(`${root}CMakeLists.txt`, 'utf8').match(/project\(attnscope VERSION (\S+)/)[1];

// With nothing of this environment but where programs lie.
const bare = (program, ...args) => spawnSync(program, args, { cwd: away, env: { PATH: '/usr/bin:/bin' }, encoding: 'utf8' });
const librariesOf = (program) =>
  [...bare('readelf', '--dynamic', program).stdout.matchAll(/\(NEEDED\).*\[(.*)\]/g)].map(([, name]) => name);

test('there is one archive, named by version and machine', () => {
  assert.deepEqual(archives, [`attnscope-${version}-linux-${bare('uname', '-m').stdout.trim()}.tar.gz`]);
});

test('the archive unpacks into one folder with both programs, their notices and how to start', () => {
  assert.equal(bare('tar', '-xzf', `${root}dist/${archives[0]}`).status, 0);
  const [folder, ...others] = readdirSync(away);
  assert.deepEqual(others, []);
  assert.equal(`${folder}.tar.gz`, archives[0]);
  assert.deepEqual(readdirSync(join(away, folder)).sort(), ['README.txt', 'THIRD_PARTY.txt', 'attnscope', 'attnscope-cli', 'icon.svg']);
});

test('the terminal program needs the C library and zlib alone, and computes anywhere', () => {
  const cli = `${root}dist/attnscope-cli`;
  assert.deepEqual(librariesOf(cli).filter((name) => !/^(lib[mcz]|ld-linux-.*)\.so\.\d+$/.test(name)), []);
  assert.equal(bare(cli, '--version').stdout, `attnscope-cli ${version}\n`);
  const trace = JSON.parse(bare(cli, 'trace', 'three-positions').stdout);
  assert.deepEqual(trace.heads[0].weights[2], [0.25, 0.25, 0.5]);
  assert.match(JSON.parse(bare(cli, 'scene', 'model', '--set', 'text=Mr. Darc').stdout).says, /\w/); // the model is inside
});

test('the window needs beside that only the libraries that its text names packages for, and tells its version', () => {
  const program = join(away, archives[0].replace('.tar.gz', ''), 'attnscope');
  const withPango = ['libpangocairo-1.0.so.0', 'libpango-1.0.so.0', 'libcairo.so.2', 'libgobject-2.0.so.0', 'libglib-2.0.so.0',
    'libharfbuzz.so.0'];
  const named = { 'libglfw.so.3': 'libglfw3', 'libOpenGL.so.0': 'libopengl0', 'libEGL.so.1': 'libegl1',
    ...Object.fromEntries(withPango.map((library) => [library, 'libpangocairo-1.0-0'])) };
  const words = readFileSync(join(program, '..', 'README.txt'), 'utf8');
  for (const library of librariesOf(program).filter((name) => !/^(lib[mcz]|ld-linux-.*)\.so\.\d+$/.test(name))) {
    assert.ok(named[library], `${library} is not among the libraries that the text names packages for`);
    assert.ok(words.includes(named[library]), named[library]);
  }
  assert.equal(bare(program, '--version').stdout, `attnscope ${version}\n`);
  const picture = join(away, 'picture.png');
  const drawn = bare(program, 'render', '--link', 'v=1&stage=weights', '--size', '640x400', '--out', picture);
  assert.equal(drawn.status, 0, drawn.stderr);
  assert.equal(readFileSync(picture).subarray(1, 4).toString(), 'PNG');
});
