// The walk: every position of small problems, at every grain and in both orders, and the size of large ones.
#include "app/timeline.h"

#include <doctest/doctest.h>

#include "app/walks.h"

// For loops over millions of cells: a check that costs nothing while it holds.
#define MUST(condition)                        \
  do {                                         \
    if (!(condition)) FAIL_CHECK(#condition);  \
  } while (false)

namespace attn::app {

static std::string describe(const Step& step) {
  return std::string(core::stageName(step.stage)) + " row " + std::to_string(step.row) + " col " +
         std::to_string(step.col) + " term " + std::to_string(step.term);
}
static doctest::String toString(const Step& step) { return describe(step).c_str(); }

}  // namespace attn::app

namespace {

using namespace attn;
using namespace attn::test;
using app::CellReach;
using app::Grain;
using app::Order;
using app::Reach;
using app::Step;
using app::Timeline;
using core::Stage;

struct Walk {
  std::string name;
  Trace trace;
  Order order;
  Grain grain;
  Index row, head;
  Timeline timeline;
};

// Every walk of every small problem.
template <class Visit>
void forEachWalk(Visit visit) {
  for (const NamedProblem& named : walkProblems()) {
    const Trace trace = traceOf(named.problem);
    for (const Order order : kOrders)
      for (const Grain grain : kGrains)
        for (Index row = 0; row < (order == Order::kRow ? named.problem.T : 1); ++row)
          for (Index head = 0; head < static_cast<Index>(trace.heads.size()); ++head) {
            Walk walk{named.name, trace, order, grain, row, head, Timeline(trace, order, grain, row, head)};
            CAPTURE(walk.name);
            CAPTURE(static_cast<int>(order));
            CAPTURE(static_cast<int>(grain));
            CAPTURE(row);
            visit(walk);
          }
  }
}

Index rowsOf(const Walk& walk, Stage stage) {
  return core::arrayOf(walk.trace, walk.head, core::resultOf(stage)).rows;
}
Index columnsOf(const Walk& walk, Stage stage) {
  return core::arrayOf(walk.trace, walk.head, core::resultOf(stage)).columns;
}

template <class Visit>
void forEachCell(const Walk& walk, Visit visit) {
  for (const Stage stage : walk.timeline.stages())
    for (Index i = 0; i < rowsOf(walk, stage); ++i)
      for (Index j = 0; j < columnsOf(walk, stage); ++j) visit(stage, i, j);
}

Problem plainProblem(Index tokens, Index width) {
  Problem p;
  p.T = p.S = tokens;
  p.q = {Matrix::Zero(tokens, width)};
  p.k = p.v = p.q;
  return p;
}

}  // namespace

TEST_CASE("A walk has the steps of its definition, one after the other") {
  forEachWalk([](const Walk& walk) {
    const auto steps = enumeratedSteps(walk.trace, walk.order, walk.grain, walk.row, walk.head);
    REQUIRE(walk.timeline.size() == static_cast<Index>(steps.size()));
    CHECK(!walk.timeline.at(0).has_value());
    for (std::size_t n = 0; n < steps.size(); ++n) CHECK(*walk.timeline.at(static_cast<Index>(n) + 1) == steps[n]);
  });
}

TEST_CASE("A step and its position are each other's inverse") {
  forEachWalk([](const Walk& walk) {
    MUST(walk.timeline.positionOf(std::nullopt) == 0);
    for (Index n = 0; n <= walk.timeline.size(); ++n) MUST(walk.timeline.positionOf(walk.timeline.at(n)) == n);
  });
}

TEST_CASE("Positions outside the walk are its first and its last") {
  forEachWalk([](const Walk& walk) {
    const Index size = walk.timeline.size();
    CHECK(!walk.timeline.at(-3).has_value());
    CHECK(walk.timeline.at(size + 5) == walk.timeline.at(size));
  });
}

TEST_CASE("A cell never becomes less known from one step to the next") {
  forEachWalk([](const Walk& walk) {
    forEachCell(walk, [&](Stage stage, Index i, Index j) {
      CellReach before;
      for (Index n = 0; n <= walk.timeline.size(); ++n) {
        const CellReach now = walk.timeline.reach(n, stage, i, j);
        MUST(now.reach >= before.reach);
        if (now.reach == Reach::kPartial && before.reach == Reach::kPartial) MUST(now.terms >= before.terms);
        before = now;
      }
    });
  });
}

TEST_CASE("At the start no cell is known, at the end every cell that is walked, and no other") {
  forEachWalk([](const Walk& walk) {
    forEachCell(walk, [&](Stage stage, Index i, Index j) {
      MUST(walk.timeline.reach(0, stage, i, j) == CellReach{});
      const Reach end = walk.timeline.reach(walk.timeline.size(), stage, i, j).reach;
      MUST(end == (walk.timeline.walks(stage, i) ? Reach::kKnown : Reach::kUnknown));
    });
  });
}

TEST_CASE("The cells of a finished step are known and marked as now") {
  forEachWalk([](const Walk& walk) {
    for (Index n = 1; n <= walk.timeline.size(); ++n) {
      const Step step = *walk.timeline.at(n);
      const bool finishes = step.term < 0 || step.term + 1 == walk.timeline.termsOf(step.stage);
      if (step.col < 0 && step.term >= 0) continue;  // a maximum, a sum, a mean: no cell gets its value
      if (step.stage == Stage::kWeights && step.term == 1 && walk.trace.mask.allowed(step.row, step.col)) continue;
      for (Index i = 0; i < rowsOf(walk, step.stage); ++i)
        for (Index j = 0; j < columnsOf(walk, step.stage); ++j) {
          const bool covered = (step.row < 0 || step.row == i) && (step.col < 0 || step.col == j);
          const CellReach reach = walk.timeline.reach(n, step.stage, i, j);
          MUST(reach.now == (covered && walk.timeline.walks(step.stage, i)));
          const bool phased = step.stage == Stage::kNorm || step.stage == Stage::kWeights;
          if (reach.now && (finishes || phased)) MUST(reach.reach == Reach::kKnown);
        }
    }
  });
}

TEST_CASE("A half-made sum says how many of its terms are in") {
  const Trace trace = traceOf(threePositions());
  const Timeline timeline(trace, Order::kRow, Grain::kTerm, 2, 0);
  const Index first = timeline.positionOf(Step{Stage::kScores, 2, 1, 0});
  const CellReach half = timeline.reach(first, Stage::kScores, 2, 1);
  CHECK(half.reach == Reach::kPartial);
  CHECK(half.terms == 1);
  CHECK(timeline.reach(first + 1, Stage::kScores, 2, 1).reach == Reach::kKnown);
}

TEST_CASE("An exponential is a partial weight; a blocked weight is known at once") {
  Problem p = baseCase();
  p.mask.causal = true;
  const Trace trace = traceOf(p);
  const Timeline timeline(trace, Order::kStage, Grain::kTerm, 0, 0);
  const Index exponential = timeline.positionOf(Step{Stage::kWeights, 1, 0, 1});
  CHECK(timeline.reach(exponential, Stage::kWeights, 1, 0).reach == Reach::kPartial);
  CHECK(timeline.reach(exponential, Stage::kWeights, 1, 0).terms == 1);
  CHECK(timeline.reach(exponential, Stage::kWeights, 1, 2).reach == Reach::kUnknown);
  const Index blocked = timeline.positionOf(Step{Stage::kWeights, 1, 2, 1});
  CHECK(timeline.reach(blocked, Stage::kWeights, 1, 2).reach == Reach::kKnown);
  CHECK(timeline.reach(blocked, Stage::kWeights, 1, 1).reach == Reach::kPartial);
}

TEST_CASE("Another grain keeps the moment: the step that contains it, or the end of that step") {
  forEachWalk([](const Walk& walk) {
    for (const Grain other : kGrains) {
      const Timeline target(walk.trace, walk.order, other, walk.row, walk.head);
      Index before = 0;
      for (Index n = 0; n <= walk.timeline.size(); ++n) {
        const auto step = walk.timeline.at(n);
        const Index position = target.positionOf(step);
        MUST(position >= before);
        before = position;
        if (!step) continue;
        REQUIRE(position > 0);
        MUST(target.at(position)->stage == step->stage);
        if (step->row >= 0 && target.at(position)->row >= 0) MUST(target.at(position)->row == step->row);
        if (other < walk.grain) continue;
        // A finer walk ends up where the coarse step ends: everything that was known stays known.
        forEachCell(walk, [&](Stage stage, Index i, Index j) {
          if (walk.timeline.reach(n, stage, i, j).reach == Reach::kKnown)
            MUST(target.reach(position, stage, i, j).reach == Reach::kKnown);
        });
      }
      MUST(before == target.size());
    }
  });
}

TEST_CASE("Stages are found forwards and backwards, and only their ends are ends") {
  forEachWalk([](const Walk& walk) {
    const Timeline& timeline = walk.timeline;
    Index ends = 0;
    for (Index n = 0; n <= timeline.size(); ++n) {
      const bool end = n > 0 && (n == timeline.size() || timeline.at(n + 1)->stage != timeline.at(n)->stage);
      MUST(timeline.endsStage(n) == end);
      ends += end;
      const Index next = timeline.nextStage(n), previous = timeline.previousStage(n);
      MUST((n == timeline.size() ? next == n : next > n && timeline.endsStage(next)));
      MUST((n == 0 ? previous == 0 : previous < n && (previous == 0 || timeline.endsStage(previous))));
      for (Index between = previous + 1; between < n; ++between) MUST(!timeline.endsStage(between));
    }
    MUST(ends == static_cast<Index>(timeline.stages().size()));
  });
}

TEST_CASE("Three positions: z at the eighth press, the residual at the tenth") {
  Problem p = threePositions();
  p.mask.causal = true;
  const Timeline timeline(traceOf(p), Order::kRow, Grain::kRow, 2, 0);
  CHECK(timeline.size() == 10);
  CHECK(*timeline.at(1) == Step{Stage::kQ, 2, -1, -1});
  CHECK(*timeline.at(2) == Step{Stage::kK, -1, -1, -1});
  CHECK(*timeline.at(8) == Step{Stage::kZ, 2, -1, -1});
  CHECK(*timeline.at(10) == Step{Stage::kResidual, 2, -1, -1});
}

TEST_CASE("A moment of a stage that is not there falls back to the stage before") {
  const Timeline timeline(traceOf(threePositions()), Order::kRow, Grain::kRow, 2, 0);
  Problem unmasked = threePositions();
  unmasked.mask = {};
  const Timeline without(traceOf(unmasked), Order::kRow, Grain::kRow, 2, 0);
  CHECK(without.at(without.positionOf(Step{Stage::kMasked, 2, -1, -1}))->stage == Stage::kScaled);
  CHECK(without.positionOf(Step{Stage::kNorm, -1, -1, -1}) == 0);
  CHECK(timeline.reach(0, Stage::kNorm, 0, 0).reach == Reach::kKnown);
}

TEST_CASE("Steps from anywhere lie inside the walk") {
  Random random(7);
  forEachWalk([&](const Walk& walk) {
    for (int n = 0; n < 200; ++n) {
      const Step step{static_cast<Stage>(random.below(core::kStageCount)), random.below(9) - 2, random.below(9) - 2,
                      random.below(9) - 2};
      const Index position = walk.timeline.positionOf(step);
      MUST(position >= 0);
      MUST(position <= walk.timeline.size());
    }
  });
}

TEST_CASE("A walk of hundreds of tokens at single products is arithmetic") {
  const Index n = 512, width = 4;
  Problem p = plainProblem(n, width);
  p.mask.causal = true;
  const Trace trace = traceOf(p);
  const Timeline timeline(trace, Order::kStage, Grain::kTerm, 0, 0);
  // scores, scaled, masked; maximum, exponentials, sum, divisions; z.
  const Index allowed = n * (n + 1) / 2;
  CHECK(timeline.size() == n * n * width + 2 * n * n + (2 * n + n * n + allowed) + n * width * n);
  for (Index position = 1; position <= timeline.size(); position += timeline.size() / 999)
    CHECK(timeline.positionOf(timeline.at(position)) == position);
}
