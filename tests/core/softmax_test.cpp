// Softmax rows: properties that hold for any scores.
#include "core/softmax.h"

#include <doctest/doctest.h>

#include <cmath>

#include "support/problems.h"

namespace attn::core {
namespace {

using test::kInfinity;
using test::largestDifference;
using test::matrix;
using test::Random;
using Scores = Matrix<double>;

Mask randomMask(Random& random, Index rows, Index columns) {
  Mask mask(rows, columns);
  for (Index i = 0; i < rows; ++i)
    for (Index j = 0; j < columns; ++j)
      if (random.below(3) == 0) mask.block(i, j, kBlockedByAllowed);
  return mask;
}

// A sum of n weights near 1/n each: n roundings of numbers below 1.
double sumTolerance(Index n) { return 2.3e-16 * static_cast<double>(n); }

}  // namespace

TEST_CASE("Rows sum to 1 and blocked cells are exactly 0") {
  Random random(4);
  for (int n = 0; n < 40; ++n) {
    const Index rows = 1 + random.below(8), columns = 1 + random.below(40);
    const Scores scores = random.matrix(rows, columns) * 5;
    const Mask mask = randomMask(random, rows, columns);
    const Softmax<double> softmax = softmaxRows(scores, mask);
    for (Index i = 0; i < rows; ++i) {
      const bool ok = mask.allowedInRow(i) > 0;
      CHECK((softmax.row_status[static_cast<std::size_t>(i)] == RowStatus::kOk) == ok);
      CHECK(std::abs(softmax.weights.row(i).sum() - (ok ? 1 : 0)) <= sumTolerance(columns));
      for (Index j = 0; j < columns; ++j) {
        CHECK((softmax.weights(i, j) == 0) == !mask.allowed(i, j));
        CHECK((softmax.exp_plain(i, j) == 0) == !mask.allowed(i, j));
      }
    }
  }
}

TEST_CASE("The largest allowed score has the exponential 1, also when a blocked score is larger") {
  Mask mask(1, 3);
  mask.block(0, 0, kBlockedByCausal);
  const Softmax<double> softmax = softmaxRows(matrix({{9, 2, 1}}), mask);
  CHECK(softmax.row_max(0) == 2);
  CHECK(softmax.exp(0, 0) == 0);
  CHECK(softmax.exp(0, 1) == 1);
}

TEST_CASE("Adding a constant to a row changes nothing") {
  Random random(5);
  const Scores scores = random.matrix(6, 9);
  const Mask mask = randomMask(random, 6, 9);
  // A power of two far above the scores' last bits would round them; 64 moves each score by at most 1e-14.
  const Softmax<double> shifted = softmaxRows<double>(scores.array() + 64, mask);
  CHECK(largestDifference(shifted.weights, softmaxRows(scores, mask).weights) <= 1e-14);
  // Whole scores are shifted without rounding, so the bits stay.
  const Scores whole = scores.array().round();
  CHECK(largestDifference(softmaxRows<double>(whole.array() + 64, mask).weights, softmaxRows(whole, mask).weights) ==
        0);
}

TEST_CASE("The order of sources does not matter") {
  Random random(6);
  const Scores scores = random.matrix(4, 11);
  const Scores reversed = scores.rowwise().reverse();
  const Scores back = softmaxRows(reversed, Mask(4, 11)).weights.rowwise().reverse();
  CHECK(largestDifference(back, softmaxRows(scores, Mask(4, 11)).weights) <= sumTolerance(11));
}

TEST_CASE("The plain exponentials give the same weights wherever they do not overflow") {
  Random random(7);
  const Softmax<double> softmax = softmaxRows(random.matrix(5, 7), Mask(5, 7));
  for (Index i = 0; i < 5; ++i)
    CHECK(largestDifference(softmax.exp_plain.row(i) / softmax.row_sum_plain(i), softmax.weights.row(i)) <= 1e-15);
}

TEST_CASE("A sink takes its share from the denominator only") {
  const Scores scores = matrix({{1, 2, 0.5}});
  const Softmax<double> plain = softmaxRows(scores, Mask(1, 3));
  const Softmax<double> sunk = softmaxRows<double>(scores, Mask(1, 3), 3.0);
  CHECK(sunk.row_max(0) == 2);
  CHECK(sunk.row_sum(0) == plain.row_sum(0));
  CHECK(largestDifference(sunk.exp, plain.exp) == 0);
  // The same as a fourth source with the sink's score, left out of the row.
  const Scores with_source = softmaxRows(matrix({{1, 2, 0.5, 3}}), Mask(1, 4)).weights;
  CHECK(largestDifference(sunk.weights, with_source.leftCols(3)) <= 1e-15);
}

TEST_CASE("A sink far above or far below the scores gives zeros or the plain weights") {
  const Scores scores = matrix({{1, 2, 0.5}});
  CHECK(softmaxRows<double>(scores, Mask(1, 3), 2000.0).weights.sum() == 0);
  CHECK(largestDifference(softmaxRows<double>(scores, Mask(1, 3), -2000.0).weights,
                          softmaxRows(scores, Mask(1, 3)).weights) == 0);
}

TEST_CASE("A row whose allowed scores are all −∞ has no source") {
  const Softmax<double> softmax = softmaxRows<double>(matrix({{-kInfinity, -kInfinity}, {-kInfinity, 3}}), Mask(2, 2), 1.0);
  CHECK(softmax.row_status[0] == RowStatus::kNoSource);
  CHECK(softmax.row_status[1] == RowStatus::kOk);
  CHECK(softmax.weights.row(0).cwiseAbs().maxCoeff() == 0);
  CHECK(softmax.row_sum(0) == 0);
  CHECK(softmax.weights(1, 0) == 0);
}

TEST_CASE("NaN among the allowed scores stays visible in its row and touches no other") {
  const double nan = std::nan("");
  Mask mask(3, 2);
  mask.block(1, 0, kBlockedByAllowed);
  const Softmax<double> softmax = softmaxRows(matrix({{nan, 1}, {nan, 1}, {0, 0}}), mask);
  CHECK(std::isnan(softmax.row_max(0)));
  CHECK(std::isnan(softmax.weights(0, 0)));
  CHECK(std::isnan(softmax.weights(0, 1)));
  CHECK(softmax.weights(1, 1) == 1);
  CHECK(softmax.weights(2, 0) == 0.5);
}

TEST_CASE("A row of NaN is not a row without a source") {
  const Softmax<double> softmax = softmaxRows(matrix({{std::nan(""), std::nan("")}}), Mask(1, 2));
  CHECK(softmax.row_status[0] == RowStatus::kOk);
  CHECK(std::isnan(softmax.weights(0, 1)));
}

}  // namespace attn::core
