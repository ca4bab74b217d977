// Files of arrays for the terminal program, and its own read back. Knows formats, no attention.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';

// A .npy of little-endian float32 numbers, row by row.
export function npy(shape, values, type = '<f4') {
  const size = type === '<f8' ? 8 : 4;
  let header = `{'descr': '${type}', 'fortran_order': False, 'shape': (${shape.join(', ')}${shape.length === 1 ? ',' : ''}), }`;
  header += ' '.repeat(63 - ((10 + header.length) % 64)) + '\n';
  const start = Buffer.from([0x93, 0x4e, 0x55, 0x4d, 0x50, 0x59, 1, 0, header.length & 255, header.length >> 8]);
  const data = Buffer.alloc(values.length * size);
  values.forEach((value, i) => (size === 8 ? data.writeDoubleLE(value, 8 * i) : data.writeFloatLE(value, 4 * i)));
  return Buffer.concat([start, Buffer.from(header, 'latin1'), data]);
}

// A .safetensors of float32 arrays.
export function safetensors(arrays) {
  const header = {};
  const parts = [];
  let at = 0;
  for (const [name, { shape, values }] of Object.entries(arrays)) {
    const data = Buffer.alloc(values.length * 4);
    values.forEach((value, i) => data.writeFloatLE(value, 4 * i));
    header[name] = { dtype: 'F32', shape, data_offsets: [at, at + data.length] };
    at += data.length;
    parts.push(data);
  }
  const text = Buffer.from(JSON.stringify(header));
  const length = Buffer.alloc(8);
  length.writeBigUInt64LE(BigInt(text.length));
  return Buffer.concat([length, text, ...parts]);
}

// Numbers between −1 and 1 that are the same every time.
export function numbers(count, seed) {
  let state = seed;
  return Array.from({ length: count }, () => {
    state = (state * 1103515245 + 12345) % 2147483648;
    return Math.fround((state / 1073741824 - 1) * 2);
  });
}

// {shape, values} of float32 numbers in the form of a .npy that begins there, and where they end.
function npyAt(bytes, begin) {
  const dataBegin = begin + 10 + bytes.readUInt16LE(begin + 8);
  const header = bytes.toString('latin1', begin + 10, dataBegin);
  assert.match(header, /'descr': '<f4', 'fortran_order': False/);
  const shape = header.match(/'shape': \(([^)]*)\)/)[1].split(',').filter((each) => each.trim()).map(Number);
  const end = dataBegin + 4 * shape.reduce((a, b) => a * b, 1);
  return { array: { shape, values: new Float32Array(Uint8Array.prototype.slice.call(bytes, dataBegin, end).buffer) }, end };
}

export const readNpy = (path) => npyAt(readFileSync(path), 0).array;

// The arrays of a .npz without compression: name → {shape, values}.
export function readNpz(path) {
  const bytes = readFileSync(path);
  const arrays = {};
  for (let at = 0; bytes.readUInt32LE(at) === 0x04034b50;) {
    const nameEnd = at + 30 + bytes.readUInt16LE(at + 26);
    const { array, end } = npyAt(bytes, nameEnd + bytes.readUInt16LE(at + 28));
    arrays[bytes.toString('utf8', at + 30, nameEnd).replace(/\.npy$/, '')] = array;
    at = end;
  }
  return arrays;
}
