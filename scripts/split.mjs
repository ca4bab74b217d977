// Cuts the linked program in two with Binaryen's wasm-split: what the first picture needs, and the rest, which is fetched
// when it is first opened. What belongs to the rest are the files that match PATTERNS and what only they use; the border
// is crossed by functions that src/ marks with ATTN_GATE. Data stays with the first half, but for texts that CMake embeds
// as LATE. Knows no function by name.
// node scripts/split.mjs BINARYEN NM SRC PROGRAM.wasm FIRST.wasm REST.wasm OBJECTS.txt PATTERN… [OPTIONAL PATTERN…]
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { moveData } from './late-data.mjs';

export class SplitError extends Error {}

const LIST = 'src/platform/program.cmake'; // where the patterns stand
const LARGE = { maxBuffer: 1 << 30, encoding: 'utf8' };
// What newer versions of Emscripten use by themselves; the cut itself needs the first.
const FEATURES = ['mutable-globals', 'sign-ext', 'bulk-memory', 'nontrapping-float-to-int', 'multivalue', 'reference-types']
  .map((name) => `--enable-${name}`);

// In the folder of the Binaryen that Emscripten uses, else on PATH.
function tool(folder, name) {
  const found = [folder, ...(process.env.PATH ?? '').split(delimiter)].map((each) => join(each, name)).find(existsSync);
  if (found) return found;
  throw new SplitError(`${name} is neither in ${folder} nor on PATH; it comes with Binaryen, beside wasm-opt: run scripts/setup, or install the package binaryen.`);
}

// The objects whose source matches a pattern such as ui/scene_*.cpp; those after OPTIONAL need not match anything yet.
export function objectsOf(patterns, objects) {
  const optional = patterns.indexOf('OPTIONAL');
  const found = new Set();
  patterns.filter((each) => each !== 'OPTIONAL').forEach((pattern, at) => {
    const form = new RegExp(`/src/${pattern.replaceAll('.', '\\.').replaceAll('*', '[^/]*')}\\.o(bj)?$`);
    const matching = objects.filter((each) => form.test(each));
    if (!matching.length && (optional < 0 || at < optional)) {
      throw new SplitError(`no file is ${pattern}, which ${LIST} counts among the rest; correct the pattern there.`);
    }
    matching.forEach((each) => found.add(each));
  });
  return [...found];
}

// Of each object file: the functions and data that it defines, those among them that others may use, and what it uses of
// others.
export function symbolsOf(text) {
  const files = [];
  for (const line of text.split('\n')) {
    if (line.endsWith(':')) files.push({ defined: new Set(), outer: new Set(), used: new Set() });
    const found = line.match(/^\S*\s+([A-Za-z]) (\S+)$/);
    if (!found) continue;
    const [, kind, name] = found;
    if (kind === 'U') files.at(-1).used.add(name);
    else files.at(-1).defined.add(name);
    if (kind === 'T') files.at(-1).outer.add(name);
  }
  return files;
}

const all = (files, what) => new Set(files.flatMap((file) => [...file[what]]));

