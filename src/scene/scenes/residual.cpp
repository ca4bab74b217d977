// What a layer's result is added to: in the worked example, in a pre-normalised block, and in the mistake of adding to
// the normalised state. Knows no stack beyond these few layers.
#include <algorithm>
#include <cmath>

#include "core/language.h"
#include "core/norm.h"
#include "core/rng.h"
#include "core/stack.h"
#include "lesson/example.h"
#include "scene/figures.h"
#include "scene/scene.h"

namespace attn::scene {
namespace {

constexpr Index kStatePositions = 3;
constexpr Index kStateWidth = 4;
// A state of variance above 0.1, as the preset has at every size, is moved by eps = 1e-5 by less than 1e-5 / 0.1 / 2 · 2
// in a normalised number (below 2). One that varies less is said to be moved.
constexpr double kEpsShows = 1e-4;

void showWorkedExample(Outputs& out) {
  core::Result<lesson::Example> example = lesson::builtInExample("three-positions");
  assert(example.ok());
  const core::Trace<double> trace = traceOf(example.value().problem);
  const Tokens& tokens = example.value().tokens;
  const auto look = [&](const std::string& title) {
    lesson::Grid grid = signedLook(title, tokens, numbered(2));
    grid.limit = trace.residual->cwiseAbs().maxCoeff();
    return grid;
  };
  out.grid("x", *trace.x, look(tr("X, the state")));
  out.grid("y", trace.y, look(tr("Y, the update")));
  out.grid("sum", *trace.residual, look(tr("X + Y, the new state")));
}

Matrix<double> stateOf(const Inputs& in, double size, double offset) {
  Matrix<double> given(kStatePositions, kStateWidth);
  Index row = 0;
  for (const char* key : {"row_a", "row_b", "row_c"}) {
    const std::vector<double> numbers = in.numbers(key);
    given.row(row++) = Eigen::Map<const core::RowVector<double>>(numbers.data(), kStateWidth);
  }
  return (given * size).array() + offset;
}

core::Stack stackOf(const Inputs& in, Index layers) {
  core::Rng rng(in.seed("seed"));
  core::Stack stack = core::randomStack(rng, {kStateWidth, 1, layers, true, true, false}, core::plainMask(true));
  return stack;
}

// One pre-normalised block: what is normalised, what comes out, and both sums.
struct Block {
  Matrix<double> state, normalised, y, right, wrong;
};

Block blockOf(const core::Stack& stack, const Matrix<double>& state) {
  const core::StackRun run = core::runStack(stack, state).take();
  const core::Trace<double>& trace = run.traces.front();
  return {state, *trace.x, trace.y, *trace.residual, *trace.x + trace.y};
}

void showBlock(const Block& block, const Block& plain, Outputs& out) {
  const Tokens rows = {"a", "b", "c"};
  const double limit = std::max(block.state.cwiseAbs().maxCoeff(), block.right.cwiseAbs().maxCoeff());
  const auto look = [&](const std::string& title, double colors = 0) {
    lesson::Grid grid = signedLook(title, rows, numbered(kStateWidth));
    grid.decimals = 2;
    grid.limit = colors;
    return grid;
  };
  out.grid("state_r", block.state, look(tr("R, the state"), limit));
  out.grid("normalised", block.normalised, look(tr("N, the normalised copy of R")));
  out.grid("update", block.y, look(tr("Y = attention(N), the update")));
  out.grid("right", block.right, look(tr("Right: R + Y"), limit));
  out.grid("wrong", block.wrong, look(tr("Wrong: N + Y"), limit));
  out.grid("lost", block.right - block.wrong, look(tr("What N + Y has lost: R − N"), limit));
  out.number("wrong_by", largestChange(block.right, block.wrong));
  out.flag("wrong_agrees", block.right == block.wrong);
  out.flag("wrong_is_off", block.right != block.wrong);
  // What scaling the state and adding to it does to each of them.
  const double update_change = largestChange(block.y, plain.y);
  out.number("update_change", update_change);
  out.flag("update_stays", update_change <= kEpsShows * 10);
  out.number("right_change", largestChange(block.right, plain.right));
  out.number("wrong_change", largestChange(block.wrong, plain.wrong));
  out.flag("wrong_notices", largestChange(block.wrong, plain.wrong) > kEpsShows * 10);
  const core::RowVector<double> spread =
      (block.state.rowwise().maxCoeff() - block.state.rowwise().minCoeff()).transpose();
  out.flag("constant_row", (spread.array() == 0).any());
  const double mean = block.normalised.rowwise().mean().cwiseAbs().maxCoeff();
  out.flag("normalised_mean_zero", mean <= 1e-12);
}

// How long the last position's state is after each layer, and how much of the first state is still in it.
void showDepth(const core::Stack& stack, const Matrix<double>& state, Outputs& out) {
  const core::StackRun run = core::runStack(stack, state).take();
  std::vector<double> layers, right, wrong;
  Matrix<double> lost = state;
  for (std::size_t l = 0; l < run.states.size(); ++l) {
    layers.push_back(static_cast<double>(l));
    right.push_back(run.states[l].bottomRows(1).norm());
    wrong.push_back(lost.bottomRows(1).norm());
    if (l == stack.layers.size()) break;
    core::Stack one = stack;
    one.layers = {stack.layers[l]};
    lost = blockOf(one, lost).wrong;
  }
  lesson::Plot plot;
  plot.title = tr("Length of row c's state");
  plot.x_label = tr("layers passed");
  plot.y_label = tr("length");
  plot.series.push_back({tr("right: added to the state"), lesson::Plot::Kind::kLine, layers, right});
  plot.series.push_back({tr("wrong: added to the normalised copy"), lesson::Plot::Kind::kLine, layers, wrong});
  out.figure("depth", std::move(plot));
  out.numbers("length_right", right);
  out.numbers("length_wrong", wrong);
  out.number("first_length", right.front());
  out.number("wrong_after_one", wrong[1]);
  out.text("layers_text", tr("{0} {0|layer|layers}", {layers.size() - 1}));
}

}  // namespace

core::Check residualStream(const Inputs& in, Outputs& out, const Progress&) {
  showWorkedExample(out);
  const Index layers = in.integer("layers");
  const core::Stack stack = stackOf(in, layers);
  core::Stack first = stack;
  first.layers.resize(1);
  const Matrix<double> state = stateOf(in, in.number("size"), in.number("offset"));
  const Block block = blockOf(first, state), plain = blockOf(first, stateOf(in, 1, 0));
  out.flag("moved", in.number("size") != 1 || in.number("offset") != 0);
  showBlock(block, plain, out);
  showDepth(stack, state, out);
  return {};
}

}  // namespace attn::scene
