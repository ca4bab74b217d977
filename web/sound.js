// Plays a sound when the screen asks for it, and stops it when it asks again meanwhile. Knows nothing of what it tells.

import { tr } from './language.js';

const PLAY = 16; // Request::kPlaySound in src/platform/web.cpp
const PATIENCE = 2000; // ms until a browser that only promises to begin has no loudspeaker

export function createSound(core, loop) {
  let playing = null; // the context of what sounds: while nothing does, no loudspeaker is held
  let bytes = null; // what sounds
  let moment = 0; // the core's, when it began

  function stop() {
    playing?.close();
    playing = null;
  }

  async function play({ buffer }) {
    let context = null;
    try {
      context = playing = new AudioContext(); // within the person's gesture, or it may not begin
      const begun = Promise.race([context.resume(), new Promise((_, fail) => setTimeout(fail, PATIENCE))]);
      const [sound] = await Promise.all([context.decodeAudioData(buffer), begun]);
      if (context !== playing) return;
      const source = new AudioBufferSourceNode(context, { buffer: sound });
      source.connect(context.destination);
      source.onended = () => context === playing && stop();
      source.start();
    } catch {
      if (context !== playing) return; // stopped before it began
      stop();
      core.notify(tr('This browser plays no sound here; Export gives the row as a file.'));
      loop.wake();
    }
  }

  // It belongs to the moment in which it began.
  loop.onFrame(() => {
    if (playing && (core.revision() !== moment || !core.preferences().sounds)) stop();
  });
  document.addEventListener('keydown', ({ key }) => key === 'Escape' && stop(), true);

  return {
    serve(requests) {
      if (!(requests & PLAY)) return;
      const next = core.savedFile().bytes;
      const again = playing && next.length === bytes.length && next.every((byte, at) => byte === bytes[at]);
      stop();
      if (again) return;
      bytes = next;
      moment = core.revision();
      play(next.slice());
    },
  };
}
