// Six bits a character.
#include "io/base64.h"

#include <cstdint>

#include "core/language.h"

namespace attn::io {
namespace {

constexpr std::string_view kAlphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

}  // namespace

std::string toBase64Url(std::string_view bytes) {
  std::string text;
  text.reserve((bytes.size() * 4 + 2) / 3);
  std::uint32_t bits = 0;
  int count = 0;
  for (const char byte : bytes) {
    bits = bits << 8 | static_cast<std::uint8_t>(byte);
    for (count += 8; count >= 6; count -= 6) text += kAlphabet[bits >> (count - 6) & 63];
  }
  if (count > 0) text += kAlphabet[bits << (6 - count) & 63];
  return text;
}

core::Result<std::string> fromBase64Url(std::string_view text) {
  std::string bytes;
  bytes.reserve(text.size() * 3 / 4);
  std::uint32_t bits = 0;
  int count = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const std::size_t digit = kAlphabet.find(text[i]);
    if (digit == std::string_view::npos) {
      return core::Error{tr("Character {0} of the encoded data is none of A–Z a–z 0–9 - _; copy it again.", {i + 1})};
    }
    bits = bits << 6 | static_cast<std::uint32_t>(digit);
    count += 6;
    if (count < 8) continue;
    count -= 8;
    bytes += static_cast<char>(static_cast<std::uint8_t>(bits >> count));
  }
  if (count >= 6 || (bits & ((1u << count) - 1)) != 0) {
    return core::Error{tr("The encoded data is cut off; copy it again as a whole.")};
  }
  return bytes;
}

}  // namespace attn::io
