// Puts other numbers in the place of computed ones. Knows no list of edits.
#include "core/intervention.h"

#include "core/rng.h"

namespace attn::core {
namespace {

using Kind = Intervention::Kind;

std::vector<Index> allowedSources(const Mask& mask, Index row) {
  std::vector<Index> sources;
  for (Index j = 0; j < mask.columns(); ++j)
    if (mask.allowed(row, j)) sources.push_back(j);
  return sources;
}

template <class Scalar>
void setRow(const Intervention& one, Matrix<Scalar>& array, Index i) {
  if (one.col) {
    array(i, *one.col) = static_cast<Scalar>(one.values[0]);
    return;
  }
  for (Index j = 0; j < array.cols(); ++j) array(i, j) = static_cast<Scalar>(one.values[static_cast<std::size_t>(j)]);
}

template <class Scalar>
void makeUniform(Matrix<Scalar>& weights, const Mask& mask, Index i) {
  const std::vector<Index> sources = allowedSources(mask, i);
  weights.row(i).setZero();
  for (const Index j : sources) weights(i, j) = Scalar(1) / static_cast<Scalar>(sources.size());
}

template <class Scalar>
void permute(Matrix<Scalar>& weights, const Mask& mask, Index i, std::uint64_t seed) {
  const std::vector<Index> sources = allowedSources(mask, i);
  if (sources.size() < 2) return;
  const RowVector<Scalar> before = weights.row(i);
  Rng rng(seed);
  const std::vector<Index> order = rng.permutation(static_cast<Index>(sources.size()));
  for (std::size_t n = 0; n < sources.size(); ++n)
    weights(i, sources[n]) = before(sources[static_cast<std::size_t>(order[n])]);
}

}  // namespace

bool isOverSources(Array array) {
  return array == Array::kScores || array == Array::kMasked || array == Array::kWeights;
}

template <class Scalar>
void intervene(const Intervention& one, Matrix<Scalar>& array, const Mask& mask) {
  const Index first = one.row.value_or(0), end = one.row ? *one.row + 1 : array.rows();
  for (Index i = first; i < end; ++i) {
    if (one.kind == Kind::kSet) setRow(one, array, i);
    if (one.kind == Kind::kUniform) makeUniform(array, mask, i);
    if (one.kind == Kind::kPermute) permute(array, mask, i, one.seed);
  }
}

template void intervene(const Intervention&, Matrix<double>&, const Mask&);
template void intervene(const Intervention&, Matrix<float>&, const Mask&);

}  // namespace attn::core
