// Softmax and masks as they are also written, mistakes included. Knows nothing of where scores come from.
#include "core/softmax_variants.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>

namespace attn::core {
namespace {

template <class Scalar>
Matrix<Scalar> normalised(const Matrix<Scalar>& scores, bool shift) {
  Matrix<Scalar> weights(scores.rows(), scores.cols());
  for (Index i = 0; i < scores.rows(); ++i) {
    Scalar largest = -std::numeric_limits<Scalar>::infinity(), sum = 0;
    for (Index j = 0; j < scores.cols(); ++j) largest = std::max(largest, scores(i, j));
    for (Index j = 0; j < scores.cols(); ++j) {
      weights(i, j) = std::exp(shift ? scores(i, j) - largest : scores(i, j));
      sum += weights(i, j);
    }
    for (Index j = 0; j < scores.cols(); ++j) weights(i, j) /= sum;
  }
  return weights;
}

// `change` applied to every blocked cell.
template <class Scalar, class Change>
Matrix<Scalar> changedWhereBlocked(Matrix<Scalar> m, const Mask& mask, Change change) {
  assert(m.rows() == mask.rows() && m.cols() == mask.columns());
  for (Index i = 0; i < m.rows(); ++i)
    for (Index j = 0; j < m.cols(); ++j)
      if (!mask.allowed(i, j)) m(i, j) = change(m(i, j));
  return m;
}

}  // namespace

template <class Scalar>
Matrix<Scalar> plainSoftmaxRows(const Matrix<Scalar>& scores) {
  return normalised(scores, false);
}

template <class Scalar>
Matrix<Scalar> shiftedSoftmaxRows(const Matrix<Scalar>& scores) {
  return normalised(scores, true);
}

template <class Scalar>
Matrix<Scalar> shiftedSoftmaxColumns(const Matrix<Scalar>& scores) {
  return normalised<Scalar>(scores.transpose(), true).transpose();
}

template <class Scalar>
Matrix<Scalar> filled(const Matrix<Scalar>& scores, const Mask& mask, Scalar fill) {
  return changedWhereBlocked(scores, mask, [fill](Scalar) { return fill; });
}

template <class Scalar>
Matrix<Scalar> filledSoftmax(const Matrix<Scalar>& scores, const Mask& mask, Scalar fill) {
  return shiftedSoftmaxRows(filled(scores, mask, fill));
}

template <class Scalar>
Matrix<Scalar> penalised(const Matrix<Scalar>& scores, const Mask& mask, Scalar penalty) {
  return changedWhereBlocked(scores, mask, [penalty](Scalar score) { return score + penalty; });
}

template <class Scalar>
Matrix<Scalar> penalisedSoftmax(const Matrix<Scalar>& scores, const Mask& mask, Scalar penalty) {
  return shiftedSoftmaxRows(penalised(scores, mask, penalty));
}

template <class Scalar>
Matrix<Scalar> maskedAfterSoftmax(const Matrix<Scalar>& scores, const Mask& mask) {
  return filled(shiftedSoftmaxRows(scores), mask, Scalar(0));
}

template <class Scalar>
RowVector<Scalar> leakedWeight(const Matrix<Scalar>& weights, const Mask& mask) {
  assert(weights.rows() == mask.rows() && weights.cols() == mask.columns());
  RowVector<Scalar> leaked = RowVector<Scalar>::Zero(weights.rows());
  for (Index i = 0; i < weights.rows(); ++i)
    for (Index j = 0; j < weights.cols(); ++j)
      if (!mask.allowed(i, j)) leaked(i) += weights(i, j);
  return leaked;
}

template <class Scalar>
Matrix<Scalar> droppedOut(const Matrix<Scalar>& weights, const Matrix<bool>& keep, Scalar keep_probability) {
  assert(weights.rows() == keep.rows() && weights.cols() == keep.cols() && keep_probability > 0);
  Matrix<Scalar> out = Matrix<Scalar>::Zero(weights.rows(), weights.cols());
  for (Index n = 0; n < weights.size(); ++n)
    if (keep.data()[n]) out.data()[n] = weights.data()[n] / keep_probability;
  return out;
}

#define ATTN_INSTANTIATE(Scalar)                                                                \
  template Matrix<Scalar> plainSoftmaxRows(const Matrix<Scalar>&);                              \
  template Matrix<Scalar> shiftedSoftmaxRows(const Matrix<Scalar>&);                            \
  template Matrix<Scalar> shiftedSoftmaxColumns(const Matrix<Scalar>&);                         \
  template Matrix<Scalar> filled(const Matrix<Scalar>&, const Mask&, Scalar);                   \
  template Matrix<Scalar> filledSoftmax(const Matrix<Scalar>&, const Mask&, Scalar);            \
  template Matrix<Scalar> penalised(const Matrix<Scalar>&, const Mask&, Scalar);                \
  template Matrix<Scalar> penalisedSoftmax(const Matrix<Scalar>&, const Mask&, Scalar);         \
  template Matrix<Scalar> maskedAfterSoftmax(const Matrix<Scalar>&, const Mask&);               \
  template RowVector<Scalar> leakedWeight(const Matrix<Scalar>&, const Mask&);                  \
  template Matrix<Scalar> droppedOut(const Matrix<Scalar>&, const Matrix<bool>&, Scalar);
ATTN_INSTANTIATE(double)
ATTN_INSTANTIATE(float)
#undef ATTN_INSTANTIATE

}  // namespace attn::core
