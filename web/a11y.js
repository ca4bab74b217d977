// The screen in elements for assistive technology, inside the canvas as its fallback content; where there is no WebGL2 it
// is the page. Built from the core's words and changed only where they change.
import { SCROLLING, keyPolicy, modifiersOf, tap } from './input.js';
import { tr } from './language.js';

function element(tag, attributes = {}, text) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  if (text !== undefined) made.textContent = text;
  return made;
}

function setText(target, text) {
  if (target.textContent !== text) target.textContent = text;
}

// Puts `wanted` into `parent` in order, moving only what is out of place, so that the focus stays where it is.
function arrange(parent, wanted) {
  const keep = new Set(wanted);
  for (const child of [...parent.children]) if (!keep.has(child)) child.remove();
  wanted.forEach((child, i) => {
    if (parent.children[i] !== child) parent.insertBefore(child, parent.children[i] || null);
  });
}

// Inside a canvas the browser does not work its own radio buttons, so these are buttons that act as such.
function makeRadio(control, act) {
  const radio = element('button', { type: 'button', role: 'radio' });
  radio.addEventListener('click', () => act.activate(control.id));
  radio.addEventListener('keydown', (event) => {
    const by = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key];
    if (!by) return;
    event.preventDefault();
    const all = [...radio.parentElement.querySelectorAll('[role="radio"]')];
    const next = all[(all.indexOf(radio) + by + all.length) % all.length];
    next.focus();
    act.activate(next.dataset.control);
  });
  return { box: radio, input: radio, label: radio };
}

const ARROWS = { ArrowRight: [1, 0], ArrowLeft: [-1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] };

function makeButton(control, act) {
  const button = element('button', { type: 'button' });
  if (control.handle) {
    button.setAttribute('aria-roledescription', tr('handle, moved by the arrow keys'));
    button.addEventListener('keydown', (event) => {
      if (!ARROWS[event.key]) return;
      event.preventDefault();
      act.nudge(control.id, ...ARROWS[event.key]);
    });
  }
  button.addEventListener('click', () => act.activate(control.id)); // of what is only moved nothing comes
  return { box: button, input: button, label: button };
}

// Where the mirror is the page, the field itself is written in; inside a canvas text.js takes over.
function makeField(control, act) {
  const box = element('label');
  const label = element('span');
  const input = control.lines // what is pasted keeps its lines
    ? element('textarea', { rows: '6', autocomplete: 'off', spellcheck: 'false' })
    : element('input', { type: 'text', autocomplete: 'off', spellcheck: 'false' });
  input.addEventListener('change', () => act.setText(control.id, input.value));
  input.addEventListener('blur', () => { input.value = input.defaultValue; }); // what the core has made of it
  box.append(label, input);
  return { box, input, label };
}

function makeInput(control, act) {
  const box = element('label');
  const label = element('span');
  const input = element('input', { type: control.role === 'slider' ? 'range' : 'checkbox' });
  if (control.role === 'slider') {
    input.addEventListener('input', () => act.setValue(control.id, Number(input.value)));
    box.append(label, input, element('output', { 'aria-hidden': 'true' })); // to be seen: it is told as the value
  } else {
    input.addEventListener('change', () => act.activate(control.id));
    box.append(input, label);
  }
  return { box, input, label };
}

function makeControl(control, act) {
  if (control.role === 'button') return makeButton(control, act);
  if (control.role === 'textbox') return makeField(control, act);
  return control.role === 'radio' ? makeRadio(control, act) : makeInput(control, act);
}

function nameOf({ role, label, valueText, handle }) {
  if (handle) return `${label}: ${valueText}`;
  return role === 'button' && valueText ? tr('{0} (now {1})', label, valueText) : label;
}

function showControl(made, control, writable) {
  setText(made.label, nameOf(control));
  if (control.role === 'textbox') {
    made.input.defaultValue = control.valueText;
    if (!writable || document.activeElement !== made.input) made.input.value = control.valueText;
  }
  // Not `disabled`: the focus would be lost when the pressed button becomes idle.
  if (control.enabled) made.input.removeAttribute('aria-disabled');
  else made.input.setAttribute('aria-disabled', 'true');
  made.disabled = !control.enabled;
  if (control.keys) made.input.title = control.keys;
  if (control.about) made.input.setAttribute('aria-description', control.about);
  else made.input.removeAttribute('aria-description');
  if (control.role === 'button' && control.checked) made.input.setAttribute('aria-pressed', 'true');
  else made.input.removeAttribute('aria-pressed');
  if (control.role === 'checkbox') made.input.checked = control.checked;
  if (control.role === 'radio') made.input.setAttribute('aria-checked', String(control.checked));
  if (control.role === 'slider') {
    made.input.min = control.min;
    made.input.max = control.max;
    made.input.step = control.step > 0 ? control.step : 'any';
    if (Number(made.input.value) !== control.value) made.input.value = control.value;
    made.input.setAttribute('aria-valuetext', control.valueText);
    setText(made.box.lastElementChild, control.valueText);
  }
}

