// Drives the module for attention over long sequences, in Node and in a worker. Knows how numbers get in and out.

const SETUP = ['T', 'S', 'd_k', 'd_v', 'heads', 'key_value_heads', 'causal', 'bottom_right', 'window', 'scale', 'softcap',
  'padding', 'alibi', 'sink', 'pattern', 'pattern_rows', 'pattern_columns'];
const ARRAYS = ['q', 'k', 'v', 'z', 'row_max', 'row_sum', 'row_status', 'padding', 'alibi', 'sink', 'pattern'];
const BYTES = new Set(['row_status', 'padding', 'pattern']);
const DEFAULTS = { heads: 1, key_value_heads: 1, window: NaN, scale: NaN, softcap: NaN, pattern_rows: 1, pattern_columns: 1 };

export class Streaming {
  constructor(module) {
    this.module = module;
  }

  // Null, or the sentence that refuses. padding, alibi, sink and pattern of the setup are lists, the rest numbers.
  begin(setup) {
    const address = this.module._streaming_setup() >>> 0;
    const numbers = new Float64Array(this.module.HEAPU8.buffer, address, SETUP.length);
    SETUP.forEach((name, n) => { numbers[n] = setup[name]?.length ? 1 : Number(setup[name] ?? DEFAULTS[name] ?? 0); });
    const refused = this.answer(this.module._streaming_begin());
    if (!refused) for (const name of ['padding', 'alibi', 'sink', 'pattern']) if (setup[name]) this.fill(name, setup[name]);
    return refused;
  }

  // All of the array from its beginning on, to be used before memory grows again.
  array(name, length) {
    const address = this.module._streaming_array(ARRAYS.indexOf(name)) >>> 0;
    return new (BYTES.has(name) ? Uint8Array : Float32Array)(this.module.HEAPU8.buffer, address, length);
  }
  fill(name, numbers) {
    this.array(name, numbers.length).set(numbers);
  }

  prepare() {
    return this.answer(this.module._streaming_prepare());
  }
  get blocks() {
    return this.module._streaming_blocks();
  }
  // A block at a time: a browser compiles well only what is called often.
  compute(begin = 0, end = this.blocks) {
    for (let n = begin; n < end; ++n) this.module._streaming_compute(n, n + 1);
  }
  end() {
    this.module._streaming_end();
  }
  get memory() {
    return this.module.HEAPU8.length;
  }

  answer(good) {
    return good ? null : this.module.UTF8ToString(this.module._streaming_sentence());
  }
}

// Numbers as if drawn from a normal distribution, the same every time.
export function normals(count, seed = 1) {
  const numbers = new Float32Array(count);
  let state = seed;
  const next = () => (state = (Math.imul(state, 1664525) + 1013904223) >>> 0, (state + 1) / 4294967297);
  for (let n = 0; n < count; ++n) numbers[n] = Math.sqrt(-2 * Math.log(next())) * Math.cos(2 * Math.PI * next());
  return numbers;
}
