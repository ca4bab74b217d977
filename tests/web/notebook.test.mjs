// attnscope.py, which notebooks use: its pages in Chromium against the numbers of numpy, and what it refuses.
import { strict as assert } from 'node:assert';
import { createHash } from 'node:crypto';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build, launch, openApp, openPage, settled, state, texts, trace } from './support/browser.mjs';
import { inPython } from './support/notebook.mjs';

let browser, folder;
before(async () => {
  [browser, folder] = await Promise.all([launch(), mkdtemp(join(tmpdir(), 'attnscope-'))]);
});
after(() => Promise.all([browser.close(), rm(folder, { recursive: true })]));

const python = (lines, home) => inPython(folder, lines, home);
const address = (name) => pathToFileURL(join(folder, name)).href;

// The page of a file, when what it holds is open.
async function opened(name, what) {
  const page = await openApp(browser, address(name));
  await page.waitForFunction(({ files, title }) => {
    const now = window.attnscope.state();
    return files === undefined ? now.title === title : now.files === files;
  }, what);
  await settled(page);
  return page;
}

const rowsOf = async (page, caption) => {
  const table = page.locator('#mirror table').filter({ has: page.locator('caption', { hasText: caption }) });
  return table.locator('tr').evaluateAll((rows) => rows.map((row) => [...row.cells].map((cell) => cell.textContent)));
};

function near(found, wanted, within = 1e-12) {
  assert.equal(found.length, wanted.length);
  found.forEach((each, i) => (Array.isArray(each) ? near(each, wanted[i], within) : assert.ok(Math.abs(each - wanted[i]) <= within, `${each}, not ${wanted[i]}`)));
}

test('queries, keys and values are computed step by step, with the weights of numpy', async () => {
  const wanted = python(`
q, k, v = (random.normal(size=(2, 5, 4)).astype(dtype) for dtype in ("float16", "float32", "float64"))
scores = q.astype(float) @ k.astype(float).swapaxes(1, 2) / 2
scores[:, ~np.tri(5, dtype=bool)] = -np.inf
weights = softmax(scores)
save("qkv.html", q=q, k=Tensor(k), v=v.tolist(), tokens=list("abcde"), mask="causal", title="Five", link="v=1&ex=other&row=3&stage=weights&head=1")
tell({"weights": weights.tolist(), "z": (weights @ v).tolist()})`);
  const page = await opened('qkv.html', { title: 'Five' });
  const { tokens, heads } = await trace(page);
  assert.deepEqual(tokens, ['a', 'b', 'c', 'd', 'e']);
  near(heads.map((head) => head.weights), wanted.weights);
  near(heads.map((head) => head.z), wanted.z);
  const { row, stage, head, scene, notice } = await state(page);
  assert.deepEqual({ row, stage, head, scene, notice }, { row: 3, stage: 'weights', head: 1, scene: '', notice: '' });
  await page.done();
});

test('inputs and matrices, with all that may go with them, give the outputs of numpy', async () => {
  const wanted = python(`
x, wq, wk, wv, wo = (random.normal(size=size) for size in ((1, 3, 6), (2, 6, 2), (2, 6, 2), (2, 6, 3), (6, 6)))
bq, bo, bias, mask = random.normal(size=(2, 2)), random.normal(size=6), random.normal(size=(3, 3)), np.array([[1, 0, 1], [1, 1, 0], [0, 1, 1]], bool)
scores = (x @ wq + bq[:, None]) @ (x @ wk).swapaxes(1, 2) * 0.3 + bias
scores[:, ~mask] = -np.inf
y = np.concatenate(list(softmax(scores) @ (x @ wv)), axis=1) @ wo + bo
save("x.html", x=x, wq=list(wq), wk=wk, wv=[Tensor(each) for each in wv], wo=wo, bq=bq, bo=bo, bias=bias, scale=0.3, mask=mask, residual=True, title="Inputs")
tell({"y": y.tolist(), "residual": (x[0] + y).tolist()})`);
  const page = await opened('x.html', { title: 'Inputs' });
  const found = await trace(page);
  assert.deepEqual(found.tokens, ['0', '1', '2']);
  near(found.y, wanted.y);
  near(found.residual, wanted.residual);
  await page.done();
});

