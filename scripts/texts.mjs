// The texts of the program for translators: which there are, and the table of a language, src/language/CODE.json.
// Knows how texts are written in code and in our JSON files, and no language.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const usage = `Usage: node scripts/texts.mjs missing CODE [PATH…]   what src/language/CODE.json lacks of the files below PATH, as JSON
       node scripts/texts.mjs put CODE FILE          puts the entries of FILE into it, in the order of the code
`;

// Of our JSON files, what is said to people; src/lesson/translated.cpp knows the same names.
const WORDS = new Set(['title', 'look', 'label', 'hint', 'text', 'heading', 'note', 'otherwise', 'question', 'answer', 'jump', 'says',
  'measured', 'section', 'year', 'instruction', 'why', 'find']);

const unescaped = (literal) => literal.replace(/\\u([0-9a-f]{4})|\\(.)/gi, (_, code, char) =>
  code ? String.fromCharCode(parseInt(code, 16)) : { n: '\n', t: '\t' }[char] ?? char);

function* inCode(text, quote) {
  const literal = `${quote}(?:[^${quote}\\\\\\n]|\\\\.)*${quote}`;
  for (const [, all] of text.matchAll(new RegExp(`\\btr(?:Later)?\\(\\s*((?:${literal}\\s*\\+?\\s*)+)`, 'g'))) {
    yield [...all.matchAll(new RegExp(literal, 'g'))].map(([each]) => unescaped(each.slice(1, -1))).join('');
  }
}

function* inJson(value, isWords = false) {
  if (typeof value === 'string') {
    if (isWords) yield value;
  } else if (Array.isArray(value)) {
    for (const each of value) yield* inJson(each, isWords);
  } else if (value && typeof value === 'object') {
    for (const [name, each] of Object.entries(value)) {
      if (name === 'title' && value.authors) continue; // of somebody's work
      if (name === 'options') yield* each.map((option) => (Array.isArray(option) ? option[1] : option));
      else yield* inJson(each, name === 'page' || (WORDS.has(name) && typeof each !== 'object') || (name === 'look' || name === 'says'));
    }
  }
}

function textsIn(path) {
  const text = readFileSync(join(root, path), 'utf8');
  if (path.endsWith('.json')) return [...inJson(JSON.parse(text))];
  return [...inCode(text.replace(/^\s*\/\/.*$/gm, ''), path.endsWith('.js') ? "'" : '"')];
}

// path → the texts in it.
export function texts() {
  const paths = ['src', 'web'].flatMap((folder) => readdirSync(join(root, folder), { recursive: true }).map((path) => join(folder, path)));
  const ours = (path) => /\.(cpp|h)$/.test(path) || /^web\/[^/]*\.js$/.test(path) || /^src\/lesson\/catalogue(_find)?\.json$/.test(path) ||
    /^src\/(lesson\/tasks|lesson\/examples|(scene|survey|study)\/texts)\/.*\.json$/.test(path);
  return new Map(paths.filter(ours).sort().map((path) => [path, textsIn(path).filter((text) => /[\p{L}“]/u.test(text))]));
}

const tablePath = (code) => join(root, 'src', 'language', `${code}.json`);

export function table(code) {
  return JSON.parse(readFileSync(tablePath(code), 'utf8'));
}

const places = (text) => [...text.matchAll(/\{(\{|[^}|]*)/g)].map(([, name]) => name).sort();

// What is wrong with an entry, or ''. A place may be used again: for the forms of a second word.
export function fault(english, other) {
  const [wanted, given] = [places(english), places(other)].map((each) => [...new Set(each)].join(' '));
  return !other || wanted !== given ? `${JSON.stringify(english)} has the places “${wanted}”, and its translation “${given}”` : '';
}

function missing(code, paths) {
  const known = table(code);
  const entries = [...texts()].filter(([path]) => !paths.length || paths.some((each) => path.startsWith(each)))
    .flatMap(([, all]) => all.filter((text) => !(text in known)).map((text) => [text, '']));
  return JSON.stringify(Object.fromEntries(entries), null, 1);
}

function put(code, file) {
  const all = { ...table(code), ...JSON.parse(readFileSync(file, 'utf8')) };
  const entries = [...new Set([...texts().values()].flat())].filter((text) => all[text]).map((text) => [text, all[text]]);
  for (const [english, other] of entries) {
    if (fault(english, other)) throw new Error(fault(english, other));
  }
  writeFileSync(tablePath(code), `${JSON.stringify(Object.fromEntries(entries), null, 1)}\n`);
}

function main([command, code, ...rest]) {
  if (command === 'missing' && code) process.stdout.write(`${missing(code, rest)}\n`);
  else if (command === 'put' && rest.length === 1) put(code, rest[0]);
  else process.stdout.write(usage);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) main(process.argv.slice(2));
