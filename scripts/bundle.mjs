// Joins ES modules of one folder into one script that needs no import: bundle(readText, 'main.js'). Knows the forms of
// import and export that web/ uses and refuses all others (an exported "let" would lose its later values); it does not
// parse JavaScript.

const importForm = /^import\s+(?:\{([^}]*)\}|\*\s+as\s+(\w+))\s+from\s+'\.\/([\w.-]+)';[ \t]*$/gm;
const sideEffectForm = /^import\s+'\.\/([\w.-]+)';[ \t]*$/gm;
const exportForm = /^export\s+(?=(?:async\s+)?(?:function\*?|const|class)\s+(\w+))/gm;
const refused = /^(?:import\b(?!\s*[(.])|export\b).*$/m;

const variable = (name) => `module_${name.replace(/\W/g, '_')}`;

// One module as a function that returns its exports, and the modules that must run before it.
function convert(name, text) {
  const needs = [];
  const exported = [];
  const body = text
    .replace(importForm, (_, names, namespace, from) => {
      needs.push(from);
      return `const ${namespace ?? `{${names.replace(/(\w+)\s+as\s+(\w+)/g, '$1: $2')}}`} = ${variable(from)};`;
    })
    .replace(sideEffectForm, (_, from) => {
      needs.push(from);
      return '';
    })
    .replace(exportForm, (_, id) => {
      exported.push(id);
      return '';
    });
  const odd = body.match(refused);
  if (odd) throw new Error(`web/${name}: "${odd[0]}" is a form of import or export that scripts/bundle.mjs does not know`);
  return { needs, code: `const ${variable(name)} = (() => {\n${body}\nreturn { ${exported.join(', ')} };\n})();\n` };
}

export function bundle(readText, entry) {
  const parts = [];
  const state = new Map();  // name → 'open' while its needs are being visited, then 'done'
  const visit = (name, path) => {
    if (state.get(name) === 'done') return;
    if (state.get(name) === 'open') throw new Error(`web/${name}: modules import each other in a circle (${path.join(' → ')})`);
    state.set(name, 'open');
    const { needs, code } = convert(name, readText(name));
    for (const need of needs) visit(need, [...path, need]);
    parts.push(code);
    state.set(name, 'done');
  };
  visit(entry, [entry]);
  return `'use strict';\n${parts.join('')}`;
}
