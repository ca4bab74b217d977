// One scene, one set of numbers: what the terminal prints, what the page computes and what the mirror says, natively
// and as WebAssembly. exp, log and cos differ in the last bits between builds, so numbers agree to 1e-12 relative and
// words but for their last printed digits. Nothing here measures time: a scene does so only while its toggle `measure`
// is on. ATTN_TESTS is the native test program, ATTN_WEB_BUILD the web build.
import { strict as assert } from 'node:assert';
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { createContext, runInContext } from 'node:vm';
import { programIn } from '../cli/program.mjs';
import { build, launch, openApp, settled, site } from './support/browser.mjs';
import { serve } from './support/server.mjs';

const RELATIVE = 1e-12;
const root = fileURLToPath(new URL('../../', import.meta.url));
const { succeeds } = programIn(root);
const ids = succeeds('scenes').trimEnd().split('\n').map((line) => line.split('\t')[0]);

// What a test program prints of each scene, by id: {terminal, page}.
function printed(command, ...args) {
  const options = { encoding: 'utf8', maxBuffer: 1 << 28 };
  const all = [...args, '-tc=print every scene', '-ns', '--no-colors=true'];
  const { status, stdout, stderr, error } = spawnSync(command, all, options);
  assert.ifError(error);
  const lines = stdout.split('\n'), isScene = (line) => line.startsWith('{');
  assert.equal(status, 0, lines.filter((line) => !isScene(line)).join('\n') + stderr);
  return new Map(lines.filter(isScene).map((line) => JSON.parse(line)).map((scene) => [scene.page.id, scene]));
}

// The page's own module for scenes, as its worker runs it: id → page.
async function shippedScenes() {
  let tell;
  const answer = (send) => new Promise((resolve) => {
    tell = (message) => { if (message.done === undefined) resolve(message); };
    send();
  });
  const worker = createContext({
    WebAssembly, TextEncoder, TextDecoder, console,
    FileReaderSync: class {}, MessageChannel: class { port1 = {}; port2 = { postMessage() {} }; },  // for files: there are none
    self: { location: { href: '' } }, postMessage: (message) => tell(message),
  });
  runInContext(readFileSync(join(site, 'scenes.js'), 'utf8'), worker);
  const program = await WebAssembly.compile(readFileSync(join(site, 'scenes.wasm')));
  const version = Number(readFileSync(join(root, 'web/scenes.js'), 'utf8').match(/const VERSION = (\d+)/)[1]);
  assert.ok((await answer(() => worker.onmessage({ data: { program, version } }))).ready);
  return async (id) => {
    const data = { ticket: 1, id, settings: '{}' };
    return JSON.parse((await answer(() => worker.onmessage({ data }))).page);
  };
}

const sameNumber = (a, b) => Math.abs(a - b) <= RELATIVE * Math.max(Math.abs(a), Math.abs(b));

// What rounding leaves of a difference that is 0 on paper has no digit in common between builds; its name tells.
const RESIDUE = /differ|spread|change|error/i;
const isRounding = (a, b) => Math.max(Math.abs(a), Math.abs(b)) < 1e-12;

// Equal words, and numbers that differ by one unit of the last printed digit at most.
const NUMBER = /\d[\d,]*(?:\.\d+)?/g;
const PRINTED_RESIDUE = /\d(?:\.\d+)?e-1[3-9]/g;
function sameText(...texts) {
  const [a, b] = texts.map((text) => text.replace(PRINTED_RESIDUE, 'rounding'));
  if (a === b) return true;
  const numbers = (text) => text.match(NUMBER) ?? [];
  if (a.replace(NUMBER, '#') !== b.replace(NUMBER, '#')) return false;
  return numbers(a).every((one, i) => {
    const digits = one.split('.')[1]?.length ?? 0;
    const value = (text) => Number(text.replaceAll(',', ''));
    return Math.abs(value(one) - value(numbers(b)[i])) <= 1.01 * 10 ** -digits;
  });
}

// How many numbers two values hold that agree; what does not agree goes to `wrong` with its place.
function compare(a, b, place, wrong, residue = false) {
  if (typeof a === 'number' && typeof b === 'number') {
    if (!sameNumber(a, b) && !(residue && isRounding(a, b))) wrong.push(`${place}: ${a} and ${b}`);
    return 1;
  }
  if (typeof a === 'string' && typeof b === 'string') {
    if (!sameText(a, b)) wrong.push(`${place}: "${a}" and "${b}"`);
    return 0;
  }
  if (a && b && typeof a === 'object' && typeof b === 'object') {
    const keys = new Set([...Object.keys(a), ...Object.keys(b)]);
    const within = (key) => residue || RESIDUE.test(key) || RESIDUE.test(a.title ?? a.label ?? '');
    return [...keys].reduce((count, key) => count + compare(a[key], b[key], `${place}/${key}`, wrong, within(key)), 0);
  }
  if (a !== b) wrong.push(`${place}: ${a} and ${b}`);
  return 0;
}

