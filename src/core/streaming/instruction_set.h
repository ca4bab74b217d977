// Which kernels this machine can run. Knows nothing of what they compute.
#pragma once
#include <span>

#include "core/streaming/kernel.h"

namespace attn::core::streaming {

// The narrowest first; at least the one for any machine.
std::span<const Kernel* const> kernels();

inline const Kernel& bestKernel() { return *kernels().back(); }

}  // namespace attn::core::streaming
