// The vocabulary of steps. See words.h.
#include "app/words.h"

#include <cmath>
#include <cstdlib>
#include <vector>

#include "app/explain.h"
#include "app/printed.h"
#include "core/language.h"

namespace attn::app {
namespace {

using core::Stage;

std::string subscript(Index number) {
  std::string text;
  for (char c : std::to_string(number)) {
    if (c == '-')
      text += "₋";
    else
      text += {'\xE2', '\x82', static_cast<char>(0x80 + (c - '0'))};  // ₀ is U+2080
  }
  return text;
}

// What happens in a stage that takes all rows at once.
std::string wholeHappening(const Session& session, Stage stage) {
  const core::Problem<double>& problem = session.trace().problem;
  switch (stage) {
    case Stage::kNorm: return tr("every position is normalised");
    case Stage::kQ: return tr("every position makes its query");
    case Stage::kK: return problem.cross ? tr("every source makes its key") : tr("every position makes its key");
    case Stage::kV: return problem.cross ? tr("every source makes its value") : tr("every position makes its value");
    case Stage::kScores: return tr("every position compares its query with every key");
    case Stage::kScaled: return tr("the scores of every position are scaled: {0}", {scaleText(session)});
    case Stage::kSoftcapped: return tr("large scores of every position are capped softly");
    case Stage::kBiased: return tr("a bias is added to the scores of every position");
    case Stage::kMasked: return tr("the mask takes away what every position may not read");
    case Stage::kWeights: return tr("the scores of every position become weights");
    case Stage::kZ: return tr("every position mixes the values by its weights");
    case Stage::kConcat: return tr("the heads' results for every position are put side by side");
    case Stage::kY:
      return problem.wo ? tr("the result of every position is multiplied by the output projection W_O")
                        : tr("every position takes over its result");
    case Stage::kResidual: return tr("the result is added to what every position held");
  }
  return "";
}

// What one row does in a stage. `who` is its position.
std::string rowHappening(const Session& session, Stage stage, const std::string& who) {
  switch (stage) {
    case Stage::kNorm: return tr("{0} is normalised", {who});
    case Stage::kQ: return tr("{0} makes its query", {who});
    case Stage::kK: return tr("{0} makes its key", {who});
    case Stage::kV: return tr("{0} makes its value", {who});
    case Stage::kScores: return tr("{0} compares its query with every key", {who});
    case Stage::kScaled: return tr("the scores of {0} are scaled: {1}", {who, scaleText(session)});
    case Stage::kSoftcapped: return tr("large scores of {0} are capped softly", {who});
    case Stage::kBiased: return tr("a bias is added to the scores of {0}", {who});
    case Stage::kMasked: return tr("the mask takes away what {0} may not read", {who});
    case Stage::kWeights: return tr("the scores of {0} become weights", {who});
    case Stage::kZ: return tr("{0} mixes the values by its weights", {who});
    case Stage::kConcat: return tr("the heads' results for {0} are put side by side", {who});
    case Stage::kY:
      return session.trace().problem.wo ? tr("the result of {0} is multiplied by the output projection W_O", {who})
                                        : tr("{0} takes over its result", {who});
    case Stage::kResidual: return tr("the result is added to what {0} held", {who});
  }
  return "";
}

std::string cellHappening(const Session& session, Stage stage, const std::string& who, Index col) {
  const std::string component = ordinal(session.example(), col);
  const auto source = [&] { return sourceText(session, col); };
  switch (stage) {
    case Stage::kNorm: return tr("component {0} of {1} is normalised", {component, who});
    case Stage::kQ: return tr("{0} makes component {1} of its query", {who, component});
    case Stage::kK: return tr("{0} makes component {1} of its key", {who, component});
    case Stage::kV: return tr("{0} makes component {1} of its value", {who, component});
    case Stage::kScores: return tr("{0} compares its query with the key of {1}", {who, source()});
    case Stage::kScaled: return tr("the score for {0} is scaled: {1}", {source(), scaleText(session)});
    case Stage::kSoftcapped: return tr("the score for {0} is capped softly", {source()});
    case Stage::kBiased: return tr("a bias is added to the score for {0}", {source()});
    case Stage::kMasked: return tr("the mask decides whether {0} may read {1}", {who, source()});
    case Stage::kWeights: return tr("the score for {0} becomes a weight", {source()});
    case Stage::kZ: return tr("{0} mixes component {1} of the values", {who, component});
    case Stage::kConcat: return tr("component {0} for {1} is put in its place", {component, who});
    case Stage::kY: return tr("component {0} of the result for {1} is made", {component, who});
    case Stage::kResidual: return tr("component {0} is added to what {1} held", {component, who});
  }
  return "";
}

std::string phaseHappening(const Session& session, const Step& step, const std::string& who) {
  if (step.stage == Stage::kNorm) {
    if (step.term == 0) return tr("the mean of {0} is taken", {who});
    if (step.term == 1) return tr("the variance of {0} is taken", {who});
    return cellHappening(session, step.stage, who, step.col);
  }
  const std::string source = step.col < 0 ? "" : sourceText(session, step.col);
  switch (step.term) {
    case 0: return tr("the largest score of {0} is found", {who});
    case 1:
      if (!session.trace().mask.allowed(step.row, step.col)) return tr("{0} is blocked and takes no part", {source});
      return tr("the score for {0} is put through the exponential", {source});
    case 2: return tr("the exponentials of {0} are added up", {who});
    default: return tr("the exponential for {0} is divided by the sum", {source});
  }
}

// "aligned top-left" where it matters which source a destination stands at.
std::string alignmentName(const Session& session) {
  const core::MaskSpec& mask = session.trace().problem.mask;
  const bool matters = session.trace().mask.rows() != session.trace().mask.columns() && (mask.causal || mask.window);
  if (!matters) return "";
  return mask.align == core::Align::kBottomRight ? tr("aligned bottom-right") : tr("aligned top-left");
}

// Whether the last term of a cell of this stage is a bias.
bool endsWithBias(const core::Problem<double>& problem, Stage stage) {
  switch (stage) {
    case Stage::kQ: return !problem.bq.empty();
    case Stage::kK: return !problem.bk.empty();
    case Stage::kV: return !problem.bv.empty();
    case Stage::kY: return problem.bo.has_value();
    default: return false;
  }
}

}  // namespace

std::string ordinal(const lesson::Example& example, Index number) {
  return std::to_string(number + example.first_index);
}

std::string headText(const lesson::Example& example, Index head) {
  return tr("head {0}", {ordinal(example, head)});
}

std::string indexed(std::string_view letter, const lesson::Example& example, Index position) {
  return std::string(letter) + subscript(position + example.first_index);
}

std::string destinationText(const Session& session, Index row) {
  return positionText(session.example(), row, false, session.state().show_spaces);
}
std::string sourceText(const Session& session, Index col) {
  return positionText(session.example(), col, true, session.state().show_spaces);
}

bool columnsAreSources(Stage stage) { return stage >= Stage::kScores && stage <= Stage::kWeights; }
bool rowsAreSources(Stage stage) { return stage == Stage::kK || stage == Stage::kV; }

std::string happening(const Session& session, const Step& step) {
  const bool sources = rowsAreSources(step.stage);
  if (step.row < 0) return wholeHappening(session, step.stage);
  const std::string who = sources ? sourceText(session, step.row) : destinationText(session, step.row);
  const bool phased = step.stage == Stage::kNorm || step.stage == Stage::kWeights;
  if (phased && step.term >= 0) return phaseHappening(session, step, who);
  const core::Mask& mask = session.trace().mask;
  if (step.col < 0 && step.stage == Stage::kMasked && mask.allowedInRow(step.row) == mask.columns())
    return tr("the mask lets {0} read every source", {who});
  if (step.col < 0) return rowHappening(session, step.stage, who);
  const std::string cell = cellHappening(session, step.stage, who, step.col);
  const Index terms = session.timeline().termsOf(step.stage);
  if (step.term < 0 || terms < 2) return cell;
  if (step.stage == Stage::kZ) {
    const std::string source = sourceText(session, step.term);
    return mask.allowed(step.row, step.term) ? tr("{0}: {1} adds its share", {cell, source})
                                             : tr("{0}: {1} is blocked and adds nothing", {cell, source});
  }
  const Index products = terms - (endsWithBias(session.trace().problem, step.stage) ? 1 : 0);
  if (step.term == products) return tr("{0}: the bias is added", {cell});
  if (products == 1) return cell;
  return tr("{0}: product {1} of {2}", {cell, step.term + 1, products});
}

std::string whyBlocked(const Session& session, Index row, Index col) {
  return reasonsText(session.trace().mask.reasons(row, col), session.trace().problem.mask.window.value_or(1),
                     alignmentName(session));
}

std::string reasonsText(std::uint8_t reasons, Index window, const std::string& aligned) {
  std::vector<std::string> source, clauses;
  if (reasons & core::kBlockedByCausal)
    source.push_back(aligned.empty() ? tr("comes later (causal mask)") : tr("comes later (causal mask, {0})", {aligned}));
  if (reasons & core::kBlockedByWindow)
    source.push_back(aligned.empty() ? tr("lies outside the window of {0} (counting the position itself)", {window})
                                     : tr("lies outside the window of {0} (counting the position itself, {1})",
                                          {window, aligned}));
  if (reasons & core::kBlockedByPadding) source.push_back(tr("is padding"));
  if (!source.empty()) clauses.push_back(tr("it {0}", {enumerated(source)}));
  if (reasons & core::kBlockedByAllowed) clauses.push_back(tr("the example does not allow it"));
  if (reasons & core::kBlockedByEdit) clauses.push_back(tr("you forbade it"));
  return clauses.size() > 2 || source.size() > 1 ? enumerated(clauses, trLater("{0}, and {1}")) : enumerated(clauses);
}

std::string alignmentText(const Session& session) {
  if (alignmentName(session).empty()) return "";
  return session.trace().problem.mask.align == core::Align::kBottomRight
             ? tr("aligned bottom-right: the last query stands at the last source")
             : tr("aligned top-left: the first query stands at the first source");
}

bool readsNothing(const Session& session, Index row) {
  const auto& softmax = session.trace().heads[static_cast<std::size_t>(session.state().head)].softmax;
  return softmax.row_status[static_cast<std::size_t>(row)] == core::RowStatus::kNoSource &&
         (softmax.weights.row(row).array() == 0).all();
}

std::optional<double> editedSum(const Session& session, Index row) {
  constexpr double kRounding = 1e-9;
  const Index head = session.state().head;
  const auto before = core::computedOf(session.trace(), head, core::Array::kWeights);
  const auto now = core::arrayOf(session.trace(), head, core::Array::kWeights);
  if (before.data == now.data) return std::nullopt;
  double computed = 0, sum = 0;
  for (Index j = 0; j < now.columns; ++j) computed += before(row, j), sum += now(row, j);
  return std::abs(sum - computed) > kRounding ? std::optional(sum) : std::nullopt;
}

std::string rowSumsText(const Session& session) {
  const auto& head = session.trace().heads[static_cast<std::size_t>(session.state().head)];
  bool silent = false, broken = false, edited = false;
  for (Index i = 0; i < head.softmax.weights.rows(); ++i) {
    silent = silent || readsNothing(session, i);
    edited = edited || editedSum(session, i).has_value();
    broken = broken || std::isnan(head.softmax.weights.row(i).sum());
  }
  std::vector<std::string> except;
  if (edited) except.push_back(tr("those that an edit has changed"));
  if (silent) except.push_back(tr("those that may read no source"));
  if (broken) except.push_back(tr("those whose weights are not numbers"));
  const std::string sum = head.sink ? tr("rows sum to 1 together with what the sink takes") : tr("rows sum to 1");
  return except.empty() ? sum : tr("{0}, except {1}", {sum, enumerated(except)});
}

std::string stageTitle(Stage stage) {
  switch (stage) {
    case Stage::kNorm: return tr("normalised input");
    case Stage::kQ: return tr("queries");
    case Stage::kK: return tr("keys");
    case Stage::kV: return tr("values");
    case Stage::kScores: return tr("scores");
    case Stage::kScaled: return tr("scaled scores");
    case Stage::kSoftcapped: return tr("soft-capped scores");
    case Stage::kBiased: return tr("scores with bias");
    case Stage::kMasked: return tr("masked scores");
    case Stage::kWeights: return tr("weights");
    case Stage::kZ: return tr("mixture z");
    case Stage::kConcat: return tr("heads side by side");
    case Stage::kY: return tr("output y");
    case Stage::kResidual: return tr("residual");
  }
  return "";
}

std::string arrayText(core::Array array) {
  using core::Array;
  switch (array) {
    case Array::kState: return tr("state");
    case Array::kScores: return tr("scores");
    case Array::kScaled: return tr("scaled");
    case Array::kSoftcapped: return tr("softcapped");
    case Array::kBias: return tr("bias");
    case Array::kBiased: return tr("biased");
    case Array::kMasked: return tr("masked");
    case Array::kWeights: return tr("weights");
    case Array::kResidual: return tr("residual");
    default: return std::string(core::arrayName(array));
  }
}

std::string scaleText(const Session& session) {
  const core::Trace<double>& trace = session.trace();
  Printer printer(session.state());
  const Printer decimal(false, session.state().decimals);
  const Index d_k = trace.heads[0].q.cols();
  const auto with_temperature = [&](const std::string& text) {
    if (!trace.problem.temperature) return text;
    return tr("{0}, ÷ temperature {1}", {text, printer.text(*trace.problem.temperature)});
  };
  if (trace.default_scale) {
    const std::string text = "÷ √" + std::to_string(d_k) + " (" + decimal.text(std::sqrt(static_cast<double>(d_k))) + ")";
    return with_temperature(text);
  }
  return printer.uniform([&] { return with_temperature("× " + printer.text(trace.scale)); });
}

}  // namespace attn::app
