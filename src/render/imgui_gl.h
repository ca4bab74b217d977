// Dear ImGui's draw data on OpenGL. Knows no widgets.
#pragma once
#include "figure/color.h"

struct ImDrawData;

namespace attn::render {

// For frames that nobody paints, whose layout alone is wanted. Needs a current ImGui context and its fonts.
void prepareUnpainted();

// Whether painting it would first write to a texture (always false before ImGui 1.92).
bool texturesWait(const ImDrawData& data);

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
  void clear(int pixel_width, int pixel_height, figure::Color color);
  void render(ImDrawData* data);

 private:
  bool started_ = false;
};

}  // namespace attn::render
