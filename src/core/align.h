// Where the causal diagonal and the window sit. Knows no mask, and not what a source is.
#pragma once
#include <cstdint>

namespace attn::core {

// When T ≠ S: p_i = i (top-left) or i + S − T (bottom-right).
enum class Align : std::uint8_t { kTopLeft, kBottomRight };

}  // namespace attn::core
