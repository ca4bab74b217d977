// One picture of the screen, drawn without a display.
#pragma once
#include "core/result.h"
#include "platform/options.h"

namespace attn::platform {

core::Check renderPicture(const Options& options);

}  // namespace attn::platform
