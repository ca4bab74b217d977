// Puts the page together from web/ and what Emscripten made: a folder to serve, one file that opens by double click, and
// attnscope.py beside it, which writes such files with arrays in them.
// node scripts/site.mjs BUILD_FOLDER SITE_FOLDER SINGLE_FILE [--versioned]. Knows no concern of the page.
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { deflateSync } from 'node:zlib';
import { bundle } from './bundle.mjs';

const web = join(dirname(fileURLToPath(import.meta.url)), '..', 'web');
const readWeb = (name) => readFileSync(join(web, name), 'utf8');

// A replacement that must find its place exactly once.
function put(text, place, replacement) {
  const parts = text.split(place);
  if (parts.length !== 2) throw new Error(`web/ should hold ${JSON.stringify(place)} once, not ${parts.length - 1} times`);
  return parts.join(replacement);
}

// The icon by its names in web/manifest.webmanifest. Where the launcher cuts the shape, the ground fills the picture.
function drawIcons() {
  const icon = readWeb('icon.svg');
  const wide = put(put(icon, 'viewBox="0 0 16 16"', 'viewBox="-5 -5 26 26"'),
    '<rect width="16" height="16" rx="3"', '<rect x="-5" y="-5" width="26" height="26"');
  const draw = (svg, size) => execFileSync('rsvg-convert', ['--width', size, '--height', size], { input: svg });
  return { 'icon.svg': icon, 'icon-192.png': draw(icon, 192), 'icon-512.png': draw(icon, 512), 'icon-maskable.png': draw(wide, 512) };
}

// As short as it can be written. Debian keeps terser's own modules where only its own Node looks by itself.
function minified(script) {
  const env = { ...process.env, NODE_PATH: `/usr/share/nodejs:${process.env.NODE_PATH ?? ''}` };
  return execFileSync('terser', ['--compress', '--mangle'], { input: script, env, encoding: 'utf8', maxBuffer: 1 << 24 });
}

const digest = (data, encoding) => createHash('sha256').update(data).digest(encoding);

// The scenes' script with the table in which it looks files of web/data up: path → [address, size].
const withTable = (script, table) => `const DATA=${JSON.stringify(table)};\n${script}`;

// The service worker with its list: of each file, the digest in the form in which fetch() checks it.
function withList(serviceWorker, files) {
  const list = JSON.stringify(Object.fromEntries(Object.entries(files).map(([name, content]) => [name, `sha256-${digest(content, 'base64')}`])));
  return `const VERSION=${JSON.stringify(digest(list, 'hex').slice(0, 12))},FILES=${list};\n${serviceWorker}`;
}

// The page with the address of each language's table.
function withLanguages(page, languages, addressOf) {
  const addresses = JSON.stringify(Object.fromEntries(Object.keys(languages).map((code) => [code, addressOf(code)])));
  return put(page, 'data-languages="{}"', `data-languages='${addresses}'`);
}

// {name: content}. With `versioned`, a name changes when its content does, so that no cache can mix two versions, and a service
// worker keeps them. `data` are the files of web/data by
// their paths, `languages` the tables by their codes.
export function site({ script, wasm, rest, scenesScript, scenesWasm, data, languages, icons, serviceWorker, versioned }) {
  const files = {};
  const add = (stem, extension, content) => {
    const name = versioned ? `${stem}-${digest(content, 'hex').slice(0, 12)}.${extension}` : `${stem}.${extension}`;
    files[name] = content;
    return name;
  };
  const refer = (text, attribute, name, content) =>
    put(text, `${attribute}="${name}"`, `${attribute}="${add(...name.split('.'), content)}"`);
  const address = (path) => add(`data/${path.slice(0, -extname(path).length)}`, extname(path).slice(1), data[path]);
  const table = Object.fromEntries(Object.keys(data).map((path) => [path, [address(path), data[path].length]]));
  let manifest = readWeb('manifest.webmanifest');
  for (const [name, content] of Object.entries(icons)) manifest = put(manifest, `"${name}"`, `"${add(...name.split('.'), content)}"`);
  let page = readWeb('index.html');
  page = refer(page, 'href', 'icon.svg', icons['icon.svg']);
  page = refer(page, 'href', 'icon-192.png', icons['icon-192.png']);
  page = refer(page, 'href', 'manifest.webmanifest', manifest);
  page = refer(page, 'href', 'app.css', readWeb('app.css'));
  page = refer(page, 'href', 'attnscope.wasm', wasm);
  page = refer(page, 'data-rest', 'rest.wasm', rest);
  page = refer(page, 'data-scenes-script', 'scenes.js', withTable(scenesScript, table));
  page = refer(page, 'data-scenes-program', 'scenes.wasm', scenesWasm);
  page = refer(page, 'src', 'app.js', script);
  page = withLanguages(page, languages, (code) => add(`language/${code}`, 'json', languages[code]));
  if (!versioned) return { ...files, 'index.html': put(page, ' data-worker="service_worker.js"', '') };
  files['index.html'] = page;
  return { ...files, 'service_worker.js': withList(serviceWorker, files) };
}

