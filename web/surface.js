// The canvas: its size in exact device pixels, its context lost and restored, the pointer's shape. Knows no input.

import { tr } from './language.js';

const CURSORS = ['default', 'text', 'move', 'ns-resize', 'ew-resize', 'nesw-resize', 'nwse-resize', 'pointer'];

export function createSurface(canvas, core, loop, say) {
  function resize(width, height, pixelWidth, pixelHeight) {
    if (width < 1 || height < 1) return;
    if (canvas.width !== pixelWidth) canvas.width = pixelWidth;
    if (canvas.height !== pixelHeight) canvas.height = pixelHeight;
    core.resize(width, height, pixelWidth, pixelHeight);
    loop.redraw(); // a new size clears the canvas: draw before the browser paints
  }

  function measure(entry) {
    const { width, height } = canvas.getBoundingClientRect();
    const box = entry && entry.devicePixelContentBoxSize && entry.devicePixelContentBoxSize[0];
    if (box) return resize(width, height, box.inlineSize, box.blockSize);
    resize(width, height, Math.round(width * devicePixelRatio), Math.round(height * devicePixelRatio));
  }

  function observe() {
    const observer = new ResizeObserver((entries) => measure(entries[entries.length - 1]));
    try {
      observer.observe(canvas, { box: 'device-pixel-content-box' });
    } catch {
      observer.observe(canvas);
      watchRatio();
    }
  }

  // Where the box of device pixels is not known, zooming the page changes only this.
  function watchRatio() {
    matchMedia(`(resolution: ${devicePixelRatio}dppx)`).addEventListener('change', () => {
      measure(null);
      watchRatio();
    }, { once: true });
  }

  canvas.addEventListener('webglcontextlost', (event) => {
    event.preventDefault();
    core.loseGraphics();
    say(tr('The graphics were lost; the picture comes back by itself.'), 'corner');
  });
  canvas.addEventListener('webglcontextrestored', () => {
    if (!core.startGraphics()) return say(tr('The graphics did not come back. Reload the page.'), 'problem');
    say('');
    loop.redraw();
  });

  let shape = -2;
  loop.onFrame(() => {
    const wanted = core.cursor();
    if (wanted === shape) return;
    shape = wanted;
    canvas.style.cursor = wanted < 0 ? 'none' : CURSORS[wanted] || 'default';
  });

  return { observe };
}
