// Softmax, order and mean of logits. Knows no model.
#include "core/decoder_outcome.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <numeric>
#include <string>

#include "core/language.h"

namespace attn::core {

RowVector<double> probabilities(const RowVector<float>& logits) {
  const RowVector<double> powers = (logits.cast<double>().array() - static_cast<double>(logits.maxCoeff())).exp();
  return powers / powers.sum();
}

double logProbability(const RowVector<float>& logits, Index token) {
  assert(token >= 0 && token < logits.size());
  const RowVector<double> below = logits.cast<double>().array() - static_cast<double>(logits.maxCoeff());
  return below(token) - std::log(below.array().exp().sum());
}

std::vector<Index> likeliest(const RowVector<float>& logits, Index n) {
  std::vector<Index> order(static_cast<std::size_t>(logits.size()));
  std::iota(order.begin(), order.end(), Index{0});
  const auto kept = order.begin() + std::clamp<Index>(n, 0, logits.size());
  std::partial_sort(order.begin(), kept, order.end(), [&logits](Index a, Index b) {
    const bool a_is_none = std::isnan(logits(a)), b_is_none = std::isnan(logits(b));
    if (a_is_none != b_is_none) return b_is_none;
    if (!a_is_none && logits(a) != logits(b)) return logits(a) > logits(b);
    return a < b;
  });
  order.erase(kept, order.end());
  return order;
}

Result<double> lossOn(const Matrix<float>& logits, std::span<const Index> tokens, Index first, Index end) {
  const auto length = static_cast<Index>(tokens.size());
  assert(logits.rows() == length);
  if (first < 0 || end >= length || first >= end)
    return Error{tr("A loss over positions {0} to {1} of a text of {2} tokens cannot be had; each position needs a "
                    "token after it, so give a range within 0 to {3} or a longer text.",
                    {first, end - 1, length, length - 2})};
  double sum = 0;
  for (Index t = first; t < end; ++t) sum -= logProbability(logits.row(t), tokens[static_cast<std::size_t>(t) + 1]);
  return sum / static_cast<double>(end - first);
}

}  // namespace attn::core
