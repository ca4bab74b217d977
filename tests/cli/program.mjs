// Runs the terminal program in a folder and holds it to what all its commands promise. ATTN_CLI is its path.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { resolve } from 'node:path';

export const program = resolve(process.env.ATTN_CLI ?? 'build/desktop/attnscope-cli');

export function programIn(cwd) {
  function run(...args) {
    const { status, stdout, stderr, error } = spawnSync(program, args, { encoding: 'utf8', cwd, maxBuffer: 1 << 28 });
    assert.ifError(error);
    return { status, stdout, stderr };
  }

  function succeeds(...args) {
    const { status, stdout, stderr } = run(...args);
    assert.equal(stderr, '', args.join(' '));
    assert.equal(status, 0);
    return stdout;
  }

  // One line on stderr that matches, exit status 2, nothing on stdout.
  function fails(pattern, ...args) {
    const { status, stdout, stderr } = run(...args);
    assert.equal(status, 2, stderr);
    assert.equal(stdout, '');
    assert.match(stderr, /^attnscope-cli: [^\n]*\n$/);
    assert.match(stderr, pattern);
  }

  return { run, succeeds, fails };
}
