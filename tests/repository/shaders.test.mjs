// Every shader compiles as GLSL 3.30 (desktop) and as GLSL ES 3.00 (WebGL2), each with the preamble it gets at run time.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test from 'node:test';
import { read, tracked } from './files.mjs';

const preambles = {
  'GLSL 3.30': '#version 330 core\n#line 1\n',
  'GLSL ES 3.00': '#version 300 es\nprecision highp float;\nprecision highp int;\nprecision highp sampler2D;\n#line 1\n',
};
const shaders = tracked.filter((path) => /^shaders\/.*\.(vert|frag)$/.test(path));

function check(preamble, path, body = read(path)) {
  const folder = mkdtempSync(join(tmpdir(), 'shader-'));
  try {
    const file = join(folder, path.split('/').pop());
    writeFileSync(file, preamble + body);
    const run = spawnSync('glslangValidator', [file], { encoding: 'utf8' });
    assert.ifError(run.error);
    return { compiles: run.status === 0, output: run.stdout };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

test('there are shaders', () => assert.ok(shaders.length > 0));

for (const path of shaders) {
  for (const [language, preamble] of Object.entries(preambles)) {
    test(`${path} compiles as ${language}`, () => {
      const { compiles, output } = check(preamble, path);
      assert.ok(compiles, output);
    });
  }
}

test('the check refuses what only one of the two languages accepts', () => {
  const body = 'layout(location = 0) out vec4 color;\nuniform int n;\nvoid main() { color = vec4(n * 2.0); }\n';
  assert.ok(check(preambles['GLSL 3.30'], 'probe.frag', body).compiles);
  assert.ok(!check(preambles['GLSL ES 3.00'], 'probe.frag', body).compiles);
});
