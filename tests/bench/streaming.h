// attnscope-bench streaming: what attention over long sequences reaches, as parts of what this machine can.
#pragma once
#include "core/streaming/streaming.h"

namespace attn::bench {

// Takes minutes. Each figure is a ratio of times that were taken one after the other.
void benchStreaming();

// For other programs: seconds of one thread for T positions of width d, T·d at most 4,194,304, by one kernel; false when
// there is no such kernel on this machine, or no such shape.
bool printSeconds(const char* kernel, core::streaming::Index T, core::streaming::Index d);

}  // namespace attn::bench
