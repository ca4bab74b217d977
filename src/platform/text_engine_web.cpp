// Text drawn by the browser: web/glyphs.js, which web/core.js hands over as the module's drawText.
#include <emscripten.h>

#include <cstddef>
#include <cstdlib>
#include <string>

#include "platform/text_engine.h"

// measures: width, height, left, top, advance. The pixels, to be freed; 0 when there are none.
EM_JS(unsigned char*, attn_draw_text, (const char* text, double size, float* measures), {
  const drawn = Module["drawText"](UTF8ToString(text), size);
  if (!drawn) return 0;
  const pixels = _malloc(drawn.pixels.length);
  if (!pixels) return 0;
  HEAPU8.set(drawn.pixels, pixels);
  HEAPF32.set(drawn.measures, measures >> 2);
  return pixels;
});

namespace attn::platform {

bool drawWithTextEngine(std::string_view text, float size, ui::GlyphPicture& picture) {
  float measures[5];
  unsigned char* pixels = attn_draw_text(std::string(text).c_str(), size, measures);
  if (!pixels) return false;
  picture.width = static_cast<int>(measures[0]);
  picture.height = static_cast<int>(measures[1]);
  picture.left = measures[2];
  picture.top = measures[3];
  picture.advance = measures[4];
  picture.rgba.assign(pixels, pixels + static_cast<std::size_t>(picture.width) * picture.height * 4);
  std::free(pixels);
  return true;
}

}  // namespace attn::platform
