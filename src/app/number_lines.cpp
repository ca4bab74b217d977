// Which lines a step shows: a whole array, one row, one cell or one term of it. See numbers.h.
#include <algorithm>
#include <cmath>

#include "app/numbers.h"
#include "app/words.h"

namespace attn::app {

using core::Array;
using core::Stage;

namespace {

// Up to six lines or numbers are shown; of more, the first four.
constexpr Index kMost = 6, kShown = 4;
Index shownOf(Index count) { return count <= kMost ? count : kShown; }

std::string more(Index left, std::string_view what) { return "… and " + std::to_string(left) + " more " + std::string(what); }

}  // namespace

std::vector<std::string> Numbers::lines(const Step& step) const {
  if (step.row < 0) return wholeLines(step.stage);
  if (silent(step.stage, step.row)) return {rowName(step.stage, step.row) + ": no source allowed, so all of it counts as 0"};
  if (step.term >= 0) return termLines(step);
  return step.col < 0 ? rowLines(step.stage, step.row) : cellLines(step.stage, step.row, step.col);
}

std::string Numbers::rowName(Stage stage, Index row) const {
  switch (stage) {
    case Stage::kNorm: return indexed("x", example_, row);
    case Stage::kQ: return indexed("q", example_, row);
    case Stage::kK: return indexed("k", example_, row);
    case Stage::kV: return indexed("v", example_, row);
    case Stage::kZ: return indexed("z", example_, row);
    case Stage::kY: return indexed("y", example_, row);
    default: return destinationText(session_, row);
  }
}

std::string Numbers::vectorText(Stage stage, Index row) const {
  const auto result = array(core::resultOf(stage));
  std::string text = "[";
  for (Index j = 0; j < shownOf(result.columns); ++j) text += (j ? ", " : "") + printer_.text(result(row, j));
  if (result.columns > kMost) text += ", … " + std::to_string(result.columns) + " numbers";
  return text + "]";
}

std::vector<std::string> Numbers::wholeLines(Stage stage) const {
  const Index rows = array(core::resultOf(stage)).rows;
  std::vector<std::string> all;
  for (Index i = 0; i < shownOf(rows); ++i) {
    const bool none = silent(stage, i);
    all.push_back(rowName(stage, i) + (columnsAreSources(stage) ? ": " : " = ") +
                  (none ? "no source allowed" : vectorText(stage, i)));
  }
  if (rows > kMost) all.push_back(more(rows - kShown, "rows"));
  return all;
}

std::vector<std::string> Numbers::rowLines(Stage stage, Index row) const {
  if (stage == Stage::kWeights) return softmaxRow(row);
  const Index columns = array(core::resultOf(stage)).columns;
  std::vector<std::string> all;
  for (Index j = 0; j < shownOf(columns); ++j) {
    const bool source = columnsAreSources(stage);
    const bool labelled = stage == Stage::kScores;
    const std::string prefix = source ? sourceText(session_, j) : "component " + ordinal(example_, j);
    for (const std::string& line : cellLines(stage, row, j)) all.push_back(labelled ? line : prefix + ": " + line);
  }
  if (columns > kMost) all.push_back(more(columns - kShown, columnsAreSources(stage) ? "sources" : "components"));
  return all;
}

std::vector<std::string> Numbers::cellLines(Stage stage, Index row, Index col) const {
  const bool blocked = columnsAreSources(stage) && stage >= Stage::kMasked && !trace_.mask.allowed(row, col);
  if (blocked && stage == Stage::kMasked)
    return {printer_.text(before(stage, row, col)) + " becomes −∞: blocked, because " + whyBlocked(session_, row, col)};
  if (blocked) return {"weight 0: blocked, because " + whyBlocked(session_, row, col)};
  if (stage == Stage::kMasked) return {printer_.text(head_.masked(row, col)) + " stays: this source may be read"};
  if (stage == Stage::kWeights) return {sourceChain(row, col)};
  if (stage == Stage::kConcat) {
    Index head = 0, first = 0;
    while (col - first >= trace_.heads[static_cast<std::size_t>(head)].z.cols())
      first += trace_.heads[static_cast<std::size_t>(head++)].z.cols();
    return {"component " + ordinal(example_, col - first) + " of " + indexed("z", example_, row) + " in head " +
            ordinal(example_, head) + ": " + printer_.text(trace_.concat(row, col))};
  }
  return {printer_.line({part(stage, row, col)})};
}

// From the score to the weight of one source, in one line.
std::string Numbers::sourceChain(Index row, Index col) const {
  std::vector<Part> parts = {part(Stage::kScores, row, col), part(Stage::kScaled, row, col)};
  if (head_.softcapped) parts.push_back(part(Stage::kSoftcapped, row, col));
  if (head_.biased) parts.push_back(part(Stage::kBiased, row, col));
  parts.push_back(part(Stage::kWeights, row, col));
  return printer_.line(parts);
}

std::vector<std::string> Numbers::termLines(const Step& step) const {
  if (step.stage == Stage::kNorm) return normPhase(step);
  if (step.stage == Stage::kWeights) return softmaxPhase(step);
  const std::vector<Term> all = terms(step.stage, step.row, step.col);
  if (all.empty()) return cellLines(step.stage, step.row, step.col);
  const auto last = static_cast<std::size_t>(step.term);
  double so_far = 0;
  bool any = false;
  for (std::size_t n = 0; n < last; ++n) {
    so_far += all[n].value;
    any = any || !all[n].blocked;
  }
  const Term& term = all[last];
  if (term.blocked)
    return {sourceText(session_, step.term) + " is blocked, because " + whyBlocked(session_, step.row, step.term) +
            ": it adds nothing, and the sum stays " + printer_.text(so_far)};
  const bool done = last + 1 == all.size();
  const double result = done ? array(core::resultOf(step.stage))(step.row, step.col) : so_far + term.value;
  const Printed expression = any ? sum({number(so_far), term.printed}, "numbers") : term.printed;
  const std::string start = any ? "so far " + printer_.text(so_far) + "; now" : "";
  return {printer_.line({{start.empty() ? label(step.stage, step.row, step.col) : start + ":", {expression}, result}})};
}

std::vector<std::string> Numbers::normPhase(const Step& step) const {
  if (step.col >= 0) return cellLines(step.stage, step.row, step.col);
  const auto state = trace_.problem.state->row(step.row);
  const auto count = static_cast<double>(state.size());
  const double mean = state.sum() / count;
  std::vector<Printed> numbers;
  for (double value : state)
    numbers.push_back(step.term == 0 ? number(value) : square(difference(number(value), number(mean))));
  const Printed expression =
      quotient(bracketed(sum(numbers, "numbers")), {std::to_string(state.size()), count});
  if (step.term == 0) return {printer_.line({{"mean", {expression}, mean}})};
  return {printer_.line({{"variance", {expression}, (state.array() - mean).square().sum() / count}})};
}

// Over allowed sources: after subtracting the maximum, and plain as a hand calculation has it.
Numbers::Part Numbers::shiftedSum(Index row) const {
  std::vector<Printed> exponentials, values;
  const Printed maximum = number(head_.softmax.row_max(row));
  for (Index j = 0; j < trace_.mask.columns(); ++j) {
    if (!trace_.mask.allowed(row, j)) continue;
    exponentials.push_back(exponential(difference(number(head_.masked(row, j)), maximum)));
    values.push_back(number(head_.softmax.exp(row, j)));
  }
  return {"With the maximum subtracted:",
          {sum(exponentials, "exponentials"), sum(values, "numbers")},
          head_.softmax.row_sum(row)};
}

Numbers::Part Numbers::plainSum(Index row) const {
  std::vector<Printed> exponentials, values;
  for (Index j = 0; j < trace_.mask.columns(); ++j) {
    if (!trace_.mask.allowed(row, j)) continue;
    exponentials.push_back(exponential(number(head_.masked(row, j))));
    values.push_back(number(head_.softmax.exp_plain(row, j)));
  }
  return {"Plain exponentials:",
          {sum(exponentials, "exponentials"), sum(values, "numbers")},
          head_.softmax.row_sum_plain(row)};
}

std::vector<std::string> Numbers::softmaxRow(Index row) const {
  const auto weights = head_.softmax.weights.row(row);
  Index chosen = 0;
  weights.maxCoeff(&chosen);
  const auto& cursor = session_.state().cursor;
  if (cursor && cursor->array == Array::kWeights && cursor->row == row) chosen = cursor->col;
  if (!trace_.mask.allowed(row, chosen)) return cellLines(Stage::kWeights, row, chosen);
  std::vector<std::string> all = {sourceText(session_, chosen) + ": " + sourceChain(row, chosen),
                                  printer_.line({plainSum(row)}), printer_.line({shiftedSum(row)})};
  for (Index j = 0; j < shownOf(weights.size()); ++j) {
    if (!trace_.mask.allowed(row, j)) {
      all.push_back(sourceText(session_, j) + ": " + cellLines(Stage::kWeights, row, j).front());
      continue;
    }
    const Printed expression = quotient(number(head_.softmax.exp(row, j)), denominator(row));
    all.push_back(printer_.line({{sourceText(session_, j) + ":", {expression}, weights(j)}}));
  }
  if (weights.size() > kMost) all.push_back(more(weights.size() - kShown, "sources"));
  return all;
}

std::vector<std::string> Numbers::softmaxPhase(const Step& step) const {
  const auto& softmax = head_.softmax;
  const Index i = step.row, j = step.col;
  if (step.term == 0) {
    std::vector<Printed> scores;
    for (Index n = 0; n < trace_.mask.columns(); ++n)
      if (trace_.mask.allowed(i, n)) scores.push_back(number(head_.masked(i, n)));
    return {printer_.line({{"maximum", {largest(scores)}, softmax.row_max(i)}})};
  }
  if (step.term == 2) {
    std::vector<std::string> all = {printer_.line({shiftedSum(i)}), printer_.line({plainSum(i)})};
    if (head_.sink) {
      const double total = softmax.row_sum(i) + std::exp(*head_.sink - softmax.row_max(i));
      all.push_back(printer_.line({{"with the sink:", {denominator(i)}, total}}));
    }
    return all;
  }
  if (!trace_.mask.allowed(i, j)) return cellLines(Stage::kWeights, i, j);
  if (step.term == 3)
    return {printer_.line({{"", {quotient(number(softmax.exp(i, j)), denominator(i))}, softmax.weights(i, j)}})};
  const Printed score = number(head_.masked(i, j));
  return {printer_.line({{"", {exponential(difference(score, number(softmax.row_max(i))))}, softmax.exp(i, j)}}),
          printer_.line({{"Plain:", {exponential(score)}, softmax.exp_plain(i, j)}})};
}

}  // namespace attn::app
