// Makes programs of Emscripten 3.1.6 read their wasm file from the disk: they prefer fetch, which takes no path in Node.
delete globalThis.fetch;
