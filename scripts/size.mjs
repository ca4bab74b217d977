// What a first visit downloads: node size.mjs SITE_FOLDER FONTS_SOURCE. The fonts' share is what compression saves when
// their bytes are left out of the program; how they come into it is not this file's concern.
import { readdirSync, readFileSync } from 'node:fs';
import { extname, join } from 'node:path';
import { brotliCompressSync, constants } from 'node:zlib';

const limit = 350 * 1024;
const downloaded = /\.(html|css|js|wasm|svg|webmanifest)$/;
const later = /^(rest|scenes|service_worker)\b/; // fetched when the first scene is opened, or when the page is idle

const compressed = (data) => brotliCompressSync(data, {
  params: {
    [constants.BROTLI_PARAM_QUALITY]: 11,
    [constants.BROTLI_PARAM_LGWIN]: 22,
    [constants.BROTLI_PARAM_SIZE_HINT]: data.length,
  },
}).length;

// The arrays of the generated font source, as bytes.
function fontsOf(source) {
  return [...source.matchAll(/\[\] = \{([\d,\s]+)\}/g)].map(([, list]) => Buffer.from(list.split(',').filter((n) => n.trim()).map(Number)));
}

// The program without the fonts. The linker leaves out long runs of zeros, so a font lies there in pieces.
function without(program, fonts) {
  const zeros = Buffer.alloc(8);
  let left = program;
  let removed = 0;
  const cut = (piece) => {
    const at = piece.length < 16 ? -1 : left.indexOf(piece);
    if (at < 0) return;
    left = Buffer.concat([left.subarray(0, at), left.subarray(at + piece.length)]);
    removed += piece.length;
  };
  for (const font of fonts) {
    if (left.includes(font)) {
      cut(font);
      continue;
    }
    for (let from = 0; from < font.length;) {
      let to = font.indexOf(zeros, from);
      if (to < 0) to = font.length;
      cut(font.subarray(from, to));
      from = to;
      while (from < font.length && font[from] === 0) ++from;
    }
  }
  return { left, removed };
}

const [folder, fontsSource] = process.argv.slice(2);
const kilobytes = (bytes) => `${(bytes / 1024).toFixed(1)} KB`.padStart(10);
const row = (name, size, small) => console.log(`${name.padEnd(34)}${kilobytes(size)}${kilobytes(small)}`);

const fonts = fontsOf(readFileSync(fontsSource, 'utf8'));
const fontBytes = fonts.reduce((sum, font) => sum + font.length, 0);
let total = 0;
let totalSmall = 0;
let bare = 0;
console.log(`${'file'.padEnd(34)}${'size'.padStart(10)}${'brotli 11'.padStart(10)}`);
const files = readdirSync(folder).filter((name) => downloaded.test(name)).sort();
for (const name of files.filter((name) => !later.test(name))) {
  const data = readFileSync(join(folder, name));
  const small = compressed(data);
  row(name, data.length, small);
  total += data.length;
  totalSmall += small;
  if (!name.endsWith('.wasm')) {
    bare += small;
    continue;
  }
  const { left, removed } = without(data, fonts);
  if (removed < 0.95 * fontBytes) {
    console.error(`size: only ${removed} of ${fontBytes} font bytes were found in ${name}; the figure without fonts would be wrong.`);
    process.exit(1);
  }
  bare += compressed(left);
}
row('download', total, totalSmall);
row('of which fonts', fontBytes, totalSmall - bare);
row('download without fonts', total - fontBytes, bare);
console.log(`limit for the last figure: ${kilobytes(limit).trim()}: ${bare <= limit ? 'kept' : 'exceeded'}`);
const showAll = (names) => names.forEach((name) => {
  const data = readFileSync(join(folder, name));
  row(name, data.length, compressed(data));
});
console.log('fetched when the first scene is opened, or before, to be kept for visits without a network:');
showAll(files.filter((name) => later.test(name)));
console.log('fetched when a page about the trained model asks for it:');
showAll(readdirSync(join(folder, 'data'), { recursive: true }).filter((path) => extname(path)).map((path) => `data/${path}`).sort());
process.exitCode = bare <= limit ? 0 : 1;
