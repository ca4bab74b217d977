// Whether a row of weights is a distribution. Knows nothing of scores.
#pragma once
#include <cstdint>

namespace attn::core {

enum class RowStatus : std::uint8_t {
  kOk,
  kNoSource,  // no allowed source with a score above −∞: no distribution exists
};

}  // namespace attn::core
