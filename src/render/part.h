// A part of what is drawn into, and drawing confined to it. Knows nothing of what is drawn.
#pragma once

namespace attn::render {

// In pixels of the framebuffer, counted from its lower left corner as OpenGL counts, without those at `right` and `high`.
// May reach beyond the framebuffer.
struct Part {
  int left = 0, low = 0, right = 0, high = 0;
};

// Until the next call scissor() stays within `part`.
void confine(const Part& part);
void confineNoLonger();
// As glScissor, for all that is drawn here.
void scissor(int x, int y, int width, int height);

}  // namespace attn::render
