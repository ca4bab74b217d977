// Matrix products in a fixed order of summation. Knows nothing of attention.
#include "core/product.h"

#include <algorithm>
#include <cassert>

namespace attn::core {
namespace {

// So many rows of b are read for all rows of a before the next ones, and stay in the cache meanwhile: of a large b that
// takes half of the time. A multiple of four, so that the same terms are added together.
constexpr Index kPanelDepth = 64;

// c[0…n) += a[0]·b[0] + … of `terms` rows of b that lie n apart. Four for each time that c is read and written; C++ adds
// them from left to right.
template <class Scalar>
void addRows(Scalar* __restrict c, const Scalar* a, const Scalar* __restrict b, Index terms, Index n) {
  Index k = 0;
  for (; k + 4 <= terms; k += 4) {
    const Scalar a0 = a[k], a1 = a[k + 1], a2 = a[k + 2], a3 = a[k + 3];
    const Scalar *b0 = b + k * n, *b1 = b0 + n, *b2 = b1 + n, *b3 = b2 + n;
    for (Index j = 0; j < n; ++j) c[j] = c[j] + a0 * b0[j] + a1 * b1[j] + a2 * b2[j] + a3 * b3[j];
  }
  for (; k < terms; ++k)
    for (Index j = 0; j < n; ++j) c[j] += a[k] * b[k * n + j];
}

}  // namespace

template <class Scalar>
Matrix<Scalar> product(const Matrix<Scalar>& a, const Matrix<Scalar>& b) {
  assert(a.cols() == b.rows());
  Matrix<Scalar> c = Matrix<Scalar>::Zero(a.rows(), b.cols());
  const Index depth = a.cols(), n = b.cols();
  for (Index first = 0; first < depth; first += kPanelDepth)
    for (Index i = 0; i < a.rows(); ++i)
      addRows(c.data() + i * n, a.data() + i * depth + first, b.data() + first * n, std::min(kPanelDepth, depth - first), n);
  return c;
}

template Matrix<double> product(const Matrix<double>&, const Matrix<double>&);
template Matrix<float> product(const Matrix<float>&, const Matrix<float>&);

}  // namespace attn::core