// Both give what they have of a scene; together all scenes hold thousands of numbers.
async function assertSame(a, b) {
  const wrong = [];
  let numbers = 0;
  for (const id of ids) numbers += compare(await a(id), await b(id), id, wrong);
  assert.deepEqual(wrong.slice(0, 20), [], `${wrong.length} differences; are both builds of the same sources?`);
  assert.ok(numbers > 5000, `only ${numbers} numbers`);
}

let native, browser, server;
before(async () => {
  native = printed(process.env.ATTN_TESTS ?? join(root, 'build/desktop/attnscope-tests'));
  [browser, server] = await Promise.all([launch(), serve(site)]);
});
after(() => Promise.all([browser.close(), server.close()]));

test('numbers that differ by more than 1e-12, words and shapes are told apart', () => {
  const differences = (a, b) => {
    const wrong = [];
    compare(a, b, '', wrong);
    return wrong.length;
  };
  assert.equal(differences([1, 1e-30], [1 + 9e-13, 1e-30 * (1 + 9e-13)]), 0);
  assert.equal(differences([1, 1e-30], [1 + 2e-12, 1e-30 * (1 + 2e-12)]), 2);
  assert.equal(differences('by 2.0315 of 16,640', 'by 2.0316 of 16,640'), 0);
  assert.equal(differences('by 2.0315 of 16,640', 'by 2.0317 of 16,640'), 1);
  assert.equal(differences('it is 7e-16 at most', 'it is 4e-16 at most'), 0);
  assert.equal(differences('it is 7e-6 at most', 'it is 4e-6 at most'), 1);
  assert.equal(differences('equal', 'unequal'), 1);
  assert.equal(differences([1, 2], [1]), 1);
  assert.equal(differences({ equal: true }, { equal: false }), 1);
  assert.equal(differences({ weight: 5e-16 }, { weight: 6e-16 }), 1);
  assert.equal(differences({ map_spread: 5e-16 }, { map_spread: 6e-16 }), 0);
  assert.equal(differences({ map_spread: 5e-11 }, { map_spread: 6e-11 }), 1);
});

test('the terminal prints the same results for every scene, natively and as WebAssembly', async () => {
  const withoutFetch = join(root, 'scripts/node-without-fetch.cjs');
  const web = printed(process.execPath, '--require', withoutFetch, join(build, 'attnscope-tests.js'));
  assert.deepEqual([...web.keys()].sort(), [...ids].sort());
  await assertSame((id) => JSON.parse(succeeds('scene', id)), (id) => web.get(id).terminal);
});

test('the page computes what the native program does, for every scene', async () => {
  await assertSame((id) => native.get(id).page, await shippedScenes());
});

// What the mirror writes in a cell of a block natively, or null where it says it in words of its own.
const cellsOf = {
  grid({ values, columns, blocked }, row, column) {
    const at = row * columns + column;
    return blocked.length && blocked[at] ? null : values[at];
  },
  strip: ({ items }, row, column) => (column === 0 && items[row].weight >= 0 ? items[row].weight : null),
  table: ({ rows }, row, column) => rows[row][column + 1],
};

test('the mirror in the browser says the numbers that the terminal has, for every scene', async () => {
  const page = await openApp(browser, server.url);
  let numbers = 0;
  for (const id of ids) {
    await page.evaluate((scene) => window.attnscope.dispatch({ type: 'scene', id: scene }), id);
    await settled(page);
    const tables = await page.locator('#mirror .scene table').evaluateAll((all) => all.map((each) => ({
      caption: each.caption.textContent,
      rows: [...each.tBodies[0].rows].map((row) => [...row.querySelectorAll('td')].map((cell) => cell.textContent)),
    })));
    const { blocks } = native.get(id).page;
    const figures = blocks.filter(({ type }) => ['grid', 'table', 'plot', 'plane', 'strip', 'flow'].includes(type));
    assert.equal(tables.length, figures.length, id);
    figures.forEach((figure, i) => {
      assert.ok(tables[i].caption.startsWith(figure.title), `${id}: ${tables[i].caption}`);
      if (!cellsOf[figure.type]) return;
      tables[i].rows.forEach((cells, row) => cells.forEach((said, column) => {
        const value = cellsOf[figure.type](figure, row, column);
        if (value === null) return;
        ++numbers;
        const place = `${id}, ${figure.title} [${row}][${column}]: ${said}, natively ${value}`;
        if (typeof value === 'string') return assert.ok(sameText(said, value), place);
        const digits = said.split('.')[1]?.length ?? 0;
        assert.ok(Math.abs(Number(said.replace('−', '-')) - value) <= 0.501 * 10 ** -digits, place);
      }));
    });
  }
  assert.ok(numbers > 1000, `only ${numbers} numbers`);
  await page.done();
});