// Everything in one page; its policy names the script and the style by their digests and allows nothing else.
export function single({ script: program, wasm, rest, scenesScript, scenesWasm, data, languages }) {
  const inScript = (text) => text.replaceAll('</script', '<\\/script');
  const script = inScript(program);
  const style = readWeb('app.css');
  const policy = `default-src 'none'; script-src 'sha256-${digest(script, 'base64')}' 'wasm-unsafe-eval'; ` +
    `style-src 'sha256-${digest(style, 'base64')}'; img-src data: blob:; worker-src blob:; base-uri 'none'; form-action 'none'`;
  let page = readWeb('index.html');
  page = page.replace(/content="default-src[^"]*"/, () => `content="${policy}"`);
  page = put(page, 'href="icon.svg"', `href="data:image/svg+xml,${encodeURIComponent(readWeb('icon.svg'))}"`);
  page = put(page, '<link rel="apple-touch-icon" href="icon-192.png">\n', '');
  page = put(page, '<link rel="manifest" href="manifest.webmanifest">\n', '');
  page = put(page, '<link rel="stylesheet" href="app.css">', `<style>${style}</style>`);
  page = put(page, '<link rel="preload" href="attnscope.wasm" as="fetch" crossorigin>\n', '');
  page = put(page, '<script src="app.js" defer></script>\n', '');
  page = put(page, ' data-rest="rest.wasm" data-scenes-script="scenes.js" data-scenes-program="scenes.wasm" data-worker="service_worker.js"', '');
  page = withLanguages(page, languages, () => '');
  const element = (id, text) => `<script type="application/octet-stream" id="${id}">${text}</script>\n`;
  const bytes = { program: wasm, 'rest-program': rest, 'scenes-program': scenesWasm, ...data };
  const parts = element('scenes-script', inScript(withTable(scenesScript, {}))) +
    Object.entries(bytes).map(([id, content]) => element(id, content.toString('base64'))).join('') +
    Object.entries(languages).map(([code, table]) => element(`language-${code}`, inScript(table))).join('');
  return put(page, '</body>', `${parts}<script>${script}</script>\n</body>`);
}

// src/notebook/attnscope.py with the page in it, without the data of the trained model, which no array of one's own needs.
export function notebook(parts) {
  const page = deflateSync(single({ ...parts, data: {} }), { level: 9 }).toString('base64').replace(/.{120}/g, '$&\n');
  const path = join(web, '..', 'src', 'notebook', 'attnscope.py');
  return put(readFileSync(path, 'utf8'), '\nPAGE = ""\n', `\nPAGE = """\n${page}\n"""\n`);
}

// {path: content} of a folder and of those in it.
function filesIn(folder) {
  const paths = readdirSync(folder, { recursive: true }).filter((path) => extname(path)).sort();
  return Object.fromEntries(paths.map((path) => [path, readFileSync(join(folder, path))]));
}

// code → the table of that language, as short as it can be written.
function tables() {
  const files = filesIn(join(web, '..', 'src', 'language'));
  return Object.fromEntries(Object.entries(files).map(([path, text]) => [path.slice(0, -'.json'.length), JSON.stringify(JSON.parse(text))]));
}

// What site() and single() put together: web/, and what Emscripten made in the folder `build`.
export function partsOf(build) {
  const made = (name) => readFileSync(join(build, name), 'utf8') + '\n';
  return {
    script: minified(made('attnscope.js') + bundle(readWeb, 'boot.js')),
    wasm: readFileSync(join(build, 'first.wasm')),
    rest: readFileSync(join(build, 'rest.wasm')),
    scenesScript: minified(made('scenes.js') + bundle(readWeb, 'scene_worker.js')),
    scenesWasm: readFileSync(join(build, 'scenes.wasm')),
    data: filesIn(join(web, 'data')),
    languages: tables(),
    icons: drawIcons(),
    serviceWorker: minified(readWeb('service_worker.js')),
  };
}

function main([build, siteFolder, singleFile, option]) {
  const parts = partsOf(build);
  rmSync(siteFolder, { recursive: true, force: true });
  for (const [name, content] of Object.entries(site({ ...parts, versioned: option === '--versioned' }))) {
    mkdirSync(dirname(join(siteFolder, name)), { recursive: true });
    writeFileSync(join(siteFolder, name), content);
  }
  mkdirSync(dirname(singleFile), { recursive: true });
  writeFileSync(singleFile, single(parts));
  writeFileSync(join(dirname(singleFile), 'attnscope.py'), notebook(parts));
}

if (process.argv[1] === fileURLToPath(import.meta.url)) main(process.argv.slice(2));
