// Inputs on which public attention tools went wrong, with the right behaviour.
#include <doctest/doctest.h>

#include <cmath>
#include <string>

#include "support/problems.h"

namespace {

using namespace attn;
using namespace attn::test;

constexpr double kSixDecimals = 1e-6;  // as the right answers are printed

// One row per destination, 1 where it may read: "10000 11000".
std::string pattern(const core::MaskSpec& spec, Index rows, Index columns) {
  const core::Mask mask = core::makeMask(spec, rows, columns).take();
  std::string text;
  for (Index i = 0; i < rows; ++i) {
    if (i > 0) text += ' ';
    for (Index j = 0; j < columns; ++j) text += mask.allowed(i, j) ? '1' : '0';
  }
  return text;
}

Problem causalBase() {
  Problem p = baseCase();
  p.mask.causal = true;
  return p;
}

const Matrix kCausalWeights = matrix({{1, 0, 0}, {.330238, .669762, 0}, {.248255, .248255, .503490}});

}  // namespace

TEST_CASE("C1: the base case without a mask") {
  const core::HeadTrace<double> head = traceOf(baseCase()).heads[0];
  const Matrix scaled = matrix({{.707107, 0, .707107}, {0, .707107, .707107}, {.707107, .707107, 1.414214}});
  const Matrix weights =
      matrix({{.401112, .197776, .401112}, {.197776, .401112, .401112}, {.248255, .248255, .503490}});
  CHECK(largestDifference(head.scaled, scaled) <= kSixDecimals);
  CHECK(largestDifference(head.masked, head.scaled) == 0);
  CHECK(largestDifference(head.softmax.weights, weights) <= kSixDecimals);
  CHECK(largestDifference(head.z, matrix({{3, 4}, {3.406673, 4.406673}, {3.510470, 4.510470}})) <= kSixDecimals);
}

TEST_CASE("C2: the base case, causal, marks blocked cells as blocked and not as zero scores") {
  const core::HeadTrace<double> head = traceOf(causalBase()).heads[0];
  CHECK(largestDifference(head.softmax.weights, kCausalWeights) <= kSixDecimals);
  CHECK(largestDifference(head.z, matrix({{1, 2}, {2.339523, 3.339523}, {3.510470, 4.510470}})) <= kSixDecimals);
  const core::Mask mask = traceOf(causalBase()).mask;
  for (Index i = 0; i < 3; ++i)
    for (Index j = 0; j < 3; ++j) {
      CHECK(core::blockReasonText(mask.reasons(i, j)) == (j > i ? "causal" : ""));
      CHECK((head.masked(i, j) == -kInfinity) == (j > i));
      if (j > i) CHECK(head.softmax.weights(i, j) == 0);
    }
}

TEST_CASE("C3: a row that may read nothing has no distribution, and no other row changes") {
  Problem p = causalBase();
  p.mask.allowed = {{false, false, false}, {true, true, true}, {true, true, true}};
  const Trace trace = traceOf(p), causal = traceOf(causalBase());
  const core::HeadTrace<double>& head = trace.heads[0];
  CHECK(head.softmax.row_status[0] == core::RowStatus::kNoSource);
  CHECK(head.softmax.row_status[1] == core::RowStatus::kOk);
  CHECK(head.softmax.row_max(0) == -kInfinity);
  CHECK(head.softmax.row_sum(0) == 0);
  CHECK(head.softmax.row_sum_plain(0) == 0);
  for (const Matrix* m : {&head.softmax.exp, &head.softmax.exp_plain, &head.softmax.weights, &head.z})
    CHECK(m->row(0).cwiseAbs().maxCoeff() == 0);
  CHECK(largestDifference(head.softmax.weights.bottomRows(2), causal.heads[0].softmax.weights.bottomRows(2)) == 0);
  CHECK(largestDifference(head.z.bottomRows(2), causal.heads[0].z.bottomRows(2)) == 0);
  CHECK_FALSE(trace.y.hasNaN());
  CHECK(trace.mask.allowedInRow(0) == 0);
  CHECK(trace.mask.allowedInRow(2) == 3);
}

