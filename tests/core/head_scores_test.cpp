// Scores of heads against closed forms, and against sums written out cell by cell.
#include "core/head_scores.h"

#include <doctest/doctest.h>

#include <cmath>
#include <limits>
#include <vector>

#include "core/rng.h"

namespace {

using namespace attn;
using core::HeadScores;
using core::headScores;
using core::Index;
using core::Matrix;

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

Matrix<double> uniform(Index T, bool causal) {
  Matrix<double> weights = Matrix<double>::Zero(T, T);
  for (Index i = 0; i < T; ++i) weights.row(i).head(causal ? i + 1 : T).setConstant(1.0 / double(causal ? i + 1 : T));
  return weights;
}

Matrix<double> random(std::uint64_t seed, Index T, Index S, bool causal) {
  core::Rng rng(seed);
  Matrix<double> weights = rng.normalMatrix(T, S).array().exp();
  for (Index i = 0; i < T; ++i) {
    for (Index j = 0; j < S; ++j)
      if (causal && j > i + S - T) weights(i, j) = 0;
    weights.row(i) /= weights.row(i).sum();
  }
  return weights;
}

// What the header says, cell by cell.
HeadScores bySums(const Matrix<double>& w, const std::vector<Index>& tokens, bool causal) {
  const Index T = w.rows(), S = w.cols();
  double sums[6] = {}, counts[6] = {};
  const auto add = [&](int which, double value) { sums[which] += value, counts[which] += 1; };
  for (Index i = 0; i < T; ++i) {
    const Index p = i + S - T, n = causal ? p + 1 : S;
    double entropy = 0;
    for (Index j = 0; j < S; ++j)
      if (w(i, j) > 0) entropy -= w(i, j) * std::log(w(i, j));
    if (n > 1) add(0, entropy / std::log(double(n)));
    if (p < 0) continue;
    add(1, w(i, p));
    if (p > 0) add(2, w(i, p - 1)), add(3, w(i, 0));
    double repeat = 0, same = 0;
    bool any_repeat = false, any_same = false;
    for (Index j = 0; j < p; ++j) {
      if (tokens.empty() || tokens[std::size_t(j)] != tokens[std::size_t(p)]) continue;
      same += w(i, j), any_same = true;
      if (j + 1 < p) repeat += w(i, j + 1), any_repeat = true;
    }
    if (any_repeat) add(4, repeat);
    if (any_same) add(5, same);
  }
  HeadScores out;
  double* const values[6] = {&out.entropy, &out.diagonal, &out.previous, &out.first, &out.repeat, &out.same};
  for (int k = 0; k < 6; ++k) *values[k] = counts[k] > 0 ? sums[k] / counts[k] : kNaN;
  return out;
}

bool near(double a, double b) { return (std::isnan(a) && std::isnan(b)) || std::abs(a - b) < 1e-12; }

}  // namespace

TEST_CASE("a head that reads all alike has entropy 1, and one that reads itself 0") {
  for (const bool causal : {true, false}) {
    const HeadScores all = headScores(uniform(7, causal));
    CHECK(all.entropy == doctest::Approx(1).epsilon(1e-12));
    CHECK(all.causal == causal);
  }
  const HeadScores itself = headScores(Matrix<double>::Identity(7, 7));
  CHECK(itself.entropy == 0);
  CHECK(itself.diagonal == 1);
  CHECK(itself.previous == 0);
}

TEST_CASE("a causal head that reads all alike gives the mean of 1/(i + 1) to itself") {
  double itself = 0, before = 0;
  for (int i = 0; i < 9; ++i) itself += 1.0 / (i + 1) / 9;
  for (int i = 1; i < 9; ++i) before += 1.0 / (i + 1) / 8;
  const HeadScores scores = headScores(uniform(9, true));
  CHECK(scores.diagonal == doctest::Approx(itself).epsilon(1e-12));
  CHECK(scores.previous == doctest::Approx(before).epsilon(1e-12));
  CHECK(scores.first == doctest::Approx(before).epsilon(1e-12));
}

