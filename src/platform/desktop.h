// The window of the desktop program.
#pragma once
#include "core/result.h"
#include "platform/options.h"

namespace attn::platform {

// Returns when the window is closed.
core::Check runWindow(const Options& options);

}  // namespace attn::platform
