// What a decoder's logits say: chances of tokens, the likeliest, and the loss on a text. Knows no model and no text.
#pragma once
#include <span>
#include <vector>

#include "core/result.h"
#include "core/tensor.h"

namespace attn::core {

// Of one row of logits, 1×V, in double precision. The logit itself is the row's number.
RowVector<double> probabilities(const RowVector<float>& logits);            // softmax of the row; sums to 1
double logProbability(const RowVector<float>& logits, Index token);         // ln of it, in nats, exact also near 0

// The n tokens of the highest logits, the highest first, of equal ones the lower token first; all V where n ≥ V. NaN
// counts as lower than every number.
std::vector<Index> likeliest(const RowVector<float>& logits, Index n);

// The mean over positions t = first … end − 1 of −ln p(tokens[t + 1] | tokens[0 … t]), in nats; row t of `logits` (T×V) is
// about the token after t. Refuses a range that is empty or in which a position has no token after it.
Result<double> lossOn(const Matrix<float>& logits, std::span<const Index> tokens, Index first, Index end);

}  // namespace attn::core
