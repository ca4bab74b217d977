// The unreserved characters of RFC 3986 and the others. See percent.h.
#include "io/percent.h"

namespace attn::io {

bool isUnreserved(char c) {
  const bool letter = (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z');
  return letter || (c >= '0' && c <= '9') || c == '-' || c == '_' || c == '.' || c == '~';
}

std::string percentEncoded(std::string_view text) {
  constexpr std::string_view kDigits = "0123456789ABCDEF";
  std::string out;
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (isUnreserved(c)) out += c;
    else out += {'%', kDigits[byte >> 4], kDigits[byte & 15]};
  }
  return out;
}

}  // namespace attn::io
