// Times attention over long sequences as WebAssembly, and compares it with the machine, with itself and with native code:
// node tests/bench/streaming.mjs [--chromium]. Needs the targets attnscope-streaming (web) and attnscope-bench (desktop).
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { brotliCompressSync } from 'node:zlib';
import * as tools from '../support/streaming.mjs';
import { openChromium } from './streaming_chromium.mjs';
import { jobs } from './streaming_jobs.mjs';

const ROUNDS = 5;
const SHORT = { T: 1024, d: 64, times: 20 }, MIDDLE = { T: 4096, d: 64, times: 2 }, LONG = { T: 16384, d: 64, times: 1 };
const root = fileURLToPath(new URL('../../', import.meta.url));
const built = (name) => join(root, 'build/web', name);
const flops = ({ T, d }) => 4 * T * T * d;

// A loop of nothing but products and sums in 12 independent vectors.
function peakProgram() {
  const sums = Array.from({ length: 12 }, (_, n) => n);
  const text = `(module (func (export "rounds") (param $n i32) (param $a f32) (param $b f32) (result f32)
    (local $va v128) (local $vb v128) ${sums.map((n) => `(local $s${n} v128)`).join(' ')}
    (local.set $va (f32x4.splat (local.get $a))) (local.set $vb (f32x4.splat (local.get $b)))
    ${sums.map((n) => `(local.set $s${n} (f32x4.splat (f32.const ${n})))`).join('\n')}
    (loop $again
      ${sums.map((n) => `(local.set $s${n} (f32x4.add (f32x4.mul (local.get $s${n}) (local.get $va)) (local.get $vb)))`).join('\n')}
      (br_if $again (local.tee $n (i32.sub (local.get $n) (i32.const 1)))))
    (f32x4.extract_lane 0 ${sums.slice(1).reduce((all, n) => `(f32x4.add ${all} (local.get $s${n}))`, '(local.get $s0)')})))`;
  const folder = mkdtempSync(join(tmpdir(), 'attnscope-peak-'));
  execFileSync('wasm-as', ['--enable-simd', '-o', join(folder, 'peak.wasm'), '-'], { input: text });
  const program = readFileSync(join(folder, 'peak.wasm'));
  rmSync(folder, { recursive: true });
  return program;
}

async function openNode(peak) {
  const module = await createRequire(import.meta.url)(built('streaming.js'))({ wasmBinary: readFileSync(built('streaming.wasm')) });
  const run = jobs(tools, module, (await WebAssembly.instantiate(peak)).instance);
  // Of the process; what it does beside is over after the first round.
  const clock = () => Object.values(process.cpuUsage()).reduce((a, b) => a + b) / 1e6;
  return { name: 'Node', workers: [{ run: async (name, job) => run[name](job), clock }], close() {} };
}

// Seconds that a worker's thread computes, whatever else the machine does.
async function seconds(worker, name, job) {
  const before = worker.clock();
  await worker.run(name, job);
  return worker.clock() - before;
}
async function computed(worker, job) {
  await worker.run('load', job);
  return await seconds(worker, 'compute', job) / job.times;
}
// The best of some: what disturbs the machine makes none faster.
async function peakOf(worker) {
  let least = Infinity;
  for (let time = 0; time < 4; ++time) least = Math.min(least, await seconds(worker, 'peak', { calls: 2000 }));
  return 2000 * 10000 * 12 * 8 / least;
}

const native = ({ T, d }) =>
  Number(execFileSync(join(root, 'build/desktop/attnscope-bench'), ['seconds', 'SSE4.2', T, d], { encoding: 'utf8' }));

const figures = new Map();
function note(name, floor, goal, value, better = 1) {
  if (!figures.has(name)) figures.set(name, { floor, goal, better, values: [] });
  figures.get(name).values.push(value);
}

async function measurePeak({ name, workers: [worker] }) {
  for (const shape of [SHORT, MIDDLE, LONG]) {
    const before = await peakOf(worker), taken = await computed(worker, shape), peak = Math.max(before, await peakOf(worker));
    note(`${name}: kernel ÷ measured peak, T = ${shape.T}`, 0.80, 0.88, flops(shape) / taken / peak);
  }
}

async function measureRules({ name, workers: [worker] }) {
  for (const shape of [MIDDLE, LONG]) {
    const full = await computed(worker, shape), causal = await computed(worker, { ...shape, causal: true });
    note(`${name}: causal ÷ full, time, T = ${shape.T}`, 0.56, 0.52, causal / full, -1);
  }
  for (const [d, floor, goal] of [[16, 0.70, 0.80], [128, 1.0, 1.05]]) {
    const middle = await computed(worker, MIDDLE), other = await computed(worker, { ...MIDDLE, d });
    note(`${name}: d = ${d} ÷ d = 64, FLOP/s, T = ${MIDDLE.T}`, floor, goal, (middle / 64) / (other / d));
  }
}

async function measureNative({ name, workers: [worker] }) {
  for (const shape of [SHORT, MIDDLE])
    note(`${name}: native SSE4.2 ÷ wasm, time, T = ${shape.T}`, 1.10, 1.20, native(shape) / await computed(worker, shape));
}

// The longer of two that run at once with half of the rows each, both packing all keys and values.
async function measureWorkers({ name, workers: [one, other] }) {
  const alone = await computed(one, LONG);
  await other.run('load', LONG);
  const both = await Promise.all([seconds(one, 'compute', { times: 1, end: 0.5 }), seconds(other, 'compute', { times: 1, begin: 0.5 })]);
  note(`${name}: one worker ÷ two, their own time, T = ${LONG.T}`, 1.8, 1.95, alone / Math.max(...both));
}

function print() {
  console.log(`${''.padEnd(58)}${['median', 'floor', '', 'goal', '', 'rounds'].map((word) => word.padStart(12)).join('')}`);
  for (const [name, { floor, goal, better, values }] of figures) {
    const median = values.sort((a, b) => a - b)[(values.length - 1) >> 1];
    const verdict = (bound) => (better * (median - bound) >= 0 ? 'holds' : 'falls short').padStart(12);
    const bound = (number) => `${better > 0 ? '≥' : '≤'} ${number}`.padStart(12);
    console.log(`${name.padEnd(58)}${median.toFixed(3).padStart(12)}${bound(floor)}${verdict(floor)}${bound(goal)}${verdict(goal)}` +
      `${values.length}`.padStart(12));
  }
}

const peak = peakProgram();
const side = process.argv[2] === '--chromium'
  ? await openChromium(peak, built) : await openNode(peak);
for (const worker of side.workers) for (let time = 0; time < 3; ++time) await peakOf(worker), await computed(worker, SHORT);
for (let round = 0; round < ROUNDS; ++round) {
  await measurePeak(side);
  await measureRules(side);
  await measureNative(side);
  if (side.workers.length > 1) await measureWorkers(side);
}
await side.close();
const bytes = ['streaming.js', 'streaming.wasm'].map((name) => brotliCompressSync(readFileSync(built(name))).length);
note('worker module, brotli, KB', 60, 30, (bytes[0] + bytes[1]) / 1024, -1);
print();
