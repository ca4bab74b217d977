// Copy and paste with the rest of the machine. Ctrl+C and Ctrl+V stay the browser's: its own events carry the text.

import { tr } from './language.js';

const COPY = 1; // Request::kCopy in src/platform/web.cpp

export function createClipboard(core, loop, textAgent, isOurs, openText) {
  document.addEventListener('copy', (event) => {
    if (!isOurs() || textAgent.isActive() || String(getSelection())) return;
    event.preventDefault();
    event.clipboardData.setData('text/plain', core.text());
  });

  document.addEventListener('paste', (event) => {
    const text = event.clipboardData.getData('text/plain');
    if (textAgent.isActive()) {
      event.preventDefault();
      return textAgent.paste(text);
    }
    if (!isOurs()) return;
    event.preventDefault();
    const files = [...event.clipboardData.files];
    openText(files.length ? files : text);
  });

  return {
    // What the screen put on the clipboard during a frame.
    serve(requests) {
      if (!(requests & COPY)) return;
      const refused = () => core.notify(tr('The browser did not allow copying. Press the copy key with the stage focused.'));
      if (!navigator.clipboard) return refused();
      navigator.clipboard.writeText(core.clipboard()).catch(() => {
        refused();
        loop.wake();
      });
    },
  };
}
