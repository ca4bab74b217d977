// The worked answers of the two lessons. Positions count from 0 here.
#include <doctest/doctest.h>

#include <cmath>
#include <numbers>

#include "support/problems.h"

namespace {

using namespace attn;
using namespace attn::test;

// Values printed with four decimals: half a unit of the last digit.
constexpr double kFourDecimals = 0.5e-4;
// Exact fractions reached through ln 2, √2 and one exponential: a few roundings of numbers near 1.
constexpr double kExact = 1e-15;

double entropy(const Matrix& weights, Index row) {
  double sum = 0;
  for (Index j = 0; j < weights.cols(); ++j)
    if (weights(row, j) > 0) sum -= weights(row, j) * std::log(weights(row, j));
  return sum;
}

// Weights of one row that has these raw scores, with this d_k: q is the unit vector, k_j its score.
Matrix weightsOfScores(std::initializer_list<double> scores, Index d_k, std::optional<double> scale) {
  Problem p;
  p.T = 1;
  p.S = static_cast<Index>(scores.size());
  p.cross = true;
  p.q = {Matrix::Zero(1, d_k)};
  p.q[0](0, 0) = 1;
  p.k = {Matrix::Zero(p.S, d_k)};
  Index j = 0;
  for (const double score : scores) p.k[0](j++, 0) = score;
  p.v = {Matrix::Ones(p.S, 1)};
  p.scale = scale;
  return traceOf(p).heads[0].softmax.weights;
}

}  // namespace

TEST_CASE("L1: three positions give the exact weights of the lesson") {
  const Trace trace = traceOf(threePositions());
  const core::HeadTrace<double>& head = trace.heads[0];
  const double ln2 = std::numbers::ln2;
  CHECK(largestDifference(head.scaled, matrix({{ln2, 0, ln2}, {0, ln2, ln2}, {ln2, ln2, 2 * ln2}})) <= kExact);
  CHECK(largestDifference(head.softmax.weights, matrix({{1, 0, 0}, {1. / 3, 2. / 3, 0}, {.25, .25, .5}})) <= kExact);
  CHECK(head.softmax.weights(0, 0) == 1);
  CHECK(largestDifference(head.z, matrix({{2, 0}, {2. / 3, 8. / 3}, {1.5, 3}})) <= 4 * kExact);
  CHECK(largestDifference(trace.concat, head.z) == 0);
  CHECK(largestDifference(trace.y, head.z) == 0);
  CHECK(largestDifference(trace.residual->row(2), matrix({{2.5, 4}})) <= 4 * kExact);
}

TEST_CASE("L1: both the plain exponentials and those below the row maximum are kept, with their sums") {
  const core::Softmax<double> softmax = traceOf(threePositions()).heads[0].softmax;
  // Numbers up to 8 after one exponential.
  CHECK(largestDifference(softmax.exp_plain, matrix({{2, 0, 0}, {1, 2, 0}, {2, 2, 4}})) <= 4 * kExact);
  CHECK(largestDifference(softmax.row_sum_plain, matrix({{2, 3, 8}})) <= 8 * kExact);
  CHECK(largestDifference(softmax.exp, matrix({{1, 0, 0}, {.5, 1, 0}, {.5, .5, 1}})) <= kExact);
  CHECK(largestDifference(softmax.row_sum, matrix({{1, 1.5, 2}})) <= 2 * kExact);
}

TEST_CASE("L2: zeroing a value after projection changes no weight by a single bit") {
  const Trace before = traceOf(threePositions());
  Problem p = threePositions();
  p.wv.clear();
  p.v = {before.heads[0].v};
  p.v[0].row(1).setZero();
  const Trace after = traceOf(p);
  CHECK(largestDifference(after.heads[0].softmax.weights, before.heads[0].softmax.weights) == 0);
  CHECK(largestDifference(after.heads[0].z.row(2), matrix({{1.5, 2}})) <= 4 * kExact);
}

