// One word at the end of two sentences, through layers that see one token at a time and through layers with attention.
// Knows no words but those that were set.
#include <algorithm>
#include <cmath>

#include "core/language.h"
#include "core/position.h"
#include "core/product.h"
#include "core/rng.h"
#include "core/trace.h"
#include "scene/figures.h"
#include "scene/scene.h"

namespace attn::scene {
namespace {

using core::RowVector;

constexpr Index kDraws = 100;  // of other neighbours
constexpr double kRounding = 1e-9;  // what adding the same words in another order may do to numbers of a few units

Matrix<double> inputOf(const Tokens& tokens, std::uint64_t seed, Index d, bool positions) {
  Matrix<double> x = vectorsOf(tokens, seed, d);
  if (positions) x += core::sinusoidalPositions(x.rows(), d);
  return x;
}

// One layer of a stack: a small network for each token on its own, and the projections of one head.
struct Layer {
  Matrix<double> w1, w2, wq, wk, wv;
  RowVector<double> b1, b2;
};

Layer makeLayer(core::Rng& rng, Index d) {
  Layer layer;
  layer.w1 = core::linearWeights(rng, d, 4 * d);
  layer.b1 = core::linearBias(rng, d, 4 * d);
  layer.w2 = core::linearWeights(rng, 4 * d, d);
  layer.b2 = core::linearBias(rng, 4 * d, d);
  layer.wq = rng.normalMatrix(d, d, 1 / std::sqrt(static_cast<double>(d)));
  layer.wk = rng.normalMatrix(d, d, 1 / std::sqrt(static_cast<double>(d)));
  layer.wv = rng.normalMatrix(d, d, 1 / std::sqrt(static_cast<double>(d)));
  return layer;
}

// x + relu(x·W₁ + b₁)·W₂ + b₂, row by row.
Matrix<double> perToken(const Layer& layer, const Matrix<double>& x) {
  Matrix<double> inner = core::product(x, layer.w1);
  inner.rowwise() += layer.b1;
  Matrix<double> out = core::product(Matrix<double>(inner.cwiseMax(0)), layer.w2) + x;
  out.rowwise() += layer.b2;
  return out;
}

core::Problem<double> attentionOf(const Layer& layer, const Matrix<double>& x) {
  core::Problem<double> problem;
  problem.T = problem.S = x.rows();
  problem.x = x;
  problem.wq = {layer.wq};
  problem.wk = {layer.wk};
  problem.wv = {layer.wv};
  problem.residual = core::Residual::kInput;
  return problem;
}

// The last token's vector before the first layer and after each: (layers + 1) × d.
struct Run {
  Matrix<double> states;
  RowVector<double> first_weights;  // what the last token reads in the first layer; empty without attention
};

Run through(const std::vector<Layer>& layers, Matrix<double> x, bool attention) {
  Run run;
  run.states.resize(static_cast<Index>(layers.size()) + 1, x.cols());
  run.states.row(0) = x.bottomRows(1);
  for (std::size_t i = 0; i < layers.size(); ++i) {
    if (attention) {
      const core::Result<core::Trace<double>> trace = core::computeTrace(attentionOf(layers[i], x));
      assert(trace.ok());
      if (i == 0) run.first_weights = trace.value().heads[0].softmax.weights.bottomRows(1);
      x = *trace.value().residual;
    }
    x = perToken(layers[i], x);
    run.states.row(static_cast<Index>(i) + 1) = x.bottomRows(1);
  }
  return run;
}

// The largest change of the last token's output when every other token is replaced by random vectors.
double changeByNeighbours(const std::vector<Layer>& layers, const Matrix<double>& x, bool attention,
                          std::uint64_t seed) {
  const Run before = through(layers, x, attention);
  core::Rng rng(seed + 1);
  double largest = 0;
  for (Index draw = 0; draw < kDraws; ++draw) {
    Matrix<double> other = rng.normalMatrix(x.rows(), x.cols());
    other.bottomRows(1) = x.bottomRows(1);
    const Run after = through(layers, other, attention);
    largest = std::max(largest, (after.states - before.states).bottomRows(1).cwiseAbs().maxCoeff());
  }
  return largest;
}

std::vector<double> differences(const Run& a, const Run& b) {
  std::vector<double> largest;
  for (Index i = 0; i < a.states.rows(); ++i)
    largest.push_back((a.states.row(i) - b.states.row(i)).cwiseAbs().maxCoeff());
  return largest;
}

lesson::Grid look(const std::string& title, double limit) {
  lesson::Grid grid;
  grid.title = title;
  grid.limit = limit;
  grid.row_labels = {tr("sentence {0}", {1}), tr("sentence {0}", {2})};
  grid.decimals = 2;
  return grid;
}

Matrix<double> lastRows(const Run& a, const Run& b) {
  Matrix<double> rows(2, a.states.cols());
  rows << a.states.bottomRows(1), b.states.bottomRows(1);
  return rows;
}

lesson::Plot differencePlot(const std::vector<double>& per_token, const std::vector<double>& with_attention) {
  lesson::Plot plot;
  plot.title = tr("Largest difference between the two vectors");
  plot.x_label = tr("layers passed");
  plot.y_label = tr("largest |difference|");
  std::vector<double> layers;
  for (std::size_t i = 0; i < per_token.size(); ++i) layers.push_back(static_cast<double>(i));
  plot.series.push_back({tr("per-token layers only"), lesson::Plot::Kind::kLine, layers, per_token});
  plot.series.push_back({tr("with attention"), lesson::Plot::Kind::kLine, layers, with_attention});
  return plot;
}

void describe(const Run& alone1, const Run& alone2, const Run& read1, const Run& read2, Outputs& out) {
  const std::vector<double> alone = differences(alone1, alone2), reading = differences(read1, read2);
  out.flag("equal", alone.back() == 0);
  out.flag("equal_with_attention", reading.back() == 0);
  out.flag("differ_with_attention", reading.back() > kRounding);
  out.numbers("difference_per_token", alone);
  out.numbers("difference_with_attention", reading);
  out.number("largest_per_token", alone.back());
  out.number("largest_with_attention", reading.back());
  const Matrix<double> alone_rows = lastRows(alone1, alone2), read_rows = lastRows(read1, read2);
  const double limit = std::max(alone_rows.cwiseAbs().maxCoeff(), read_rows.cwiseAbs().maxCoeff());
  out.grid("per_token", alone_rows, look(tr("Per-token layers only"), limit));
  out.grid("with_attention", read_rows, look(tr("The same layers, attention before each"), limit));
  out.figure("difference", differencePlot(alone, reading));
}

void describeNeighbours(const std::vector<Layer>& layers, const Matrix<double>& x, std::uint64_t seed, Outputs& out) {
  const double alone = changeByNeighbours(layers, x, false, seed), reading = changeByNeighbours(layers, x, true, seed);
  out.number("replacements", static_cast<double>(kDraws));
  out.number("change_per_token", alone);
  out.number("change_with_attention", reading);
  out.flag("has_neighbours", x.rows() > 1);
  out.flag("unchanged_per_token", alone == 0);
  out.flag("neighbours_matter_with_attention", reading != 0);
}

void describeSetting(const Tokens& first, const Tokens& second, Index layers, bool positions, Outputs& out) {
  out.text("word", first.back());
  out.text("layers_passed", tr("{0} per-token {0|layer|layers}", {layers}));
  out.text("same_layers", layers == 1 ? tr("the same layer, with attention before it")
                                       : tr("the same layers, with attention before each"));
  out.number("place_1", static_cast<double>(first.size()));
  out.number("place_2", static_cast<double>(second.size()));
  out.flag("starts_alike", !positions || first.size() == second.size());
}

}  // namespace

core::Check whyContext(const Inputs& in, Outputs& out, const Progress&) {
  const Tokens first = tokensOf(in.text("first")), second = tokensOf(in.text("second"));
  if (first.empty() || second.empty()) {
    return core::Error{tr("A sentence is empty; write at least one word into each.")};
  }
  if (first.back() != second.back()) {
    return core::Error{tr("The sentences end in \"{0}\" and \"{1}\"; end both in the same word, which is then compared.",
                          {first.back(), second.back()})};
  }
  const std::uint64_t seed = in.seed("seed");
  const Index d = in.integer("d");
  core::Rng rng(seed);
  std::vector<Layer> layers;
  for (Index i = 0; i < in.integer("layers"); ++i) layers.push_back(makeLayer(rng, d));
  const Matrix<double> x1 = inputOf(first, seed, d, in.on("positions")),
                       x2 = inputOf(second, seed, d, in.on("positions"));

  const Run read1 = through(layers, x1, true), read2 = through(layers, x2, true);
  describeSetting(first, second, in.integer("layers"), in.on("positions"), out);
  describe(through(layers, x1, false), through(layers, x2, false), read1, read2, out);
  describeNeighbours(layers, x1, seed, out);
  const auto last = [](const Tokens& tokens) { return static_cast<Index>(tokens.size()) - 1; };
  out.figure("first", weightStrip(tr("Sentence {0}", {1}), first, read1.first_weights, last(first)));
  out.figure("second", weightStrip(tr("Sentence {0}", {2}), second, read2.first_weights, last(second)));
  return {};
}

}  // namespace attn::scene
