// Two plain workers of a page in headless Chromium, for tests/bench/streaming.mjs: no shared memory, no special headers.
// Knows how to ask them, and what time of the processor each has had.
import { readdirSync, readFileSync } from 'node:fs';

const WORKER = `importScripts('/streaming.js');
const ready = (async () => {
  const bytes = async (name) => (await fetch(name)).arrayBuffer();
  const [tools, { jobs }] = await Promise.all([import('/tools.js'), import('/jobs.js')]);
  const module = await createStreaming({ wasmBinary: await bytes('/streaming.wasm') });
  return jobs(tools, module, (await WebAssembly.instantiate(await bytes('/peak.wasm'))).instance);
})();
onmessage = async ({ data: { name, job } }) => {
  try {
    (await ready)[name](job);
    postMessage(null);
  } catch (error) {
    postMessage(String(error));
  }
};`;

const readProc = (path) => {
  try {
    return readFileSync(`/proc/${path}`, 'utf8');
  } catch {
    return ''; // it has ended
  }
};
const parentOf = (process_) => Number(/\) \S (\d+)/.exec(readProc(`${process_}/stat`))?.[1] ?? 0);

// The threads of workers of this program's own browser, as paths below /proc.
function workerThreads() {
  const ours = (process_) => process_ > 1 && (process_ === process.pid || ours(parentOf(process_)));
  return readdirSync('/proc').filter((name) => /^\d+$/.test(name) && ours(Number(name))).flatMap((name) => {
    try {
      return readdirSync(`/proc/${name}/task`).map((thread) => `${name}/task/${thread}`);
    } catch {
      return [];
    }
  }).filter((thread) => readProc(`${thread}/comm`).startsWith('DedicatedWorker'));
}

async function openWorker(page) {
  const before = workerThreads();
  const worker = await page.evaluateHandle(() => new Worker('/worker.js'));
  const run = (name, job) => page.evaluate(([each, message]) => new Promise((done, fail) => {
    each.onmessage = ({ data }) => (data ? fail(new Error(data)) : done());
    each.onerror = ({ message: text }) => fail(new Error(text));
    each.postMessage(message);
  }), [worker, { name, job }]);
  await run('peak', { calls: 1 });
  const [thread] = workerThreads().filter((each) => !before.includes(each));
  return { run, clock: () => Number(readProc(`${thread}/schedstat`).split(' ')[0]) / 1e9 };
}

// `built` gives the path of a file of the web build.
export async function openChromium(peak, built) {
  const { launch } = await import('../web/support/browser.mjs');
  const { serve } = await import('../web/support/server.mjs');
  const text = (path) => readFileSync(new URL(path, import.meta.url));
  const server = await serve(built('.'), { extra: {
    '/index.html': '<!doctype html><title>Bench</title>', '/worker.js': WORKER, '/peak.wasm': peak,
    '/tools.js': text('../support/streaming.mjs'), '/jobs.js': text('streaming_jobs.mjs'),
  } });
  const browser = await launch({ graphics: false });
  const page = await browser.newPage();
  await page.goto(server.url);
  const workers = [await openWorker(page), await openWorker(page)];
  const close = async () => {
    await browser.close();
    await server.close();
  };
  return { name: 'Chromium', workers, close };
}