// Lines as [tag, text], changed only where they change.
function showLines(parent, lines) {
  arrange(parent, lines.map(([tag, text], i) => {
    const kept = parent.children[i];
    const line = kept && kept.localName === tag ? kept : element(tag);
    setText(line, text);
    return line;
  }));
}

// One stop for Tab in a group of radio buttons: the chosen one.
function showRadioGroup(group, boxes) {
  const radios = boxes.filter((box) => box.getAttribute('role') === 'radio');
  group.setAttribute('role', radios.length === boxes.length ? 'radiogroup' : 'group');
  const stop = radios.find((radio) => radio.getAttribute('aria-checked') === 'true') || radios[0];
  for (const radio of radios) radio.tabIndex = radio === stop ? 0 : -1;
}

function showTable(table, data) {
  const [caption, head, body] = table.children;
  setText(caption, data.caption);
  const columns = ['', ...data.columns];
  const row = head.firstElementChild || head.appendChild(element('tr'));
  while (row.children.length > columns.length) row.lastElementChild.remove();
  columns.forEach((text, i) => setText(row.children[i] || row.appendChild(element(i ? 'th' : 'td', i ? { scope: 'col' } : {})), text));
  while (body.rows.length > data.rows.length) body.lastElementChild.remove();
  data.rows.forEach(({ head: name, cells }, i) => {
    const line = body.rows[i] || body.appendChild(element('tr'));
    if (!line.firstElementChild) line.append(element('th', { scope: 'row' }));
    setText(line.firstElementChild, name);
    while (line.children.length > cells.length + 1) line.lastElementChild.remove();
    cells.forEach((text, j) => setText(line.children[j + 1] || line.appendChild(element('td')), text));
  });
  for (const marked of table.querySelectorAll('[aria-current]')) marked.removeAttribute('aria-current');
  const [r, c] = data.cursor || [];
  const cell = r === undefined || r < 0 ? null : body.rows[r] && body.rows[r].children[c + 1];
  if (cell) cell.setAttribute('aria-current', 'true');
}

function makeTable(data) {
  const table = element('table');
  table.append(element('caption'), element('thead'), element('tbody'));
  if (data) showTable(table, data);
  return table;
}

// What takes no focus is made anew when any of it changes.
function createBlocks(parent, make) {
  let shown = '[]';
  return (blocks = []) => {
    const now = JSON.stringify(blocks);
    if (now !== shown) parent.replaceChildren(...blocks.map(make));
    shown = now;
  };
}

const TAGS = { heading: 'h2', code: 'pre' };
const makeBlock = (block) => (block.kind === 'table' ? makeTable(block) : element(TAGS[block.kind] || 'p', {}, block.text));

