// Dear ImGui's own OpenGL backend, compiled against our choice of headers.
#include <cctype>
#include <cstdio>
#include <cstdlib>
#include <initializer_list>

#include "render/gl.h"
#include "render/part.h"

namespace {

// The backend asks for the state that it finds, to put it back. A browser answers some of that only when the graphics
// process has drawn everything so far, which takes longer than our whole frame. Nothing here builds on such state from
// before (what clears, the backend and the heat maps each set what they need), so what a new context has is answered at
// once.
void stateToPutBack(GLenum name, GLint* value) {
  if (!attn::render::kAsksAnotherProcess) return glGetIntegerv(name, value);
  switch (name) {
    case GL_VIEWPORT:
    case GL_SCISSOR_BOX:
      value[0] = value[1] = value[2] = value[3] = 0;
      return;
    case GL_BLEND_SRC_RGB:
    case GL_BLEND_SRC_ALPHA:
      *value = GL_ONE;
      return;
    case GL_BLEND_DST_RGB:
    case GL_BLEND_DST_ALPHA:
      *value = GL_ZERO;
      return;
    case GL_BLEND_EQUATION_RGB:
    case GL_BLEND_EQUATION_ALPHA:
      *value = GL_FUNC_ADD;
      return;
    default:
      glGetIntegerv(name, value);
  }
}

// Reads the numbers of a version, such as "#version 300 es": all that the backend needs of sscanf, which is large.
void readVersion(const char* text, std::initializer_list<int*> numbers) {
  for (int* number : numbers) {
    while (*text && !std::isdigit(static_cast<unsigned char>(*text))) ++text;
    char* end = nullptr;
    if (*text) *number = static_cast<int>(std::strtol(text, &end, 10));
    if (end) text = end;
  }
}

}  // namespace
#define sscanf(text, form, ...) readVersion(text, {__VA_ARGS__})
#define glGetIntegerv stateToPutBack
#define glScissor attn::render::scissor

// The backend follows the headers.
#include "imgui_impl_opengl3.cpp"
#undef sscanf
#undef glGetIntegerv
#undef glScissor
