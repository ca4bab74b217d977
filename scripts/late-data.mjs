// Which constant data of a cut program only its rest reads, and moves it there. Every piece of data must be a segment of
// its own (wasm-ld --no-merge-data-segments). Knows the layout of WebAssembly files; nothing of what is in them.

const DATA = 11, DATA_COUNT = 12, CUSTOM = 0;
// An address up to so many bytes before a piece of data may mean it: that of the row before its first, say.
const BEFORE = 64;

// [number, place behind it] of an unsigned LEB128.
function unsigned(bytes, at) {
  let value = 0, shift = 0;
  for (;;) {
    const byte = bytes[at++];
    value += (byte & 0x7f) * 2 ** shift;
    shift += 7;
    if (byte < 0x80) return [value, at];
  }
}

function written(value) {
  const bytes = [];
  do {
    const rest = Math.floor(value / 128);
    bytes.push((value % 128) + (rest ? 128 : 0));
    value = rest;
  } while (value);
  return Buffer.from(bytes);
}

// Of an address, which is below 2³¹: a signed LEB128.
const writtenAddress = (value) => {
  const bytes = [...written(value)];
  if (bytes.at(-1) & 0x40) bytes.splice(-1, 1, bytes.at(-1) | 0x80, 0);
  return Buffer.from(bytes);
};

const section = (id, body) => Buffer.concat([Buffer.from([id]), written(body.length), body]);

function sectionsOf(program) {
  const sections = [];
  for (let at = 8; at < program.length;) {
    const id = program[at];
    const [size, start] = unsigned(program, at + 1);
    sections.push({ id, body: program.subarray(start, start + size) });
    at = start + size;
  }
  return sections;
}

// {from, to, bytes} of each segment of the program, by rising address.
export function segmentsOf(program) {
  const segments = [];
  for (const { body } of sectionsOf(program).filter(({ id }) => id === DATA)) {
    let [count, at] = unsigned(body, 0);
    for (; count > 0; --count) {
      if (body[at] !== 0 || body[at + 1] !== 0x41) throw new Error('a data segment has no constant address');
      const [from, behind] = unsigned(body, at + 2);
      const [size, data] = unsigned(body, behind + 1); // behind the end of the expression
      at = data + size;
      segments.push({ from, to: from + size, bytes: body.subarray(data, at) });
    }
  }
  return segments.sort((a, b) => a.from - b.from);
}

// All numbers in the functions that `stays` tells, and in globals: every address that they use is among them.
export function numbersIn(text, stays) {
  const numbers = [];
  let counts = false;
  for (const line of text.split('\n')) {
    const called = line.match(/^ \(func \$(\S+)/);
    if (called) counts = stays(called[1]);
    else if (line.startsWith(' (')) counts = line.startsWith(' (global');
    if (counts) numbers.push(...[...line.matchAll(/(?:i32\.const |offset=)(\d+)/g)].map(([, number]) => Number(number)));
  }
  return numbers;
}

// The segments to which none of these numbers leads, neither by itself nor through a segment to which one does.
export function unreached(segments, numbers) {
  const reached = new Set();
  const open = [];
  const look = (number) => {
    let low = 0, high = segments.length; // the first that ends behind the number or at it
    while (low < high) {
      const middle = (low + high) >> 1;
      if (segments[middle].to < number) low = middle + 1;
      else high = middle;
    }
    for (; low < segments.length && segments[low].from - BEFORE <= number; ++low) {
      if (reached.has(segments[low])) continue;
      reached.add(segments[low]);
      open.push(segments[low]);
    }
  };
  numbers.forEach(look);
  while (open.length) {
    const { from, bytes } = open.pop();
    for (let at = (4 - (from % 4)) % 4; at + 4 <= bytes.length; at += 4) look(bytes.readUInt32LE(at)); // what may be a pointer
  }
  return segments.filter((segment) => !reached.has(segment));
}

// Neighbours together, with the zeros between them.
function dataSection(segments) {
  const joined = [];
  for (const { from, to, bytes } of segments) {
    const last = joined.at(-1);
    if (last && from - last.to < 8) {
      last.parts.push(Buffer.alloc(from - last.to), bytes);
      last.to = to;
    } else {
      joined.push({ from, to, parts: [bytes] });
    }
  }
  const parts = joined.map(({ from, to, parts: all }) =>
    Buffer.concat([Buffer.from([0, 0x41]), writtenAddress(from), Buffer.from([0x0b]), written(to - from), ...all]));
  return { count: joined.length, bytes: section(DATA, Buffer.concat([written(parts.length), ...parts])) };
}

const whole = (program, sections) => Buffer.concat([program.subarray(0, 8), ...sections]);

// [first, rest] with these segments moved from the one to the other.
export function moveData(first, rest, moved) {
  const kept = dataSection(segmentsOf(first).filter(({ from }) => !moved.some((each) => each.from === from)));
  const remaining = sectionsOf(first).map(({ id, body }) =>
    (id === DATA ? kept.bytes : section(id, id === DATA_COUNT ? written(kept.count) : body)));
  const there = sectionsOf(rest).filter(({ id }) => id !== DATA_COUNT); // which nothing asks for
  if (there.some(({ id }) => id === DATA)) throw new Error('the other half has data of its own already');
  const all = there.map(({ id, body }) => section(id, body));
  const names = there.findIndex((_, n) => there.slice(n).every(({ id }) => id === CUSTOM)); // data comes before them
  if (moved.length) all.splice(names < 0 ? all.length : names, 0, dataSection(moved).bytes);
  return [whole(first, remaining), whole(rest, all)];
}
