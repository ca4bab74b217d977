// The embedded faces as bytes: cut at build time by scripts/subset-fonts.py from fonts of the system.
#pragma once
#include <cstddef>

namespace attn::ui {

struct FontData {
  const unsigned char* data = nullptr;
  std::size_t size = 0;
};

FontData bodyFont();
FontData strongFont();
FontData numberFont();
FontData fallbackFont();  // characters that the body face lacks

}  // namespace attn::ui
