// On paper: the picture as it stands, in the light colours, and the step in words.

import { tr } from './language.js';

const LIGHT = 1; // of the core's themes

export function createPrint(canvas, core, loop) {
  let paper = null;
  addEventListener('beforeprint', () => {
    paper = document.createElement('div');
    paper.id = 'paper';
    if (!canvas.hidden) {
      const preferences = core.preferences();
      core.setPreferences({ ...preferences, theme: LIGHT });
      loop.redraw(); // what just happened belongs on it too
      const image = document.createElement('img');
      image.alt = tr('The screen of attnscope');
      image.src = canvas.toDataURL('image/png');
      core.setPreferences(preferences);
      loop.redraw();
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
