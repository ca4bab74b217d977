// Position vectors and rotations: their properties, and the similarities that lesson 6.3 prints (L7).
#include "core/position.h"

#include <doctest/doctest.h>

#include <cmath>
#include <complex>

#include "core/rng.h"
#include "support/problems.h"

namespace attn::core {
namespace {

using test::largestDifference;

}  // namespace

TEST_CASE("Position 10 of 64 is as similar to others as the lesson prints") {
  const RowVector<double> similarity = cosineSimilarities(sinusoidalPositions(64, 64), 10);
  const std::pair<Index, double> printed[] = {{10, 1.000}, {11, .966}, {15, .734}, {30, .590}, {60, .490}};
  for (const auto& [position, value] : printed) CHECK(std::abs(similarity(position) - value) <= 0.0005);
}

TEST_CASE("The similarity of two sinusoidal positions depends on their distance only") {
  const Matrix<double> table = sinusoidalPositions(40, 16, 500);
  const auto apart = [&](Index t) { return cosineSimilarity(table.row(t), table.row(t + 7)); };
  for (Index t = 0; t + 7 < 40; ++t) CHECK(std::abs(apart(t) - apart(0)) < 1e-14);  // angles up to 40, known to 4e-15
}

TEST_CASE("Each pair of columns is a point of the unit circle, and an odd last column is a sine") {
  const Matrix<double> table = sinusoidalPositions(10, 7, 100);
  CHECK(table.cols() == 7);
  for (Index t = 0; t < 10; ++t) {
    for (Index i = 0; i < 3; ++i)
      CHECK(std::abs(table.row(t).segment(2 * i, 2).norm() - 1) < 4e-16);  // two roundings
    CHECK(table(t, 6) == std::sin(static_cast<double>(t) * std::pow(100.0, -6.0 / 7)));
  }
  CHECK(sinusoidalPositions(1, 1).cwiseAbs().maxCoeff() == 0);
}

TEST_CASE("The cosine similarity does not see lengths, and is 0 with a zero vector") {
  const RowVector<double> a = attn::test::vector({3, 4}), b = attn::test::vector({4, 3});
  CHECK(std::abs(cosineSimilarity(a, b) - 24.0 / 25) < 1e-15);
  CHECK(std::abs(cosineSimilarity(7 * a, b) - 24.0 / 25) < 1e-15);
  CHECK(cosineSimilarity(a, attn::test::vector({0, 0})) == 0);
}

TEST_CASE("Turned queries and keys give scores that depend on the distance only, in both layouts") {
  Rng rng(1);
  const Matrix<double> q = rng.normalMatrix(1, 8), k = rng.normalMatrix(1, 8);
  for (RotaryLayout layout : {RotaryLayout::kInterleaved, RotaryLayout::kHalfSplit}) {
    const auto score = [&](Index at, Index from) {
      return rotary(q, layout, at).row(0).dot(rotary(k, layout, from).row(0));
    };
    for (Index shift : {1, 17, 1000})
      // Angles up to 1009 are rounded to 1e-13, and the sum has eight terms of size about 1.
      CHECK(std::abs(score(5 + shift, 2 + shift) - score(5, 2)) < 2e-12);
    CHECK(std::abs(score(5, 2) - score(5, 3)) > 1e-3);
    CHECK(rotary(q, layout) == q);  // position 0 is not turned
  }
}

TEST_CASE("A rotation is a product of complex numbers") {
  Rng rng(2);
  const Matrix<double> x = rng.normalMatrix(4, 6);
  const Matrix<double> interleaved = rotary(x, RotaryLayout::kInterleaved, 3);
  const Matrix<double> half = rotary(x, RotaryLayout::kHalfSplit, 3);
  for (Index t = 0; t < 4; ++t) {
    for (Index i = 0; i < 3; ++i) {
      const auto turn = std::polar(1.0, static_cast<double>(3 + t) * std::pow(10000.0, -static_cast<double>(i) / 3));
      const auto a = std::complex<double>(x(t, 2 * i), x(t, 2 * i + 1)) * turn;
      const auto b = std::complex<double>(x(t, i), x(t, 3 + i)) * turn;
      // Two products and a sum of numbers about 1.
      CHECK(std::abs(a - std::complex<double>(interleaved(t, 2 * i), interleaved(t, 2 * i + 1))) < 2e-15);
      CHECK(std::abs(b - std::complex<double>(half(t, i), half(t, 3 + i))) < 2e-15);
    }
  }
}

TEST_CASE("The two layouts are one rotation with the columns in another order") {
  Rng rng(3);
  const Matrix<double> x = rng.normalMatrix(5, 6);
  Matrix<double> reordered(5, 6);
  for (Index i = 0; i < 3; ++i) reordered.col(i) = x.col(2 * i), reordered.col(3 + i) = x.col(2 * i + 1);
  const Matrix<double> half = rotary(reordered, RotaryLayout::kHalfSplit);
  const Matrix<double> interleaved = rotary(x, RotaryLayout::kInterleaved);
  for (Index i = 0; i < 3; ++i) {
    CHECK(half.col(i) == interleaved.col(2 * i));
    CHECK(half.col(3 + i) == interleaved.col(2 * i + 1));
  }
}

TEST_CASE("A turned row keeps its length, and an odd last coordinate stays") {
  Rng rng(4);
  const Matrix<double> x = rng.normalMatrix(6, 5);
  for (RotaryLayout layout : {RotaryLayout::kInterleaved, RotaryLayout::kHalfSplit}) {
    const Matrix<double> turned = rotary(x, layout, 100);
    CHECK(turned.col(4) == x.col(4));
    CHECK((turned.rowwise().norm() - x.rowwise().norm()).cwiseAbs().maxCoeff() < 2e-15);
  }
}

TEST_CASE("ALiBi slopes are the published ones") {
  CHECK(alibiSlopes(8) == std::vector<double>{1. / 2, 1. / 4, 1. / 8, 1. / 16, 1. / 32, 1. / 64, 1. / 128, 1. / 256});
  CHECK(alibiSlopes(1) == std::vector<double>{1.0 / 256});
  // Twelve heads: the eight above, then the first, third, … of sixteen heads.
  const std::vector<double> twelve = alibiSlopes(12);
  REQUIRE(twelve.size() == 12);
  CHECK(twelve[7] == 1.0 / 256);
  CHECK(std::abs(twelve[8] - std::pow(2.0, -0.5)) < 1e-16);
  CHECK(std::abs(twelve[11] - std::pow(2.0, -3.5)) < 1e-17);
}

}  // namespace attn::core
