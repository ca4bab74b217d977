# Third-party code: Debian's packages, and sources that scripts/setup puts under build/deps. The pinned downloads below
# are used only where that folder has nothing: a configured checkout needs no network.
include(FetchContent)
set(FETCHCONTENT_QUIET ON)
if(POLICY CMP0135)
  cmake_policy(SET CMP0135 NEW)
endif()

function(attn_prefer_local name folder)
  string(TOUPPER "${name}" upper)
  if(NOT FETCHCONTENT_SOURCE_DIR_${upper} AND EXISTS "${PROJECT_SOURCE_DIR}/build/deps/${folder}")
    set(FETCHCONTENT_SOURCE_DIR_${upper} "${PROJECT_SOURCE_DIR}/build/deps/${folder}" CACHE PATH "" FORCE)
  endif()
endfunction()

# Header-only packages. The web toolchain looks only into its sysroot, so their folders are linked into the build tree,
# one by one: never the whole of /usr/include.
set(attn_headers "${PROJECT_BINARY_DIR}/headers")
file(MAKE_DIRECTORY "${attn_headers}")
function(attn_header_package target folder probe)
  find_path(${target}_DIR "${probe}" PATHS /usr/include /usr/include/eigen3 /usr/local/include NO_CMAKE_FIND_ROOT_PATH REQUIRED)
  file(CREATE_LINK "${${target}_DIR}/${folder}" "${attn_headers}/${folder}" SYMBOLIC)
  add_library(${target} INTERFACE)
  target_include_directories(${target} SYSTEM INTERFACE "${attn_headers}")
endfunction()
attn_header_package(attn_eigen Eigen Eigen/Core)
attn_header_package(attn_doctest doctest doctest/doctest.h)
attn_header_package(attn_rapidjson rapidjson rapidjson/reader.h)
attn_header_package(attn_stb stb stb/stb_image_write.h)

# Dear ImGui: the sources only; our own target.
attn_prefer_local(imgui imgui)
FetchContent_Declare(imgui
  GIT_REPOSITORY https://github.com/ocornut/imgui.git
  GIT_TAG 45acd5e0e82f4c954432533ae9985ff0e1aad6d5) # v1.92.2b
FetchContent_MakeAvailable(imgui)
add_library(imgui STATIC
  "${imgui_SOURCE_DIR}/imgui.cpp" "${imgui_SOURCE_DIR}/imgui_draw.cpp" "${imgui_SOURCE_DIR}/imgui_widgets.cpp"
  "${PROJECT_SOURCE_DIR}/src/render/imgui/no_tables.cpp")
target_include_directories(imgui SYSTEM PUBLIC "${imgui_SOURCE_DIR}" "${imgui_SOURCE_DIR}/backends")
target_compile_definitions(imgui PUBLIC IMGUI_USE_WCHAR32 IMGUI_DISABLE_OBSOLETE_FUNCTIONS IMGUI_DISABLE_DEMO_WINDOWS
  IMGUI_DISABLE_DEBUG_TOOLS IMGUI_DISABLE_DEFAULT_SHELL_FUNCTIONS IMGUI_DISABLE_DEFAULT_FONT)
target_compile_options(imgui PRIVATE -fno-exceptions $<$<BOOL:${EMSCRIPTEN}>:-Oz>)
if(EMSCRIPTEN)
  target_compile_definitions(imgui PRIVATE sscanf=attn_no_sscanf)  # see no_tables.cpp
endif()

# zlib: the system's natively, built from source for the web.
if(EMSCRIPTEN)
  attn_prefer_local(zlib zlib)
  FetchContent_Declare(zlib
    SOURCE_SUBDIR no-build-file-of-theirs
    URL https://github.com/madler/zlib/archive/refs/tags/v1.2.13.tar.gz
    URL_HASH SHA256=1525952a0a567581792613a9723333d7f8cc20b87a81f920fb8bc7e3f2251428)
  FetchContent_MakeAvailable(zlib)
  add_library(attn_zlib STATIC)
  foreach(file adler32 compress crc32 deflate inffast inflate inftrees trees uncompr zutil)
    target_sources(attn_zlib PRIVATE "${zlib_SOURCE_DIR}/${file}.c")
  endforeach()
  target_include_directories(attn_zlib SYSTEM PUBLIC "${zlib_SOURCE_DIR}")
  target_compile_options(attn_zlib PRIVATE -w -Oz)
  set_target_properties(attn_zlib PROPERTIES UNITY_BUILD OFF)  # its files share names
else()
  find_package(ZLIB REQUIRED)
  add_library(attn_zlib INTERFACE)
  target_link_libraries(attn_zlib INTERFACE ZLIB::ZLIB)
endif()

# Nayuki's QR code generator, the C version: no exceptions, no memory of its own.
attn_prefer_local(qrcodegen qrcodegen)
FetchContent_Declare(qrcodegen
  SOURCE_SUBDIR no-build-file-of-theirs
  GIT_REPOSITORY https://github.com/nayuki/QR-Code-generator.git
  GIT_TAG 720f62bddb7226106071d4728c292cb1df519ceb) # v1.8.0
FetchContent_MakeAvailable(qrcodegen)
add_library(attn_qrcodegen STATIC "${qrcodegen_SOURCE_DIR}/c/qrcodegen.c")
target_include_directories(attn_qrcodegen SYSTEM PUBLIC "${qrcodegen_SOURCE_DIR}/c")
target_compile_options(attn_qrcodegen PRIVATE -w $<$<BOOL:${EMSCRIPTEN}>:-Oz>)

# OpenGL ES 3.0 comes with the web toolchain; natively the vendor-neutral library gives every function of OpenGL 3.3.
add_library(attn_gl INTERFACE)
if(NOT EMSCRIPTEN)
  find_package(OpenGL REQUIRED COMPONENTS OpenGL)
  target_link_libraries(attn_gl INTERFACE OpenGL::OpenGL)
endif()
