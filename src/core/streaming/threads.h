// Several threads for one computation; where there are any. Knows nothing of what they compute.
#pragma once
#include "core/result.h"
#include "core/streaming/streaming.h"

namespace attn::core::streaming {

// All blocks that nobody has taken yet, by the calling thread and threads − 1 others; returns when they are done, or
// soon after cancel(). threads ≥ 1. Refuses when there is no memory for each of them to work in.
Check attend(Attention& attention, int threads);

}  // namespace attn::core::streaming
