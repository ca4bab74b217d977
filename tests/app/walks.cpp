// Small problems of every kind and the steps of their walks, enumerated the long way.
#include "app/walks.h"

namespace attn::test {
namespace {

using app::Grain;
using app::Order;
using app::Step;
using core::Stage;

Problem everyRule(Random& random) {
  Problem p = randomProblem(random, 4, 3, 2, 1);
  p.softcap = 2;
  p.alibi = {0.5, 0.25};
  p.temperature = 0.7;
  p.scale = 0.9;
  p.sink = {0.3};
  p.bo = random.matrix(1, 3).row(0);
  p.mask.causal = true;
  p.mask.window = 2;
  return p;
}

Problem crossing(Random& random) {
  Problem p;
  p.T = 2;
  p.S = 4;
  p.cross = true;
  p.x = random.matrix(2, 3);  // more sources than destinations, and projections of both
  p.x_sources = random.matrix(4, 3);
  p.wq = {random.matrix(3, 3)};
  p.wk = {random.matrix(3, 3)};
  p.wv = {random.matrix(3, 2)};
  p.mask.padding = {true, true, false, true};
  return p;
}

Problem normalised(Random& random) {
  Problem p = randomProblem(random, 3, 4, 1, 1);
  p.x.reset();
  p.residual = core::Residual::kPreNorm;
  p.state = random.matrix(3, 4);
  p.norm = core::Norm<double>{};
  p.norm->gain = random.matrix(1, 4).row(0);
  return p;
}

Problem silentRow() {
  Problem p = baseCase();
  p.mask.causal = true;
  p.mask.allowed = {{false, true, true}, {true, true, true}, {true, false, true}};
  return p;
}

// The cells and terms of one row, by the definition in timeline.h.
std::vector<Step> stepsOfRow(const Trace& trace, Stage stage, Grain grain, Index row, Index head) {
  const core::HeadTrace<double>& h = trace.heads[static_cast<std::size_t>(head)];
  const Problem& p = trace.problem;
  const Index columns = core::arrayOf(trace, head, core::resultOf(stage)).columns;
  const bool none = trace.mask.allowedInRow(row < trace.mask.rows() ? row : 0) == 0;
  if (grain <= Grain::kRow || ((stage == Stage::kWeights || stage == Stage::kZ) && none)) return {{stage, row, -1, -1}};
  std::vector<Step> steps;
  const auto add = [&](Index col, Index term) { steps.push_back({stage, row, col, term}); };
  const auto cells = [&](Index terms) {
    for (Index j = 0; j < columns; ++j)
      for (Index t = 0; t < terms; ++t) add(j, t);
  };
  if (grain == Grain::kCell) {
    for (Index j = 0; j < columns; ++j) add(j, -1);
    return steps;
  }
  const auto plusBias = [](Index terms, bool bias) { return terms + (bias ? 1 : 0); };
  switch (stage) {
    case Stage::kNorm:
      add(-1, 0), add(-1, 1);
      for (Index j = 0; j < columns; ++j) add(j, 2);
      break;
    case Stage::kQ: cells(plusBias(p.wq[0].rows(), !p.bq.empty())); break;
    case Stage::kK: cells(plusBias(p.wk[0].rows(), !p.bk.empty())); break;
    case Stage::kV: cells(plusBias(p.wv[0].rows(), !p.bv.empty())); break;
    case Stage::kScores: cells(h.q.cols()); break;
    case Stage::kZ: cells(p.S); break;
    case Stage::kY: cells(plusBias(p.wo ? p.wo->rows() : 1, p.bo.has_value())); break;
    case Stage::kWeights:
      add(-1, 0);
      for (Index j = 0; j < p.S; ++j) add(j, 1);
      add(-1, 2);
      for (Index j = 0; j < p.S; ++j)
        if (trace.mask.allowed(row, j)) add(j, 3);
      break;
    default: cells(1); break;
  }
  return steps;
}

}  // namespace

std::vector<NamedProblem> walkProblems() {
  Random random(2026);
  Problem one = randomProblem(random, 1, 2, 1, 1);
  Problem shared = randomProblem(random, 3, 2, 4, 2);
  shared.mask.causal = true;
  Problem causal = threePositions();
  causal.mask.causal = true;
  return {{"three positions", causal},         {"the cat sat down", catSatDown()}, {"a silent row", silentRow()},
          {"cross-attention", crossing(random)}, {"shared heads", shared},           {"every rule", everyRule(random)},
          {"a normalised block", normalised(random)}, {"one token", one}};
}

std::vector<Step> enumeratedSteps(const Trace& trace, Order order, Grain grain, Index row, Index head) {
  std::vector<Step> steps;
  for (const Stage stage : core::stagesOf(trace.problem)) {
    const bool all_rows = stage == Stage::kNorm || stage == Stage::kK || stage == Stage::kV;
    const bool one_row = order == Order::kRow && !all_rows;
    const bool whole = !one_row && (grain == Grain::kStage || (order == Order::kRow && grain == Grain::kRow));
    if (whole) {
      steps.push_back({stage, -1, -1, -1});
      continue;
    }
    const Index rows = core::arrayOf(trace, head, core::resultOf(stage)).rows;
    for (Index i = one_row ? row : 0; i < (one_row ? row + 1 : rows); ++i)
      for (const Step& step : stepsOfRow(trace, stage, grain, i, head)) steps.push_back(step);
  }
  return steps;
}

}  // namespace attn::test
