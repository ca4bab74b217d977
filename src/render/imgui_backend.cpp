// Dear ImGui's own OpenGL backend, compiled against our choice of headers.
#include "render/gl.h"
// The backend follows the headers.
#include "imgui_impl_opengl3.cpp"
