// A text as a QR code (ISO/IEC 18004), to be read off a screen. Knows nothing of what the text says.
#pragma once
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "core/result.h"
#include "figure/picture.h"

namespace attn::figure {

inline constexpr std::size_t kLongestQr = 2953;  // bytes: version 40, error correction L

struct QrCode {
  int side = 0;                    // modules: 21 to 177
  std::vector<std::uint8_t> dark;  // side × side, rows from the top; 1 = dark
};

// The smallest code that holds the text, with as much error correction as fits into it. Refuses a text that is too long.
core::Result<QrCode> qrCode(const std::string& text);

// Black on white whatever the theme, as readers want it, with the quiet zone of four modules: within a square of `side`
// pixels at (x, y).
Picture qrPicture(const QrCode& code, float x, float y, float side);

}  // namespace attn::figure
