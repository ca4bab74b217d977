// The page's modules by themselves: decisions that need no browser.
import { strict as assert } from 'node:assert';
import { test } from 'node:test';
import { keyPolicy, modifiersOf, notches } from '../../web/input.js';
import { largeMove } from '../../web/link.js';

const CONTROL = 2, ALT = 4, META = 8;

test('a notch is a notch in pixels, lines and pages', () => {
  assert.equal(notches(100, 0, 800), -1);
  assert.equal(notches(3, 1, 800), -1);
  assert.equal(notches(-1, 2, 800), 8);
  assert.equal(Object.is(notches(0, 0, 800), 0), true);
});

test('the browser keeps its own keys', () => {
  for (const key of ['Tab', 'F5', 'F11', 'F12', 'Dead', 'Unidentified']) assert.equal(keyPolicy(key, 0), 'ignore');
  for (const key of ['r', 't', 'w', 'l', 'c', 'v', 'x', '+', '-', '0', 'Tab']) {
    assert.equal(keyPolicy(key, CONTROL), 'ignore');
    assert.equal(keyPolicy(key, META), 'ignore');
  }
  for (const key of ['ArrowLeft', 'ArrowRight', 'd']) assert.equal(keyPolicy(key, ALT), 'ignore');
});

test('the stage takes what would scroll or search the page, and undo', () => {
  for (const key of ['ArrowUp', 'ArrowDown', ' ', 'Home', 'End', 'PageUp', 'PageDown', '/', "'", '?']) assert.equal(keyPolicy(key, 0), 'take');
  for (const key of ['z', 'Z', 'y']) assert.equal(keyPolicy(key, CONTROL), 'take');
  for (const key of ['o', '1', 'Enter', 'Escape', ',']) assert.equal(keyPolicy(key, 0), 'share');
});

test('AltGr is neither Control nor Alt', () => {
  const event = { shiftKey: false, ctrlKey: true, altKey: true, metaKey: false };
  assert.equal(modifiersOf({ ...event, getModifierState: (name) => name === 'AltGraph' }), 0);
  assert.equal(modifiersOf({ ...event, getModifierState: () => false }), CONTROL | ALT);
});

test('a new scene, stage, example, mask or order is a large move, a new row, grain or setting is not', () => {
  assert.equal(largeMove('v=1&stage=q', 'v=1&stage=k'), true);
  assert.equal(largeMove('v=1', 'v=1&ex=cat-sat-down'), true);
  assert.equal(largeMove('v=1', 'v=1&mask=none'), true);
  assert.equal(largeMove('v=1', 'v=1&scene=masks'), true);
  assert.equal(largeMove('v=1&scene=masks', 'v=1&scene=masks&set.kind=padding'), false);
  assert.equal(largeMove('v=1&stage=q&row=1', 'v=1&stage=q&row=2'), false);
  assert.equal(largeMove('v=1&grain=cell', 'v=1'), false);
});
