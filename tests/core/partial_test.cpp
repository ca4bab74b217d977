// Sums that stop early.
#include "core/partial.h"

#include <doctest/doctest.h>

#include <cmath>
#include <vector>

#include "support/problems.h"

namespace attn::core {
namespace {

using test::kInfinity;
using test::Random;
using test::randomProblem;
using test::traceOf;

constexpr Index kAllTerms = 1000;

// Every cell of every stage but the weights, whose terms are exponentials.
void checkWholeSums(const Trace<double>& trace) {
  for (const Stage stage : stagesOf(trace.problem)) {
    if (stage == Stage::kWeights) continue;
    CAPTURE(stageName(stage));
    for (Index h = 0; h < static_cast<Index>(trace.heads.size()); ++h) {
      const ArrayView result = arrayOf(trace, h, resultOf(stage));
      for (Index i = 0; i < result.rows; ++i)
        for (Index j = 0; j < result.columns; ++j)
          CHECK(partialValue(trace, h, stage, i, j, kAllTerms) == result(i, j));
    }
  }
}

}  // namespace

TEST_CASE("With all its terms a running value is the cell, bit for bit") {
  Random random(40);
  auto p = randomProblem(random, 6, 5, 4, 2);
  p.bo = attn::test::vector({1, 2, 3, 4, 5});
  p.mask.causal = true;
  p.softcap = 2.0;
  p.alibi = {0.5};
  checkWholeSums(traceOf(p));
}

TEST_CASE("Running values hold without W_O, over other sources and in rows that may read nothing") {
  Random random(41);
  auto p = randomProblem(random, 4, 3, 1, 1);
  p.wo.reset();
  p.bo = attn::test::vector({1, -2, 0.5});
  checkWholeSums(traceOf(p));
  p.cross = true;
  p.S = 6;
  p.x_sources = random.matrix(6, 3);
  p.mask.allowed.assign(4, {true, false, true, true, false, true});
  p.mask.allowed[2].assign(6, false);
  checkWholeSums(traceOf(p));
}

TEST_CASE("A blocked source adds nothing to a running mix, even one that is not finite") {
  auto p = attn::test::baseCase();
  p.v[0].row(1).setConstant(kInfinity);
  p.mask.padding = {true, false, true};
  const auto trace = traceOf(p);
  checkWholeSums(trace);
  for (Index terms = 0; terms <= 3; ++terms) CHECK(std::isfinite(partialValue(trace, 0, Stage::kZ, 0, 0, terms)));
}

TEST_CASE("A running value starts at zero and grows by one product at a time") {
  const auto trace = traceOf(attn::test::catSatDown());
  const HeadTrace<double>& head = trace.heads[0];
  CHECK(partialValue(trace, 0, Stage::kScores, 3, 2, 0) == 0);
  CHECK(partialValue(trace, 0, Stage::kScores, 3, 2, 1) == head.q(3, 0) * head.k(2, 0));
  CHECK(partialValue(trace, 0, Stage::kScores, 3, 2, 2) == head.scores(3, 2));
  CHECK(partialValue(trace, 0, Stage::kZ, 2, 1, 2) ==
        head.softmax.weights(2, 0) * head.v(0, 1) + head.softmax.weights(2, 1) * head.v(1, 1));
}

}  // namespace attn::core
