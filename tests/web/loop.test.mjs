// The loop by itself, over a core that counts: when it lays out, when it paints, and what a kept back picture waits for.
import { strict as assert } from 'node:assert';
import { test } from 'node:test';
import { createLoop } from '../../web/loop.js';

function setUp(changes = 0) {
  const ticks = [];
  globalThis.document = { hidden: false, addEventListener() {} };
  globalThis.addEventListener = () => {};
  globalThis.requestAnimationFrame = (tick) => ticks.push(tick);
  const done = { frames: 0, pictures: 0 };
  const core = {
    frame: () => {
      ++done.frames;
      return -1;
    },
    paint: () => ++done.pictures,
    revision: () => Math.min(done.frames, changes),
    inputWaits: () => false,
  };
  const tick = () => ticks.splice(0).forEach((each) => each(performance.now()));
  return { done, tick, loop: createLoop(core, () => assert.fail('no frame fails here')) };
}

test('a gesture that changes something is laid out again and painted once', () => {
  const { done, loop } = setUp(2);
  loop.gesture();
  assert.deepEqual(done, { frames: 3, pictures: 1 });
  assert.equal(loop.isPending(), false);
});

test('each frame of the browser is painted', () => {
  const { done, tick, loop } = setUp();
  loop.wake();
  assert.equal(loop.isPending(), true);
  tick();
  assert.deepEqual(done, { frames: 1, pictures: 1 });
});

test('a gesture whose picture is kept back is laid out again only when that is painted', () => {
  const { done, loop } = setUp(2);
  loop.onFrame(() => { if (done.frames === 1) loop.hold(); });
  loop.gesture();
  assert.deepEqual(done, { frames: 1, pictures: 0 });
  loop.redraw();
  assert.deepEqual(done, { frames: 3, pictures: 1 });
});

test('a picture that is kept back is painted with what it waits for', () => {
  const { done, tick, loop } = setUp();
  let asks = true;
  loop.onFrame(() => { if (asks) loop.hold(); });
  loop.gesture();
  loop.wake();
  tick();
  assert.deepEqual(done, { frames: 2, pictures: 0 });
  assert.equal(loop.isPending(), true);
  asks = false;
  loop.redraw();
  assert.deepEqual(done, { frames: 3, pictures: 1 });
  assert.equal(loop.isPending(), false);
});

test('a picture is not kept back for long, however often that is asked for', { timeout: 5000 }, async () => {
  const { done, loop } = setUp();
  do {
    loop.hold();
    loop.gesture();
    await new Promise(setImmediate);
  } while (!done.pictures);
});

test('a loop that has stopped paints nothing more', async () => {
  const { done, loop } = setUp();
  loop.hold();
  loop.gesture();
  loop.stop();
  assert.equal(loop.isPending(), false);
  loop.redraw();
  assert.equal(done.pictures, 0);
});
