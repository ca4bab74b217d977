// Has the other half of the program fetched when the screen asks for it. What a scene needs, web/scenes.js asks for.

const LOAD_REST = 8; // Request::kLoadRest in src/platform/web.cpp

export function createRest(core, loop) {
  let loading = false;
  return {
    isLoading: () => loading,
    serve(requests) {
      if (!(requests & LOAD_REST) || loading) return;
      loading = true;
      // The core knows why it failed, and the screen says so.
      core.loadRest().catch(() => {}).finally(() => {
        loading = false;
        loop.wake();
      });
    },
  };
}
