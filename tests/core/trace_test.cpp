// Properties of the whole computation.
#include "core/trace.h"

#include <doctest/doctest.h>

#include <cmath>
#include <vector>

#include "support/problems.h"

namespace attn::core {
namespace {

using test::kInfinity;
using test::largestDifference;
using test::Random;
using test::randomProblem;
using test::traceOf;
using Real = Matrix<double>;
using Given = Problem<double>;
using Whole = Trace<double>;

// Chains of a few hundred roundings of numbers of size 1 to 10.
constexpr double kRoundings = 1e-12;

MaskSpec causal() {
  MaskSpec mask;
  mask.causal = true;
  return mask;
}

std::string names(const std::vector<Stage>& stages) {
  std::string text;
  for (const Stage stage : stages) text.append(text.empty() ? "" : " ").append(stageName(stage));
  return text;
}

}  // namespace

TEST_CASE("Permuting the tokens permutes the outputs") {
  Random random(10);
  const Given p = randomProblem(random, 7, 5, 2, 1);
  const std::vector<Index> order = {4, 2, 6, 0, 1, 5, 3};
  Given permuted = p;
  for (Index i = 0; i < 7; ++i) permuted.x->row(i) = p.x->row(order[static_cast<std::size_t>(i)]);
  const Whole before = traceOf(p), after = traceOf(permuted);
  for (Index i = 0; i < 7; ++i) {
    const Index from = order[static_cast<std::size_t>(i)];
    CHECK(largestDifference(after.residual->row(i), before.residual->row(from)) <= kRoundings);
    // A score does not depend on where its cell stands, to the last bit.
    for (Index j = 0; j < 7; ++j)
      CHECK(after.heads[1].scaled(i, j) == before.heads[1].scaled(from, order[static_cast<std::size_t>(j)]));
  }
}

TEST_CASE("Under a causal mask the first rows are those of the shorter sequence, bit for bit") {
  Random random(11);
  Given p = randomProblem(random, 9, 6, 2, 2);
  p.mask = causal();
  Given shorter = p;
  shorter.T = shorter.S = 4;
  shorter.x = Real(p.x->topRows(4));
  const Whole whole = traceOf(p), part = traceOf(shorter);
  CHECK(largestDifference(whole.residual->topRows(4), *part.residual) == 0);
  CHECK(largestDifference(whole.heads[1].softmax.weights.topLeftCorner(4, 4), part.heads[1].softmax.weights) == 0);
}

TEST_CASE("Adding the terms of a cell one by one gives the cell, bit for bit") {
  Random random(12);
  const Whole trace = traceOf(randomProblem(random, 6, 9, 2, 2));
  const HeadTrace<double>& head = trace.heads[1];
  const auto same = [](const Real& result, const Real& left, const Real& right) {
    for (Index i = 0; i < result.rows(); ++i)
      for (Index j = 0; j < result.cols(); ++j) {
        double sum = 0;
        for (Index k = 0; k < left.cols(); ++k) sum += left(i, k) * right(k, j);
        CHECK(sum == result(i, j));
      }
  };
  same(head.scores, head.q, head.k.transpose());
  same(head.z, head.softmax.weights, head.v);
  same(trace.y, trace.concat, *trace.problem.wo);
}

TEST_CASE("Shared key/value heads equal the same heads written out, bit for bit") {
  Random random(13);
  const Given shared = randomProblem(random, 5, 4, 6, 2);
  Given written = shared;
  for (auto* list : {&written.wk, &written.wv}) *list = {(*list)[0], (*list)[0], (*list)[0], (*list)[1], (*list)[1], (*list)[1]};
  for (auto* list : {&written.bk, &written.bv}) *list = {(*list)[0], (*list)[0], (*list)[0], (*list)[1], (*list)[1], (*list)[1]};
  CHECK(largestDifference(*traceOf(shared).residual, *traceOf(written).residual) == 0);
}

TEST_CASE("The output projection of the concatenation is the sum of each head's own part") {
  Random random(14);
  const Whole trace = traceOf(randomProblem(random, 5, 4, 3, 3));
  Real sum = Real::Zero(5, 4);
  for (Index h = 0; h < 3; ++h)
    sum += trace.heads[static_cast<std::size_t>(h)].z * trace.problem.wo->middleRows(4 * h, 4);
  CHECK(largestDifference(trace.y, sum) <= kRoundings);
}

TEST_CASE("A row that may read nothing leaves no NaN anywhere, under every score rule") {
  Random random(15);
  Given p = randomProblem(random, 5, 4, 2, 1);
  p.softcap = 2.0;
  p.temperature = 0.5;
  p.sink = {0.3, -0.2};
  p.alibi = {0.5, 0.25};
  const Whole before = traceOf(p);
  p.mask.allowed.assign(5, std::vector<bool>(5, true));
  p.mask.allowed[3].assign(5, false);
  const Whole after = traceOf(p);
  for (int array = 0; array < kArrayCount; ++array)
    for (Index h = 0; h < 2; ++h) {
      const ArrayView a = arrayOf(after, h, static_cast<Array>(array));
      const ArrayView b = arrayOf(before, h, static_cast<Array>(array));
      REQUIRE(bool(a) == bool(b));
      for (Index i = 0; i < a.rows; ++i)
        for (Index j = 0; j < a.columns; ++j) {
          CHECK_FALSE(std::isnan(a(i, j)));
          if (i != 3) CHECK(a(i, j) == b(i, j));
        }
    }
  CHECK(after.heads[0].z.row(3).cwiseAbs().maxCoeff() == 0);
  CHECK(largestDifference(after.residual->row(3), p.x->row(3)) == 0);
}

TEST_CASE("What stands in a source that nobody may read changes nothing, not even NaN") {
  Random random(16);
  Given p;
  p.T = p.S = 4;
  p.q = {random.matrix(4, 3)};
  p.k = {random.matrix(4, 3)};
  p.v = {random.matrix(4, 2)};
  p.mask.padding = {true, false, true, true};
  const Whole before = traceOf(p);
  p.k[0].row(1).setConstant(std::nan(""));
  p.v[0].row(1).setConstant(kInfinity);
  const Whole after = traceOf(p);
  CHECK(largestDifference(after.heads[0].softmax.weights, before.heads[0].softmax.weights) == 0);
  CHECK(largestDifference(after.heads[0].z, before.heads[0].z) == 0);
}

TEST_CASE("ALiBi is the bias that it stands for") {
  Random random(17);
  Given p = randomProblem(random, 5, 4, 2, 2), written = p;
  p.alibi = {0.5, 0.0625};
  for (const double slope : p.alibi) {
    Real bias(5, 5);
    for (Index i = 0; i < 5; ++i)
      for (Index j = 0; j < 5; ++j) bias(i, j) = -slope * static_cast<double>(i > j ? i - j : j - i);
    written.bias.push_back(bias);
  }
  const Whole a = traceOf(p), b = traceOf(written);
  CHECK(largestDifference(*a.heads[1].bias, *b.heads[1].bias) == 0);
  CHECK(largestDifference(*a.residual, *b.residual) == 0);
}

TEST_CASE("Temperature divides the scores, so it is a smaller scale") {
  Random random(18);
  Given warm = randomProblem(random, 5, 4, 1, 1), scaled = warm;
  warm.temperature = 2.0;
  scaled.scale = 0.25;
  CHECK(largestDifference(traceOf(warm).heads[0].scaled, traceOf(scaled).heads[0].scaled) == 0);
  CHECK(traceOf(warm).scale == 0.5);
}

TEST_CASE("A soft-cap bounds the scores, and a very large one leaves them") {
  Random random(19);
  Given p = randomProblem(random, 5, 4, 1, 1);
  *p.x *= 20;
  p.softcap = 3.0;
  CHECK(traceOf(p).heads[0].softcapped->cwiseAbs().maxCoeff() <= 3);
  p.softcap = 1e9;
  const Whole loose = traceOf(p);
  CHECK(largestDifference(*loose.heads[0].softcapped, loose.heads[0].scaled) <= 1e-9);
}

TEST_CASE("Pre-normalised rows have mean 0 and population variance 1, and y is added to the state") {
  Random random(20);
  Given p = randomProblem(random, 4, 8, 1, 1);
  p.x.reset();
  p.state = random.matrix(4, 8).array() * 3 + 5;
  p.norm.emplace().eps = 0;
  p.residual = Residual::kPreNorm;
  const Whole trace = traceOf(p);
  for (Index i = 0; i < 4; ++i) {
    CHECK(std::abs(trace.x->row(i).mean()) <= kRoundings);
    CHECK(std::abs(trace.x->row(i).squaredNorm() / 8 - 1) <= kRoundings);
  }
  CHECK(largestDifference(*trace.residual - trace.y, *p.state) <= kRoundings);
}

TEST_CASE("Equal states are normalised to equal bits in every row") {
  Random random(25);
  Given p = randomProblem(random, 6, 7, 1, 1);
  p.x.reset();
  p.state = random.matrix(1, 7).replicate(6, 1);
  p.norm.emplace();
  p.residual = Residual::kPreNorm;
  const Whole trace = traceOf(p);
  for (Index i = 1; i < 6; ++i) CHECK(largestDifference(trace.x->row(i), trace.x->row(0)) == 0);
}

TEST_CASE("Without a mask the masked scores equal what goes into the mask") {
  Random random(21);
  Given p = randomProblem(random, 4, 4, 1, 1);
  p.bias = {random.matrix(4, 4)};
  const Whole trace = traceOf(p);
  CHECK(largestDifference(trace.heads[0].masked, *trace.heads[0].biased) == 0);
}

TEST_CASE("Heads may differ in the width of their values") {
  Random random(22);
  Given p = randomProblem(random, 3, 4, 2, 2);
  p.wv = {random.matrix(4, 1), random.matrix(4, 3)};
  p.bv.clear();
  p.wo = random.matrix(4, 4);
  const Whole trace = traceOf(p);
  CHECK(largestDifference(trace.concat.leftCols(1), trace.heads[0].z) == 0);
  CHECK(largestDifference(trace.concat.rightCols(3), trace.heads[1].z) == 0);
}

TEST_CASE("Stages are listed only where they are used") {
  Random random(23);
  CHECK(names(stagesOf(attn::test::threePositions())) == "q k v scores scaled masked weights z y residual");
  CHECK(names(stagesOf(attn::test::catSatDown())) == "scores scaled weights z");
  Given p = randomProblem(random, 3, 4, 2, 2);
  CHECK(names(stagesOf(p)) == "q k v scores scaled weights z concat y residual");
  p.softcap = 1.0;
  p.alibi = {0.5};
  p.mask = causal();
  p.state = p.x;
  p.x.reset();
  p.norm.emplace();
  p.residual = Residual::kPreNorm;
  CHECK(names(stagesOf(p)) == "norm q k v scores scaled softcapped biased masked weights z concat y residual");
  Given given = attn::test::baseCase();
  given.bo = attn::test::vector({1, 2});
  CHECK(names(stagesOf(given)) == "scores scaled weights z y");
}

TEST_CASE("Arrays are found by name, and absent ones are null") {
  Random random(24);
  const Whole trace = traceOf(randomProblem(random, 3, 4, 4, 2));
  CHECK(arrayOf(trace, 3, Array::kWk).data == trace.problem.wk[1].data());
  CHECK(arrayOf(trace, 3, Array::kWq).data == trace.problem.wq[3].data());
  CHECK(arrayOf(trace, 0, Array::kBq).rows == 1);
  CHECK(arrayOf(trace, 2, Array::kZ).data == trace.heads[2].z.data());
  CHECK(arrayOf(trace, 2, Array::kZ)(1, 2) == trace.heads[2].z(1, 2));
  for (const Array absent : {Array::kState, Array::kXSources, Array::kSoftcapped, Array::kBias, Array::kBiased, Array::kBo})
    CHECK_FALSE(arrayOf(trace, 0, absent));
  for (int stage = 0; stage < kStageCount; ++stage) {
    const auto s = static_cast<Stage>(stage);
    CHECK(parseStage(stageName(s)) == s);
    CHECK(parseArray(arrayName(resultOf(s))) == resultOf(s));
  }
  CHECK_FALSE(parseStage("softmax").has_value());
}

TEST_CASE("A row of z that is set reaches y through its head's rows of W_O, and no other row changes") {
  Random random(25);
  Given p = randomProblem(random, 4, 6, 2, 1);
  const Whole plain = traceOf(p);
  Intervention one;
  one.array = Array::kZ, one.head = 1, one.row = 2;
  one.values = {1, -2, 0.5, 3, -1, 0.25};
  p.interventions = {one};
  const Whole set = traceOf(p);
  CHECK(set.heads[0].z == plain.heads[0].z);
  for (Index j = 0; j < 6; ++j) CHECK(set.heads[1].z(2, j) == one.values[static_cast<std::size_t>(j)]);
  REQUIRE(set.heads[1].overwritten.size() == 1);
  CHECK(set.heads[1].overwritten[0].second == plain.heads[1].z);
  const Real added = (set.heads[1].z - plain.heads[1].z) * p.wo->bottomRows(6);
  CHECK(attn::test::largestDifference(set.y, plain.y + added) < 1e-13);
  for (const Index row : {0, 1, 3}) CHECK(set.y.row(row) == plain.y.row(row));
}

TEST_CASE("A score that is set to minus infinity behind the mask is shared out among the other sources of its row") {
  Random random(26);
  Given p = randomProblem(random, 4, 6, 2, 2);
  p.mask = causal();
  const Whole plain = traceOf(p);
  Intervention one;
  one.array = Array::kMasked, one.head = 0, one.row = 3, one.col = 1;
  one.values = {-attn::test::kInfinity};
  p.interventions = {one};
  const Whole set = traceOf(p);
  const Real& before = plain.heads[0].softmax.weights;
  const Real& after = set.heads[0].softmax.weights;
  CHECK(after(3, 1) == 0);
  for (const Index j : {0, 2, 3}) CHECK(after(3, j) == doctest::Approx(before(3, j) / (1 - before(3, 1))).epsilon(1e-13));
  CHECK(after.topRows(3) == before.topRows(3));
  CHECK(set.heads[0].scores == plain.heads[0].scores);
  CHECK(set.heads[1].softmax.weights == plain.heads[1].softmax.weights);
}

}  // namespace attn::core
