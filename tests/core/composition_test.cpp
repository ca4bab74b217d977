// Composition scores against the definition with whole matrices, and where they are known.
#include "core/composition.h"

#include <doctest/doctest.h>

#include <cmath>

#include "support/problems.h"

namespace attn::core {
namespace {

using Real = Matrix<double>;
using test::Random;

constexpr Index kWidth = 12, kHeadWidth = 3;

Problem<float> attention(Random& random, bool with_gain = true) {
  Problem<float> problem = toFloat(test::randomProblem(random, 4, kWidth, 4, 4));
  for (auto* weights : {&problem.wq, &problem.wk, &problem.wv})
    for (Matrix<float>& w : *weights) w = random.matrix(kWidth, kHeadWidth).cast<float>();
  problem.wo = random.matrix(4 * kHeadWidth, kWidth).cast<float>();
  problem.norm.emplace();
  if (with_gain) problem.norm->gain = RowVector<float>(random.matrix(1, kWidth).cast<float>());
  return problem;
}

Real whole(const LowRank& map) { return map.left * map.right; }

Real gainOf(const Problem<float>& problem) {
  return problem.norm->gain->cast<double>().transpose().asDiagonal();
}

double ratio(const Real& a, const Real& b) { return (a * b).norm() / (a.norm() * b.norm()); }

// A head whose queries, keys and values are all column 0 … of the stream, and whose output is column `to`.
HeadMaps singleHead(Index from, Index to) {
  LowRank map{Real::Zero(kWidth, 1), Real::Zero(1, kWidth)};
  map.left(from, 0) = 2;
  map.right(0, to) = -3;
  return {map, map};
}

}  // namespace

TEST_CASE("The maps of a head are its weights, with the norm's gain folded into what it reads") {
  Random random(41);
  const Problem<float> problem = attention(random);
  const HeadMaps maps = headMaps(problem, 2);
  const Real g = gainOf(problem), wq = problem.wq[2].cast<double>(), wk = problem.wk[2].cast<double>();
  const Real wv = problem.wv[2].cast<double>(), wo = problem.wo->middleRows(2 * kHeadWidth, kHeadWidth).cast<double>();
  CHECK(test::largestDifference(whole(maps.qk), g * wq * wk.transpose() * g) < 1e-12);
  CHECK(test::largestDifference(whole(maps.ov), g * wv * wo) < 1e-12);
  Random again(42);
  const Problem<float> plain = attention(again, false);
  CHECK(maps.ov.left.cols() == kHeadWidth);
  CHECK(headMaps(plain, 0).ov.left == Real(plain.wv[0].cast<double>()));
}

TEST_CASE("The norm of a map of small rank is that of the whole matrix") {
  Random random(43);
  for (const Index rank : {1, 3, 12}) {
    const LowRank map{random.matrix(kWidth, rank), random.matrix(rank, kWidth)};
    CHECK(frobeniusNorm(map) == doctest::Approx(whole(map).norm()).epsilon(1e-13));
  }
}

TEST_CASE("Scores are the ratios of norms that define them") {
  Random random(44);
  for (int n = 0; n < 5; ++n) {
    const HeadMaps a = headMaps(attention(random), n % 4), b = headMaps(attention(random), 3);
    const Composition scores = composition(a, b);
    const Real ov = whole(a.ov);
    CHECK(scores.q == doctest::Approx(ratio(ov, whole(b.qk))).epsilon(1e-12));
    CHECK(scores.k == doctest::Approx(ratio(whole(b.qk), ov.transpose())).epsilon(1e-12));
    CHECK(scores.v == doctest::Approx(ratio(ov, whole(b.ov))).epsilon(1e-12));
  }
}

TEST_CASE("A head that reads just what another writes has score 1, and one that reads something else 0") {
  const Composition same = composition(singleHead(0, 5), singleHead(5, 7));
  CHECK(same.q == 1);
  CHECK(same.v == 1);
  CHECK(same.k == 0);  // keys are read from column 7
  const Composition keys = composition(singleHead(0, 7), singleHead(5, 7));
  CHECK(keys.k == 1);
  CHECK(keys.q == 0);
  CHECK(keys.v == 0);
  CHECK(std::isnan(composition({{Real::Zero(4, 1), Real::Zero(1, 4)}, {Real::Zero(4, 1), Real::Zero(1, 4)}},
                               {{Real::Ones(4, 1), Real::Ones(1, 4)}, {Real::Ones(4, 1), Real::Ones(1, 4)}}).q));
}

TEST_CASE("Scaling a head's weights changes no score") {
  Random random(45);
  Problem<float> a = attention(random);
  const HeadMaps b = headMaps(attention(random), 1);
  const Composition before = composition(headMaps(a, 0), b);
  a.wv[0] *= 8;
  const Composition after = composition(headMaps(a, 0), b);
  CHECK(after.q == doctest::Approx(before.q).epsilon(1e-12));
  CHECK(after.v == doctest::Approx(before.v).epsilon(1e-12));
}

TEST_CASE("Maps by chance have a score of about one over the root of the width, the same for the same seed") {
  CHECK(randomComposition(64, 16, 20, 1) == doctest::Approx(1.0 / 8).epsilon(0.05));
  CHECK(randomComposition(16, 16, 200, 1) == doctest::Approx(1.0 / 4).epsilon(0.1));
  CHECK(randomComposition(64, 16, 3, 7) == randomComposition(64, 16, 3, 7));
  CHECK(randomComposition(64, 16, 3, 7) != randomComposition(64, 16, 3, 8));
}

}  // namespace attn::core
