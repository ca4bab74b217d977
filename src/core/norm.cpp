// Layer normalisation. Knows nothing of what is normalised.
#include "core/norm.h"

#include <cmath>

namespace attn::core {

template <class Scalar>
Matrix<Scalar> normaliseRows(const Matrix<Scalar>& state, const Norm<Scalar>& norm) {
  Matrix<Scalar> out(state.rows(), state.cols());
  const auto n = static_cast<double>(state.cols());
  for (Index i = 0; i < state.rows(); ++i) {
    // In double precision whatever the scalar: what is rounded here, every number of the row inherits.
    double sum = 0, squares = 0;
    for (Index d = 0; d < state.cols(); ++d) sum += state(i, d);
    const double mean = sum / n;
    for (Index d = 0; d < state.cols(); ++d) squares += (state(i, d) - mean) * (state(i, d) - mean);
    const double deviation = std::sqrt(squares / n + norm.eps);
    out.row(i) = ((state.row(i).template cast<double>().array() - mean) / deviation).template cast<Scalar>();
    if (norm.gain) out.row(i).array() *= norm.gain->array();
    if (norm.bias) out.row(i) += *norm.bias;
  }
  return out;
}

template Matrix<double> normaliseRows(const Matrix<double>&, const Norm<double>&);
template Matrix<float> normaliseRows(const Matrix<float>&, const Norm<float>&);

}  // namespace attn::core
