// For tests: what buffers take of memory.
#pragma once
#include <cstddef>

namespace attn::core {

// The bytes of all buffers that there are.
std::size_t heldBytes();

// The most that heldBytes() was since watchHeldBytes().
std::size_t mostHeldBytes();
void watchHeldBytes();

}  // namespace attn::core
