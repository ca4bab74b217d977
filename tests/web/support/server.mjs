// A plain static server for the browser tests, and the ways in which real ones differ. Knows no page.
import { createServer } from 'node:http';
import { readFile } from 'node:fs/promises';
import { extname, join, normalize } from 'node:path';

const TYPES = {
  '.html': 'text/html; charset=utf-8', '.css': 'text/css', '.js': 'text/javascript', '.wasm': 'application/wasm',
  '.json': 'application/json', '.webmanifest': 'application/manifest+json', '.svg': 'image/svg+xml', '.png': 'image/png',
};

export const STRICT_POLICY = "default-src 'self'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'; " +
  "img-src 'self' data: blob:; worker-src 'self' blob:";

// options: wasmType, scriptType (the Content-Type of .wasm, null for a 404, and of scenes.js), headers (on every answer),
// extra ({'/name': text}), replace ({'/name': [pattern, text]}), missing (a Set of names answered with 404), held
// ({'/name': a promise that the answer waits for}).
export async function serve(folder, options = {}) {
  const { wasmType = TYPES['.wasm'], scriptType = TYPES['.js'], headers = {}, extra = {}, replace = {}, missing = new Set(), held = {} } = options;
  const types = { ...TYPES, '.wasm': wasmType };
  const requested = [];
  const server = createServer(async (request, response) => {
    const path = normalize(decodeURIComponent(new URL(request.url, 'http://localhost').pathname));
    const name = path.endsWith('/') ? path + 'index.html' : path;
    if (name !== '/icon.svg') requested.push(name); // for that a browser chooses its own time
    const type = name === '/scenes.js' ? scriptType : extname(name) in types ? types[extname(name)] : 'application/octet-stream';
    await held[name];
    try {
      if (type === null || missing.has(name)) throw new Error('not found');
      let body = extra[name] ?? await readFile(join(folder, name));
      if (replace[name]) body = body.toString().replace(...replace[name]);
      response.writeHead(200, { 'Content-Type': type, 'Cache-Control': 'no-store', ...headers });
      response.end(body);
    } catch {
      response.writeHead(404, { 'Content-Type': 'text/html' });
      response.end('<!doctype html><title>Not found</title>');
    }
  });
  await new Promise((listening) => server.listen(0, '127.0.0.1', listening));
  return {
    url: `http://127.0.0.1:${server.address().port}/`,
    requested,
    missing,
    extra,
    close: () => new Promise((closed) => { server.close(closed); server.closeAllConnections(); }),
  };
}

// Serves the folder while `use(server)` runs.
export async function serving(folder, options, use) {
  const server = await serve(folder, options);
  try {
    await use(server);
  } finally {
    await server.close();
  }
}
