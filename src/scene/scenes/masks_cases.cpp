// Masks where shapes or rows are special: a batch with filler, a row that may read nothing, fewer queries than keys, a
// window over several layers.
#include <algorithm>
#include <limits>

#include "core/language.h"
#include "core/number.h"
#include "core/softmax_variants.h"
#include "core/stack.h"
#include "scene/figures.h"
#include "scene/scenes/masks.h"

namespace attn::scene::masks {
namespace {

using core::RowVector;

constexpr Index kBatchTokens = 4;
constexpr Index kAlignSources = 5;
constexpr Index kReachPositions = 12;

// The first `real` tokens of the example, the rest filler: what a filler holds is nobody's business.
core::Trace<double> padded(const lesson::Example& example, Index real, double filler, bool causal) {
  core::Problem<double> problem = example.problem;
  for (auto* array : {&problem.q[0], &problem.k[0], &problem.v[0]}) {
    for (Index i = real; i < kBatchTokens; ++i) array->row(i) << filler, 1 - filler;
  }
  problem.mask = core::plainMask(causal);
  for (Index j = 0; j < kBatchTokens; ++j) problem.mask.padding.push_back(j < real);
  return traceOf(problem);
}

// The mean over positions of |z|², standing in for a loss: over all of a batch, and over its real tokens.
struct Means {
  double all = 0, real = 0;
};

Means meansOf(const core::Trace<double>& full, const core::Trace<double>& part, Index real) {
  const Matrix<double>&a = full.heads[0].z, &b = part.heads[0].z;
  Means means;
  means.all = (a.squaredNorm() + b.squaredNorm()) / static_cast<double>(2 * kBatchTokens);
  means.real = (a.squaredNorm() + b.topRows(real).squaredNorm()) / static_cast<double>(kBatchTokens + real);
  return means;
}

lesson::Strip stripOf(const Tokens& tokens, Index real, std::string title) {
  lesson::Strip strip;
  strip.title = std::move(title);
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    strip.items.push_back({tokens[i], static_cast<Index>(i) < real ? tr("real") : tr("filler"), -1, false});
  }
  return strip;
}

}  // namespace

void showBatch(const Inputs& in, Outputs& out) {
  const lesson::Example example = given("cat-sat-down");
  const Index real = in.integer("real");
  const double filler = in.number("filler");
  const bool causal = in.on("causal");
  const core::Trace<double> full = padded(example, kBatchTokens, filler, causal),
                            part = padded(example, real, filler, causal);
  Tokens tokens = example.tokens;
  for (Index j = real; j < kBatchTokens; ++j) tokens[static_cast<std::size_t>(j)] = "<pad>";
  out.figure("sequence_1", stripOf(example.tokens, kBatchTokens, tr("Sequence {0}", {1})));
  out.figure("sequence_2", stripOf(tokens, real, tr("Sequence {0}", {2})));
  const Matrix<double>&weights = part.heads[0].softmax.weights, &z = part.heads[0].z;
  out.grid("batch_weights", weights, mapLook(tr("Weights of sequence 2"), tokens, tokens, &part.mask));
  out.grid("batch_z", z, signedLook(tr("Results z of sequence 2"), tokens, numbered(z.cols(), "z{0}")));
  out.grid("batch_z_1", full.heads[0].z,
           signedLook(tr("Results z of sequence 1"), example.tokens, numbered(z.cols(), "z{0}")));
  const Index fillers = kBatchTokens - real;
  out.flag("has_filler", fillers > 0);
  out.flag("padded_keys_get_zero", fillers == 0 || (weights.rightCols(fillers).array() == 0).all());
  const double output = fillers == 0 ? 0 : z.bottomRows(fillers).cwiseAbs().maxCoeff();
  out.number("padded_output", output);
  out.flag("padded_queries_give_zero", output == 0);
  out.flag("padded_queries_give_something", output > 0);
  const Means now = meansOf(full, part, real), other = meansOf(full, padded(example, real, filler + 1, causal), real);
  out.number("mean_all", now.all);
  out.number("mean_all_other", other.all);
  out.number("mean_real", now.real);
  out.number("filler_other", filler + 1);
  out.number("all_positions", static_cast<double>(2 * kBatchTokens));
  out.number("real_positions", static_cast<double>(kBatchTokens + real));
  out.flag("filler_moves_mean_of_all", now.all != other.all);
  out.flag("filler_moves_mean_of_real", now.real != other.real);
  out.flag("filler_leaves_mean_of_real", now.real == other.real);
}