test('the attentions of a model open with all its heads', async () => {
  python(`
layers = tuple(Tensor(softmax(random.normal(size=(1, 3, 4, 4)))) for n in range(2))
save("heads.html", weights=layers, tokens=["The", "Ġcat", "Ġsat", "."], title="gpt2", link="embed=1")`);
  const page = await opened('heads.html', { files: 'gpt2' });
  const { scene, set, embed, notice } = await state(page);
  assert.deepEqual([scene, set, embed, notice], ['arrays', { part: 'heads' }, true, '']);
  assert.match(await page.evaluate(() => window.attnscope.text()), /Every map is one head: 4 destinations × 4 sources/);
  await page.done();
});

test('a link leads to one head, which has the tokens and the numbers of its tensor', async () => {
  const wanted = python(`
layers = (softmax(random.normal(size=(12, 2, 3, 4, 4))).astype("f4").view("u4") & 0xffff0000).view("f4")  # as bfloat16 has them
link = "https://example.org/#v=1&scene=arrays&set.part=head&set.layer=10&set.head=2&set.row=3"
save("head.html", weights=[Tensor(each, "torch.bfloat16") for each in layers], tokens=["The", " cat", "sat", "!"], batch=1, link=link)
tell(layers[10, 1, 2, 3].tolist())`);
  const page = await opened('head.html', { files: 'attention' });
  const rows = await rowsOf(page, 'Its weight on each source');
  assert.deepEqual(rows.slice(1).map(([source]) => source), ['0 The', '1 ␣cat', '2 sat', '3 !']);
  near(rows.slice(1).map(([, weight]) => Number(weight)), wanted, 0.00005 + 1e-7);
  await page.done();
});

test('the tokens of destinations and of sources stand at rows and columns', async () => {
  python(`save("cross.html", weights=softmax(random.normal(size=(2, 3))), tokens=["le", "chat"], sources=["the", "cat", "."], title="Cross")`);
  const page = await opened('cross.html', { files: 'Cross' });
  const rows = await rowsOf(page, 'Weights.');
  assert.deepEqual(rows[0].slice(1), ['0 the', '1 cat', '2 .']);
  assert.deepEqual(rows.slice(1).map(([row]) => row), ['0 le', '1 chat']);
  await page.done();
});

const HOSTILE = ['</script><script>window.broken = 1</script>', '"\'&amp;<!--', '\u2028\u2029', '😀é猫', '\\u0041\n', '<b>', ']]>', ''];

test('tokens and titles of any characters arrive as they are and nothing in them is run', async () => {
  python(`
tokens = json.loads(${JSON.stringify(JSON.stringify(HOSTILE))})
rows = random.normal(size=(len(tokens), 2))
save("hostile.html", q=rows, k=rows, v=rows, tokens=tokens, title=tokens[0] + tokens[1] + tokens[2])
save("hostile_arrays.html", weights=softmax(rows @ rows.T), tokens=tokens, title=tokens[0] + tokens[1] + tokens[2])`);
  const title = HOSTILE.slice(0, 3).join('');
  const page = await opened('hostile.html', { title });
  assert.deepEqual((await trace(page)).tokens, HOSTILE);
  await page.done();
  const arrays = await opened('hostile_arrays.html', { files: title });
  const names = (await rowsOf(arrays, 'Weights.')).slice(1).map(([row]) => row);
  assert.equal(names[0], `0 ${HOSTILE[0]}`);
  assert.equal(names[3], `3 ${HOSTILE[3]}`);
  assert.deepEqual(await arrays.evaluate(() => [window.broken, document.querySelectorAll('script:not([type])').length]), [undefined, 1]);
  await arrays.done();
});

