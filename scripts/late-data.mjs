// Moves constant data from one half of a cut program to the other, so that it comes with the functions that read it.
// Knows the layout of WebAssembly files; nothing of what is in them.

const DATA = 11, DATA_COUNT = 12, CUSTOM = 0;

// [number, place behind it] of an unsigned LEB128; signed ones are read by `signed`.
function unsigned(bytes, at) {
  let value = 0, shift = 0;
  for (;;) {
    const byte = bytes[at++];
    value += (byte & 0x7f) * 2 ** shift;
    shift += 7;
    if (byte < 0x80) return [value, at];
  }
}

function signed(bytes, at) {
  const start = at;
  const [value, end] = unsigned(bytes, at);
  const bits = 7 * (end - start);
  return [bytes[end - 1] & 0x40 ? value - 2 ** bits : value, end];
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

// {address, bytes} of each segment of the data section; `bytes` is the segment as it stands in the file.
function segmentsOf(body) {
  const [count, start] = unsigned(body, 0);
  const segments = [];
  for (let at = start; segments.length < count;) {
    const from = at;
    const [kind, expression] = unsigned(body, at);
    if (kind !== 0 || body[expression] !== 0x41) throw new Error('a data segment has no constant address');
    const [address, behind] = signed(body, expression + 1);
    const [size, data] = unsigned(body, behind + 1); // behind the end of the expression
    at = data + size;
    segments.push({ address: address >>> 0, bytes: body.subarray(from, at) });
  }
  return segments;
}

const dataSection = (segments) => section(DATA, Buffer.concat([written(segments.length), ...segments.map((each) => each.bytes)]));
const joined = (program, sections) => Buffer.concat([program.subarray(0, 8), ...sections]);

// [first, rest] with the segments at these addresses moved from the one to the other.
export function moveData(first, rest, addresses) {
  const here = sectionsOf(first);
  const segments = here.filter(({ id }) => id === DATA).flatMap(({ body }) => segmentsOf(body));
  const moved = segments.filter((each) => addresses.has(each.address));
  if (moved.length !== addresses.size) throw new Error(`${moved.length} of ${addresses.size} data segments were found`);
  const kept = segments.filter((each) => !addresses.has(each.address));
  const remaining = here.map(({ id, body }) => {
    if (id === DATA) return dataSection(kept);
    return section(id, id === DATA_COUNT ? written(kept.length) : body);
  });
  const there = sectionsOf(rest).filter(({ id }) => id !== DATA_COUNT); // which nothing asks for
  if (there.some(({ id }) => id === DATA)) throw new Error('the other half has data of its own already');
  const names = there.findIndex((_, n) => there.slice(n).every(({ id }) => id === CUSTOM)); // after everything else
  const all = there.map(({ id, body }) => section(id, body));
  all.splice(names < 0 ? all.length : names, 0, dataSection(moved));
  return [joined(first, remaining), joined(rest, all)];
}