TEST_CASE("a head that reads the token before has that score 1, and no spread") {
  Matrix<double> weights = Matrix<double>::Zero(6, 6);
  weights(0, 0) = 1;
  for (Index i = 1; i < 6; ++i) weights(i, i - 1) = 1;
  const HeadScores scores = headScores(weights);
  CHECK(scores.previous == 1);
  CHECK(scores.entropy == 0);
  CHECK(scores.first == doctest::Approx(1.0 / 5));
  CHECK(scores.diagonal == doctest::Approx(1.0 / 6));
}

TEST_CASE("an induction head on a sequence that is repeated has the repeat score 1") {
  // a b c a b c: positions 3, 4, 5 repeat 0, 1, 2 and read what followed those.
  Matrix<double> weights = Matrix<double>::Zero(6, 6);
  for (Index i = 0; i < 6; ++i) weights(i, i < 3 ? 0 : i - 2) = 1;
  const std::vector<Index> tokens = {5, 9, 7, 5, 9, 7};
  CHECK(headScores(weights, tokens).repeat == 1);
  CHECK(headScores(Matrix<double>::Identity(6, 6), tokens).repeat == 0);
}

TEST_CASE("a head that reads the last occurrence of the same token has the same score 1, and rows without one no say") {
  // a b a a: positions 2 and 3 have an earlier occurrence; 3 has two, and reads both halves.
  Matrix<double> weights = Matrix<double>::Zero(4, 4);
  weights(0, 0) = weights(1, 1) = weights(2, 0) = 1;
  weights(3, 0) = weights(3, 2) = 0.5;
  const std::vector<Index> tokens = {8, 2, 8, 8};
  CHECK(headScores(weights, tokens).same == 1);
  CHECK(headScores(Matrix<double>::Identity(4, 4), tokens).same == 0);
  CHECK(headScores(uniform(4, true), tokens).same == doctest::Approx((1.0 / 3 + 2.0 / 4) / 2));
  CHECK(std::isnan(headScores(weights, std::vector<Index>{1, 2, 3, 4}).same));
  CHECK(std::isnan(headScores(weights).same));
}

TEST_CASE("where no token repeats, or only beside itself, nothing is said of repeats") {
  const Matrix<double> weights = uniform(4, true);
  CHECK(std::isnan(headScores(weights, std::vector<Index>{1, 2, 3, 4}).repeat));
  CHECK(std::isnan(headScores(weights, std::vector<Index>{1, 1, 2, 3}).repeat));
  CHECK(std::isnan(headScores(weights).repeat));
  CHECK(std::isnan(headScores(weights, std::vector<Index>{1, 1, 1}).repeat));  // not one for each source
  CHECK(headScores(weights, std::vector<Index>{1, 1, 1, 1}).repeat == doctest::Approx((1.0 / 3 + 2.0 / 4) / 2));
}

TEST_CASE("all scores are the sums that define them, square or not, causal or not") {
  const std::vector<Index> tokens = {3, 1, 3, 3, 2, 1, 2, 3, 1};
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    for (const Index T : {1, 4, 9, 12}) {
      for (const bool causal : {true, false}) {
        if (causal && T > 9) continue;  // rows that may read nothing
        CAPTURE(seed);
        CAPTURE(T);
        CAPTURE(causal);
        const Matrix<double> weights = random(seed, T, 9, causal);
        const bool reads_back = causal || T == 1;  // one row stands at the last source
        const HeadScores is = headScores(weights, tokens), wanted = bySums(weights, tokens, reads_back);
        CHECK(is.causal == reads_back);
        CHECK(near(is.entropy, wanted.entropy));
        CHECK(near(is.diagonal, wanted.diagonal));
        CHECK(near(is.previous, wanted.previous));
        CHECK(near(is.first, wanted.first));
        CHECK(near(is.repeat, wanted.repeat));
        CHECK(near(is.same, wanted.same));
        CHECK(is.left_out == 0);
      }
    }
  }
}