test('a reload finds the moment again, with what the page holds', async () => {
  python(`
three = np.eye(3)
save("again.html", q=three, k=three, v=three, title="Three")
save("arrays_again.html", weights=[three, three], q=[three, three], k=[three, three], v=[three, three], title="Two layers")`);
  const again = async (name, what, act) => {
    const page = await opened(name, what);
    await page.evaluate(act);
    await settled(page);
    const link = await page.evaluate(() => window.attnscope.link());
    await page.waitForFunction((wanted) => location.hash === `#${wanted}`, link);
    await page.reload();
    await page.waitForFunction((wanted) => window.attnscope?.link() === wanted, link);
    await settled(page);
    return page;
  };
  const example = await again('again.html', { title: 'Three' }, () => window.attnscope.dispatch({ type: 'seek', position: 2 }));
  assert.deepEqual([(await state(example)).position, (await state(example)).title], [2, 'Three']);
  await example.done();
  const arrays = await again('arrays_again.html', { files: 'Two layers' }, () => window.attnscope.dispatch({ type: 'set', values: { part: 'head', layer: '1' } }));
  assert.deepEqual([(await state(arrays)).files, (await state(arrays)).set], ['Two layers', { layer: '1', part: 'head' }]);
  await arrays.done();
});

test('a theme that a page was given is not taken for what the person prefers', async () => {
  python('save("dark.html", weights=np.eye(2), theme="dark"); save("plain.html", weights=np.eye(2), title="Plain")');
  const page = await opened('dark.html', { files: 'attention' });
  assert.equal(await page.evaluate(() => document.documentElement.dataset.theme), 'dark');
  await page.evaluate(() => window.attnscope.dispatch({ type: 'speed', speed: 4 }));
  await page.waitForFunction(() => JSON.parse(localStorage.getItem('attnscope'))?.speed === 4);
  await page.goto(address('plain.html'));
  await settled(page);
  assert.deepEqual([(await state(page)).speed, await page.evaluate(() => document.documentElement.dataset.theme)], [4, undefined]);
  await page.done();
});

