// Large example documents from a seeded generator. Knows the format, not the page.

// Uniform in −1 … 1 with three decimals, the same on every machine.
function generator(seed) {
  let state = seed >>> 0;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.round((state / 2 ** 31 - 1) * 1000) / 1000;
  };
}

const matrix = (random, rows, columns) => Array.from({ length: rows }, () => Array.from({ length: columns }, random));
const tokens = (count) => Array.from({ length: count }, (_, i) => `t${i}`);

export function manyHeads() {
  const random = generator(1);
  const heads = (rows, columns) => Array.from({ length: 8 }, () => matrix(random, rows, columns));
  return JSON.stringify({
    attnscope: 1, title: '64 tokens, 8 heads', tokens: tokens(64), mask: 'causal', residual: true,
    x: matrix(random, 64, 64), wq: heads(64, 8), wk: heads(64, 8), wv: heads(64, 8), wo: matrix(random, 64, 64),
  });
}

export function longSequence(count = 512, width = 64) {
  const random = generator(2);
  return JSON.stringify({
    attnscope: 1, title: `${count} tokens`, tokens: tokens(count), mask: 'causal',
    q: matrix(random, count, width), k: matrix(random, count, width), v: matrix(random, count, width),
  });
}

export const small = JSON.stringify({
  attnscope: 1, title: 'Two tokens', tokens: ['left', 'right'], q: [[1, 0], [0, 1]], k: [[1, 0], [0, 1]], v: [[1], [2]],
});
