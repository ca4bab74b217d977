// What tests/bench/streaming.mjs lets Node and a worker of Chromium compute, in short calls, so that what they compile well
// is what runs. Knows no clock.

// `tools` are those of tests/support/streaming.mjs.
export function jobs({ Streaming, normals }, module, peak) {
  const streaming = new Streaming(module);
  const numbers = normals(65521); // a prime, so that no two rows are alike
  return {
    // 2·4 products and sums of each of 12 vectors, 10,000 times a call.
    peak({ calls }) {
      let sum = 0;
      for (let n = 0; n < calls; ++n) sum += peak.exports.rounds(10000, 0.999, 0.001);
      return Number.isFinite(sum);
    },
    load({ T, d, causal }) {
      streaming.end();
      const refused = streaming.begin({ T, S: T, d_k: d, d_v: d, causal });
      if (refused) throw new Error(refused);
      for (const name of ['q', 'k', 'v']) {
        const into = streaming.array(name, T * d);
        for (let at = 0; at < into.length; at += numbers.length) into.set(numbers.subarray(0, into.length - at), at);
      }
    },
    // Packing included; of all blocks the part from `begin` to `end`, both of 0 … 1.
    compute({ times, begin = 0, end = 1 }) {
      for (let time = 0; time < times; ++time) {
        const refused = streaming.prepare();
        if (refused) throw new Error(refused);
        streaming.compute(Math.round(begin * streaming.blocks), Math.round(end * streaming.blocks));
      }
    },
  };
}
