// Files of arrays for the browser, made in Node, and dropping them. Knows the format .npy, not the page's words.

// A .npy file of four-byte numbers.
export function npy(shape, numbers) {
  const header = `{'descr': '<f4', 'fortran_order': False, 'shape': (${shape.join(', ')}${shape.length === 1 ? ',' : ''}), }`;
  const head = Buffer.from(`\x93NUMPY\x01\x00\x76\x00${header.padEnd(117)}\n`, 'latin1');
  return Buffer.concat([head, Buffer.from(Float32Array.from(numbers).buffer)]);
}

// Two heads that read four positions of four, in numbers that no two cells share.
export const heads = (seed) => npy([2, 4, 4], Array.from({ length: 32 }, (_, i) => ((i * 7 + seed) % 33) / 33));

// files: [name, Buffer or text].
export async function drop(page, ...files) {
  const list = files.map(([name, content]) => [name, Buffer.from(content).toString('base64')]);
  await page.evaluate((given) => {
    const data = new DataTransfer();
    for (const [name, content] of given) data.items.add(new File([Uint8Array.from(atob(content), (c) => c.charCodeAt(0))], name));
    document.getElementById('stage').dispatchEvent(new DragEvent('drop', { dataTransfer: data, bubbles: true, cancelable: true }));
  }, list);
}
