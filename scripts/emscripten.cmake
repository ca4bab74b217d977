# The Emscripten that is on PATH, Debian's 3.1.6 or any newer one, and how its programs run here.
find_program(EMCC emcc REQUIRED DOC "Emscripten's compiler; its folder holds the toolchain file")
get_filename_component(emcc_real "${EMCC}" REALPATH)
get_filename_component(emscripten_root "${emcc_real}" DIRECTORY)

# Output of 3.1.6 calls fetch with a path, which a Node that has fetch refuses.
if(NOT CMAKE_CROSSCOMPILING_EMULATOR)
  find_program(NODE node REQUIRED)
  set(CMAKE_CROSSCOMPILING_EMULATOR "${NODE};--require;${CMAKE_CURRENT_LIST_DIR}/node-without-fetch.cjs")
endif()
include("${emscripten_root}/cmake/Modules/Platform/Emscripten.cmake")
