// Puts headline, arithmetic, meaning and distribution of the current step together. See explain.h.
#include "app/explain.h"

#include <algorithm>
#include <cmath>

#include "app/edit_words.h"
#include "app/meaning.h"
#include "app/numbers.h"
#include "app/scene_text.h"
#include "app/words.h"
#include "core/compare.h"
#include "core/language.h"
#include "core/number.h"

namespace attn::app {
namespace {

using core::Array;
using core::Stage;

std::string capitalised(std::string text) {
  if (!text.empty() && text[0] >= 'a' && text[0] <= 'z') text[0] = static_cast<char>(text[0] - 'a' + 'A');
  return text;
}

std::string distributionTitle(const Session& session, Index row) {
  const bool several = session.trace().heads.size() > 1;
  const std::string who = destinationText(session, row);
  return several ? tr("How {0} spreads its attention in {1}", {who, headText(session.example(), session.state().head)})
                 : tr("How {0} spreads its attention", {who});
}

// Exact forms where all of the numbers have one, so that they can be compared; else decimals for all.
Printer printerFor(const Session& session, const std::vector<double>& numbers) {
  bool exact = session.state().exact;
  for (std::size_t n = 0; n < numbers.size() && exact; ++n) exact = core::exactText(numbers[n]).has_value();
  return {exact, session.state().decimals};
}

// Sum and entropy in nats; a sink counts as one more outcome.
std::string sumText(const Session& session, Index row) {
  const auto& head = session.trace().heads[static_cast<std::size_t>(session.state().head)];
  if (readsNothing(session, row)) return tr("no source allowed: no distribution");
  const auto weights = head.softmax.weights.row(row);
  const Printer printer(false, session.state().decimals);
  const auto text = [&](double value) { return printer.text(value); };
  const auto share = [](double w) { return w > 0 ? -w * std::log(w) : 0; };
  double entropy = 0, sum = 0;
  for (double w : weights) entropy += share(w), sum += w;
  if (std::isnan(sum)) return tr("the weights are not numbers: no distribution");
  const Index sources = session.trace().mask.allowedInRow(row);
  if (editedSum(session, row))
    return tr("The weights sum to {0}, because an edit has set them: they are kept as they are.", {text(sum)});
  std::string line = tr("The weights sum to {0}", {text(sum)});
  if (head.sink) {
    // e^sink ÷ (the row's sum + e^sink), in a form that overflows for no sink.
    const double sink = 1 / (1 + head.softmax.row_sum(row) * std::exp(head.softmax.row_max(row) - *head.sink));
    entropy += share(sink);
    line = tr("{0} and the sink takes {1}", {line, text(sink)});
  }
  line += ". ";
  if (sources == 1 && !head.sink) return line + tr("Entropy {0} nats: only one source may be read.", {text(entropy)});
  const std::string most = text(std::log(static_cast<double>(sources + (head.sink ? 1 : 0))));
  return line + (head.sink ? tr("Entropy {0} nats: 0 = all on one source, at most {1} = even over {2} {2|source|sources} "
                                "and the sink.", {text(entropy), most, sources})
                           : tr("Entropy {0} nats: 0 = all on one source, at most {1} = even over {2} {2|source|sources}.",
                                {text(entropy), most, sources}));
}

bool allWeightsKnown(const Session& session) {
  const core::Mask& mask = session.trace().mask;
  if (session.state().order == Order::kRow && mask.rows() > 1) return false;
  const Step last{Stage::kWeights, mask.rows() - 1, mask.columns() - 1, -1};
  return session.position() >= session.timeline().positionOf(last);
}

std::vector<std::string> columnSums(const Session& session) {
  if (!allWeightsKnown(session)) return {};
  const auto& weights = session.trace().heads[static_cast<std::size_t>(session.state().head)].softmax.weights;
  std::vector<std::string> all = {tr("{0}; columns need not.", {capitalised(rowSumsText(session))})};
  core::RowVector<double> sums = core::RowVector<double>::Zero(weights.cols());
  for (Index i = 0; i < weights.rows(); ++i) sums += weights.row(i);  // row by row, as they lie in memory
  const Printer printer = printerFor(session, {sums.begin(), sums.end()});
  for (Index j = 0; j < sums.size(); ++j) all.push_back(sourceText(session, j) + ": " + printer.text(sums(j)));
  return all;
}

std::string nextText(const Session& session, bool keys) {
  const auto step = session.timeline().at(session.position() + 1);
  if (session.position() == session.timeline().size() || !step) return farewell(session, keys);
  return keys ? tr("Press → : {0}.", {happening(session, *step)}) : tr("Next step: {0}.", {happening(session, *step)});
}

std::string openingSentence(const Session& session) {
  return session.state().order == Order::kRow
             ? tr("You will follow {0} as it reads the other positions.", {destinationText(session, session.state().row)})
             : tr("You will take all positions through each stage.");
}

std::string stepCount(const Session& session) {
  return tr("Step {0} of {1}", {session.position(), session.timeline().size()});
}

// The stage that writes an array that this computation computes; nothing for given arrays and parameters.
std::optional<Stage> writerOf(const Session& session, Array array) {
  for (Stage stage : session.timeline().stages())
    if (core::resultOf(stage) == array) return stage;
  return std::nullopt;
}

std::string whereText(const Session& session, const CellCursor& cell) {
  const lesson::Example& example = session.example();
  const auto named = [&](Index position, bool source) {
    return positionName(example, position, source, session.state().show_spaces);
  };
  switch (cell.array) {
    case Array::kScores: case Array::kScaled: case Array::kSoftcapped: case Array::kBias: case Array::kBiased:
    case Array::kMasked: case Array::kWeights:
      return tr("query {0} (row) reads key {1} (column)", {named(cell.row, false), named(cell.col, true)});
    case Array::kK: case Array::kV: case Array::kXSources:
      return tr("source {0}, component {1}", {named(cell.row, true), ordinal(example, cell.col)});
    case Array::kBq: case Array::kBk: case Array::kBv: case Array::kBo:
      return tr("stored parameter, component {0}", {ordinal(example, cell.col)});
    default: break;
  }
  if (core::isParameter(cell.array))
    return tr("stored parameter, from component {0} to component {1}",
              {ordinal(example, cell.row), ordinal(example, cell.col)});
  return tr("position {0}, component {1}", {named(cell.row, false), ordinal(example, cell.col)});
}

// "; before: 0.25" where it is compared with another number.
std::string beforeText(const Session& session, const CellCursor& cell, double value) {
  if (!session.compares()) return "";
  const auto now = core::arrayOf(session.trace(), session.state().head, cell.array);
  const auto before = core::arrayOf(*session.before().trace, session.headBefore(), cell.array);
  if (!before || before.rows != now.rows || before.columns != now.columns) return "";
  const double earlier = before(cell.row, cell.col);
  return core::sameNumber(earlier, value) ? "" : "; " + tr("before: {0}", {core::fullText(earlier)});
}

}  // namespace

Index distributionRow(const Session& session) {
  const State& state = session.state();
  if (const auto& cell = state.cursor; cell && cell->array == core::Array::kWeights &&
      session.timeline().reach(session.position(), Stage::kWeights, cell->row, cell->col).reach == Reach::kKnown) {
    return cell->row;
  }
  const bool at_weights = state.order == Order::kStage && state.at && state.at->stage == Stage::kWeights;
  return at_weights && state.at->row >= 0 ? state.at->row : state.row;
}

std::vector<Bar> distributionOf(const Session& session, Index row) {
  const auto& trace = session.trace();
  const auto& weights = trace.heads[static_cast<std::size_t>(session.state().head)].softmax.weights;
  const Index position = session.position();
  const auto of_row = weights.row(row);
  const Printer printer = printerFor(session, {of_row.begin(), of_row.end()});
  std::vector<Bar> all;
  bool any = false;
  for (Index j = 0; j < weights.cols(); ++j) {
    Bar bar;
    bar.label = sourceText(session, j);
    bar.known = session.timeline().reach(position, Stage::kWeights, row, j).reach == Reach::kKnown;
    bar.blocked = !trace.mask.allowed(row, j) && weights(row, j) == 0;
    if (bar.known && bar.blocked) bar.text = tr("blocked: {0}", {whyBlocked(session, row, j)});
    if (bar.known && !bar.blocked) {
      bar.weight = weights(row, j);
      bar.text = printer.text(bar.weight);
    }
    any = any || bar.known;
    all.push_back(std::move(bar));
  }
  return any ? all : std::vector<Bar>{};
}

namespace {

// Whoever made the link wants them to be found.
void leaveNumbersOut(Explanation& e) {
  e.numbers.clear();
  e.full_numbers.clear();
  for (Bar& bar : e.distribution)
    if (!bar.blocked) bar.text.clear();
  e.distribution_sum.clear();
  e.column_sums.clear();
}

}  // namespace

Explanation explain(const Session& session) {
  Explanation e;
  const auto step = session.timeline().at(session.position());
  if (step) {
    const Numbers numbers(session);
    e.headline = stepCount(session) + " · " + capitalised(happening(session, *step));
    e.formula = numbers.formula(*step);
    e.numbers = numbers.lines(*step);
    e.full_numbers = Numbers(session, Printer::full()).lines(*step);
    e.sentence = meaning(session, *step);
  } else {
    e.headline = stepCount(session) + " · " + (session.example().title.empty() ? tr("Start") : session.example().title);
    e.formula = tr("weights = softmax(Q·Kᵀ scaled and masked), Z = weights·V");
    e.sentence = openingSentence(session);
  }
  e.next = nextText(session, true);
  e.next_by_touch = nextText(session, false);
  const Index row = distributionRow(session);
  e.distribution = distributionOf(session, row);
  if (!e.distribution.empty()) e.distribution_title = distributionTitle(session, row);
  bool all_known = !e.distribution.empty();
  for (const Bar& bar : e.distribution) all_known = all_known && bar.known;
  if (all_known) e.distribution_sum = sumText(session, row);
  e.column_sums = columnSums(session);
  if (session.presentation().hides(Part::kNumbers)) leaveNumbersOut(e);
  return e;
}

namespace {

std::string withoutHovering(std::string line, std::string_view instead) {
  const std::string hover = tr("hover for full precision");
  if (const std::size_t at = line.rfind(hover); at != line.npos) line.replace(at, hover.size(), instead);
  return line;
}

}  // namespace

std::string byTouch(std::string line) { return withoutHovering(std::move(line), tr("tap a cell for full precision")); }
std::string byKeys(std::string line) {
  return withoutHovering(std::move(line), tr("read the cells for full precision"));
}

std::string plainText(const Session& session) {
  if (!session.state().scene.empty()) return sceneText(session);
  constexpr std::size_t kMostSources = 64;
  const Explanation e = explain(session);
  const auto left = [](std::size_t count) {
    return count <= kMostSources ? "" : tr("… and {0} more", {count - kMostSources}) + "\n";
  };
  std::string text = e.headline + "\n" + e.formula + "\n";
  if (!session.state().at && !session.example().about.empty()) text += session.example().about + "\n";
  for (const std::string& line : e.numbers) text += line + "\n";
  text += e.sentence + "\n";
  for (std::size_t j = 0; j < std::min(e.distribution.size(), kMostSources); ++j) {
    const Bar& bar = e.distribution[j];
    text += bar.label + ": " + (bar.known ? bar.text : tr("not yet known")) + "\n";
  }
  text += left(e.distribution.size());
  if (!e.distribution_sum.empty()) text += e.distribution_sum + "\n";
  for (std::size_t j = 0; j < std::min(e.column_sums.size(), kMostSources); ++j) text += e.column_sums[j] + "\n";
  text += left(e.column_sums.size());
  const std::vector<EditItem> items = editItems(session);
  std::string names;
  for (const EditItem& item : items) names += (names.empty() ? "" : "; ") + item.name;
  if (!items.empty()) text += tr("Edited: {0}.", {names}) + "\n";
  if (session.compares()) text += tr("Compared with {0}: {1}", {comparedText(session), changesText(session)}) + "\n";
  return text + e.next + "\n";
}

bool isKnown(const Session& session, const CellCursor& cell) {
  const auto stage = writerOf(session, cell.array);
  return !stage || session.timeline().reach(session.position(), *stage, cell.row, cell.col).reach == Reach::kKnown;
}

std::string cellText(const Session& session, const CellCursor& cell) {
  const auto array = core::arrayOf(session.trace(), session.state().head, cell.array);
  if (!array || cell.row < 0 || cell.row >= array.rows || cell.col < 0 || cell.col >= array.columns) return "";
  const std::string name = arrayText(cell.array);
  const std::string where = "; " + whereText(session, cell);
  if (!isKnown(session, cell)) return name + ": " + tr("not yet known") + where;
  const double value = array(cell.row, cell.col);
  const bool after_mask = cell.array == Array::kMasked || cell.array == Array::kWeights;
  const bool given = core::intervened(session.trace().problem, cell.array, session.state().head, cell.row, cell.col);
  if (after_mask && !session.trace().mask.allowed(cell.row, cell.col) && !(given && value != 0))
    return name + ": " + tr("blocked, because {0}", {whyBlocked(session, cell.row, cell.col)}) + where;
  if (session.presentation().hides(Part::kNumbers)) return name + ": " + tr("its number is hidden") + where;
  std::string text = name + " = " + core::fullText(value);
  if (session.state().exact)
    if (const auto exact = core::exactText(value); exact && *exact != core::fullText(value)) text += " = " + *exact;
  if (given) text += " (" + tr("set by an edit") + ")";
  else if (cell.array == Array::kWeights && value == 0)
    text += " (" + tr("too small for a double: it underflows to 0") + ")";
  return text + beforeText(session, cell, value) + where;
}

}  // namespace attn::app
