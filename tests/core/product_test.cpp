// Matrix products: every cell is a sum in the order of the inner index.
#include "core/product.h"

#include <doctest/doctest.h>

#include "support/problems.h"

namespace {

using namespace attn::core;

template <class Scalar>
void checkOrder(Index rows, Index depth, Index columns) {
  CAPTURE(depth);
  attn::test::Random random(static_cast<std::uint64_t>(depth));
  const Matrix<Scalar> a = random.matrix(rows, depth).template cast<Scalar>();
  const Matrix<Scalar> b = random.matrix(depth, columns).template cast<Scalar>();
  const Matrix<Scalar> c = product(a, b);
  REQUIRE(c.rows() == rows);
  REQUIRE(c.cols() == columns);
  for (Index i = 0; i < rows; ++i) {
    for (Index j = 0; j < columns; ++j) {
      Scalar sum = 0;
      for (Index k = 0; k < depth; ++k) sum += a(i, k) * b(k, j);
      CHECK(c(i, j) == sum);
    }
  }
}

}  // namespace

TEST_CASE("A cell of a product is its terms added one by one, to the last bit, however many there are") {
  for (const Index depth : {0, 1, 3, 4, 63, 64, 65, 130, 200}) {
    checkOrder<float>(3, depth, 5);
    checkOrder<double>(3, depth, 5);
  }
}
