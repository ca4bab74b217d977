// What stands for characters that the faces cannot show: their code points.
#include <algorithm>
#include <cstdio>

#include "core/utf8.h"
#include "ui/theme.h"

namespace attn::ui {

std::string displayable(std::string_view utf8) {
  const auto plain = [](char c) { return c >= 0x20 && c < 0x7F; };
  if (std::all_of(utf8.begin(), utf8.end(), plain)) return std::string(utf8);
  std::string out;
  out.reserve(utf8.size());
  for (std::size_t at = 0; at < utf8.size();) {
    const core::Utf8Char next = core::nextChar(utf8, at);
    char code[16];
    if (!next.valid) {
      std::snprintf(code, sizeof code, "\\x%02X", static_cast<unsigned>(static_cast<unsigned char>(utf8[at])));
      out += code;
    } else if (next.code < 0x20 || next.code == 0x7F || !faceHas(next.code)) {
      std::snprintf(code, sizeof code, "U+%04X", static_cast<unsigned>(next.code));
      out += code;
    } else {
      out += utf8.substr(at, next.bytes);
    }
    at += next.bytes;
  }
  return out;
}

}  // namespace attn::ui
