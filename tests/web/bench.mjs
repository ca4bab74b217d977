// Prints how long the page takes: first picture after navigation, frames while stepping, and edits. Asserts nothing.
// node tests/web/bench.mjs [RUNS]
import { launch, openApp, openPage, rectOf, settled, site } from './support/browser.mjs';
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
await page.context().close();

// The trained model, run anew at every key while a text of 64 characters is typed: from the key to the end of the frame
// that shows what follows, and until that frame is drawn.
const model = await openApp(browser, `${server.url}#v=1&scene=model`);
await model.waitForFunction(() => window.attnscope.text().includes('with probability'));
const field = await rectOf(model, 'Text');
await model.mouse.click(field.x + field.w / 2, field.y + field.h / 2);
await model.keyboard.press('Control+a');
await model.evaluate(() => {
  const { on, text } = window.attnscope;
  const context = document.getElementById('stage').getContext('webgl2');
  window.typed = { ended: [], drawn: [] };
  addEventListener('keydown', ({ key, ctrlKey }) => {
    if (key.length !== 1 || ctrlKey) return;
    const start = performance.now(), before = text();
    const stop = on('change', ({ computing }) => {
      if (computing || text() === before) return;
      stop();
      setTimeout(() => {
        window.typed.ended.push(performance.now() - start);
        context.readPixels(0, 0, 1, 1, context.RGBA, context.UNSIGNED_BYTE, new Uint8Array(4));
        window.typed.drawn.push(performance.now() - start);
      });
    });
  }, { capture: true });
});
const text = 'It is a truth universally acknowledged, that a single man in pos';
for (const [n, key] of [...text].entries()) {
  await model.keyboard.press(key === ' ' ? 'Space' : key);
  await model.waitForFunction((count) => window.typed.drawn.length === count, n + 1);
}
const { ended, drawn } = await model.evaluate(() => window.typed);
print('a key in the text of the trained model to the end of its frame', ended);
print('  and until it is drawn', drawn);

// In the scenes' worker: a page of a new text, without what the same page takes when its run is known already. So the run
// alone, with all attention kept.
const runs64 = await model.workers()[0].evaluate((line) => {
  const times = [];
  for (let i = 0; i < 60; ++i) {
    const settings = JSON.stringify({ text: line.slice(0, 63) + String.fromCharCode(97 + (i % 26)) });
    const start = performance.now();
    const ask = { data: { ticket: -1, id: 'model', settings } }; // what comes of it is for nobody
    onmessage(ask);
    const first = performance.now();
    onmessage(ask);
    times.push(first - start - (performance.now() - first));
  }
  return times;
}, text);
print('a run of the trained model on 64 characters', runs64);
await model.context().close();
await browser.close();
await server.close();
