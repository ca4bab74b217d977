// The next token, drawn from a row of logits. Knows no model, and where the random number comes from.
#pragma once
#include <optional>

#include "core/result.h"
#include "core/tensor.h"

namespace attn::core {

struct Sampling {
  double temperature = 1;      // 0: always the token of the highest logit
  std::optional<Index> top_k;  // only the k likeliest tokens; nothing: all
};

// 1×V: softmax(logits / temperature) over the k likeliest tokens (top-k: Fan et al. 2018), 0 elsewhere;
// of equal logits the lower token stays. Refuses a temperature that is negative or not finite, a top_k below 1, and a
// row with NaN, with +∞ or without any number above −∞.
Result<RowVector<double>> samplingDistribution(const RowVector<float>& logits, const Sampling& sampling);

// The token at which the running sum of the distribution passes `uniform`, which lies in [0, 1).
Index drawn(const RowVector<double>& distribution, double uniform);

}  // namespace attn::core