// The names behind ATTN_GATE.
export function gatesIn(text) {
  return [...text.matchAll(/^ATTN_GATE\s[^;{(]*?(\w+)\(/gm)].map(([, name]) => name);
}

function markedIn(folder) {
  const headers = readdirSync(folder, { recursive: true }).filter((path) => path.endsWith('.h'));
  return headers.flatMap((path) => gatesIn(readFileSync(join(folder, path), 'utf8')));
}

// attn::ui::drawAbout of _ZN4attn2ui9drawAboutERNS0_5FrameE.
export function plain(name) {
  let rest = name.replace(/^_ZNK?/, '');
  const parts = [];
  for (let found; (found = rest.match(/^(\d+)/)); rest = rest.slice(found[1].length + Number(found[1]))) {
    parts.push(rest.slice(found[1].length, found[1].length + Number(found[1])));
  }
  return parts.join('::') || name;
}

// {calls: name → names, roots: exported and started, slots: the table's functions in order}.
export function graphOf(text) {
  const graph = { calls: new Map(), roots: new Set(), slots: [] };
  let called = null;
  for (const line of text.split('\n')) {
    const definition = line.match(/^ \(func \$(\S+)/);
    if (definition && !line.includes('(import "')) graph.calls.set(definition[1], called = new Set());
    const root = line.match(/^ \((?:export "[^"]*" \(func \$([^\s)]+)|start \$([^\s)]+))/);
    if (root) graph.roots.add(root[1] ?? root[2]);
    if (line.startsWith(' (elem ')) graph.slots.push(...[...line.matchAll(/ \$([^\s)]+)/g)].map(([, name]) => name));
    const call = line.match(/^\s+\((?:return_call|call|ref\.func) \$([^\s)]+)/);
    if (call && called) called.add(call[1]);
  }
  return graph;
}

// The functions of the first half: what is reached from its roots without passing a gate. The table, through which all
// other calls go, tells no caller: of its functions those belong to the rest that only files of the rest define. Binaryen
// makes one of functions that are alike; then the table holds it twice, or it is also called by name, and it stays.
export function firstOf(graph, gates, only_in_rest) {
  const named = new Set([...graph.calls.values()].flatMap((each) => [...each]));
  const times = new Map();
  for (const name of graph.slots) times.set(name, (times.get(name) ?? 0) + 1);
  const goes = (name) => gates.has(name) || (only_in_rest(name) && times.get(name) === 1 && !named.has(name));
  const first = new Set();
  const open = [...graph.roots, ...graph.slots.filter((name) => !goes(name))];
  while (open.length) {
    const name = open.pop();
    if (first.has(name) || gates.has(name)) continue;
    first.add(name);
    open.push(...(graph.calls.get(name) ?? []));
  }
  return first;
}

// Where the texts lie that only the rest reads.
const lateData = (text) => new Set([...text.matchAll(/^ \(data \$late\S* \(i32\.const (\d+)\)/gm)].map(([, at]) => Number(at)));

// Linking all files at once numbers local functions of one name: draw, draw.12.
const written = (name) => name.replace(/\.\d+$/, '');

// Every mark must be a function of the rest's files that is still one after linking.
function findGates(marked, theirs, graph) {
  const outer = [...all(theirs, 'outer')];
  if (!marked.length) throw new SplitError('no header of src/ has a function marked with ATTN_GATE.');
  return new Set(marked.flatMap((mark) => {
    const found = outer.filter((name) => name.includes(`${mark.length}${mark}E`));
    if (!found.length) throw new SplitError(`ATTN_GATE marks ${mark}, but no file of the rest has a function of that name; take the mark away, or name its file in ${LIST}.`);
    const there = found.filter((name) => graph.calls.has(name));
    if (!there.length) throw new SplitError(`nothing calls ${mark} any more, or it was drawn into its callers; take its ATTN_GATE away, or keep it a function of its own.`);
    return there;
  }));
}

// No file of the first half may use a function of the rest's files that is no gate. That a function has the name of one
// is no use of it: of functions that are alike one name is kept.
export function unmarked(ours, theirs, gates, graph, first) {
  const slots = new Set(graph.slots);
  const callersOf = (name) => [...first].filter((caller) => graph.calls.get(caller)?.has(name));
  return [...all(theirs, 'outer')].filter((name) => {
    const users = gates.has(name) ? [] : ours.filter((file) => file.used.has(name));
    if (!users.length) return false;
    if (!first.has(name)) return slots.has(name);
    return callersOf(name).some((caller) => users.some((file) => file.defined.has(written(caller))));
  });
}

function checkBorder(wrong) {
  if (!wrong.length) return;
  throw new SplitError(`the first half uses what the rest's files define, without a gate: ${wrong.map(plain).join(', ')}. ` +
    'Move it to a file of the first half, or mark it ATTN_GATE and call it only where the rest is there (src/core/gate.h).');
}

function run(program, args) {
  try {
    execFileSync(program, args, LARGE);
  } catch (error) {
    throw new SplitError(`${program} failed: ${error.stderr || error.message}`);
  }
}

function split([binaryen, nm, src, program, firstFile, restFile, list, ...patterns]) {
  const objects = readFileSync(list, 'utf8').split('\n').filter(Boolean);
  const theirObjects = objectsOf(patterns, objects);
  const symbols = (files) => symbolsOf(execFileSync(nm, files, LARGE));
  const ours = symbols(objects.filter((each) => !theirObjects.includes(each)));
  const theirs = symbols(theirObjects);
  const text = execFileSync(tool(binaryen, 'wasm-dis'), [program, ...FEATURES], LARGE);
  const graph = graphOf(text);
  const gates = findGates(markedIn(src), theirs, graph);
  const [defined_here, defined_there] = [all(ours, 'defined'), all(theirs, 'defined')];
  const only_in_rest = (name) => defined_there.has(written(name)) && !defined_here.has(written(name));
  const first = firstOf(graph, gates, only_in_rest);
  checkBorder(unmarked(ours, theirs, gates, graph, first));
  const names = [...graph.calls.keys()].filter((name) => !first.has(name));
  // The halves know each other by this name, so that two of different versions do not fit.
  const border = `rest-${createHash('sha256').update(readFileSync(program)).digest('hex').slice(0, 8)}`;
  const going = `${restFile}.txt`; // to look at, and for a test
  const scratch = mkdtempSync(join(tmpdir(), 'attnscope-split-'));
  try {
    const whole = join(scratch, 'first.wasm');
    writeFileSync(going, names.join('\n'));
    run(tool(binaryen, 'wasm-split'), [program, '--split', `--split-funcs=@${going}`, '--export-prefix=%', ...FEATURES,
      `--placeholder-namespace=${border}`, `--import-namespace=${border}`, '-o1', whole, '-o2', restFile]);
    const moved = moveData(readFileSync(whole), readFileSync(restFile), lateData(text));
    writeFileSync(whole, moved[0]);
    writeFileSync(restFile, moved[1]);
    run(tool(binaryen, 'wasm-opt'), ['-Oz', '--one-caller-inline-max-function-size=10', ...FEATURES, whole, '-o', firstFile]);
  } finally {
    rmSync(scratch, { recursive: true });
  }
  const size = (file) => readFileSync(file).length;
  console.log(`split: ${gates.size} gates, ${names.length} of ${graph.calls.size} functions in the rest; ${size(firstFile)} and ${size(restFile)} bytes`);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  try {
    split(process.argv.slice(2));
  } catch (error) {
    if (!(error instanceof SplitError)) throw error;
    console.error(`split: ${error.message}`);
    process.exit(1);
  }
}