export function createMirror(root, core, loop) {
  const title = element('h1');
  const live = element('p', { class: 'live', role: 'status', 'aria-live': 'polite', 'aria-atomic': 'true' });
  const opened = element('p', { class: 'opened', role: 'status', 'aria-live': 'polite' });
  const panel = element('section', { class: 'panel' });
  const panelTitle = element('h2');
  const panelControls = element('div');
  const panelWords = element('div');
  panel.append(panelTitle, panelControls, panelWords);
  panel.hidden = true;
  const words = element('div');
  const scene = element('div', { class: 'scene' });
  const matrix = element('div', { class: 'matrix' });
  const table = makeTable();
  matrix.append(table);
  const given = element('div');
  const showPage = createBlocks(scene, makeBlock);
  const showGiven = createBlocks(given, makeTable);
  const stepping = element('div', { role: 'group', 'aria-label': tr('Steps and choices') });
  const others = element('div', { role: 'group', 'aria-label': 'Page' });
  root.append(title, live, opened, panel, scene, stepping, words, matrix, given, others);

  const made = new Map(); // id → elements of the control
  const groups = new Map(); // name and number → element
  const act = {
    activate(id) {
      const wasReading = reading;
      if (made.get(id) && !made.get(id).disabled) core.activate(id);
      previous = ''; // a box that the browser has ticked must follow the core again
      loop.gesture();
      loop.gesture(); // what it opens is drawn in the frame after
      sync();
      // Who enters a matrix goes on with the stage's keys; who presses what then goes away must not lose the focus.
      if (reading && !wasReading) stage.focus({ preventScroll: true });
      else if (!made.has(id) && !root.contains(document.activeElement)) goOn().focus({ preventScroll: true });
    },
    setValue(id, value) {
      core.setValue(id, value);
      loop.gesture();
      sync();
    },
    setText(id, text) {
      core.setText(id, text);
      previous = '';
      loop.gesture();
      sync();
    },
    nudge(id, x, y) {
      core.nudge(id, x, y);
      loop.gesture();
      sync();
    },
  };
  let previous = '';
  let isPage = false;
  let asked = 0; // how often the core has moved the focus
  let reading = false; // the keyboard is inside the matrix
  let stage = root.closest('canvas') || matrix; // what takes the keys of the stage

  function controlFor(data) {
    const kept = made.get(data.id);
    if (kept && kept.role === data.role) return kept;
    const fresh = { ...makeControl(data, act), role: data.role, disabled: false };
    fresh.input.dataset.control = data.id;
    made.set(data.id, fresh);
    return fresh;
  }

  function groupFor(name, key) {
    if (!groups.has(key)) groups.set(key, element('div', { role: 'group', class: 'group', 'aria-label': name }));
    return groups.get(key);
  }

  // In the order of the list: a group that others interrupt goes on in an element of its own.
  function showControls(list) {
    const runs = [];
    for (const data of list) {
      const control = controlFor(data);
      showControl(control, data, isPage);
      const place = data.panel ? panelControls : data.first ? stepping : others;
      const last = runs.at(-1);
      if (!last || last.name !== data.group || last.place !== place) runs.push({ name: data.group, place, boxes: [] });
      runs.at(-1).boxes.push(control.box);
    }
    const inPlace = new Map([panelControls, stepping, others].map((place) => [place, []]));
    runs.forEach(({ name, place, boxes }, i) => {
      const before = runs.slice(0, i).filter((run) => run.name === name).length;
      const group = groupFor(name, `${name}/${before}`);
      inPlace.get(place).push(group);
      arrange(group, boxes);
      showRadioGroup(group, boxes);
    });
    for (const [place, elements] of inPlace) arrange(place, elements);
    const present = new Set(list.map((data) => data.id));
    for (const id of [...made.keys()]) if (!present.has(id)) made.delete(id);
  }

  function showPanel(data) {
    panel.hidden = !data;
    // One line is in the place of what is still to come, or says why it does not.
    const instead = data && data.words.length === 1 ? ` ${data.words[0].text}` : '';
    setText(opened, data ? tr('{0} is open. Esc or Close closes it.', data.title) + instead : '');
    if (!data) return;
    if (panelTitle.textContent !== data.title) panel.setAttribute('aria-label', data.title);
    setText(panelTitle, data.title);
    showLines(panelWords, data.words.map(({ kind, text }) => [kind === 'heading' ? 'h3' : 'p', text]));
  }

  // Into a panel that the keyboard has opened, and back to where it came from.
  function moveFocus(focus) {
    if (focus.asked === asked) return;
    asked = focus.asked;
    const control = made.get(focus.control);
    (control ? control.input : stage).focus({ preventScroll: !isPage });
  }

  // Where the keyboard goes on when what it was on has gone: in the open panel, or on the stage.
  const goOn = () => panelControls.querySelector('button, input') || stage;

  // A browser lets go of what is moved or taken away: who had the focus has it again, or goes on.
  function keepFocus(holder) {
    if (!holder || root.contains(document.activeElement)) return;
    if (document.activeElement && document.activeElement !== document.body) return;
    const again = holder.isConnected ? holder : (made.get(holder.dataset.control) || {}).input;
    (again || goOn()).focus({ preventScroll: true });
  }

  function sync() {
    const text = core.mirror();
    if (text === previous) return;
    previous = text;
    const holder = root.contains(document.activeElement) ? document.activeElement : null;
    const mirror = JSON.parse(text);
    setText(title, mirror.title);
    setText(live, mirror.live);
    reading = mirror.reading;
    const headings = new Set(mirror.headings);
    showLines(words, mirror.explanation.map((text, i) => [headings.has(i) ? 'h2' : 'p', text]));
    showPage(mirror.page);
    showGiven(mirror.given);
    matrix.hidden = !mirror.table;
    if (mirror.table) showTable(table, mirror.table);
    showPanel(mirror.panel);
    showControls(mirror.controls);
    keepFocus(holder);
    moveFocus(mirror.focus);
  }

  // What a control does not do with a key itself is the core's, which knows what holds everywhere.
  function isOwnKey({ key, target }) {
    if (key === 'Escape') return false;
    if (key === 'Enter' || key === ' ' || target.localName === 'textarea' || target.type === 'text') return true;
    return SCROLLING.has(key) && (isPage || target.type === 'range'); // a page scrolls by itself
  }
  root.addEventListener('keydown', (event) => {
    if (event.target === stage || event.isComposing || event.defaultPrevented || isOwnKey(event)) return;
    const policy = keyPolicy(event.key, modifiersOf(event));
    if (policy === 'ignore') return;
    if (policy === 'take') event.preventDefault();
    tap(core, loop, event.key, modifiersOf(event));
    sync();
    if (event.key === 'Escape' && !root.contains(document.activeElement)) stage.focus({ preventScroll: true });
  });
  root.addEventListener('focusin', (event) => {
    core.focusControl(event.target.dataset.control || '');
    loop.wake();
  });
  root.addEventListener('focusout', () => {
    core.focusControl('');
    loop.wake();
  });
  // Once the screen has come to rest; while it moves there is nothing new to read out.
  loop.onFrame((next) => {
    if (next !== 0) sync();
  });

  return {
    sync,
    // Without a canvas the mirror is what people see, and its matrix takes the keys of the stage.
    becomePage(page) {
      page.append(root);
      isPage = true;
      stage = matrix;
      matrix.tabIndex = 0;
      matrix.setAttribute('role', 'group');
      matrix.setAttribute('aria-label', tr('The matrix; the keys of the stage work here'));
      sync();
      return matrix;
    },
  };
}
