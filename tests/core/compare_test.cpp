// Differences between Traces: which cells, which rows, how large.
#include "core/compare.h"

#include <doctest/doctest.h>

#include <limits>

#include "support/problems.h"

namespace attn::core {
namespace {

Trace<double> lessonTrace() {
  Problem<double> p;
  p.T = p.S = 3;
  p.q = {(Matrix<double>(3, 2) << 1, 0, 0, 1, 1, 1).finished()};
  p.k = p.q;
  p.v = {(Matrix<double>(3, 2) << 1, 2, 3, 4, 5, 6).finished()};
  p.mask = plainMask(true);
  return computeTrace(p).take();
}

}  // namespace

TEST_CASE("a change names the rows that differ and the largest difference") {
  Matrix<double> before(2, 2), after(2, 2);
  before << 1, 2, 3, 4;
  after << 1, 2, 2.5, 9;
  const auto change = changeOf({before.data(), 2, 2}, {after.data(), 2, 2});
  REQUIRE(change);
  CHECK(change->cells == 2);
  CHECK(change->rows == std::vector<Index>{1});
  CHECK(change->largest == 5);
  CHECK(change->row == 1);
  CHECK(change->col == 1);
  CHECK(changeOf({before.data(), 2, 2}, {before.data(), 2, 2})->none());
  CHECK_FALSE(changeOf({before.data(), 2, 2}, {after.data(), 1, 2}));
}

TEST_CASE("two NaN are the same, 0 and −0 are not, and what is not finite is the largest") {
  const double nan = std::numeric_limits<double>::quiet_NaN(), infinity = std::numeric_limits<double>::infinity();
  CHECK(sameNumber(nan, nan));
  CHECK_FALSE(sameNumber(0.0, -0.0));
  Matrix<double> before(1, 3), after(1, 3);
  before << nan, 1, 5;
  after << nan, -infinity, 500;
  const auto change = changeOf({before.data(), 1, 3}, {after.data(), 1, 3});
  CHECK(change->cells == 2);
  CHECK(change->largest == -infinity);
  CHECK(change->col == 1);
}

TEST_CASE("a Trace of differences holds after − before of every array, and blocks what both block") {
  const Trace<double> before = lessonTrace();
  Problem<double> edited = before.problem;
  edited.v[0].row(0).setZero();
  edited.mask.rules.push_back({Index(2), Index(1), false});
  const Trace<double> after = computeTrace(edited).take();
  REQUIRE(sameShapes(before, 0, after, 0));
  const Trace<double> difference = differenceOf(before, 0, after, 0);
  for (const Array array : {Array::kQ, Array::kV, Array::kScores, Array::kWeights, Array::kZ, Array::kY}) {
    const ArrayView a = arrayOf(before, 0, array), b = arrayOf(after, 0, array), d = arrayOf(difference, 0, array);
    for (Index i = 0; i < d.rows; ++i)
      for (Index j = 0; j < d.columns; ++j) CHECK(d(i, j) == b(i, j) - a(i, j));
  }
  CHECK_FALSE(difference.mask.allowed(0, 1));
  CHECK(difference.mask.allowed(2, 1));
}

TEST_CASE("traces of other shapes are told apart") {
  const Trace<double> before = lessonTrace();
  Problem<double> wider = before.problem;
  wider.v = {Matrix<double>::Ones(3, 3)};
  CHECK_FALSE(sameShapes(before, 0, computeTrace(wider).take(), 0));
  Problem<double> capped = before.problem;
  capped.softcap = 2;
  CHECK_FALSE(sameShapes(before, 0, computeTrace(capped).take(), 0));
}

}  // namespace attn::core
