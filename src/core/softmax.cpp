// Softmax over the allowed sources of a row (Vaswani et al. 2017, section 3.2.1). Knows nothing of where scores come from.
#include "core/softmax.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>

namespace attn::core {
namespace {

// NaN among the allowed scores makes the maximum NaN, so that the row shows it.
template <class Scalar>
Scalar largestAllowed(const Matrix<Scalar>& scores, const Mask& mask, Index i) {
  Scalar largest = -std::numeric_limits<Scalar>::infinity();
  for (Index j = 0; j < scores.cols(); ++j) {
    if (!mask.allowed(i, j)) continue;
    if (std::isnan(scores(i, j))) return scores(i, j);
    largest = std::max(largest, scores(i, j));
  }
  return largest;
}

template <class Scalar>
void fillRow(const Matrix<Scalar>& scores, const Mask& mask, std::optional<Scalar> sink, Index i,
             Softmax<Scalar>& out) {
  const Scalar largest = out.row_max(i);
  for (Index j = 0; j < scores.cols(); ++j) {
    if (!mask.allowed(i, j)) continue;
    out.exp(i, j) = std::exp(scores(i, j) - largest);
    out.exp_plain(i, j) = std::exp(scores(i, j));
    out.row_sum(i) += out.exp(i, j);
    out.row_sum_plain(i) += out.exp_plain(i, j);
  }
  const Scalar total = sink ? out.row_sum(i) + std::exp(*sink - largest) : out.row_sum(i);
  for (Index j = 0; j < scores.cols(); ++j)
    if (mask.allowed(i, j)) out.weights(i, j) = out.exp(i, j) / total;
}

}  // namespace

template <class Scalar>
Softmax<Scalar> softmaxRows(const Matrix<Scalar>& scores, const Mask& mask, std::optional<Scalar> sink) {
  assert(scores.rows() == mask.rows() && scores.cols() == mask.columns());
  const Index rows = scores.rows(), columns = scores.cols();
  Softmax<Scalar> out;
  out.row_max.resize(rows);
  out.row_sum.setZero(rows);
  out.row_sum_plain.setZero(rows);
  out.exp.setZero(rows, columns);
  out.exp_plain.setZero(rows, columns);
  out.weights.setZero(rows, columns);
  out.row_status.assign(static_cast<std::size_t>(rows), RowStatus::kOk);
  for (Index i = 0; i < rows; ++i) {
    out.row_max(i) = largestAllowed(scores, mask, i);
    if (out.row_max(i) == -std::numeric_limits<Scalar>::infinity())
      out.row_status[static_cast<std::size_t>(i)] = RowStatus::kNoSource;
    else
      fillRow(scores, mask, sink, i, out);
  }
  return out;
}

template Softmax<double> softmaxRows(const Matrix<double>&, const Mask&, std::optional<double>);
template Softmax<float> softmaxRows(const Matrix<float>&, const Mask&, std::optional<float>);

}  // namespace attn::core
