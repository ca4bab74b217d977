// scripts/serve as a person uses it: an address, another port when the first is taken, files as they are, Ctrl-C.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { get } from 'node:http';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import test from 'node:test';
import { fileURLToPath } from 'node:url';

const script = fileURLToPath(new URL('../../scripts/serve', import.meta.url));

// Resolves to the address that the script prints; everything is built already, so half a minute is plenty.
function serve(...args) {
  const child = spawn(script, args, { cwd: tmpdir(), stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  child.stderr.on('data', (data) => { output += data; });
  const address = new Promise((resolve, reject) => {
    const late = setTimeout(() => reject(new Error(`no address: ${output}`)), 120000);
    child.stdout.on('data', (data) => {
      output += data;
      const found = output.match(/http:\/\/[\d.]+:(\d+)\//);
      if (found) clearTimeout(late), resolve({ url: found[0], port: Number(found[1]) });
    });
    child.on('exit', () => { clearTimeout(late), reject(new Error(`ended: ${output}`)); });
  });
  return { child, address, output: () => output };
}

// The path goes out as written: fetch would tidy it first.
function request(port, path, method = 'GET') {
  return new Promise((resolve, reject) => {
    get({ port, host: '127.0.0.1', path, method }, (response) => {
      const parts = [];
      response.on('data', (part) => parts.push(part));
      response.on('end', () => resolve({ status: response.statusCode, headers: response.headers, body: Buffer.concat(parts) }));
    }).on('error', reject);
  });
}

test('it serves the page on the next port when the first is taken, and Ctrl-C ends it well', async () => {
  const taken = createServer().listen(0, '127.0.0.1');
  await once(taken, 'listening');
  const { child, address, output } = serve('--port', String(taken.address().port));
  try {
    const { port } = await address;
    assert.notEqual(port, taken.address().port);
    assert.match(output(), /was taken/);

    const page = await request(port, '/');
    assert.equal(page.status, 200);
    assert.match(page.headers['content-type'], /^text\/html/);
    assert.match(page.headers['cache-control'], /no-store/);
    assert.match(String(page.body), /<title>attnscope<\/title>/);

    const program = await request(port, '/attnscope.wasm?query');
    assert.equal(program.headers['content-type'], 'application/wasm');
    assert.equal(program.body.subarray(0, 4).toString('latin1'), '\0asm');
    assert.equal(Number((await request(port, '/attnscope.wasm', 'HEAD')).headers['content-length']), program.body.length);

    for (const path of ['/absent', '/../build.ninja', '/%2e%2e/build.ninja', '/..%2fbuild.ninja', '/%', '/a%00b', '//x']) {
      assert.equal((await request(port, path)).status, 404, path);
    }
    assert.equal((await request(port, '/', 'POST')).status, 405);

    child.kill('SIGINT');
    const [code] = await once(child, 'exit');
    assert.equal(code, 0);
    assert.match(output(), /stopped/);
  } finally {
    child.kill('SIGKILL');
    taken.close();
  }
});

test('a port that cannot be is refused before anything is built', async () => {
  for (const port of ['70000', '-1', 'http']) {
    const { child, address, output } = serve('--port', port);
    address.catch(() => {});
    const [code] = await once(child, 'exit');
    assert.equal(code, 2);
    assert.match(output(), /--port takes a number from 0 to 65535/);
  }
});
