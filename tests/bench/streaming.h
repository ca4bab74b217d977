// attnscope-bench streaming: what attention over long sequences reaches, as parts of what this machine can.
#pragma once

namespace attn::bench {

// Takes minutes. Each figure is a ratio of times that were taken one after the other.
void benchStreaming();

}  // namespace attn::bench
