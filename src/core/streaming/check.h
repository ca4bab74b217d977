// Whether a computation can be done at all.
#pragma once
#include "core/result.h"
#include "core/streaming/streaming.h"

namespace attn::core::streaming {

// Refuses what the comments of streaming.h do not allow of inputs. Memory that is not there is the caller's mistake.
Check checkInputs(const Inputs& inputs);

}  // namespace attn::core::streaming
