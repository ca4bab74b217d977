// What stands for characters that the faces lack.
#include <algorithm>
#include <cstdio>

#include "core/utf8.h"
#include "ui/glyphs.h"
#include "ui/theme.h"

namespace attn::ui {

std::string displayable(std::string_view utf8) {
  const auto plain = [](char c) { return c >= 0x20 && c < 0x7F; };
  if (std::all_of(utf8.begin(), utf8.end(), plain)) return std::string(utf8);
  std::string out;
  out.reserve(utf8.size());
  for (std::size_t at = 0; at < utf8.size();) {
    const core::Utf8Char next = core::nextChar(utf8, at);
    if (!next.valid) {
      char byte[8];
      std::snprintf(byte, sizeof byte, "\\x%02X", static_cast<unsigned>(static_cast<unsigned char>(utf8[at])));
      out += byte;
      ++at;
      continue;
    }
    const std::string_view piece = utf8.substr(at, pieceBytes(utf8, at));
    out += piece.size() == next.bytes && faceHas(next.code) ? std::string(piece) : standIn(piece);
    at += piece.size();
  }
  return out;
}

}  // namespace attn::ui
