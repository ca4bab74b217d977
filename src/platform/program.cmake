# The program `attnscope`: a window and pictures natively, a page on the web. Included by the top CMakeLists.txt.
set(platform "${PROJECT_SOURCE_DIR}/src/platform")
set(shared_platform "${platform}/application.cpp" "${platform}/keys.cpp" "${platform}/touch.cpp")

if(EMSCRIPTEN)
  find_program(NODE node REQUIRED NO_CMAKE_FIND_ROOT_PATH)
  # The first download is small: size before speed, least so for what computes.
  foreach(folder io lesson app figure ui render)
    target_compile_options(attn_${folder} PRIVATE -Oz)
  endforeach()
  target_compile_options(attn_core PRIVATE -Os)
  add_executable(attnscope-core ${shared_platform} "${platform}/web.cpp" "${platform}/text_engine_web.cpp")
  set(program attnscope-core)
  set_target_properties(attnscope-core PROPERTIES OUTPUT_NAME attnscope)
  target_compile_options(attnscope-core PRIVATE -Oz)
  target_link_options(attnscope-core PRIVATE -Oz --no-entry -fno-exceptions
    -sMODULARIZE=1 -sEXPORT_NAME=createAttnscope -sENVIRONMENT=web -sFILESYSTEM=0 -sALLOW_MEMORY_GROWTH=1
    -sMALLOC=emmalloc -sMIN_WEBGL_VERSION=2 -sMAX_WEBGL_VERSION=2
    -sDYNAMIC_EXECUTION=0  # pages with a strict policy allow no eval
    -sEXPORTED_FUNCTIONS=_malloc,_free -sEXPORTED_RUNTIME_METHODS=UTF8ToString,HEAPU8
    # For the cut below: functions keep their names, and none is drawn into its only caller across the border.
    --profiling-funcs -Wl,--no-demangle -sBINARYEN_EXTRA_PASSES=--one-caller-inline-max-function-size=1)
  # The rest: what the page fetches when a scene or another part with ATTN_GATE is first opened. Every pattern must match
  # a file, but those after OPTIONAL.
  set(rest_files ui/scene_*.cpp ui/about.cpp ui/hearing.cpp ui/help.cpp ui/settings.cpp ui/share.cpp
    lesson/catalogue_search.cpp lesson/page_reader.cpp lesson/page_check.cpp app/array_picture.cpp app/export_file.cpp
    app/row_sound.cpp figure/matrix_sheet.cpp figure/qr.cpp figure/svg*.cpp figure/text_width.cpp
    io/array_writer.cpp io/npz.cpp io/table_writer.cpp lesson/python_code.cpp
    OPTIONAL ui/lab_*.cpp)
  # The cut tells files apart, so these are compiled one by one.
  set(rest_sources ${rest_files})
  list(REMOVE_ITEM rest_sources OPTIONAL)
  list(TRANSFORM rest_sources PREPEND "${PROJECT_SOURCE_DIR}/src/")
  file(GLOB rest_sources CONFIGURE_DEPENDS ${rest_sources})
  set_source_files_properties(${rest_sources} PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)
  execute_process(COMMAND em-config BINARYEN_ROOT OUTPUT_VARIABLE binaryen OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
  # GNU's nm, which a machine without the package llvm finds first, tells these symbols otherwise.
  find_program(ATTN_NM NAMES llvm-nm-14 llvm-nm REQUIRED NO_CMAKE_FIND_ROOT_PATH)
  set(objects "$<TARGET_OBJECTS:attnscope-core>")
  foreach(folder io core lesson app figure ui render)
    list(APPEND objects "$<FILTER:$<TARGET_OBJECTS:attn_${folder}>,EXCLUDE,[.]pch$>")  # headers read beforehand are none
  endforeach()
  file(GENERATE OUTPUT "${PROJECT_BINARY_DIR}/objects.txt" CONTENT "$<JOIN:${objects},\n>\n")
  file(GLOB_RECURSE marked CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/src/*.h")
  add_custom_command(OUTPUT "${PROJECT_BINARY_DIR}/first.wasm" "${PROJECT_BINARY_DIR}/rest.wasm"
    COMMAND "${NODE}" "${PROJECT_SOURCE_DIR}/scripts/split.mjs" "${binaryen}/bin" "${ATTN_NM}" "${PROJECT_SOURCE_DIR}/src"
      "${PROJECT_BINARY_DIR}/attnscope.wasm" "${PROJECT_BINARY_DIR}/first.wasm" "${PROJECT_BINARY_DIR}/rest.wasm"
      "${PROJECT_BINARY_DIR}/objects.txt" ${rest_files}
    DEPENDS attnscope-core ${marked} "${PROJECT_SOURCE_DIR}/scripts/split.mjs" VERBATIM)
  # The scenes: a module of their own, without graphics, that a worker loads when the first scene is opened.
  target_compile_options(attn_scene PRIVATE -Os)
  add_executable(attnscope-scenes "${platform}/scenes_web.cpp")
  set_target_properties(attnscope-scenes PROPERTIES OUTPUT_NAME scenes)
  target_compile_options(attnscope-scenes PRIVATE -Os)
  target_link_options(attnscope-scenes PRIVATE -Os --no-entry -fno-exceptions
    -sMODULARIZE=1 -sEXPORT_NAME=createScenes -sENVIRONMENT=worker -sFILESYSTEM=0 -sALLOW_MEMORY_GROWTH=1
    -sMEMORY_GROWTH_GEOMETRIC_STEP=0.05  # a model fills most of it; steps of a fifth would waste as much
    -sDYNAMIC_EXECUTION=0 -sEXPORTED_FUNCTIONS=_malloc,_free -sEXPORTED_RUNTIME_METHODS=UTF8ToString,HEAPU8)
  target_link_libraries(attnscope-scenes PRIVATE attn_flags attn_desk attn_survey attn_scene attn_lesson attn_io attn_core)
  # Attention over long sequences, for as many workers as there are cores, each with a module of its own.
  add_executable(attnscope-streaming "${platform}/streaming_web.cpp")
  set_target_properties(attnscope-streaming PROPERTIES OUTPUT_NAME streaming)
  target_compile_options(attnscope-streaming PRIVATE -Oz)
  target_link_options(attnscope-streaming PRIVATE -Os --no-entry -fno-exceptions
    -sMODULARIZE=1 -sEXPORT_NAME=createStreaming -sENVIRONMENT=worker,node -sFILESYSTEM=0 -sALLOW_MEMORY_GROWTH=1
    -sMAXIMUM_MEMORY=4GB -sMEMORY_GROWTH_GEOMETRIC_STEP=0.05
    -sNODEJS_CATCH_EXIT=0 -sNODEJS_CATCH_REJECTION=0 -sDYNAMIC_EXECUTION=0 -sEXPORTED_RUNTIME_METHODS=UTF8ToString,HEAPU8)
  target_link_libraries(attnscope-streaming PRIVATE attn_flags attn_streaming attn_core)
  # The folder to serve and the single file, put together again whenever web/ changes.
  file(GLOB_RECURSE page CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/web/*")
  add_custom_command(OUTPUT "${PROJECT_BINARY_DIR}/attnscope.html"
    COMMAND "${NODE}" "${PROJECT_SOURCE_DIR}/scripts/site.mjs"
      "${PROJECT_BINARY_DIR}" "${PROJECT_BINARY_DIR}/site" "${PROJECT_BINARY_DIR}/attnscope.html"
    DEPENDS "${PROJECT_BINARY_DIR}/first.wasm" "${PROJECT_BINARY_DIR}/rest.wasm" attnscope-scenes ${page}
      "${PROJECT_SOURCE_DIR}/scripts/site.mjs" "${PROJECT_SOURCE_DIR}/scripts/bundle.mjs"
      "${PROJECT_SOURCE_DIR}/src/notebook/attnscope.py" VERBATIM)
  add_custom_target(attnscope ALL DEPENDS "${PROJECT_BINARY_DIR}/attnscope.html")
else()
  find_package(glfw3 3.3 REQUIRED)
  find_package(Threads REQUIRED)
  find_package(OpenGL REQUIRED COMPONENTS OpenGL EGL)
  find_package(PkgConfig REQUIRED)
  pkg_check_modules(pangocairo REQUIRED IMPORTED_TARGET pangocairo)
  set(program attnscope)
  add_executable(attnscope ${shared_platform} "${PROJECT_SOURCE_DIR}/src/main.cpp" "${platform}/desktop.cpp"
    "${platform}/files.cpp" "${platform}/headless.cpp" "${platform}/language.cpp" "${platform}/opening.cpp" "${platform}/options.cpp"
    "${platform}/scenes.cpp" "${platform}/text_engine_desktop.cpp")
  attn_embed(attnscope platform/languages.h attn::platform::languages src/language/de.json)
  target_link_libraries(attnscope PRIVATE attn_disk attn_desk attn_survey attn_scene glfw OpenGL::EGL
    PkgConfig::pangocairo Threads::Threads)
  target_compile_definitions(attnscope PRIVATE ATTN_VERSION="${PROJECT_VERSION}")
  target_link_options(attnscope PRIVATE ${attn_portable})
  set_source_files_properties("${platform}/headless.cpp" PROPERTIES COMPILE_OPTIONS -Wno-unused-function)
endif()
target_link_libraries(${program} PRIVATE attn_flags attn_ui attn_render attn_app attn_lesson attn_figure attn_core imgui)
