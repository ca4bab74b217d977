// Which folder of src may include which: the design's graph, checked line by line.
import assert from 'node:assert/strict';
import test from 'node:test';
import { read, under } from './files.mjs';

const below = {
  core: [],
  io: ['core'],
  map: ['core'],
  model: ['core', 'io'],
  audit: ['core'],
  opened: ['core', 'io', 'audit'],
  disk: ['core', 'io'],
  lesson: ['core', 'io'],
  scene: ['core', 'io', 'lesson'],
  study: ['core', 'io', 'model', 'lesson', 'scene'],
  survey: ['core', 'io', 'model', 'audit', 'opened', 'lesson', 'scene'],
  desk: ['core', 'io', 'model', 'scene', 'survey', 'study'],
  figure: ['core'],
  app: ['core', 'io', 'lesson', 'figure'],
  ui: ['core', 'io', 'lesson', 'figure', 'app'],
  render: ['core', 'figure'],
  platform: ['core', 'io', 'disk', 'lesson', 'scene', 'survey', 'desk', 'figure', 'app', 'ui', 'render'],
  cli: ['core', 'map', 'io', 'model', 'disk', 'audit', 'opened', 'lesson', 'scene', 'survey', 'study', 'desk', 'figure', 'app'],
};

// Libraries from outside, and the folders that may know them. Standard headers have no slash and no .h.
const outside = [
  [/^(unsupported\/)?Eigen\//, ['core', 'io', 'audit', 'opened', 'lesson', 'survey', 'study', 'figure', 'app']],
  [/^rapidjson\//, ['io', 'lesson', 'app']],
  [/^zlib\.h$/, ['io']],
  [/^qrcodegen\.h$/, ['figure']],
  [/^stb\//, ['disk']],
  [/^imgui/, ['ui', 'render', 'platform']],
  [/^(GLFW|EGL|pango|emscripten)\//, ['platform']],
  [/^(GLES3|GL)\//, ['render', 'platform']],
];

const sources = under('src', 'h', 'cpp');
const folderOf = (path) => path.split('/').length > 2 ? path.split('/')[1] : 'main';

function includes(path) {
  const lines = read(path).matchAll(/^[ \t]*#[ \t]*include[ \t]*([<"])([^>"]+)[>"]/gm);
  return [...lines].map(([, mark, name]) => ({ quoted: mark === '"', name }));
}

test('each folder of src is a layer of the design', () => {
  const folders = new Set(sources.map(folderOf));
  folders.delete('main');
  assert.deepEqual([...folders].filter((folder) => !(folder in below)), []);
});

for (const folder of Object.keys(below)) {
  test(`${folder} includes only itself${below[folder].map((name) => `, ${name}`).join('')}`, () => {
    const wrong = [];
    for (const path of sources.filter((path) => folderOf(path) === folder)) {
      for (const { quoted, name } of includes(path)) {
        const target = name.split('/')[0];
        const known = target === folder || below[folder].includes(target);
        if (quoted && target in below && !known) wrong.push(`${path}: ${name}`);
      }
    }
    assert.deepEqual(wrong, []);
  });
}

test('render knows nothing of core but the result type', () => {
  const wrong = [];
  for (const path of sources.filter((path) => folderOf(path) === 'render')) {
    for (const { name } of includes(path)) {
      if (name.startsWith('core/') && name !== 'core/result.h') wrong.push(`${path}: ${name}`);
    }
  }
  assert.deepEqual(wrong, []);
});

test('attention over long sequences knows no matrix library, and only what is small of core', () => {
  const known = ['align', 'buffer', 'language', 'result', 'row_status'].map((name) => `core/${name}.h`);
  const wrong = [];
  for (const path of under('src', 'h', 'cpp', 'inc').filter((path) => path.startsWith('src/core/streaming/'))) {
    for (const { quoted, name } of includes(path)) {
      if (quoted ? !name.startsWith('core/streaming/') && !known.includes(name) : /^Eigen/.test(name)) wrong.push(`${path}: ${name}`);
    }
  }
  assert.deepEqual(wrong, []);
});

// A function of a header that is compiled for wider vectors could be taken for every file, on machines without them.
test('kernels include no header that has functions of its own', () => {
  const plain = /^(cstddef|cstdint|immintrin\.h|arm_neon\.h|wasm_simd128\.h|core\/streaming\/kernel(_words)?\.(h|inc))$/;
  const wrong = [];
  for (const path of under('src', 'h', 'cpp', 'inc').filter((path) => path.startsWith('src/core/streaming/kernel'))) {
    for (const { name } of includes(path)) if (!plain.test(name)) wrong.push(`${path}: ${name}`);
  }
  assert.deepEqual(wrong, []);
});

test('each outside library is known only where the design puts it', () => {
  const wrong = [];
  for (const path of sources) {
    for (const { name } of includes(path)) {
      const rule = outside.find(([pattern]) => pattern.test(name));
      if (rule && !rule[1].includes(folderOf(path))) wrong.push(`${path}: ${name}`);
    }
  }
  assert.deepEqual(wrong, []);
});

test('only the GL header, platform and test support ask for the web compiler', () => {
  const wrong = [...sources, ...under('tests', 'h', 'cpp')].filter((path) => read(path).includes('__EMSCRIPTEN__'))
    .filter((path) => path !== 'src/render/gl.h' && !path.startsWith('src/platform/') && !path.startsWith('tests/support/'));
  assert.deepEqual(wrong, []);
});

test('no source throws, and random numbers come from our own generator', () => {
  const wrong = sources.filter((path) => /^[^/"]*\b(throw|try)\b *[^a-z ]|::Random\(|std::mt19937|random_device/m.test(read(path)));
  assert.deepEqual(wrong, []);
});
