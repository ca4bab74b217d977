// Matrix products in a fixed order of summation. Knows nothing of attention.
#include "core/product.h"

#include <algorithm>
#include <cassert>

namespace attn::core {
namespace {

// So many rows of b are read for all rows of a before the next ones, and stay in the cache meanwhile: of a large b that
// takes half of the time. A multiple of four, so that the same terms are added together.
constexpr Index kPanelDepth = 64;

}  // namespace

template <class Scalar>
Matrix<Scalar> product(const Matrix<Scalar>& a, const Matrix<Scalar>& b) {
  assert(a.cols() == b.rows());
  Matrix<Scalar> c = Matrix<Scalar>::Zero(a.rows(), b.cols());
  for (Index first = 0; first < a.cols(); first += kPanelDepth) {
    const Index end = std::min(first + kPanelDepth, a.cols());
    for (Index i = 0; i < a.rows(); ++i) {
      auto row = c.row(i);
      Index k = first;
      // Four terms for each time that the row is read and written; C++ adds them from left to right.
      for (; k + 4 <= end; k += 4)
        row = row + a(i, k) * b.row(k) + a(i, k + 1) * b.row(k + 1) + a(i, k + 2) * b.row(k + 2) +
              a(i, k + 3) * b.row(k + 3);
      for (; k < end; ++k) row += a(i, k) * b.row(k);
    }
  }
  return c;
}

template Matrix<double> product(const Matrix<double>&, const Matrix<double>&);
template Matrix<float> product(const Matrix<float>&, const Matrix<float>&);

}  // namespace attn::core
