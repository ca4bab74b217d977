# The Emscripten that is on PATH, Debian's 3.1.6 or any newer one.
find_program(EMCC emcc REQUIRED)
get_filename_component(emcc_real "${EMCC}" REALPATH)
get_filename_component(emscripten_root "${emcc_real}" DIRECTORY)
include("${emscripten_root}/cmake/Modules/Platform/Emscripten.cmake")
