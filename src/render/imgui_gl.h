// Dear ImGui's draw data on OpenGL. Knows no widgets.
#pragma once
#include <vector>

#include "figure/color.h"
#include "render/part.h"

struct ImDrawData;

namespace attn::render {

// For frames that nobody paints, whose layout alone is wanted. Needs a current ImGui context and its fonts.
void prepareUnpainted();

// Whether painting it first makes or gives up a texture (always false before ImGui 1.92). In one that stays ImGui only adds
// to what is there.
bool texturesComeOrGo(const ImDrawData& data);

// Of the framebuffer.
int pixelHeight(const ImDrawData& data);

// Pixels by which OpenGL and ImGui's backend may place an edge otherwise than we.
inline constexpr int kRounding = 2;

class ImguiGl {
 public:
  ImguiGl() = default;
  ~ImguiGl();
  ImguiGl(const ImguiGl&) = delete;

  // Needs a current OpenGL context and a current ImGui context. After a lost context: a new object.
  bool start();
  // The atlas was rasterised anew (only before ImGui 1.92): the next newFrame uploads it.
  void forgetFonts();
  void newFrame();
  // Paints the parts anew, over the ground, and touches nothing else. Leaves `data` as it was.
  void render(ImDrawData& data, const std::vector<Part>& parts, figure::Color ground);

 private:
  bool started_ = false;
};

}  // namespace attn::render