namespace {

// The same scores twice: row 0 may read nothing, row 1 all but the last. What each way of writing that gives.
struct Nothing {
  Matrix<double> scores;
  core::Mask mask;
  Matrix<double> ours, infinite, replaced, billion, ten_thousand;
};

Nothing nothingOf(const std::vector<double>& numbers) {
  const auto S = static_cast<Index>(numbers.size());
  const Eigen::Map<const RowVector<double>> row(numbers.data(), S);
  Nothing rows{Matrix<double>(2, S), core::Mask(2, S), {}, {}, {}, {}, {}};
  rows.scores << row, row;
  for (Index j = 0; j < S; ++j) rows.mask.block(0, j, core::kBlockedByAllowed);
  rows.mask.block(1, S - 1, core::kBlockedByAllowed);
  const Matrix<float> single = rows.scores.cast<float>();
  rows.ours = core::softmaxRows(rows.scores, rows.mask).weights;
  rows.infinite = core::filledSoftmax(rows.scores, rows.mask, -std::numeric_limits<double>::infinity());
  rows.replaced = core::filledSoftmax(single, rows.mask, -1e9f).cast<double>();
  rows.billion = core::penalisedSoftmax(single, rows.mask, -1e9f).cast<double>();
  rows.ten_thousand = core::penalisedSoftmax(single, rows.mask, -1e4f).cast<double>();
  return rows;
}

lesson::Table nothingTable(const Nothing& rows) {
  lesson::Table table;
  table.title = tr("The row that may read nothing");
  table.columns = {tr("what is done"), tr("source {0}", {0}), tr("source {0}", {1}), tr("source {0}", {2}), tr("sum")};
  table.rows.push_back({tr("in mathematics"), "0/0", "0/0", "0/0", tr("no distribution")});
  table.rows.push_back({tr("in this program"), "0", "0", "0", "0"});
  const std::pair<std::string, const Matrix<double>*> ways[] = {{tr("−∞, then a plain softmax"), &rows.infinite},
                                                                {tr("−1e9 in place of the scores"), &rows.replaced},
                                                                {tr("−1e9 added, single precision"), &rows.billion},
                                                                {tr("−1e4 added, single precision"), &rows.ten_thousand}};
  for (const auto& [words, weights] : ways) {
    std::vector<std::string> row = {words};
    for (Index j = 0; j < weights->cols(); ++j) row.push_back(core::fixedText((*weights)(0, j), 4));
    row.push_back(core::fixedText(weights->row(0).sum(), 4));
    table.rows.push_back(std::move(row));
  }
  return table;
}

}  // namespace

void showNothing(const Inputs& in, Outputs& out) {
  const Nothing rows = nothingOf(in.numbers("scores"));
  out.figure("nothing", nothingTable(rows));
  const auto numbersOf = [](const Matrix<double>& weights) {
    return std::vector<double>(weights.row(0).begin(), weights.row(0).end());
  };
  out.numbers("nothing_here", numbersOf(rows.ours));
  out.numbers("nothing_infinite", numbersOf(rows.infinite));
  out.numbers("nothing_billion", numbersOf(rows.billion));
  out.numbers("nothing_ten_thousand", numbersOf(rows.ten_thousand));
  out.flag("infinite_is_nan", rows.infinite.row(0).array().isNaN().all());
  // −1e9 in single precision has neighbours 64 apart: differences of ordinary scores vanish.
  const double third = 1 / static_cast<double>(rows.scores.cols());
  out.flag("billion_is_uniform", (rows.billion.row(0).array() - third).abs().maxCoeff() <= 1e-7);
  // −1e4 in single precision has neighbours 0.001 apart, which weights below 1 turn into less than 0.001.
  const Matrix<double> unmasked = core::shiftedSoftmaxRows(rows.scores);
  out.flag("ten_thousand_leaks", (rows.ten_thousand.row(0) - unmasked.row(0)).cwiseAbs().maxCoeff() <= 1e-3);
  const double infinite_off = (rows.infinite.row(1) - rows.ours.row(1)).cwiseAbs().maxCoeff();
  const double ten_thousand_off = (rows.ten_thousand.row(1) - rows.ours.row(1)).cwiseAbs().maxCoeff();
  const double off = std::max(infinite_off, ten_thousand_off);
  out.number("other_row_difference", off);
  out.flag("other_rows_agree", off <= 1e-6);  // single precision: 24 bits
}

