// The ways in which softmax and masks go wrong go wrong exactly so (L11, L12), and agree with ours where they may.
#include "core/softmax_variants.h"

#include <doctest/doctest.h>

#include <cmath>

#include "core/rng.h"
#include "core/softmax.h"
#include "support/problems.h"

namespace attn::core {
namespace {

using test::kInfinity;
using test::largestDifference;
using test::matrix;

Mask causalMask(Index n) { return makeMask(plainMask(true), n, n).take(); }

const double kLn2 = std::log(2.0);

}  // namespace

TEST_CASE("Scores of 1000 overflow without the shift and are harmless with it") {
  const Matrix<double> scores = matrix({{1000, 1000}, {0, 0}});
  const Matrix<double> plain = plainSoftmaxRows(scores), shifted = shiftedSoftmaxRows(scores);
  CHECK(std::isnan(plain(0, 0)));
  CHECK(std::isnan(plain(0, 1)));
  CHECK(plain(1, 0) == 0.5);
  CHECK(shifted == matrix({{.5, .5}, {.5, .5}}));
  // ∞ beside a finite exponential: the finite one is lost.
  const Matrix<double> mixed = plainSoftmaxRows(matrix({{1000, 0}, {-1000, -1000}}));
  CHECK(std::isnan(mixed(0, 0)));
  CHECK(mixed(0, 1) == 0);
  CHECK(std::isnan(mixed(1, 0)));  // 0 ÷ 0
  // Single precision overflows at 89 already.
  const Matrix<float> small = plainSoftmaxRows<float>(matrix({{89, 89}, {88, 88}}).cast<float>());
  CHECK(std::isnan(small(0, 0)));
  CHECK(small(1, 0) == 0.5f);
}

TEST_CASE("Within the range of exponentials the shift changes nothing but rounding") {
  Rng rng(1);
  const Matrix<double> scores = rng.normalMatrix(6, 8, 4);
  // Each weight is at most 1 and has a few roundings.
  CHECK(largestDifference(plainSoftmaxRows(scores), shiftedSoftmaxRows(scores)) < 4e-15);
  CHECK(largestDifference(shiftedSoftmaxRows(scores), softmaxRows(scores, Mask(6, 8)).weights) == 0);
}

TEST_CASE("Along the wrong axis columns sum to 1 and rows do not") {
  const Matrix<double> scores = matrix({{1, 0, .5, .5}, {1, 0, .5, .5}, {0, 4, 1, 0}, {.5, 4, 1.25, .25}});
  const Matrix<double> wrong = shiftedSoftmaxColumns(scores);
  for (Index j = 0; j < 4; ++j) CHECK(std::abs(wrong.col(j).sum() - 1) < 1e-15);
  CHECK(std::abs(wrong.row(0).sum() - 1) > 0.1);
}

TEST_CASE("A forbidden score of 0 leaks, and a mask after the softmax leaves rows short") {
  // The scaled scores of L1, whose right weights are 1; 1/3, 2/3; 1/4, 1/4, 1/2.
  const Matrix<double> scaled = kLn2 * matrix({{1, 0, 1}, {0, 1, 1}, {1, 1, 2}});
  const Mask mask = causalMask(3);
  const Matrix<double> zero = filledSoftmax(scaled, mask, 0.0);
  // Exponentials 2, 1, 1 and 1, 2, 1.
  CHECK(largestDifference(zero, matrix({{.5, .25, .25}, {.25, .5, .25}, {.25, .25, .5}})) < 1e-15);
  CHECK(largestDifference(leakedWeight(zero, mask), attn::test::vector({.5, .25, 0})) < 1e-15);
  const Matrix<double> after = maskedAfterSoftmax(scaled, mask);
  // Exponentials 2, 1, 2 and 1, 2, 2: the rows keep 2/5 and 3/5.
  CHECK(largestDifference(after, matrix({{.4, 0, 0}, {.2, .4, 0}, {.25, .25, .5}})) < 1e-15);
  CHECK(leakedWeight(after, mask).maxCoeff() == 0);
  const Matrix<double> right = filledSoftmax(scaled, mask, -kInfinity);
  CHECK(largestDifference(right, softmaxRows(scaled, mask).weights) == 0);
}

TEST_CASE("A row with no source: −∞ gives NaN, −1e9 a uniform row over forbidden sources, ours 0") {
  Mask mask(2, 4);
  for (Index j = 0; j < 4; ++j) mask.block(0, j, kBlockedByAllowed);
  const Matrix<double> scores = matrix({{1, 2, 3, 4}, {1, 2, 3, 4}});
  CHECK(std::isnan(filledSoftmax(scores, mask, -kInfinity)(0, 0)));
  CHECK(std::isnan(penalisedSoftmax(scores, mask, -kInfinity)(0, 0)));
  CHECK(filledSoftmax(scores, mask, -1e9).row(0) == matrix({{.25, .25, .25, .25}}));
  CHECK(leakedWeight(filledSoftmax(scores, mask, -1e9), mask)(0) == 1);
  CHECK(softmaxRows(scores, mask).weights.row(0).maxCoeff() == 0);
  // Adding −1e9 swallows the scores in single precision, whose spacing there is 64, and hardly touches them in double.
  const Matrix<float> swallowed = penalisedSoftmax<float>(scores.cast<float>(), mask, -1e9f);
  CHECK(swallowed.row(0) == matrix({{.25, .25, .25, .25}}).cast<float>());
  // Double keeps scores of −1e9 + s to 1.2e-7.
  CHECK(largestDifference(penalisedSoftmax(scores, mask, -1e9).row(0), shiftedSoftmaxRows(scores).row(0)) < 2e-7);
}

TEST_CASE("A penalty of −1e4 leaks where allowed scores are as low, and −∞ does not") {
  Mask mask(1, 2);
  mask.block(0, 1, kBlockedByCausal);
  const Matrix<double> scores = matrix({{-9999, 2}});
  // −9999 against 2 − 1e4 = −9998.
  CHECK(std::abs(penalisedSoftmax(scores, mask, -1e4)(0, 1) - 1 / (1 + std::exp(-1.0))) < 1e-12);
  CHECK(penalisedSoftmax(scores, mask, -kInfinity)(0, 1) == 0);
  CHECK(penalisedSoftmax(matrix({{1, 2}}), mask, -1e4)(0, 1) == 0);
}

TEST_CASE("Dropout keeps a weight scaled up or removes it") {
  Matrix<bool> keep(1, 3);
  keep << true, false, true;
  const Matrix<double> dropped = droppedOut(matrix({{.5, .25, .25}}), keep, 0.5);
  CHECK(dropped == matrix({{1, 0, .5}}));
}

}  // namespace attn::core