TEST_CASE("L3: a forbidden source takes no part, and other rows do not change") {
  const Trace before = traceOf(threePositions());
  Problem p = threePositions();
  p.mask.allowed = {{true, true, true}, {true, true, true}, {true, false, true}};
  const core::HeadTrace<double> head = traceOf(p).heads[0];
  CHECK(largestDifference(head.softmax.exp_plain.row(2), matrix({{2, 0, 4}})) <= 4 * kExact);
  CHECK(largestDifference(head.softmax.weights.row(2), matrix({{1. / 3, 0, 2. / 3}})) <= kExact);
  CHECK(largestDifference(head.z.row(2), matrix({{2, 8. / 3}})) <= 4 * kExact);
  CHECK(largestDifference(head.softmax.weights.topRows(2), before.heads[0].softmax.weights.topRows(2)) == 0);
  CHECK(largestDifference(head.z.topRows(2), before.heads[0].z.topRows(2)) == 0);
}

TEST_CASE("L4: the cat sat down") {
  const core::HeadTrace<double> head = traceOf(catSatDown()).heads[0];
  const Matrix scores = matrix({{1, 0, .5, .5}, {1, 0, .5, .5}, {0, 4, 1, 0}, {.5, 4, 1.25, .25}});
  CHECK(largestDifference(head.scores, scores) == 0);
  const Matrix weights = matrix({{.3451, .1702, .2423, .2423},
                                 {.3451, .1702, .2423, .2423},
                                 {.0477, .8077, .0968, .0477},
                                 {.0649, .7706, .1102, .0544}});
  CHECK(largestDifference(head.softmax.weights, weights) <= kFourDecimals);
  const Matrix z = matrix({{.7087, .5337}, {.7087, .5337}, {.1684, .9284}, {.2023, .9080}});
  CHECK(largestDifference(head.z, z) <= kFourDecimals);
}

TEST_CASE("L5: the cat sat down, causal") {
  Problem p = catSatDown();
  p.mask.causal = true;
  const core::HeadTrace<double> head = traceOf(p).heads[0];
  const Matrix weights =
      matrix({{1, 0, 0, 0}, {.6698, .3302, 0, 0}, {.0501, .8482, .1017, 0}, {.0649, .7706, .1102, .0544}});
  CHECK(largestDifference(head.softmax.weights, weights) <= kFourDecimals);
  CHECK(largestDifference(head.z, matrix({{1, 0}, {.6698, .3302}, {.1518, .9499}, {.2023, .9080}})) <= kFourDecimals);
}

TEST_CASE("L6: to be or not to be, one head that looks back and one that looks for the same word") {
  const std::vector<int> words = {0, 1, 2, 3, 0, 1};
  Problem p;
  p.T = p.S = 6;
  p.mask.causal = true;
  p.scale = 1.0;
  // One-hot queries and keys: the scaled score is 5 on a match and 0 elsewhere.
  Matrix back = Matrix::Zero(6, 6), same = Matrix::Zero(6, 4);
  for (Index i = 0; i < 6; ++i) {
    back(i, std::max<Index>(0, i - 1)) = 5;
    same(i, words[static_cast<std::size_t>(i)]) = 1;
  }
  p.q = {back, Matrix::Zero(6, 6)};
  p.q[1].leftCols(4) = 5 * same;
  p.k = {Matrix::Identity(6, 6), Matrix::Zero(6, 6)};
  p.k[1].leftCols(4) = same;
  p.v = {Matrix::Ones(6, 1), Matrix::Ones(6, 1)};
  const Trace trace = traceOf(p);
  CHECK(std::abs(trace.heads[0].softmax.weights(3, 2) - .9802) <= kFourDecimals);
  CHECK(trace.heads[0].softmax.weights(0, 0) == 1);
  CHECK(std::abs(trace.heads[1].softmax.weights(5, 5) - .4934) <= kFourDecimals);
  CHECK(std::abs(trace.heads[1].softmax.weights(5, 1) - .4934) <= kFourDecimals);
}

TEST_CASE("L11: equal scores give equal weights, however large they are") {
  for (const double score : {0.0, 1000.0, -1000.0}) {
    const core::Softmax<double> softmax = core::softmaxRows(matrix({{score, score}}), core::Mask(1, 2));
    CHECK(largestDifference(softmax.weights, matrix({{.5, .5}})) == 0);
  }
  CHECK(core::softmaxRows(matrix({{1000, 1000}}), core::Mask(1, 2)).exp_plain(0, 0) == kInfinity);
}

