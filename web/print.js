// On paper: the picture as it stands, and the step in words.

import { tr } from './language.js';

export function createPrint(canvas, core, loop) {
  let paper = null;
  addEventListener('beforeprint', () => {
    paper = document.createElement('div');
    paper.id = 'paper';
    if (!canvas.hidden) {
      loop.redraw(); // what just happened belongs on it
      const image = document.createElement('img');
      image.alt = tr('The screen of attnscope');
      image.src = canvas.toDataURL('image/png');
      paper.append(image);
    }
    const words = document.createElement('pre');
    words.textContent = core.text();
    paper.append(words);
    document.body.append(paper);
  });
  addEventListener('afterprint', () => {
    if (paper) paper.remove();
    paper = null;
  });
}
