// Which source a row may read and why not; the two ways in which a mask is often got wrong; one array read in two ways.
#include "scene/scenes/masks.h"

#include <algorithm>
#include <cassert>
#include <cmath>

#include "core/language.h"
#include "core/number.h"
#include "core/softmax_variants.h"
#include "scene/figures.h"

namespace attn::scene {
namespace masks {

using core::RowVector;

constexpr double kMaskRounding = 1e-12;  // sums of at most four weights

lesson::Example given(std::string_view id) {
  core::Result<lesson::Example> example = lesson::builtInExample(id);
  assert(example.ok());
  return example.take();
}

core::Trace<double> under(const lesson::Example& example, const core::MaskSpec& mask) {
  core::Problem<double> problem = example.problem;
  problem.mask = mask;
  return traceOf(problem);
}

namespace {

lesson::Grid allowedLook(std::string title, const Tokens& rows, const Tokens& columns) {
  lesson::Grid grid = mapLook(std::move(title), rows, columns);
  grid.scale = lesson::GridScale::kPlain;
  grid.decimals = 0;
  return grid;
}

Matrix<double> asNumbers(const core::Mask& mask) {
  Matrix<double> ones(mask.rows(), mask.columns());
  for (Index i = 0; i < mask.rows(); ++i) {
    for (Index j = 0; j < mask.columns(); ++j) ones(i, j) = mask.allowed(i, j);
  }
  return ones;
}

core::MaskSpec chosenMask(const Inputs& in, Index T) {
  core::MaskSpec spec;
  spec.causal = in.on("causal");
  if (in.integer("window") > 0) spec.window = in.integer("window");
  const Index filler = in.integer("padding");
  for (Index j = 0; filler > 0 && j < T; ++j) spec.padding.push_back(j < T - filler);
  return spec;
}

// Laid out as the map: in each cell one letter for each reason, a point where it may be read.
lesson::Table reasonTable(const core::Mask& mask, const Tokens& tokens) {
  lesson::Table table;
  table.title = tr("Why a cell is blocked");
  table.columns = {tr("reads ↓")};
  table.columns.insert(table.columns.end(), tokens.begin(), tokens.end());
  const std::pair<core::BlockReason, const char*> letters[] = {
      {core::kBlockedByCausal, "c"}, {core::kBlockedByWindow, "w"}, {core::kBlockedByPadding, "p"}};
  for (Index i = 0; i < mask.rows(); ++i) {
    std::vector<std::string> row = {tokens[static_cast<std::size_t>(i)]};
    for (Index j = 0; j < mask.columns(); ++j) {
      std::string text;
      for (const auto& [reason, letter] : letters) {
        if (mask.reasons(i, j) & reason) text += (text.empty() ? "" : " ") + std::string(letter);
      }
      row.push_back(text.empty() ? "·" : text);
    }
    table.rows.push_back(std::move(row));
  }
  return table;
}

Index blockedBy(const core::Mask& mask, core::BlockReason reason) {
  Index count = 0;
  for (Index i = 0; i < mask.rows(); ++i) {
    for (Index j = 0; j < mask.columns(); ++j) count += (mask.reasons(i, j) & reason) != 0;
  }
  return count;
}

void showKinds(const Inputs& in, Outputs& out) {
  const lesson::Example example = given("cat-sat-down");
  const auto T = static_cast<Index>(example.tokens.size());
  const core::Trace<double> trace = under(example, chosenMask(in, T));
  Tokens tokens = example.tokens;
  for (Index j = T - in.integer("padding"); j < T; ++j) tokens[static_cast<std::size_t>(j)] = "<pad>";
  const core::Softmax<double>& softmax = trace.heads[0].softmax;
  lesson::Grid look = mapLook(tr("Weights"), tokens, tokens, &trace.mask);
  out.matrix("z", trace.heads[0].z);
  out.figure("reasons", reasonTable(trace.mask, tokens));
  const Matrix<double> allowed = asNumbers(trace.mask);
  out.matrix("allowed", allowed);
  out.number("cells", static_cast<double>(allowed.size()));
  out.number("blocked_cells", static_cast<double>(allowed.size()) - allowed.sum());
  out.flag("some_blocked", allowed.minCoeff() == 0);
  out.number("blocked_by_causal", static_cast<double>(blockedBy(trace.mask, core::kBlockedByCausal)));
  out.number("blocked_by_window", static_cast<double>(blockedBy(trace.mask, core::kBlockedByWindow)));
  out.number("blocked_by_padding", static_cast<double>(blockedBy(trace.mask, core::kBlockedByPadding)));
  Index without = 0;
  bool sums = true;
  for (Index i = 0; i < T; ++i) {
    const bool none = softmax.row_status[static_cast<std::size_t>(i)] == core::RowStatus::kNoSource;
    without += none;
    for (Index j = 0; none && j < T; ++j) look.marked.emplace_back(i, j);
    sums = sums && (none || std::abs(softmax.weights.row(i).sum() - 1) <= kMaskRounding);
  }
  out.grid("weights", softmax.weights, look);
  out.number("rows_without_source", static_cast<double>(without));
  out.flag("some_row_empty", without > 0);
  out.flag("rows_sum_to_one", sums);
  out.flag("blocked_exactly_zero", core::leakedWeight(softmax.weights, trace.mask).maxCoeff() == 0);
}

std::string shortText(double value) { return core::exactText(value).value_or(core::fixedText(value, 4)); }

std::vector<std::pair<Index, Index>> leaks(const Matrix<double>& weights, const core::Mask& mask) {
  std::vector<std::pair<Index, Index>> cells;
  for (Index i = 0; i < mask.rows(); ++i) {
    for (Index j = 0; j < mask.columns(); ++j) {
      if (!mask.allowed(i, j) && weights(i, j) != 0) cells.emplace_back(i, j);
    }
  }
  return cells;
}

void showMistakes(const Inputs& in, Outputs& out) {
  const lesson::Example example = given(in.text("example"));
  const core::Trace<double> trace = under(example, core::plainMask(true));
  const Matrix<double>& scaled = trace.heads[0].scaled;
  const Matrix<double>& right = trace.heads[0].softmax.weights;
  const Matrix<double> zero = core::filledSoftmax(scaled, trace.mask, 0.0);
  const Matrix<double> late = core::maskedAfterSoftmax(scaled, trace.mask);
  lesson::Grid scores = signedLook(tr("The scores, before any mask"), example.tokens, example.tokens);
  scores.map = true;
  out.grid("mistake_scores", scaled, scores);
  out.grid("right", right, mapLook(tr("Right: −∞ before softmax"), example.tokens, example.tokens, &trace.mask));
  lesson::Grid zero_look = mapLook(tr("Wrong: 0 in place of −∞"), example.tokens, example.tokens);
  zero_look.marked = leaks(zero, trace.mask);
  out.grid("zero_instead", zero, zero_look);
  out.grid("after_softmax", late,
           mapLook(tr("Wrong: triangle after softmax"), example.tokens, example.tokens, &trace.mask));
  const RowVector<double> leaked = core::leakedWeight(zero, trace.mask);
  lesson::Table table;
  table.title = tr("Row by row");
  table.columns = {tr("row"), tr("right: sum"), tr("0 in place of −∞: weight on later tokens"),
                   tr("triangle after softmax: sum")};
  for (Index i = 0; i < right.rows(); ++i) {
    table.rows.push_back({example.tokens[static_cast<std::size_t>(i)], shortText(right.row(i).sum()),
                          shortText(leaked(i)), shortText(late.row(i).sum())});
  }
  out.figure("mistakes", std::move(table));
  out.numbers("leaked", {leaked.begin(), leaked.end()});
  const RowVector<double> sums = late.rowwise().sum().transpose();
  out.numbers("late_sums", {sums.begin(), sums.end()});
  out.flag("zero_keeps_blocked_out", leaked.maxCoeff() == 0);
  out.flag("late_rows_sum_to_one", (sums.array() - 1).abs().maxCoeff() <= kMaskRounding);
}

// `read` is true where an array of booleans lets a row read, in the way in which one function takes it.
core::Trace<double> readingOf(const lesson::Example& example, const Matrix<double>& array, bool true_may_read) {
  core::MaskSpec spec;
  for (Index i = 0; i < array.rows(); ++i) {
    spec.allowed.emplace_back();
    for (Index j = 0; j < array.cols(); ++j) spec.allowed.back().push_back((array(i, j) != 0) == true_may_read);
  }
  return under(example, spec);
}

void showPytorch(const Inputs& in, Outputs& out) {
  const lesson::Example example = given("cat-sat-down");
  const auto T = static_cast<Index>(example.tokens.size());
  core::MaskSpec spec = core::plainMask(in.text("array") == "causal");
  if (!spec.causal) spec.padding = {true, true, false, false};
  const Matrix<double> array = asNumbers(core::makeMask(spec, T, T).take());
  out.grid("array_given", array, allowedLook(tr("The array (1 is True)"), example.tokens, example.tokens));
  const core::Trace<double> allows = readingOf(example, array, true), blocks = readingOf(example, array, false);
  const Matrix<double>&first = allows.heads[0].softmax.weights, &second = blocks.heads[0].softmax.weights;
  out.grid("true_allows", first, mapLook(tr("True = may be read"), example.tokens, example.tokens, &allows.mask));
  out.grid("true_blocks", second, mapLook(tr("True = is blocked"), example.tokens, example.tokens, &blocks.mask));
  out.flag("array_is_causal", spec.causal);
  out.flag("readings_agree", first == second);
  Index empty = 0, common = 0;
  for (Index i = 0; i < T; ++i) {
    empty += blocks.mask.allowedInRow(i) == 0;
    for (Index j = 0; j < T; ++j) common += allows.mask.allowed(i, j) && blocks.mask.allowed(i, j);
  }
  out.number("empty_rows", static_cast<double>(empty));
  out.number("common_cells", static_cast<double>(common));
}

void hideOthers(const std::string& topic, Outputs& out) {
  const std::pair<const char*, std::vector<std::string>> used[] = {
      {"causal", {"kinds", "batch"}}, {"window", {"kinds"}},  {"padding", {"kinds"}},  {"example", {"mistakes"}},
      {"array", {"pytorch"}},         {"real", {"batch"}},    {"filler", {"batch"}},   {"scores", {"nothing"}},
      {"queries", {"align"}},         {"layers", {"reach"}},  {"reach_window", {"reach"}}};
  for (const auto& [key, topics] : used) {
    if (std::find(topics.begin(), topics.end(), topic) == topics.end()) out.hide(key);
  }
}

}  // namespace
}  // namespace masks

core::Check masksOfAllKinds(const Inputs& in, Outputs& out, const Progress&) {
  masks::showKinds(in, out);
  masks::showMistakes(in, out);
  masks::showPytorch(in, out);
  masks::showBatch(in, out);
  masks::showNothing(in, out);
  masks::showAlignment(in, out);
  masks::showReach(in, out);
  masks::hideOthers(in.text("topic"), out);
  return {};
}

}  // namespace attn::scene