TEST_CASE("rows that are no weights are left out and counted, and change nothing else") {
  const Matrix<double> good = random(3, 8, 8, true);
  for (const double odd : {kNaN, std::numeric_limits<double>::infinity(), -0.25, 0.0}) {
    Matrix<double> weights = good;
    weights.row(2).setZero();
    weights(2, 1) = odd;
    const HeadScores scores = headScores(weights);
    CHECK(scores.left_out == 1);
    double itself = 0;
    for (Index i = 0; i < 8; ++i)
      if (i != 2) itself += good(i, i) / 7;
    CHECK(near(scores.diagonal, itself));
    CHECK(scores.causal);
  }
}

TEST_CASE("weights beside which something else took its share are spread as what is left") {
  const Matrix<double> weights = uniform(5, true) * 0.25;
  CHECK(headScores(weights).entropy == doctest::Approx(1).epsilon(1e-12));
  CHECK(headScores(weights).left_out == 0);
}

TEST_CASE("of nothing there is nothing to say") {
  for (const auto& [rows, columns] : {std::pair<Index, Index>{0, 0}, {0, 4}, {4, 0}, {1, 1}}) {
    const HeadScores scores = headScores(Matrix<double>::Zero(rows, columns));
    for (const double each :
       {scores.entropy, scores.diagonal, scores.previous, scores.first, scores.repeat, scores.same})
    CHECK(std::isnan(each));
    CHECK(scores.left_out == rows);
    CHECK_FALSE(scores.causal);
  }
  CHECK(std::isnan(headScores(Matrix<double>::Ones(1, 1)).entropy));
  CHECK(headScores(Matrix<double>::Ones(1, 1)).diagonal == 1);
}

TEST_CASE("a small map sums over sources and averages over destinations") {
  const Matrix<double> weights = random(5, 9, 12, false);
  const Matrix<double> map = core::smallMap(weights, 3, 4);
  for (Index r = 0; r < 3; ++r) {
    for (Index c = 0; c < 4; ++c) {
      double sum = 0;
      for (Index i = 3 * r; i < 3 * r + 3; ++i)
        for (Index j = 3 * c; j < 3 * c + 3; ++j) sum += weights(i, j);
      CHECK(map(r, c) == doctest::Approx(sum / 3).epsilon(1e-12));
    }
    CHECK(map.row(r).sum() == doctest::Approx(1).epsilon(1e-12));
  }
}

TEST_CASE("a small map of uneven blocks has every weight once, and one of single cells is the weights") {
  const Matrix<double> weights = random(6, 50, 50, true);
  const Matrix<double> map = core::smallMap(weights, 24, 24);
  for (Index r = 0; r < 24; ++r) CHECK(map.row(r).sum() == doctest::Approx(1).epsilon(1e-12));
  CHECK(core::smallMap(weights, 50, 50) == weights);
}

TEST_CASE("a head that reads the token before is a line in its small map") {
  Matrix<double> weights = Matrix<double>::Zero(1024, 1024);
  weights(0, 0) = 1;
  for (Index i = 1; i < 1024; ++i) weights(i, i - 1) = 1;
  const Matrix<double> map = core::smallMap(weights, 24, 24);
  for (Index r = 0; r < 24; ++r) CHECK(map(r, r) > 0.97);
}

TEST_CASE("rows that are no weights leave a small map where others stand, and a hole where none does") {
  Matrix<double> weights = uniform(6, false);
  weights(0, 3) = kNaN;
  weights.row(4).setConstant(kNaN);
  weights.row(5).setZero();
  const Matrix<double> map = core::smallMap(weights, 3, 2);
  CHECK(map(0, 0) == doctest::Approx(0.5));
  CHECK(map(1, 1) == doctest::Approx(0.5));
  CHECK(std::isnan(map(2, 0)));
  CHECK(std::isnan(map(2, 1)));
  CHECK(core::smallMap(Matrix<double>(0, 4), 2, 2).hasNaN());
}

TEST_CASE("a small map of fewer positions than it has rows shows them again") {
  const Matrix<double> weights = random(7, 2, 3, false);
  const Matrix<double> map = core::smallMap(weights, 4, 3);
  CHECK(map.row(0) == weights.row(0));
  CHECK(map.row(1) == weights.row(0));
  CHECK(map.row(3) == weights.row(1));
}
