// A static file server for one folder: node server.mjs FOLDER HOST PORT. Never lets a browser keep an old build.
// Knows nothing of what it serves.
import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { createServer } from 'node:http';
import { extname, join, resolve, sep } from 'node:path';

const types = {
  '.html': 'text/html; charset=utf-8', '.js': 'text/javascript; charset=utf-8', '.css': 'text/css; charset=utf-8',
  '.wasm': 'application/wasm', '.json': 'application/json', '.png': 'image/png', '.svg': 'image/svg+xml',
  '.webmanifest': 'application/manifest+json', '.txt': 'text/plain; charset=utf-8',
};
const triedPorts = 50;

const [folder, host, firstPort] = [resolve(process.argv[2]), process.argv[3], Number(process.argv[4])];

// The file that a request means, or nothing: outside the folder, malformed and absent are all "not found".
async function find(url) {
  let path;
  try {
    path = join(folder, decodeURIComponent(new URL(`http://localhost${url}`).pathname));
  } catch {
    return null;
  }
  if (path.includes('\0') || !(path + sep).startsWith(folder + sep)) return null;
  for (const candidate of [path, join(path, 'index.html')]) {
    const found = await stat(candidate).catch(() => null);
    if (found?.isFile()) return { path: candidate, size: found.size };
  }
  return null;
}

async function answer(request, response) {
  if (request.method !== 'GET' && request.method !== 'HEAD') {
    response.writeHead(405, { Allow: 'GET, HEAD' }).end();
    return;
  }
  const file = await find(request.url);
  if (!file) {
    response.writeHead(404, { 'Content-Type': 'text/plain; charset=utf-8' }).end('There is no such file here.\n');
    return;
  }
  response.writeHead(200, {
    'Content-Type': types[extname(file.path)] ?? 'application/octet-stream',
    'Content-Length': file.size,
    'Cache-Control': 'no-store',
  });
  if (request.method === 'HEAD') {
    response.end();
    return;
  }
  createReadStream(file.path).on('error', () => response.destroy()).pipe(response);
}

const server = createServer(answer);
let port = firstPort;

server.on('error', (error) => {
  if (error.code === 'EADDRINUSE' && port > 0 && port < Math.min(firstPort + triedPorts, 65535)) {
    server.listen(++port, host);
    return;
  }
  const advice = error.code === 'EACCES' ? 'Choose a port above 1023 with --port.' : 'Choose others with --port and --host.';
  console.error(`serve: cannot listen on ${host} port ${port} (${error.code}). ${advice}`);
  process.exit(1);
});
server.on('listening', () => {
  const taken = firstPort && server.address().port !== firstPort ? ` (port ${firstPort} was taken)` : '';
  const name = host.includes(':') ? `[${host}]` : host;
  console.log(`serve: http://${name}:${server.address().port}/${taken}   Ctrl-C stops`);
});
for (const signal of ['SIGINT', 'SIGTERM']) {
  process.on(signal, () => {
    console.log('\nserve: stopped');
    process.exit(0);
  });
}
server.listen(port, host);
