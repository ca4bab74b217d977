// What every file of ours satisfies, as far as a pattern can tell.
import assert from 'node:assert/strict';
import test from 'node:test';
import { read, tracked, under } from './files.mjs';

const code = [
  ...under('src', 'h', 'cpp'), ...under('tests', 'h', 'cpp', 'mjs'), ...under('web', 'js', 'css'), ...under('scripts', 'mjs'),
].filter((path) => !path.startsWith('tests/data/'));

test('every source file opens with a comment that says what it is responsible for', () => {
  assert.deepEqual(code.filter((path) => !/^(\/\/ |\/\* |#!.*\n\/\/ )/.test(read(path))), []);
});

test('every header is included once', () => {
  assert.deepEqual([...under('src', 'h'), ...under('tests', 'h')].filter((path) => !read(path).includes('#pragma once')), []);
});

test('no line ends in blanks', () => {
  const wrong = [];
  for (const path of code) {
    read(path).split('\n').forEach((line, at) => {
      if (/[ \t\r]$/.test(line)) wrong.push(`${path}:${at + 1}`);
    });
  }
  assert.deepEqual(wrong, []);
});

test('no file of ours is longer than 500 lines', () => {
  assert.deepEqual(code.filter((path) => /^(src|web)\//.test(path) && read(path).split('\n').length > 500), []);
});

test('lock files name no registry', () => {
  assert.deepEqual(tracked.filter((path) => path.endsWith('package-lock.json') && read(path).includes('"resolved"')), []);
});

test('third-party code is fetched, never copied in', () => {
  const names = /(^|\/)(imgui(_draw|_tables|_widgets|_internal|_impl_.*)?|imconfig|stb_.*|doctest|zlib|qrcodegen|glfw3)\.(h|cpp)$/;
  assert.deepEqual(tracked.filter((path) => names.test(path) || path.includes('node_modules')), []);
});

test('every script explains itself', () => {
  const scripts = tracked.filter((path) => /^scripts\/[a-z]+$/.test(path));
  assert.ok(scripts.length >= 4);
  assert.deepEqual(scripts.filter((path) => !/^#!.*\n# /.test(read(path)) || !read(path).includes('--help')), []);
});