TEST_CASE("L12: a zero instead of −∞ leaks, and a triangle after softmax leaves rows that do not sum to 1") {
  Problem p = catSatDown();
  p.mask.causal = true;
  const Trace right = traceOf(p);
  Matrix zeroed = right.heads[0].scaled, cut = traceOf(catSatDown()).heads[0].softmax.weights;
  for (Index i = 0; i < 4; ++i)
    for (Index j = i + 1; j < 4; ++j) zeroed(i, j) = cut(i, j) = 0;
  const Matrix leaking = core::softmaxRows(zeroed, core::Mask(4, 4)).weights;
  for (Index i = 0; i < 3; ++i) {
    CHECK(std::abs(right.heads[0].softmax.weights.row(i).sum() - 1) <= kExact);
    CHECK(leaking.row(i).tail(3 - i).sum() > 0.04);
    CHECK(cut.row(i).sum() < 0.96);
    // Renormalising what the triangle left gives the right row again.
    CHECK(largestDifference(cut.row(i) / cut.row(i).sum(), right.heads[0].softmax.weights.row(i)) <= kExact);
  }
}

TEST_CASE("L13: scaling by 1/√512 keeps a row from collapsing onto one source") {
  const std::initializer_list<double> scores = {-6, -23, -40, -10, 47, -13, 36, 22};
  const double three_decimals = 0.5e-3;
  const Matrix scaled = weightsOfScores(scores, 512, std::nullopt);
  CHECK(std::abs(scaled.maxCoeff() - .442) <= three_decimals);
  CHECK(std::abs(entropy(scaled, 0) - 1.480) <= three_decimals);
  const Matrix unscaled = weightsOfScores(scores, 512, 1.0);
  CHECK(std::abs(unscaled.maxCoeff() - 1) <= three_decimals);
  CHECK(entropy(unscaled, 0) <= three_decimals);
  const Matrix even = weightsOfScores({1, 1, 1, 1, 1, 1, 1, 1}, 512, std::nullopt);
  CHECK(std::abs(entropy(even, 0) - 2.079) <= three_decimals);
}

TEST_CASE("L14: concatenation keeps what two heads read apart") {
  Problem p;
  p.T = p.S = 3;
  p.scale = 1.0;
  p.q = {Matrix::Zero(3, 3), Matrix::Zero(3, 3)};
  p.q[0](2, 0) = p.q[1](2, 1) = 40;  // softmax only approaches a weight of 1: e^−40 is left over
  p.k = {Matrix::Identity(3, 3), Matrix::Identity(3, 3)};
  p.v = {matrix({{1, 2}, {3, 4}, {5, 6}}), matrix({{10, 20}, {30, 40}, {50, 60}})};
  const Trace trace = traceOf(p);
  const double left_over = 2 * std::exp(-40.0);
  CHECK(largestDifference(trace.heads[0].softmax.weights.row(2), matrix({{1, 0, 0}})) <= left_over);
  CHECK(largestDifference(trace.heads[1].softmax.weights.row(2), matrix({{0, 1, 0}})) <= left_over);
  CHECK(trace.heads[0].softmax.weights(2, 1) > 0);
  CHECK(largestDifference(trace.concat.row(2), matrix({{1, 2, 30, 40}})) <= 100 * left_over);
}

TEST_CASE("L15: five tokens of width 12 with d_k = 3 and d_v = 4") {
  Random random(15);
  Problem p;
  p.T = p.S = 5;
  p.x = random.matrix(5, 12);
  p.wq = {random.matrix(12, 3)};
  p.wk = {random.matrix(12, 3)};
  p.wv = {random.matrix(12, 4)};
  const Trace trace = traceOf(p);
  const auto shape = [&](core::Array array) {
    const core::ArrayView view = core::arrayOf(trace, 0, array);
    return core::shapeText(view.rows, view.columns);
  };
  CHECK(shape(core::Array::kWq) == "12×3");
  CHECK(shape(core::Array::kScores) == "5×5");
  CHECK(shape(core::Array::kWeights) == "5×5");
  CHECK(shape(core::Array::kZ) == "5×4");
}
