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
constexpr Index kMost = 6, kMostShown = 4;
Index shownOf(Index count) { return count <= kMost ? count : kMostShown; }

}  // namespace

std::vector<std::string> Numbers::lines(const Step& step) const {
  if (step.row < 0) return wholeLines(step.stage);
  if (silent(step.stage, step.row))
    return {tr("{0}: no source allowed, so all of it counts as 0", {rowName(step.stage, step.row)})};
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

std::string Numbers::vectorText(core::ArrayView values, Index row) const {
  std::string text = "[";
  for (Index j = 0; j < shownOf(values.columns); ++j) text += (j ? ", " : "") + printer_.text(values(row, j));
  if (values.columns > kMost) text += ", … " + tr("{0} numbers", {values.columns});
  return text + "]";
}

std::string Numbers::wholeLine(Stage stage, Index row) const {
  const std::string name = rowName(stage, row);
  if (silent(stage, row)) return tr("{0}: no source allowed", {name});
  const bool sources = rowsAreSources(stage) && trace_.problem.cross;
  const Array parameter = stage == Stage::kQ ? Array::kWq : stage == Stage::kK ? Array::kWk : Array::kWv;
  const bool projection = stage == Stage::kQ || rowsAreSources(stage);
  const std::string letter = stage == Stage::kQ ? "Q" : stage == Stage::kK ? "K" : "V";
  return printer_.uniform([&] {
    std::string text = name + (columnsAreSources(stage) ? ": " : " = ");
    if (projection && array(parameter)) {
      text += vectorText(array(sources ? Array::kXSources : Array::kX), row) + "·W_" + letter;
      const Array bias = stage == Stage::kQ ? Array::kBq : stage == Stage::kK ? Array::kBk : Array::kBv;
      text += (array(bias) ? " + b_" + letter : "") + " = ";
    }
    const Array result = core::resultOf(stage);
    const std::string now = vectorText(array(result), row);
    if (!anySet(stage, row)) return text + now;
    text += vectorText(core::computedOf(trace_, session_.state().head, result), row);
    return tr("{0} → set to {1}", {text, now});
  });
}

std::vector<std::string> Numbers::wholeLines(Stage stage) const {
  const Index rows = array(core::resultOf(stage)).rows;
  std::vector<std::string> all;
  for (Index i = 0; i < shownOf(rows); ++i) all.push_back(wholeLine(stage, i));
  if (rows > kMost) all.push_back(tr("… and {0} more rows", {rows - kMostShown}));
  return all;
}

std::vector<std::string> Numbers::rowLines(Stage stage, Index row) const {
  if (stage == Stage::kWeights) return softmaxRow(row);
  const Index columns = array(core::resultOf(stage)).columns;
  std::vector<std::string> all;
  for (Index j = 0; j < shownOf(columns); ++j) {
    const bool source = columnsAreSources(stage);
    const bool labelled = stage == Stage::kScores;
    const std::string prefix = source ? sourceText(session_, j) : tr("component {0}", {ordinal(example_, j)});
    const std::string joint = stage == Stage::kConcat ? " = " : ": ";
    for (const std::string& line : cellLines(stage, row, j)) all.push_back(labelled ? line : prefix + joint + line);
  }
  const Index left = columns - kMostShown;
  if (columns > kMost)
    all.push_back(columnsAreSources(stage) ? tr("… and {0} more sources", {left}) : tr("… and {0} more components", {left}));
  return all;
}

std::vector<std::string> Numbers::cellLines(Stage stage, Index row, Index col) const {
  const bool blocked = columnsAreSources(stage) && stage >= Stage::kMasked && !trace_.mask.allowed(row, col);
  if (blocked && stage == Stage::kMasked)
    return {tr("{0} becomes −∞: blocked, because {1}",
               {printer_.text(before(stage, row, col)), whyBlocked(session_, row, col)})};
  if (blocked) {
    const auto given = set(stage, row, col);
    const std::string why = tr("blocked, because {0}", {whyBlocked(session_, row, col)});
    return {given ? tr("{0} → set to {1}", {why, printer_.text(*given)}) : why};
  }
  if (stage == Stage::kMasked)
    return {tr("{0} stays: this source may be read", {printer_.text(head_.masked(row, col))})};
  if (stage == Stage::kWeights) return {line([&] { return sourceChain(row, col); })};
  if (stage == Stage::kConcat) {
    Index head = 0, first = 0;
    while (col - first >= trace_.heads[static_cast<std::size_t>(head)].z.cols())
      first += trace_.heads[static_cast<std::size_t>(head++)].z.cols();
    return {tr("component {0} of {1} in head {2}",
               {ordinal(example_, col - first), indexed("z", example_, row), ordinal(example_, head)}) +
            " = " + printer_.text(trace_.concat(row, col))};
  }
  return {line([&] { return std::vector{part(stage, row, col)}; })};
}

// From the score to the weight of one source, in one line.
std::vector<Numbers::Part> Numbers::sourceChain(Index row, Index col) const {
  std::vector<Part> parts = {part(Stage::kScores, row, col), part(Stage::kScaled, row, col)};
  if (head_.softcapped) parts.push_back(part(Stage::kSoftcapped, row, col));
  if (head_.biased) parts.push_back(part(Stage::kBiased, row, col));
  parts.push_back(part(Stage::kWeights, row, col));
  return parts;
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
  if (all[last].blocked)
    return {tr("{0} is blocked, because {1}: it adds nothing, and the sum stays {2}",
               {sourceText(session_, step.term), whyBlocked(session_, step.row, step.term), printer_.text(so_far)})};
  const bool done = last + 1 == all.size();
  const double result = done ? computed(step.stage, step.row, step.col) : so_far + all[last].value;
  const auto given = done ? set(step.stage, step.row, step.col) : std::nullopt;
  const std::string name = label(step.stage, step.row, step.col);
  const std::string start = done ? name : name.empty() ? tr("so far:") : tr("{0} so far:", {name});
  return {line([&] {
    const Printed term = terms(step.stage, step.row, step.col)[last].printed;
    return std::vector<Part>{{start, {any ? sum({number(so_far), term}) : term}, result, given}};
  })};
}

std::vector<std::string> Numbers::normPhase(const Step& step) const {
  if (step.col >= 0) return cellLines(step.stage, step.row, step.col);
  const auto state = trace_.problem.state->row(step.row);
  const auto count = static_cast<double>(state.size());
  const double mean = state.sum() / count;
  const bool is_mean = step.term == 0;
  const double result = is_mean ? mean : (state.array() - mean).square().sum() / count;
  return {line([&] {
    std::vector<Printed> values;
    for (double value : state)
      values.push_back(is_mean ? number(value) : square(difference(number(value), number(mean))));
    const Printed whole = quotient(bracketed(sum(values)), {std::to_string(state.size()), count});
    return std::vector<Part>{{is_mean ? tr("mean") : tr("variance"), {whole}, result}};
  })};
}

// Over allowed sources: after subtracting the maximum, or plain as a hand calculation has it.
Numbers::Part Numbers::rowSum(Index row, bool shifted) const {
  const auto& softmax = head_.softmax;
  std::vector<Printed> exponentials, values;
  const Printed maximum = number(softmax.row_max(row));
  for (Index j = 0; j < trace_.mask.columns(); ++j) {
    if (!trace_.mask.allowed(row, j)) continue;
    const Printed score = number(head_.masked(row, j));
    exponentials.push_back(exponential(shifted ? difference(score, maximum) : score));
    values.push_back(number(shifted ? softmax.exp(row, j) : softmax.exp_plain(row, j)));
  }
  return {shifted ? tr("With the maximum subtracted:") : tr("Plain exponentials:"),
          {sum(exponentials, trLater("{0} exponentials")), sum(values)},
          shifted ? softmax.row_sum(row) : softmax.row_sum_plain(row)};
}

std::vector<std::string> Numbers::softmaxRow(Index row) const {
  const auto weights = head_.softmax.weights.row(row);
  Index chosen = 0;
  weights.maxCoeff(&chosen);
  const auto& cursor = session_.state().cursor;
  if (cursor && cursor->array == Array::kWeights && cursor->row == row) chosen = cursor->col;
  const std::string most = sourceText(session_, chosen) + ": ";
  std::vector<std::string> all = {most + cellLines(Stage::kWeights, row, chosen).front()};
  for (bool shifted : {false, true}) all.push_back(line([&] { return std::vector{rowSum(row, shifted)}; }));
  for (Index j = 0; j < shownOf(weights.size()); ++j) {
    const std::string name = sourceText(session_, j) + ":";
    if (!trace_.mask.allowed(row, j))
      all.push_back(name + " " + cellLines(Stage::kWeights, row, j).front());
    else
      all.push_back(line([&] {
        return std::vector<Part>{{name,
                                  {quotient(number(head_.softmax.exp(row, j)), denominator(row))},
                                  computed(Stage::kWeights, row, j),
                                  set(Stage::kWeights, row, j)}};
      }));
  }
  if (weights.size() > kMost) all.push_back(tr("… and {0} more sources", {weights.size() - kMostShown}));
  return all;
}

std::vector<std::string> Numbers::softmaxPhase(const Step& step) const {
  const auto& softmax = head_.softmax;
  const Index i = step.row, j = step.col;
  const auto one = [&](const std::string& name, auto expression, double result) {
    return line([&] { return std::vector<Part>{{name, {expression()}, result}}; });
  };
  if (step.term == 0) {
    const auto maximum = [&] {
      std::vector<Printed> scores;
      for (Index n = 0; n < trace_.mask.columns(); ++n)
        if (trace_.mask.allowed(i, n)) scores.push_back(number(head_.masked(i, n)));
      return largest(scores);
    };
    return {one(tr("maximum"), maximum, softmax.row_max(i))};
  }
  if (step.term == 2) {
    std::vector<std::string> all;
    for (bool shifted : {true, false}) all.push_back(line([&] { return std::vector{rowSum(i, shifted)}; }));
    const double total = head_.sink ? softmax.row_sum(i) + std::exp(*head_.sink - softmax.row_max(i)) : 0;
    if (head_.sink) all.push_back(one(tr("With the sink:"), [&] { return denominator(i); }, total));
    return all;
  }
  if (!trace_.mask.allowed(i, j)) return cellLines(Stage::kWeights, i, j);
  if (step.term == 3)
    return {line([&] {
      return std::vector<Part>{{"",
                                {quotient(number(softmax.exp(i, j)), denominator(i))},
                                computed(Stage::kWeights, i, j),
                                set(Stage::kWeights, i, j)}};
    })};
  const auto score = [&] { return number(head_.masked(i, j)); };
  const auto shifted = [&] { return exponential(difference(score(), number(softmax.row_max(i)))); };
  const auto plain = [&] { return exponential(score()); };
  return {one("", shifted, softmax.exp(i, j)), one(tr("Plain:"), plain, softmax.exp_plain(i, j))};
}

}  // namespace attn::app
