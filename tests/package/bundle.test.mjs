// The bundler that joins the page's modules.
import assert from 'node:assert/strict';
import test from 'node:test';
import { bundle } from '../../scripts/bundle.mjs';

const join = (modules) => bundle((name) => modules[name], 'main.js');
const run = (modules) => {
  const log = [];
  new Function('log', join(modules))((line) => log.push(line));
  return log;
};

test('modules run once each, what they need before them, and see what they import', () => {
  assert.deepEqual(run({
    'main.js': "import { twice as double } from './a.js';\nimport * as b from './b.js';\nlog(double(b.three));\n",
    'a.js': "import { three } from './b.js';\nlog('a');\nexport function twice(x) {\n  return 2 * x + three - 3;\n}\n",
    'b.js': "log('b');\nexport const three = 3;\nexport class Unused {}\n",
  }), ['b', 'a', 6]);
});

test('names of one module do not reach another', () => {
  assert.deepEqual(run({
    'main.js': "import './a.js';\nconst secret = 2;\nlog(secret);\n",
    'a.js': "const secret = 1;\nlog(secret);\n",
  }), [1, 2]);
});

test('the result needs no import and is strict', () => {
  const text = join({ 'main.js': "import './a.js';\n", 'a.js': 'export const a = 1;\n' });
  assert.doesNotMatch(text, /^(import|export)\b/m);
  assert.match(text, /^'use strict';/);
});

for (const [what, line] of Object.entries({
  'a default export': 'export default 1;', 'an export list': 'const a = 1;\nexport { a };',
  'an exported variable that may change': 'export let a = 1;', 'a default import': "import a from './a.js';",
  'an import from elsewhere': "import { a } from 'somewhere';",
})) {
  test(`${what} is refused by name`, () => {
    assert.throws(() => join({ 'main.js': `${line}\n` }), /web\/main\.js: ".*" is a form of import or export/);
  });
}

test('modules in a circle are refused with the way round', () => {
  assert.throws(() => join({ 'main.js': "import './a.js';\n", 'a.js': "import './main.js';\n" }),
    /circle \(main\.js → a\.js → main\.js\)/);
});
