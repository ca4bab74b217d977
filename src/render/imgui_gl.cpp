// The one place that starts and ends Dear ImGui's OpenGL backend.
#include "render/imgui_gl.h"

#include "imgui.h"
#include "imgui_impl_opengl3.h"
#include "render/gl.h"

namespace attn::render {

void prepareUnpainted() {
  ImGuiIO& io = ImGui::GetIO();
#if IMGUI_VERSION_NUM >= 19200
  io.BackendFlags |= ImGuiBackendFlags_RendererHasTextures;
#else
  unsigned char* pixels = nullptr;
  int width = 0, height = 0;
  io.Fonts->GetTexDataAsRGBA32(&pixels, &width, &height);
#endif
}

bool texturesWait(const ImDrawData& data) {
#if IMGUI_VERSION_NUM >= 19200
  if (!data.Textures) return false;
  for (const ImTextureData* texture : *data.Textures) {
    if (texture->Status != ImTextureStatus_OK) return true;
  }
#endif
  return false;
}

ImguiGl::~ImguiGl() {
  if (started_) {
    ImGui_ImplOpenGL3_Shutdown();
  }
}

bool ImguiGl::start() {
  started_ = ImGui_ImplOpenGL3_Init(kGlslVersion);
  return started_;
}

void ImguiGl::forgetFonts() { ImGui_ImplOpenGL3_DestroyDeviceObjects(); }

void ImguiGl::newFrame() { ImGui_ImplOpenGL3_NewFrame(); }

void ImguiGl::clear(int pixel_width, int pixel_height, figure::Color color) {
  glDisable(GL_SCISSOR_TEST);
  glViewport(0, 0, pixel_width, pixel_height);
  glClearColor(color.r / 255.0f, color.g / 255.0f, color.b / 255.0f, 1);
  glClear(GL_COLOR_BUFFER_BIT);
}

void ImguiGl::render(ImDrawData* data) { ImGui_ImplOpenGL3_RenderDrawData(data); }

}  // namespace attn::render
