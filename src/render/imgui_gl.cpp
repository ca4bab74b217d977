// The one place that starts and ends Dear ImGui's OpenGL backend.
#include "render/imgui_gl.h"

#include <algorithm>
#include <cmath>

#include "imgui.h"
#include "imgui_impl_opengl3.h"
#include "render/gl.h"

namespace attn::render {
namespace {

// What is left of a draw list when only some parts of the screen are painted: per part the triangles that reach into it,
// behind a command that confines them to it.
struct Confined {
  ImVector<ImDrawIdx> indices;
  ImVector<ImDrawCmd> commands;

  void swapWith(ImDrawList& list) {
    indices.swap(list.IdxBuffer);
    commands.swap(list.CmdBuffer);
  }
};

void confineNow(const ImDrawList*, const ImDrawCmd* command) {
  confine(*static_cast<const Part*>(command->UserCallbackData));
}

// In CSS pixels, from left and top to right and bottom: all that may reach into the part.
ImVec4 around(const ImDrawData& data, const Part& part) {
  const ImVec2 scale = data.FramebufferScale;
  const int height = pixelHeight(data);
  const auto x = [&](int at) { return static_cast<float>(at) / scale.x; };
  const auto y = [&](int at) { return static_cast<float>(height - at) / scale.y; };
  return {x(part.left - kRounding), y(part.high + kRounding), x(part.right + kRounding), y(part.low - kRounding)};
}

bool meets(const ImVec4& area, ImVec2 a, ImVec2 b, ImVec2 c) {
  return std::max({a.x, b.x, c.x}) >= area.x && std::min({a.x, b.x, c.x}) <= area.z &&
         std::max({a.y, b.y, c.y}) >= area.y && std::min({a.y, b.y, c.y}) <= area.w;
}

void addPart(const ImDrawData& data, const ImDrawList& list, const Part& part, Confined& to) {
  const ImVec4 area = around(data, part);
  ImDrawCmd begin;
  begin.UserCallback = confineNow;
  begin.UserCallbackData = const_cast<Part*>(&part);
  to.commands.push_back(begin);
  for (ImDrawCmd command : list.CmdBuffer) {
    const ImVec4 clip = command.ClipRect;
    if (!meets(area, {clip.x, clip.y}, {clip.z, clip.w}, {clip.x, clip.y})) continue;
    const ImDrawIdx* index = list.IdxBuffer.Data + command.IdxOffset;
    const ImDrawIdx* end = index + command.ElemCount;
    const ImDrawVert* vertices = list.VtxBuffer.Data + command.VtxOffset;
    command.IdxOffset = static_cast<unsigned>(to.indices.Size);
    for (; index != end; index += 3) {
      if (!meets(area, vertices[index[0]].pos, vertices[index[1]].pos, vertices[index[2]].pos)) continue;
      for (int i = 0; i < 3; ++i) to.indices.push_back(index[i]);
    }
    command.ElemCount = static_cast<unsigned>(to.indices.Size) - command.IdxOffset;
    if (command.ElemCount > 0 || command.UserCallback) to.commands.push_back(command);
  }
}

}  // namespace

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

bool texturesComeOrGo(const ImDrawData& data) {
#if IMGUI_VERSION_NUM >= 19200
  if (!data.Textures) return false;
  for (const ImTextureData* texture : *data.Textures) {
    if (texture->Status != ImTextureStatus_OK && texture->Status != ImTextureStatus_WantUpdates) return true;
  }
#endif
  return false;
}

int pixelHeight(const ImDrawData& data) {
  return static_cast<int>(std::lround(data.DisplaySize.y * data.FramebufferScale.y));
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

void ImguiGl::render(ImDrawData& data, const std::vector<Part>& parts, figure::Color ground) {
  glClearColor(ground.r / 255.0f, ground.g / 255.0f, ground.b / 255.0f, 1);
  glEnable(GL_SCISSOR_TEST);
  for (const Part& part : parts) {
    scissor(part.left, part.low, part.right - part.left, part.high - part.low);
    glClear(GL_COLOR_BUFFER_BIT);
  }
  std::vector<Confined> all(static_cast<std::size_t>(data.CmdListsCount));
  for (int i = 0; i < data.CmdListsCount; ++i) {
    Confined& confined = all[static_cast<std::size_t>(i)];
    for (const Part& part : parts) addPart(data, *data.CmdLists[i], part, confined);
    confined.swapWith(*data.CmdLists[i]);
  }
  ImGui_ImplOpenGL3_RenderDrawData(&data);
  for (int i = 0; i < data.CmdListsCount; ++i) all[static_cast<std::size_t>(i)].swapWith(*data.CmdLists[i]);
  confineNoLonger();
  glFlush();  // another process may draw while this one goes on
}

}  // namespace attn::render
