// OpenGL 3.3 core natively, OpenGL ES 3.0 (WebGL2) on the web: one set of headers for all of render.
#pragma once

#ifdef __EMSCRIPTEN__
#include <GLES3/gl3.h>
#define IMGUI_IMPL_OPENGL_ES3
#else
#ifndef GL_GLEXT_PROTOTYPES
#define GL_GLEXT_PROTOTYPES
#endif
#include <GL/glcorearb.h>
#define IMGUI_IMPL_OPENGL_LOADER_CUSTOM
#endif

namespace attn::render {

#ifdef __EMSCRIPTEN__
inline constexpr char kGlslVersion[] = "#version 300 es";
inline constexpr bool kAsksAnotherProcess = true;  // reading state waits for all drawing so far
inline constexpr char kGlslPreamble[] =
    "#version 300 es\nprecision highp float;\nprecision highp int;\nprecision highp sampler2D;\n#line 1\n";
#else
inline constexpr char kGlslVersion[] = "#version 330 core";
inline constexpr bool kAsksAnotherProcess = false;
inline constexpr char kGlslPreamble[] = "#version 330 core\n#line 1\n";
#endif

}  // namespace attn::render
