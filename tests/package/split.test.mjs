// How the program is cut in two: what goes where, what is refused, and what came of it.
import assert from 'node:assert/strict';
import { readFileSync, statSync } from 'node:fs';
import test from 'node:test';
import { fileURLToPath } from 'node:url';
import { moveData } from '../../scripts/late-data.mjs';
import { firstOf, gatesIn, graphOf, objectsOf, plain, symbolsOf, unmarked } from '../../scripts/split.mjs';

const built = fileURLToPath(new URL('../../build/web/', import.meta.url));

const PROGRAM = `(module
 (import "a" "b" (func $fimport (param i32)))
 (elem (i32.const 1) $slotHere $slotThere $alike $alike)
 (export "x" (func $start))
 (func $start
  (call $gate)
  (call $twin)
 )
 (func $gate
  (call $deep)
 )
 (func $deep
  (call $shared)
 )
 (func $shared
 )
 (func $twin
  (call $shared)
 )
 (func $slotHere
 )
 (func $slotThere
 )
 (func $alike
 )
)`;
const rest = (graph, gates, names) => {
  const first = firstOf(graph, new Set(gates), (name) => names.includes(name));
  return [...graph.calls.keys()].filter((name) => !first.has(name)).sort();
};

test('what only gates lead to is the rest, and of the table what only its files define and nothing else is like', () => {
  const graph = graphOf(PROGRAM);
  assert.deepEqual(rest(graph, ['gate'], ['slotThere', 'alike', 'twin', 'gate', 'deep']), ['deep', 'gate', 'slotThere']);
});

test('without gates everything that is called stays', () => {
  assert.deepEqual(rest(graphOf(PROGRAM), [], []), []);
});

test('gates are read where they are declared', () => {
  assert.deepEqual(gatesIn('#define ATTN_GATE [[gnu::noinline]]\nATTN_GATE void drawAbout(Frame& frame);\n' +
    '// ATTN_GATE no(\nATTN_GATE core::Result<Page> parsePage(std::string_view json);\n'), ['drawAbout', 'parsePage']);
});

test('a pattern that matches no file is refused by name, unless it is optional', () => {
  const objects = ['x/src/ui/scene_a.cpp.o', 'x/src/ui/stage.cpp.o'];
  assert.deepEqual(objectsOf(['ui/scene_*.cpp', 'OPTIONAL', 'ui/lab_*.cpp'], objects), ['x/src/ui/scene_a.cpp.o']);
  assert.throws(() => objectsOf(['ui/scene_*.cpp', 'ui/other_*.cpp'], objects), /no file is ui\/other_\*\.cpp/);
});

test('a call across the border without a gate is found, but not that one name stands for two functions that are alike', () => {
  const ours = symbolsOf('a.o:\n T start\n U twin\nb.o:\n T other\n');
  const theirs = symbolsOf('c.o:\n T twin\n T gate\n');
  const graph = graphOf(PROGRAM);
  const found = (files) => unmarked(files, theirs, new Set(['gate']), graph, new Set(['start', 'twin', 'shared']));
  assert.deepEqual(found(ours), ['twin']);
  assert.deepEqual(found(symbolsOf('a.o:\n T start\nb.o:\n T other\n U twin\n')), []);
});

// A program of one data section: \0asm, version, and each text at its address.
function program(...texts) {
  const segments = texts.map(([at, text]) => Buffer.concat([Buffer.from([0, 0x41, 0x80 | (at & 127), at >> 7, 0x0b, text.length]), Buffer.from(text)]));
  const body = Buffer.concat([Buffer.from([texts.length]), ...segments]);
  const data = texts.length ? Buffer.concat([Buffer.from([11, body.length]), body]) : Buffer.alloc(0);
  return Buffer.concat([Buffer.from('\0asm\x01\0\0\0'), data, Buffer.from([0, 2, 1, 0x78])]);  // and a custom section named x
}

test('texts that only the rest reads move to it, and to their own addresses', () => {
  const [first, rest] = moveData(program([1024, 'stays'], [2048, 'goes'], [3000, 'also stays']), program(), new Set([2048]));
  assert.deepEqual(first, program([1024, 'stays'], [3000, 'also stays']));
  assert.deepEqual(rest, program([2048, 'goes']));
  assert.throws(() => moveData(program([1024, 'stays']), program(), new Set([2048])), /0 of 1 data segments were found/);
});

test('the programs for Python come with the rest', () => {
  const holds = (file, text) => readFileSync(`${built}${file}`).includes(text);
  const line = 'def matmul(a, b):';
  assert.ok(readFileSync(fileURLToPath(new URL('../../src/lesson/code/plain.py', import.meta.url)), 'utf8').includes(line));
  assert.deepEqual([holds('first.wasm', line), holds('rest.wasm', line)], [false, true]);
});

test('names are told as they are written', () => {
  assert.equal(plain('_ZN4attn2ui9drawAboutERNS0_5FrameE'), 'attn::ui::drawAbout');
  assert.equal(plain('main'), 'main');
});

test('the views of scenes, their reader and the notices are in the rest, the stage and the session are not', () => {
  const names = readFileSync(`${built}rest.wasm.txt`, 'utf8').split('\n').map(plain);
  for (const inside of ['attn::ui::drawScenePage', 'attn::ui::drawFigure', 'attn::ui::drawWords', 'attn::lesson::parsePage',
    'attn::lesson::checkPage', 'attn::ui::pageMirror', 'attn::ui::drawAbout']) {
    assert.ok(names.includes(inside), inside);
  }
  const stays = /^attn::(app::Session|platform)::|^attn::ui::(drawStage|drawScreen|drawOpenScene)$/;
  assert.deepEqual(names.filter((name) => stays.test(name)), []);
  assert.ok(statSync(`${built}rest.wasm`).size > 80000, 'the rest is smaller than the views of the scenes can be');
});
