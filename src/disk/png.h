// Pixels as a PNG. Knows no screen.
#pragma once
#include <span>
#include <vector>

namespace attn::disk {

// Three bytes each, row by row from above; width·height·3 of them, both ≥ 1. Empty when there is no memory for it.
std::vector<unsigned char> pngOf(int width, int height, std::span<const unsigned char> pixels);

}  // namespace attn::disk
