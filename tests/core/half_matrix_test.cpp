// Matrices of float16: what goes in comes out, rounded, and what float16 has not is told.
#include "core/half_matrix.h"

#include <doctest/doctest.h>

#include <cmath>
#include <limits>
#include <utility>

#include "core/buffer.h"
#include "core/half.h"

namespace {

using namespace attn::core;

HalfMatrix matrixOf(Index rows, Index columns) {
  auto matrix = HalfMatrix::allocate(rows, columns);
  REQUIRE(matrix.ok());
  return matrix.take();
}

}  // namespace

TEST_CASE("A matrix of float16 gives back what float16 holds, and the nearest to what it does not") {
  HalfMatrix half = matrixOf(3, 2);
  Matrix<float> values(3, 2);
  values << 1, -0.5f, 65504, 0x1p-24f, 0.1f, -2049;
  CHECK_FALSE(half.setRows(0, values).has_value());
  values(2, 0) = fromHalf(toHalf(0.1f));
  values(2, 1) = -2048;
  CHECK(half.toMatrix() == values);
  CHECK(half.row(1) == values.row(1));
  CHECK(half.middleRows(1, 2) == values.bottomRows(2));
  CHECK(half.middleRows(3, 0).rows() == 0);
}

TEST_CASE("Rows of a matrix of float16 are set where they belong") {
  HalfMatrix half = matrixOf(4, 3);
  CHECK_FALSE(half.setRows(0, Matrix<float>::Constant(4, 3, 1)).has_value());
  CHECK_FALSE(half.setRows(1, Matrix<float>::Constant(2, 3, 7)).has_value());
  Matrix<float> wanted = Matrix<float>::Constant(4, 3, 1);
  wanted.middleRows(1, 2).setConstant(7);
  CHECK(half.toMatrix() == wanted);
}

TEST_CASE("The first number that float16 has not is told") {
  HalfMatrix half = matrixOf(1, 4);
  Matrix<float> values(1, 4);
  values << 65519, -65520, 70000, 1;
  CHECK(half.setRows(0, values) == -65520);
  values << 1, 2, std::numeric_limits<float>::infinity(), 70000;
  CHECK(half.setRows(0, values) == std::numeric_limits<float>::infinity());
  values << 1, std::numeric_limits<float>::quiet_NaN(), 2, 3;
  const auto unfit = half.setRows(0, values);
  REQUIRE(unfit.has_value());
  CHECK(std::isnan(*unfit));
}

TEST_CASE("A matrix of float16 for which there is no memory, however large its sides are, is refused") {
  failAllocation(1);
  const auto refused = HalfMatrix::allocate(1000, 600);
  failAllocation(0);
  REQUIRE_FALSE(refused.ok());
  CHECK(refused.error().message.find("There is no memory left for 1.2 MB; ") == 0);
  constexpr Index kMost = std::numeric_limits<Index>::max();
  for (const auto& [rows, columns] : {std::pair<Index, Index>(kMost, kMost), {kMost / 2 + 1, 1}, {2, kMost / 2}}) {
    const auto huge = HalfMatrix::allocate(rows, columns);
    REQUIRE_FALSE(huge.ok());
    CHECK(huge.error().message == "A matrix of " + shapeText(rows, columns) +
                                      " numbers is too large for the memory of this program; open a smaller model.");
  }
  CHECK(matrixOf(0, 5).size() == 0);
  CHECK(matrixOf(5, 0).toMatrix().rows() == 5);
}
