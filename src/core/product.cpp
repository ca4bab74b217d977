// Matrix products in a fixed order of summation. Knows nothing of attention.
#include "core/product.h"

#include <cassert>

namespace attn::core {

template <class Scalar>
Matrix<Scalar> product(const Matrix<Scalar>& a, const Matrix<Scalar>& b) {
  assert(a.cols() == b.rows());
  Matrix<Scalar> c = Matrix<Scalar>::Zero(a.rows(), b.cols());
  const Index depth = a.cols();
  for (Index i = 0; i < a.rows(); ++i) {
    auto row = c.row(i);
    Index k = 0;
    // Four terms for each time that the row is read and written; C++ adds them from left to right.
    for (; k + 4 <= depth; k += 4)
      row = row + a(i, k) * b.row(k) + a(i, k + 1) * b.row(k + 1) + a(i, k + 2) * b.row(k + 2) +
            a(i, k + 3) * b.row(k + 3);
    for (; k < depth; ++k) row += a(i, k) * b.row(k);
  }
  return c;
}

template Matrix<double> product(const Matrix<double>&, const Matrix<double>&);
template Matrix<float> product(const Matrix<float>&, const Matrix<float>&);

}  // namespace attn::core
