// Composition scores from the factors of each map; no D×D matrix is ever made. Knows no model.
#include "core/composition.h"

#include <algorithm>
#include <cassert>
#include <cmath>

#include "core/contribution.h"
#include "core/product.h"
#include "core/rng.h"

namespace attn::core {
namespace {

Matrix<double> transposed(const Matrix<double>& m) { return m.transpose(); }

LowRank inSequence(const LowRank& first, const LowRank& second) {
  return {product(first.left, product(first.right, second.left)), second.right};
}

double share(const LowRank& first, const LowRank& second) {
  return frobeniusNorm(inSequence(first, second)) / (frobeniusNorm(first) * frobeniusNorm(second));
}

}  // namespace

// ‖L·R‖² = trace(Rᵀ·Lᵀ·L·R) = Σ (Lᵀ·L) ∘ (R·Rᵀ).
double frobeniusNorm(const LowRank& map) {
  const Matrix<double> inner = product(transposed(map.left), map.left), outer = product(map.right, transposed(map.right));
  return std::sqrt(std::max(0.0, inner.cwiseProduct(outer).sum()));
}

HeadMaps headMaps(const Problem<float>& attention, Index head) {
  const auto h = static_cast<std::size_t>(head);
  assert(h < attention.wq.size() && attention.wk.size() == attention.wq.size() && attention.wo);
  const auto reading = [&attention](const Matrix<float>& weight) {
    Matrix<double> folded = weight.cast<double>();
    if (attention.norm && attention.norm->gain)
      folded.array().colwise() *= attention.norm->gain->cast<double>().transpose().array();
    return folded;
  };
  const Matrix<double> wo = attention.wo->cast<double>();
  return {{reading(attention.wq[h]), transposed(reading(attention.wk[h]))},
          {reading(attention.wv[h]), outputRows(wo, head, attention.wv[h].cols())}};
}

Composition composition(const HeadMaps& earlier, const HeadMaps& later) {
  const LowRank turned{transposed(earlier.ov.right), transposed(earlier.ov.left)};
  return {share(earlier.ov, later.qk), share(later.qk, turned), share(earlier.ov, later.ov)};
}

double randomComposition(Index width, Index rank, int draws, std::uint64_t seed) {
  assert(draws >= 1);
  Rng rng(seed);
  const auto draw = [&] {
    LowRank map;
    map.left = rng.normalMatrix(width, rank);
    map.right = rng.normalMatrix(rank, width);
    return map;
  };
  double sum = 0;
  for (int n = 0; n < draws; ++n) {
    const LowRank first = draw(), second = draw();
    sum += share(first, second);
  }
  return sum / draws;
}

}  // namespace attn::core