namespace {

std::vector<std::string> patternOf(const core::Mask& mask) {
  std::vector<std::string> rows;
  for (Index i = 0; i < mask.rows(); ++i) {
    rows.emplace_back();
    for (Index j = 0; j < mask.columns(); ++j) rows.back() += mask.allowed(i, j) ? '1' : '0';
  }
  return rows;
}

void showAligned(const std::string& name, const std::string& title, core::Align align, Index queries, Outputs& out) {
  core::MaskSpec spec = core::plainMask(true);
  spec.align = align;
  const core::Mask mask = core::makeMask(spec, queries, kAlignSources).take();
  out.texts(name, patternOf(mask));
  Matrix<double> ones(queries, kAlignSources);
  for (Index i = 0; i < queries; ++i) {
    for (Index j = 0; j < kAlignSources; ++j) ones(i, j) = mask.allowed(i, j);
  }
  lesson::Grid grid = mapLook(title, numbered(queries, trLater("query {0}")), numbered(kAlignSources, trLater("key {0}")),
                              &mask);
  grid.scale = lesson::GridScale::kPlain;
  grid.decimals = 0;
  grid.rows = queries;
  grid.columns = kAlignSources;
  grid.values.assign(ones.data(), ones.data() + ones.size());
  out.figure(name, std::move(grid));
}

}  // namespace

void showAlignment(const Inputs& in, Outputs& out) {
  const Index queries = in.integer("queries");
  showAligned("top_left", tr("Top-left: query 0 stands at key 0"), core::Align::kTopLeft, queries, out);
  showAligned("bottom_right", tr("Bottom-right: the last query stands at the last key"), core::Align::kBottomRight, queries,
              out);
  out.number("align_sources", static_cast<double>(kAlignSources));
  out.text("align_queries", tr("{0} {0|query|queries}", {queries}));
  out.flag("alignments_agree", queries == kAlignSources);
  out.flag("alignments_differ", queries != kAlignSources);
}

void showReach(const Inputs& in, Outputs& out) {
  const Index window = in.integer("reach_window"), layers = in.integer("layers"), last = kReachPositions - 1;
  core::MaskSpec spec = core::plainMask(true);
  spec.window = window;
  const core::Mask mask = core::makeMask(spec, kReachPositions, kReachPositions).take();
  lesson::Flow flow;
  flow.title = tr("What the last position can have heard of");
  flow.positions = numbered(kReachPositions);
  flow.layers.push_back(tr("input"));
  for (Index l = 1; l <= layers; ++l) flow.layers.push_back(tr("layer {0}", {l}));
  Index reached = 0;
  for (Index row = 0; row <= layers; ++row) {
    Matrix<bool> reach = Matrix<bool>::Identity(kReachPositions, kReachPositions);
    if (row < layers)
      reach = core::reachThrough(std::vector<core::Mask>(static_cast<std::size_t>(layers - row), mask), true);
    for (Index j = 0; j < kReachPositions; ++j) {
      if (reach(last, j)) flow.nodes.push_back({row, j, "", true});
      reached += row == 0 && reach(last, j);
    }
  }
  const auto marked = [&](Index row, Index position) {
    return std::any_of(flow.nodes.begin(), flow.nodes.end(),
                       [&](const auto& node) { return node.layer == row && node.position == position; });
  };
  for (Index l = 0; l < layers; ++l) {
    for (Index i = 0; i < kReachPositions; ++i) {
      for (Index j = 0; j < kReachPositions; ++j) {
        const bool farthest = j == std::max<Index>(i - window + 1, 0);
        if (mask.allowed(i, j)) flow.edges.push_back({l, j, i, 1, farthest && marked(l + 1, i)});
      }
    }
  }
  out.figure("reach", std::move(flow));
  const Index expected = std::min(kReachPositions, core::windowReach(window, layers));
  out.number("reached", static_cast<double>(reached));
  out.number("reach_unlimited", static_cast<double>(core::windowReach(window, layers)));
  out.number("reach_positions", static_cast<double>(kReachPositions));
  out.text("reach_layers", tr("{0} {0|layer|layers}", {layers}));
  out.flag("reach_as_counted", reached == expected);
  out.flag("reaches_all", reached == kReachPositions);
  out.flag("reach_to_the_start", core::windowReach(window, layers) > kReachPositions);
}

}  // namespace attn::scene::masks
