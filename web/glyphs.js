// Draws text that the program's own fonts lack with the browser's text engine. Knows nothing of the program.

const LARGEST = 2048; // pixels
const NOBODYS = '\u{10FFFF}'; // no character, for ever: its picture is the browser's sign for a missing glyph
const TRIAL = 16;

export function createGlyphs() {
  const pen = document.createElement('canvas').getContext('2d', { willReadFrequently: true });
  const known = new Map(); // which characters the browser's fonts have
  let missing; // the sign, once it is needed; false where pixels cannot be read

  const readBack = () => pen.getImageData(0, 0, pen.canvas.width, pen.canvas.height).data;

  function clear(width, height, font) {
    Object.assign(pen.canvas, { width, height });
    Object.assign(pen, { font, fillStyle: '#fff', textAlign: 'left', direction: 'ltr' });
  }

  // Browsers that guard against fingerprints give other pixels than those that were drawn.
  function isTrue() {
    clear(1, 2, '');
    pen.fillRect(0, 1, 1, 1);
    return readBack().every((value, i) => value === (i < 4 ? 0 : 255));
  }

  function draw(text, size) {
    const font = `${size}px system-ui, sans-serif`;
    clear(1, 1, font);
    const box = pen.measureText(text);
    const left = Math.ceil(box.actualBoundingBoxLeft) + 1, up = Math.ceil(box.actualBoundingBoxAscent) + 1;
    const width = left + Math.ceil(box.actualBoundingBoxRight) + 1;
    const height = up + Math.ceil(box.actualBoundingBoxDescent) + 1;
    if (Math.max(width, height) > LARGEST) return null;
    clear(width, height, font);
    pen.fillText(text, left, up);
    return { pixels: readBack(), measures: [width, height, -left, -up, box.width] };
  }

  function has(character) {
    if (!known.has(character)) {
      const { pixels } = draw(character, TRIAL);
      const sign = missing.pixels;
      known.set(character, pixels.length !== sign.length || pixels.some((value, i) => value !== sign[i]));
    }
    return known.get(character);
  }

  // Pixels in white, and the measures in the order of src/platform/text_engine_web.cpp; null when a font lacks something.
  return (text, size) => {
    missing ??= isTrue() && draw(NOBODYS, TRIAL);
    return missing && [...text].every(has) ? draw(text, size) : null;
  };
}
