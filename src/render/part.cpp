// The part that drawing is confined to, OpenGL's state being one for all as well.
#include "render/part.h"

#include <algorithm>

#include "render/gl.h"

namespace attn::render {
namespace {

constexpr Part kEverything = {0, 0, 1 << 24, 1 << 24};
Part confinement = kEverything;

}  // namespace

void confine(const Part& part) { confinement = part; }
void confineNoLonger() { confinement = kEverything; }

void scissor(int x, int y, int width, int height) {
  const int left = std::max(x, confinement.left), low = std::max(y, confinement.low);
  const int right = std::min(x + width, confinement.right), high = std::min(y + height, confinement.high);
  glScissor(left, low, std::max(0, right - left), std::max(0, high - low));
}

}  // namespace attn::render
