// Every build reads some headers beforehand, so that none would notice a file that does not include what it names. This does.
import assert from 'node:assert/strict';
import test from 'node:test';
import { read, under } from './files.mjs';

// What a file names, and the headers of attn_precompile in CMakeLists.txt that have it, its own one first; the others are
// bound by the standard, or by Eigen's own code, to bring it along.
const names = [
  [/\bEigen::/, ['Eigen/Core']],
  [/\bstd::(sort|stable_sort|find|find_if|any_of|all_of|none_of|count|count_if|fill|copy|reverse|rotate|unique|nth_element|partial_sort|max_element|min_element|minmax_element|lower_bound|upper_bound|equal|remove_if|min|max|clamp)\b/, ['algorithm', 'Eigen/Core']],
  [/\bstd::(sqrt|exp|log|log2|log10|pow|tanh|sin|cos|floor|ceil|round|lround|isnan|isinf|isfinite|hypot|fmod|trunc|nextafter|ldexp)\b/, ['cmath', 'Eigen/Core']],
  [/\bstd::function\b/, ['functional', 'Eigen/Core']],
  [/\bstd::map\b/, ['map']],
  [/\bstd::(unique_ptr|shared_ptr|make_unique|make_shared)\b/, ['memory']],
  [/\bstd::(optional|nullopt)\b/, ['optional']],
  [/\bstd::(string|to_string|stoi|stod)\b/, ['string']],
  [/\bstd::string_view\b/, ['string_view', 'string']],
  [/\bstd::(move|pair|swap|exchange|forward)\b/, ['utility', 'vector', 'map', 'string', 'optional', 'memory', 'variant', 'algorithm', 'functional']],
  [/\bstd::(variant|monostate|get_if|visit|holds_alternative)\b/, ['variant']],
  [/\bstd::vector\b/, ['vector']],
];

const paths = [...under('src', 'h', 'cpp'), ...under('tests', 'h', 'cpp')];
const known = new Set(paths);
const code = (path) => read(path).replace(/\/\/.*$/gm, '').replace(/"(?:[^"\\\n]|\\.)*"/g, (text) => /^"[\w/.]+\.(h|inc)"$/.test(text) ? text : '""');

function resolve(from, name) {
  const beside = from.replace(/[^/]*$/, '') + name;
  return [`src/${name}`, `tests/${name}`, beside].find((path) => known.has(path));
}

const read_once = new Map();
function facts(path) {
  if (!read_once.has(path)) {
    const text = code(path);
    const standard = [...text.matchAll(/^[ \t]*#[ \t]*include[ \t]*<([^>]+)>/gm)].map(([, name]) => name);
    const own = [...text.matchAll(/^[ \t]*#[ \t]*include[ \t]*"([^"]+)"/gm)].map(([, name]) => resolve(path, name)).filter(Boolean);
    read_once.set(path, { text, standard, own });
  }
  return read_once.get(path);
}

function reached(path, seen = new Set(), found = new Set()) {
  if (seen.has(path)) return found;
  seen.add(path);
  const { standard, own } = facts(path);
  for (const name of standard) found.add(name);
  for (const name of own) reached(name, seen, found);
  return found;
}

test('each file includes what it names of the headers that are read beforehand, or a header of ours that does', () => {
  const wrong = [];
  for (const path of paths) {
    const found = reached(path);
    for (const [name, headers] of names) {
      const used = name.exec(facts(path).text);
      if (used && !headers.some((header) => found.has(header))) wrong.push(`${path}: ${used[0]} without <${headers[0]}>`);
    }
  }
  assert.deepEqual(wrong, []);
});

test('the headers that are read beforehand are those that this knows', () => {
  const list = /target_precompile_headers\(\$\{target\} PRIVATE ([^)]*)\)/.exec(read('CMakeLists.txt'))[1];
  assert.deepEqual([...list.matchAll(/<([^>]+)>/g)].map(([, name]) => name).sort(), names.map(([, headers]) => headers[0]).sort());
});
