// Temperature, top-k and the draw. Knows no model.
#include "core/sample.h"

#include <cassert>
#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "core/decoder_outcome.h"
#include "core/language.h"

namespace attn::core {
namespace {

Check checkSampling(const RowVector<float>& logits, const Sampling& sampling) {
  if (!std::isfinite(sampling.temperature) || sampling.temperature < 0)
    return Error{tr("The temperature must be a finite number from 0 up; 0 always takes the likeliest token.")};
  if (sampling.top_k && *sampling.top_k < 1)
    return Error{tr("Top-k keeps at least 1 token, not {0}.", {*sampling.top_k})};
  bool any = false;
  for (Index c = 0; c < logits.size(); ++c) {
    if (std::isnan(logits(c)) || logits(c) == std::numeric_limits<float>::infinity())
      return Error{tr("The logit of token {0} is no finite number, so no token can be drawn.", {c})};
    any = any || std::isfinite(logits(c));
  }
  if (!any) return Error{tr("No token has a logit above −∞, so none can be drawn.")};
  return std::nullopt;
}

}  // namespace

Result<RowVector<double>> samplingDistribution(const RowVector<float>& logits, const Sampling& sampling) {
  if (Check bad = checkSampling(logits, sampling)) return *bad;
  const bool greedy = sampling.temperature == 0;
  const std::vector<Index> kept = likeliest(logits, greedy ? 1 : sampling.top_k.value_or(logits.size()));
  RowVector<double> distribution = RowVector<double>::Zero(logits.size());
  const double largest = logits(kept[0]);
  for (const Index c : kept)
    distribution(c) = greedy ? 1 : std::exp((static_cast<double>(logits(c)) - largest) / sampling.temperature);
  distribution /= distribution.sum();
  return distribution;
}

Index drawn(const RowVector<double>& distribution, double uniform) {
  assert(uniform >= 0 && uniform < 1);
  double sum = 0;
  Index last = 0;
  for (Index c = 0; c < distribution.size(); ++c) {
    if (distribution(c) <= 0) continue;
    last = c;
    sum += distribution(c);
    if (sum > uniform) return c;
  }
  return last;  // rounding may leave the sum just below 1
}

}  // namespace attn::core