TEST_CASE("C4: zeroing a value and forbidding a source are told apart by map and output") {
  Problem zeroed = causalBase();
  zeroed.v[0].row(0).setZero();
  const core::HeadTrace<double> value = traceOf(zeroed).heads[0];
  CHECK(largestDifference(value.softmax.weights, kCausalWeights) <= kSixDecimals);
  CHECK(largestDifference(value.z, matrix({{0, 0}, {2.009285, 2.679046}, {3.262214, 4.013959}})) <= kSixDecimals);

  Problem forbidden = causalBase();
  forbidden.mask.padding = {false, true, true};
  const core::HeadTrace<double> source = traceOf(forbidden).heads[0];
  CHECK(largestDifference(source.softmax.weights, matrix({{0, 0, 0}, {0, 1, 0}, {0, .330238, .669762}})) <=
        kSixDecimals);
  CHECK(largestDifference(source.z, matrix({{0, 0}, {3, 4}, {4.339523, 5.339523}})) <= kSixDecimals);
  CHECK(source.softmax.row_status[0] == core::RowStatus::kNoSource);
}

TEST_CASE("C5: two queries over three keys give a map of two rows and three columns") {
  Problem p = baseCase();
  p.T = 2;
  p.cross = true;
  p.q[0] = Matrix(p.q[0].topRows(2));
  const core::HeadTrace<double> head = traceOf(p).heads[0];
  CHECK(core::shapeText(head.softmax.weights.rows(), head.softmax.weights.cols()) == "2×3");
  CHECK(largestDifference(head.softmax.weights, traceOf(baseCase()).heads[0].softmax.weights.topRows(2)) == 0);
}

TEST_CASE("C6: a causal mask over more sources than destinations follows the alignment that is named") {
  core::MaskSpec spec;
  spec.causal = true;
  CHECK(pattern(spec, 2, 5) == "10000 11000");
  spec.align = core::Align::kBottomRight;
  CHECK(pattern(spec, 2, 5) == "11110 11111");
}

TEST_CASE("C7: one token reads itself with weight exactly 1") {
  Problem p;
  p.T = p.S = 1;
  p.q = {matrix({{2, 3}})};
  p.k = {matrix({{5, 7}})};
  p.v = {matrix({{11, 13}})};
  const core::HeadTrace<double> head = traceOf(p).heads[0];
  CHECK(std::abs(head.scaled(0, 0) - 21.920310) <= kSixDecimals);
  CHECK(head.softmax.weights(0, 0) == 1);
  CHECK(largestDifference(head.z, matrix({{11, 13}})) == 0);
}

TEST_CASE("C8: a window counts the token itself") {
  core::MaskSpec spec;
  spec.causal = true;
  spec.window = 2;
  CHECK(pattern(spec, 5, 5) == "10000 11000 01100 00110 00011");
  spec.causal = false;
  CHECK(pattern(spec, 5, 5) == "11000 11100 01110 00111 00011");
}

TEST_CASE("C9: eight query heads share two key/value heads in groups of four; three are refused") {
  Random random(9);
  Problem p = randomProblem(random, 3, 4, 8, 2);
  const Trace trace = traceOf(p);
  for (std::size_t h = 0; h < 8; ++h) CHECK(trace.heads[h].kv_head == (h < 4 ? 0 : 1));
  CHECK(largestDifference(trace.heads[3].k, trace.heads[0].k) == 0);
  CHECK(largestDifference(trace.heads[4].k, trace.heads[0].k) > 0);
  const core::Check refusal = core::checkProblem(randomProblem(random, 3, 4, 8, 3));
  REQUIRE(refusal.has_value());
  CHECK(refusal->message == "wk: 8 query heads cannot share 3 key/value heads evenly; 3 must divide 8");
}

TEST_CASE("C11: scores far from zero neither overflow nor vanish") {
  for (const double sign : {1.0, -1.0}) {
    const Matrix scores = sign * matrix({{1000, 1001, 999}});
    const Matrix right = sign > 0 ? matrix({{.244728, .665241, .090031}}) : matrix({{.244728, .090031, .665241}});
    CHECK(largestDifference(core::softmaxRows(scores, core::Mask(1, 3)).weights, right) <= kSixDecimals);
  }
}

TEST_CASE("C12: the base case with scale 1") {
  Problem p = baseCase();
  p.scale = 1.0;
  const Trace trace = traceOf(p);
  CHECK_FALSE(trace.default_scale);
  CHECK(trace.scale == 1);
  CHECK(largestDifference(trace.heads[0].softmax.weights.row(2), matrix({{.211942, .211942, .576117}})) <=
        kSixDecimals);
  CHECK(traceOf(baseCase()).default_scale);
  CHECK(std::abs(traceOf(baseCase()).scale - 1 / std::sqrt(2.0)) <= 1e-16);
}
