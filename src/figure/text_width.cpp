// Widths of kinds of characters, as shares of the line's height.
#include "figure/text_width.h"

#include "core/utf8.h"

namespace attn::figure {
namespace {

bool among(char32_t code, std::string_view characters) {
  return code < 0x80 && characters.find(static_cast<char>(code)) != std::string_view::npos;
}

float widthOf(char32_t code) {
  if (among(code, "ijl.,:;'|!I ")) return 0.25f;
  if (among(code, "frt()[]{}-/\\\"`*")) return 0.33f;
  if (among(code, "mwMW@%")) return 0.76f;
  if (code >= 'A' && code <= 'Z') return 0.59f;
  return code < 0x1100 ? 0.51f : code < 0x3000 ? 0.6f : 1.0f;  // letters; signs; signs that fill a square
}

}  // namespace

float approximateWidth(Typeface face, float size, std::string_view text) {
  float width = 0;
  for (std::size_t at = 0; at < text.size();) {
    const core::Utf8Char next = core::nextChar(text, at);
    width += face == Typeface::kNumber && next.code < 0x1100 ? 0.46f : widthOf(next.code);
    at += next.bytes;
  }
  return width * size * (face == Typeface::kStrong ? 1.06f : 1);
}

}  // namespace attn::figure
