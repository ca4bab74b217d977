// Softmax over a map of scores: along the wrong axis, with dropout, and beside a softmax that chooses.
#include <algorithm>
#include <cmath>

#include "core/language.h"
#include "core/number.h"
#include "core/rng.h"
#include "core/softmax_variants.h"
#include "scene/figures.h"
#include "scene/scenes/softmax.h"

namespace attn::scene {
namespace {

using core::RowVector;

constexpr double kOne = 1e-12;   // a sum of four weights is 1 to less than this
constexpr Index kMixtures = 1000;
constexpr Index kReader = 2;     // the row whose dropout is averaged, and which mixes

// "the cat sat down" with invented queries, keys and values.
core::Trace<double> catSatDown(bool causal) {
  core::Problem<double> problem;
  problem.T = problem.S = 4;
  Matrix<double> q(4, 2), k(4, 2), v(4, 2);
  q << 0, 1, 0, 1, 2, 0, 2, 0.5;
  k << 0, 1, 2, 0, 0.5, 0.5, 0, 0.5;
  v << 1, 0, 0, 1, 1, 1, 0.5, 0.5;
  problem.q = {q};
  problem.k = {k};
  problem.v = {v};
  problem.mask = core::plainMask(causal);
  return traceOf(problem);
}

Tokens words() { return {"the", "cat", "sat", "down"}; }

std::vector<double> rowSums(const Matrix<double>& weights) { return listOf(weights.rowwise().sum().transpose()); }
std::vector<double> columnSums(const Matrix<double>& weights) { return listOf(weights.colwise().sum()); }

bool allOne(const std::vector<double>& sums) {
  return std::all_of(sums.begin(), sums.end(), [](double sum) { return std::abs(sum - 1) < kOne; });
}

lesson::Table sumTable(const std::vector<double>& right, const std::vector<double>& wrong) {
  lesson::Table table{tr("What the weights of each destination sum to"),
                      "",
                      {tr("row"), tr("over the sources (right)"), tr("over the destinations (wrong)")},
                      {},
                      {}};
  for (std::size_t i = 0; i < right.size(); ++i) {
    table.rows.push_back({words()[i], core::fixedText(right[i], 3), core::fixedText(wrong[i], 3)});
  }
  return table;
}

Matrix<bool> kept(core::Rng& rng, Index rows, Index columns, double keep) {
  Matrix<bool> all(rows, columns);
  for (Index i = 0; i < rows; ++i) {
    for (Index j = 0; j < columns; ++j) all(i, j) = rng.uniform() < keep;
  }
  return all;
}

// Which of several outcomes a uniform number in [0, 1) means.
Index chosenBy(double uniform, const RowVector<double>& shares) {
  double below = 0;
  for (Index i = 0; i + 1 < shares.size(); ++i) {
    below += shares(i);
    if (uniform < below) return i;
  }
  return shares.size() - 1;
}

}  // namespace

void describeAxis(const Inputs& in, Outputs& out) {
  const bool causal = in.on("causal");
  const core::Trace<double> trace = catSatDown(causal);
  const Matrix<double>& right = trace.heads[0].softmax.weights;
  const Matrix<double> wrong = core::shiftedSoftmaxColumns(trace.heads[0].masked);
  const core::Mask* mask = causal ? &trace.mask : nullptr;
  lesson::Grid scores = signedLook(tr("The scores that both start from"), words(), words());
  scores.map = true;
  if (mask) scores.blocked = blockedCells(*mask);
  out.grid("axis_scores", trace.heads[0].scaled, scores);
  out.grid("axis_right", right, mapLook(tr("Right: each row sums to 1"), words(), words(), mask));
  out.grid("axis_wrong", wrong, mapLook(tr("Wrong: each column sums to 1"), words(), words(), mask));
  out.numbers("row_sums_right", rowSums(right));
  out.numbers("row_sums_wrong", rowSums(wrong));
  out.numbers("column_sums_wrong", columnSums(wrong));
  out.flag("right_rows_sum_to_one", allOne(rowSums(right)));
  out.flag("wrong_rows_sum_to_one", allOne(rowSums(wrong)));
  out.flag("wrong_columns_sum_to_one", allOne(columnSums(wrong)));
  out.number("only_choice_right", right(0, 0));
  out.number("only_choice_wrong", wrong(0, 0));
  out.figure("axis_sums", sumTable(rowSums(right), rowSums(wrong)));
}

void describeDropout(const Inputs& in, Outputs& out) {
  const double keep = 1 - in.number("drop");
  const core::Trace<double> trace = catSatDown(false);
  const Matrix<double>& weights = trace.heads[0].softmax.weights;
  core::Rng rng(in.seed("seed"));
  const Matrix<double> dropped = core::droppedOut(weights, kept(rng, 4, 4, keep), keep);
  Matrix<double> mean = Matrix<double>::Zero(4, 4);
  for (Index draw = 0; draw < kMixtures; ++draw) {
    mean += core::droppedOut(weights, kept(rng, 4, 4, keep), keep) / static_cast<double>(kMixtures);
  }
  lesson::Grid look = mapLook(tr("Without dropout"), words(), words());  // both on one scale, on which kept weights grow
  look.scale = lesson::GridScale::kPositive;
  look.limit = std::max(1.0, dropped.maxCoeff());
  out.grid("without_dropout", weights, look);
  look.title = tr("With dropout, one draw");
  out.grid("with_dropout", dropped, look);
  out.numbers("row_sums_dropout", rowSums(dropped));
  out.number("enlarged", 1 / keep);
  out.number("dropped_cells", static_cast<double>((dropped.array() == 0).count()));
  out.flag("dropout_rows_sum_to_one", allOne(rowSums(dropped)));
  out.number("mean_difference", largestChange(mean, weights));
  out.numbers("mean_row_sums", rowSums(mean));
  out.number("mean_sum_difference", (mean.rowwise().sum().array() - 1).abs().maxCoeff());
  out.number("mean_draws", static_cast<double>(kMixtures));
  lesson::Table table{tr("What the weights of each destination sum to"),
                      "",
                      {tr("row"), tr("without dropout"), tr("this draw"), tr("mean of 1,000 draws")},
                      {},
                      {}};
  for (Index i = 0; i < 4; ++i) {
    table.rows.push_back({words()[static_cast<std::size_t>(i)], core::fixedText(weights.row(i).sum(), 3),
                          core::fixedText(dropped.row(i).sum(), 3), core::fixedText(mean.row(i).sum(), 3)});
  }
  out.figure("dropout_sums", table);
}

void describeVocabulary(const Inputs& in, Outputs& out) {
  const Tokens vocabulary = {"mat", "sofa", "roof", "moon", "spoon"};
  Matrix<double> logits(1, 5);
  logits << 3, 2, 1, 0, -1;
  const RowVector<double> shares = core::shiftedSoftmaxRows(logits).row(0);
  core::Rng rng(in.seed("seed"));
  const Index chosen = chosenBy(rng.uniform(), shares);
  std::vector<double> counts(vocabulary.size(), 0);
  for (Index draw = 0; draw < kMixtures; ++draw) ++counts[static_cast<std::size_t>(chosenBy(rng.uniform(), shares))];
  out.numbers("token_scores", listOf(logits.row(0)));
  out.numbers("token_shares", listOf(shares));
  out.text("token_drawn", vocabulary[static_cast<std::size_t>(chosen)]);
  out.numbers("token_counts", counts);
  lesson::Strip strip = weightStrip(tr("Over the vocabulary: one token is drawn"), vocabulary, shares, chosen);
  out.figure("vocabulary", strip);

  const core::Trace<double> trace = catSatDown(false);
  const core::HeadTrace<double>& head = trace.heads[0];
  out.figure("sources",
             weightStrip(tr("Over the sources: all are mixed"), words(), head.softmax.weights.row(kReader), kReader));
  out.numbers("mixture", listOf(head.z.row(kReader)));
  bool is_a_value = false;
  for (Index j = 0; j < 4; ++j) is_a_value = is_a_value || head.z.row(kReader) == head.v.row(j);
  out.flag("mixture_is_one_value", is_a_value);
  out.flag("mixture_is_no_single_value", !is_a_value);
  lesson::Table table{tr("1,000 draws from the vocabulary"), "",
                      {tr("token"), tr("score"), tr("probability"), tr("times drawn")}, {}, {}};
  for (std::size_t i = 0; i < vocabulary.size(); ++i) {
    const auto at = static_cast<Index>(i);
    table.rows.push_back({vocabulary[i], core::fixedText(logits(0, at), 0), core::fixedText(shares(at), 3),
                          core::fixedText(counts[i], 0)});
  }
  out.figure("draws", table);
}

}  // namespace attn::scene
