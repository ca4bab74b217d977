// Draws text that the program's own fonts lack with the browser's text engine. Knows nothing of the program.

const LARGEST = 2048; // pixels
const NOBODYS = '\u{10FFFF}'; // no character, for ever: its picture is the browser's sign for a missing glyph
const TRIAL = 16;
const EMOJI = /\p{Emoji_Presentation}|\uFE0F/u; // in colour, though a font of letters may have them too
const EMOJI_FONTS = '"Apple Color Emoji", "Segoe UI Emoji", "Noto Color Emoji", ';
const fontsOf = (text) => `${EMOJI.test(text) ? EMOJI_FONTS : ''}system-ui, sans-serif`;

export function createGlyphs() {
  const pen = document.createElement('canvas').getContext('2d', { willReadFrequently: true });
  const known = new Map(); // which characters the browser's fonts have
  let readable; // once it is needed: whether the pixels are those that were drawn

  const readBack = () => pen.getImageData(0, 0, pen.canvas.width, pen.canvas.height).data;

  function clear(width, height, font) {
    Object.assign(pen.canvas, { width, height });
    Object.assign(pen, { font, fillStyle: '#fff', textAlign: 'left', direction: 'ltr' });
  }

  // Browsers that guard against fingerprints give other pixels than those that were drawn.
  function isReadable() {
    clear(1, 2, '');
    pen.fillRect(0, 1, 1, 1);
    return readBack().every((value, i) => value === (i < 4 ? 0 : 255));
  }

  function draw(text, size, fonts = fontsOf(text)) {
    const font = `${size}px ${fonts}`;
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
      const { pixels } = draw(character, TRIAL), sign = draw(NOBODYS, TRIAL, fontsOf(character)).pixels;
      known.set(character, pixels.length !== sign.length || pixels.some((value, i) => value !== sign[i]));
    }
    return known.get(character);
  }

  // Pixels in white, and the measures in the order of src/platform/text_engine_web.cpp; null when a font lacks something.
  return (text, size) => {
    readable ??= isReadable();
    return readable && [...text].every(has) ? draw(text, size) : null;
  };
}
