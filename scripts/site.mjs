// Puts the page together from web/ and what Emscripten made: a folder to serve, and one file that opens by double click.
// node scripts/site.mjs BUILD_FOLDER SITE_FOLDER SINGLE_FILE [--versioned]. Knows no concern of the page.
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { bundle } from './bundle.mjs';

const web = join(dirname(fileURLToPath(import.meta.url)), '..', 'web');
const readWeb = (name) => readFileSync(join(web, name), 'utf8');

// A replacement that must find its place exactly once.
function put(text, place, replacement) {
  const parts = text.split(place);
  if (parts.length !== 2) throw new Error(`web/index.html should hold ${JSON.stringify(place)} once, not ${parts.length - 1} times`);
  return parts.join(replacement);
}

// As short as it can be written. Debian keeps terser's own modules where only its own Node looks by itself.
function minified(script) {
  const env = { ...process.env, NODE_PATH: `/usr/share/nodejs:${process.env.NODE_PATH ?? ''}` };
  return execFileSync('terser', ['--compress', '--mangle'], { input: script, env, encoding: 'utf8', maxBuffer: 1 << 24 });
}

const digest = (data, encoding) => createHash('sha256').update(data).digest(encoding);

// The scenes' script with the table in which it looks files of web/data up: path → [address, size].
const withTable = (script, table) => `const DATA=${JSON.stringify(table)};\n${script}`;

// {name: content}. With `versioned`, a name changes when its content does, so that no cache can mix two versions. `data` are
// the files of web/data by their paths.
export function site({ script, wasm, rest, scenesScript, scenesWasm, data, versioned }) {
  const files = {};
  const add = (stem, extension, content) => {
    const name = versioned ? `${stem}-${digest(content, 'hex').slice(0, 12)}.${extension}` : `${stem}.${extension}`;
    files[name] = content;
    return name;
  };
  const address = (path) => add(`data/${path.slice(0, -extname(path).length)}`, extname(path).slice(1), data[path]);
  const table = Object.fromEntries(Object.keys(data).map((path) => [path, [address(path), data[path].length]]));
  let page = readWeb('index.html');
  page = put(page, 'href="app.css"', `href="${add('app', 'css', readWeb('app.css'))}"`);
  page = put(page, 'href="attnscope.wasm"', `href="${add('attnscope', 'wasm', wasm)}"`);
  page = put(page, 'data-rest="rest.wasm"', `data-rest="${add('rest', 'wasm', rest)}"`);
  page = put(page, 'data-scenes-script="scenes.js"', `data-scenes-script="${add('scenes', 'js', withTable(scenesScript, table))}"`);
  page = put(page, 'data-scenes-program="scenes.wasm"', `data-scenes-program="${add('scenes', 'wasm', scenesWasm)}"`);
  page = put(page, 'src="app.js"', `src="${add('app', 'js', script)}"`);
  files['index.html'] = page;
  return files;
}

// Everything in one page; its policy names the script and the style by their digests and allows nothing else.
export function single({ script: program, wasm, rest, scenesScript, scenesWasm, data }) {
  const inScript = (text) => text.replaceAll('</script', '<\\/script');
  const script = inScript(program);
  const style = readWeb('app.css');
  const policy = `default-src 'none'; script-src 'sha256-${digest(script, 'base64')}' 'wasm-unsafe-eval'; ` +
    `style-src 'sha256-${digest(style, 'base64')}'; img-src data: blob:; worker-src blob:; base-uri 'none'; form-action 'none'`;
  let page = readWeb('index.html');
  page = page.replace(/content="default-src[^"]*"/, () => `content="${policy}"`);
  page = put(page, '<link rel="stylesheet" href="app.css">', `<style>${style}</style>`);
  page = put(page, '<link rel="preload" href="attnscope.wasm" as="fetch" crossorigin>\n', '');
  page = put(page, '<script src="app.js" defer></script>\n', '');
  page = put(page, ' data-rest="rest.wasm" data-scenes-script="scenes.js" data-scenes-program="scenes.wasm"', '');
  const element = (id, text) => `<script type="application/octet-stream" id="${id}">${text}</script>\n`;
  const bytes = { program: wasm, 'rest-program': rest, 'scenes-program': scenesWasm, ...data };
  const parts = element('scenes-script', inScript(withTable(scenesScript, {}))) +
    Object.entries(bytes).map(([id, content]) => element(id, content.toString('base64'))).join('');
  return put(page, '</body>', `${parts}<script>${script}</script>\n</body>`);
}

// {path: content} of a folder and of those in it.
function filesIn(folder) {
  const paths = readdirSync(folder, { recursive: true }).filter((path) => extname(path)).sort();
  return Object.fromEntries(paths.map((path) => [path, readFileSync(join(folder, path))]));
}

function main([build, siteFolder, singleFile, option]) {
  const made = (name) => readFileSync(join(build, name), 'utf8') + '\n';
  const parts = {
    script: minified(made('attnscope.js') + bundle(readWeb, 'boot.js')),
    wasm: readFileSync(join(build, 'first.wasm')),
    rest: readFileSync(join(build, 'rest.wasm')),
    scenesScript: minified(made('scenes.js') + readWeb('scene_worker.js')),
    scenesWasm: readFileSync(join(build, 'scenes.wasm')),
    data: filesIn(join(web, 'data')),
    versioned: option === '--versioned',
  };
  rmSync(siteFolder, { recursive: true, force: true });
  for (const [name, content] of Object.entries(site(parts))) {
    mkdirSync(dirname(join(siteFolder, name)), { recursive: true });
    writeFileSync(join(siteFolder, name), content);
  }
  mkdirSync(dirname(singleFile), { recursive: true });
  writeFileSync(singleFile, single(parts));
}

if (process.argv[1] === fileURLToPath(import.meta.url)) main(process.argv.slice(2));