for (const [how, sandbox] of [['in the sandbox that it asks for', / $/], ['without a sandbox', /sandbox="[^"]*"/]]) {
  test(`a cell shows the page in a frame ${how}, and the theme is the one that was given`, async () => {
    const { html } = python(`tell({"html": show(weights=np.eye(3), tokens=list("abc"), title="</iframe>", theme="dark", height=500)._repr_html_()})`);
    assert.match(html, /^<iframe [^>]* sandbox="allow-scripts allow-downloads" [^>]*height: 500px/);
    const name = `cell-${how.length}.html`;
    await writeFile(join(folder, name), `<!doctype html><meta charset="utf-8"><title>Cell</title><body>${html.replace(sandbox, '')}`);
    const page = await openPage(browser, address(name));
    const frame = await (await page.waitForSelector('iframe')).contentFrame();
    await frame.waitForFunction(() => window.attnscope?.state().files === '</iframe>');
    await settled(frame);
    assert.match(await frame.evaluate(() => window.attnscope.text()), /3 destinations × 3 sources/);
    assert.equal(await frame.evaluate(() => document.documentElement.dataset.theme), 'dark');
    assert.equal(await frame.evaluate(() => innerHeight), 500);
    await page.done();
  });
}

test('its policy still allows one script, whatever arrays are in the page', async () => {
  python('save("policy.html", weights=np.eye(2), title="Policy")');
  const page = await readFile(join(folder, 'policy.html'), 'utf8');
  const scripts = [...page.matchAll(/<script>([\s\S]*?)<\/script>/g)];
  assert.equal(scripts.length, 1);
  assert.ok(page.includes(`script-src 'sha256-${createHash('sha256').update(scripts[0][1]).digest('base64')}' 'wasm-unsafe-eval'`));
});

test('a page says that the trained model is not in it', async () => {
  python('save("model.html", weights=np.eye(2))');
  const page = await opened('model.html', { files: 'attention' });
  await page.evaluate(() => window.attnscope.dispatch({ type: 'scene', id: 'model' }));
  await page.waitForFunction(() => /model\.\w+ is not part of this page/.test(window.attnscope.text()));
  await page.done();
});

test('numbers travel in the type that they have, also in one that numpy has not', () => {
  const kinds = python(`
import base64, io
def kept(**given):
    data = show(weights=np.eye(2), **given).html.split('id="held"')[1].split(">")[1].split("<")[0]
    with np.load(io.BytesIO(base64.b64decode(data))) as archive: return {name: archive[name].dtype.str for name in archive if name != "weights"}
small = np.array([[0.5, np.nan], [np.inf, 0]])
tell([kept(q=small.astype("float16")), kept(q=small.astype("float32")), kept(q=small), kept(q=Tensor(small, "torch.bfloat16")),
    kept(q=small.astype("longdouble")), kept(q=[[1, 2], [3, 4]]), kept(q=[Tensor(small), small]), kept(q=np.zeros((2, 1, 2, 2, 3)))])`);
  assert.deepEqual(kinds, [{ q: '<f2' }, { q: '<f4' }, { q: '<f8' }, { q: '|V2' }, { q: '<f8' }, { q: '<i8' },
    { 'q.0': '<f8', 'q.1': '<f8' }, { 'q.0': '<f8', 'q.1': '<f8' }]);
});

const REFUSED = {
  'show()': /no arrays; give weights/,
  'show(wieghts=np.eye(2))': /'wieghts'; arrays are q, k, v, scores, weights/,
  'show(weights=None)': /weights is None.*attn_implementation='eager'/,
  'show(weights=(None, None))': /weights\[0\] is None.*output_attentions=True/,
  'show(weights=((np.eye(2),), (np.eye(2),)))': /weights\[0\] is a tuple.*generate\(\).*weights\[0\]/,
  'show(weights=np.ones(3))': /weights has the shape \(3,\); give \(T, S\), \(heads, T, S\)/,
  'show(weights=np.ones((0, 0)))': /weights has the shape \(0, 0\)/,
  'show(weights=[[1, 2], [3]])': /weights cannot be read as an array/,
  'show(weights=[["a"]])': /weights holds <U1, not numbers/,
  'show(weights=np.eye(2) * 1j)': /weights holds complex128/,
  'show(weights=[np.eye(2), np.array([[object()]])])': /weights\[1\] holds object/,
  'show(weights=np.ones((3, 2, 4, 4)))': /3 sequences; choose one with batch=0 to batch=2, or give a list/,
  'show(weights=np.ones((3, 2, 4, 4)), batch=3)': /batch is 3, and weights \(3, 2, 4, 4\) has 3/,
  'show(weights=np.ones((3, 2, 4, 4)), batch="all")': /batch is 'all'/,
  'show(weights=np.eye(3), tokens=list("ab"))': /tokens has 2 texts, and weights \(3, 3\) has 3 destinations/,
  'show(weights=[np.eye(3), np.eye(2)], tokens=list("abc"))': /tokens has 3 texts, and weights\.1 \(2, 2\) has 2/,
  'show(weights=np.ones((2, 3)), tokens=list("ab"), sources=list("ab"))': /sources has 2 texts, and weights \(2, 3\) has 3 sources/,
  'show(weights=np.eye(2), tokens="ab")': /tokens is one str; give a list/,
  'show(weights=np.eye(2), tokens=[464, 3797])': /tokens\[0\] is int, not a text.*convert_ids_to_tokens/,
  'show(weights=np.eye(2), tokens=["a", b"b"])': /tokens\[1\] is bytes, not a text/,
  'show(weights=np.eye(2), tokens=["a", "\\ud83d"])': /tokens\[1\] holds half a character/,
  'show(weights=np.eye(2), tokens=["a", "b\\0"])': /tokens\[1\] holds the character U\+0000/,
  'show(weights=np.eye(2), tokens=["a", "b" * 5000])': /tokens\[1\] has 5000 characters/,
  'show(weights=np.eye(2), title="\\udfff")': /title holds half a character/,
  'show(weights=np.eye(2), title=3)': /title is int, not a text/,
  'show(weights=np.eye(2), theme="blue")': /theme is 'blue'; give 'light', 'dark' or None/,
  'show(weights=np.eye(2), height="tall")': /height is 'tall'; give a whole number of pixels/,
  'show(weights=np.eye(2), scale=2)': /scale is for an example: q, k and v of one layer.*leave it out/,
  'show(q=[np.eye(2)] * 2, k=[np.eye(2)] * 2, v=[np.eye(2)] * 2, mask="causal")': /mask is for an example: q, k and v of one layer/,
  'show(x=np.eye(2), wq=np.eye(2))': /x was given without wk and wv/,
  'show(x=np.eye(2), wq=np.eye(2), wk=np.eye(2), wv=np.eye(2), q=np.eye(2))': /q and x do not go together/,
  'show(x=np.ones(2), wq=np.eye(2), wk=np.eye(2), wv=np.eye(2))': /x has the shape \(2,\); give \(positions, D\)/,
  'show(q=np.ones((2, 5)), k=np.ones((2, 4)), v=np.eye(2))': /q \(2, 5\) and k \(2, 4\) have 5 and 4 numbers for each position/,
  'show(q=np.ones((3, 2, 4)), k=np.ones((2, 2, 4)), v=np.ones((2, 2, 4)))': /q has 3 heads and k 2/,
  'show(k=np.ones((2, 4)), v=np.ones((3, 4)))': /k \(2, 4\) and v \(3, 4\) do not belong together/,
  'show(q=np.eye(2), k=np.eye(2), v=np.eye(2), mask="casual")': /mask is 'casual'; give 'none', 'causal'/,
  'show(q=np.eye(2), k=np.eye(2), v=np.eye(2), mask=np.eye(2))': /mask holds float64; give/,
  'show(q=np.ones((600, 2)), k=np.ones((600, 2)), v=np.ones((600, 2)), mask="causal")': /360000 weights, and at most 262144 are shown step by step; take fewer/,
  'show(weights=np.broadcast_to(np.float32(0), (9, 1000, 1000)))': /34\.3 MiB, and a page holds at most 32\.0 MiB.*numpy\.savez/,
};

test('what cannot be shown is refused in one sentence that says what, where and what to do', () => {
  const said = python(`
def refusal(call):
    try: eval(call)
    except ValueError as error: return str(error)
tell([refusal(call) for call in json.loads(${JSON.stringify(JSON.stringify(Object.keys(REFUSED)))})])`);
  Object.entries(REFUSED).forEach(([call, pattern], n) => {
    assert.match(String(said[n]), pattern, call);
    assert.match(said[n], /^[^\n]*\.$/, call);
  });
});

test('longer queries, keys and values open as arrays, without being computed at once', async () => {
  python('save("long.html", q=np.ones((600, 2)), k=np.ones((600, 2)), v=np.ones((600, 2)), title="Long")');
  const page = await opened('long.html', { files: 'Long' });
  assert.deepEqual((await state(page)).set, { part: 'head' });
  assert.ok((await texts(page, 'button')).includes('Walk through this head'));
  await page.done();
});

test('the module is written for Python 3.8, and without its page it says where to find one', () => {
  const source = fileURLToPath(new URL('../../src/notebook/', import.meta.url));
  const said = python(`
import ast
ast.parse(open(attnscope.__file__, encoding="utf-8").read(), feature_version=(3, 8))
try: show(weights=np.eye(2))
except ValueError as error: tell(str(error))`, source);
  assert.match(said, /holds no page; take dist\/attnscope\.py/);
  assert.notEqual(source, build);
});
