// Puts the page together from web/ and what Emscripten made: a folder to serve, and one file that opens by double click.
// node scripts/site.mjs BUILD_FOLDER SITE_FOLDER SINGLE_FILE [--versioned]. Knows no concern of the page.
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
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

// {name: data}. With `versioned`, a name changes when its content does, so that no cache can mix two versions.
export function site({ script, wasm, rest, scenesScript, scenesWasm, versioned }) {
  const files = {};
  const add = (stem, extension, data) => {
    const name = versioned ? `${stem}-${digest(data, 'hex').slice(0, 12)}.${extension}` : `${stem}.${extension}`;
    files[name] = data;
    return name;
  };
  let page = readWeb('index.html');
  page = put(page, 'href="app.css"', `href="${add('app', 'css', readWeb('app.css'))}"`);
  page = put(page, 'href="attnscope.wasm"', `href="${add('attnscope', 'wasm', wasm)}"`);
  page = put(page, 'data-rest="rest.wasm"', `data-rest="${add('rest', 'wasm', rest)}"`);
  page = put(page, 'data-scenes-script="scenes.js"', `data-scenes-script="${add('scenes', 'js', scenesScript)}"`);
  page = put(page, 'data-scenes-program="scenes.wasm"', `data-scenes-program="${add('scenes', 'wasm', scenesWasm)}"`);
  page = put(page, 'src="app.js"', `src="${add('app', 'js', script)}"`);
  files['index.html'] = page;
  return files;
}

// Everything in one page; its policy names the script and the style by their digests and allows nothing else.
export function single({ script: program, wasm, rest, scenesScript, scenesWasm }) {
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
  const data = (id, text) => `<script type="application/octet-stream" id="${id}">${text}</script>\n`;
  const parts = data('program', wasm.toString('base64')) + data('rest-program', rest.toString('base64')) +
    data('scenes-program', scenesWasm.toString('base64')) + data('scenes-script', inScript(scenesScript));
  return put(page, '</body>', `${parts}<script>${script}</script>\n</body>`);
}

function main([build, siteFolder, singleFile, option]) {
  const made = (name) => readFileSync(join(build, name), 'utf8') + '\n';
  const parts = {
    script: minified(made('attnscope.js') + bundle(readWeb, 'boot.js')),
    wasm: readFileSync(join(build, 'first.wasm')),
    rest: readFileSync(join(build, 'rest.wasm')),
    scenesScript: minified(made('scenes.js') + readWeb('scene_worker.js')),
    scenesWasm: readFileSync(join(build, 'scenes.wasm')),
    versioned: option === '--versioned',
  };
  rmSync(siteFolder, { recursive: true, force: true });
  mkdirSync(siteFolder, { recursive: true });
  for (const [name, data] of Object.entries(site(parts))) writeFileSync(join(siteFolder, name), data);
  mkdirSync(dirname(singleFile), { recursive: true });
  writeFileSync(singleFile, single(parts));
}

if (process.argv[1] === fileURLToPath(import.meta.url)) main(process.argv.slice(2));
