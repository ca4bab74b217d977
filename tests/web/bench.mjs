// Prints how long the page takes: first picture after navigation, frames while stepping, and edits. Asserts nothing.
// node tests/web/bench.mjs [RUNS]
import { launch, openApp, openPage, settled, site } from './support/browser.mjs';
import { longSequence, manyHeads } from './support/documents.mjs';
import { serve } from './support/server.mjs';

const runs = Number(process.argv[2] || 9);
const at = (sorted, share) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))];
const print = (name, times) => {
  times.sort((a, b) => a - b);
  console.log(`${name}: median ${at(times, 0.5).toFixed(0)} ms, p95 ${at(times, 0.95).toFixed(0)} ms, of ${times.length}`);
};

const browser = await launch();
const server = await serve(site);

// From the start of the navigation to the frame after the one that the program drew first.
const firsts = [];
for (let run = 0; run < runs; ++run) {
  const page = await openPage(browser, server.url);
  firsts.push(await page.evaluate(async () => {
    while (!window.attnscope) await new Promise(requestAnimationFrame);
    await window.attnscope.ready;
    return performance.now();
  }));
  await page.context().close();
}
print('first picture after navigation', firsts);

for (const [name, text] of [['three positions', ''], ['64 tokens, 8 heads', manyHeads()], ['512 tokens', longSequence()]]) {
  const page = await openApp(browser, server.url);
  if (text) await page.evaluate((json) => window.attnscope.open(json, 'large.json'), text);
  await settled(page);
  // The time that the page's thread spends on one frame, drawing calls included, graphics in software excluded.
  const times = await page.evaluate(async () => {
    const canvas = document.getElementById('stage');
    const spent = [];
    for (let i = 0; i < 60; ++i) {
      const start = performance.now();
      canvas.dispatchEvent(new KeyboardEvent('keydown', { key: i < 40 ? 'ArrowRight' : 'ArrowLeft', bubbles: true }));
      spent.push(performance.now() - start);
      canvas.dispatchEvent(new KeyboardEvent('keyup', { key: i < 40 ? 'ArrowRight' : 'ArrowLeft', bubbles: true }));
      await new Promise(requestAnimationFrame);
    }
    return spent;
  });
  print(`one step and its frame, ${name}`, times);
  await page.context().close();
}
// From an edit, through the page's API, to the end of the frame that shows what follows from it, and to the moment at
// which the graphics, in software here, have drawn that frame: reading a pixel waits for them.
const page = await openApp(browser, server.url);
await page.evaluate((json) => window.attnscope.open(json, 'large.json'), manyHeads());
await page.evaluate(() => window.attnscope.dispatch({ type: 'last' }));
await settled(page);
for (const target of ['x[3][5]=', 'h2.v[3][1]=']) {
  const [ended, drawn] = await page.evaluate(async (prefix) => {
    const context = document.getElementById('stage').getContext('webgl2');
    const all = [[], []];
    for (let i = 0; i < 100; ++i) {
      await new Promise(requestAnimationFrame);
      const before = window.attnscope.stats().frames;
      const start = performance.now();
      window.attnscope.dispatch({ type: 'edit', edit: `${prefix}${i}/7` });
      while (window.attnscope.stats().frames === before) await new Promise(requestAnimationFrame);
      all[0].push(performance.now() - start);
      context.readPixels(0, 0, 1, 1, context.RGBA, context.UNSIGNED_BYTE, new Uint8Array(4));
      all[1].push(performance.now() - start);
    }
    return all;
  }, target);
  print(`an edit to the end of its frame, 64 tokens, 8 heads, ${target}…`, ended);
  print('  and until it is drawn', drawn);
}
await browser.close();
await server.close();
