// A promise that an input has broken, as a crash: that is what libFuzzer looks for.
#pragma once
#include <cstdlib>

#include "core/result.h"

namespace attn::fuzz {

inline void require(bool promise) {
  if (!promise) std::abort();
}

// One sentence that somebody can read.
inline void requireSentence(const core::Error& error) {
  require(!error.message.empty());
  require(error.message.size() < 10000);
}

}  // namespace attn::fuzz
