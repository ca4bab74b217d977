// The vocabulary of steps. See words.h.
#include "app/words.h"

#include <cmath>
#include <cstdlib>
#include <vector>

#include "app/explain.h"
#include "app/printed.h"

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

// What a whole row does in a stage. `who` is the position, or "every position".
std::string rowHappening(const Session& session, Stage stage, const std::string& who) {
  switch (stage) {
    case Stage::kNorm: return who + " is normalised";
    case Stage::kQ: return who + " makes its query";
    case Stage::kK: return who + " makes its key";
    case Stage::kV: return who + " makes its value";
    case Stage::kScores: return who + " compares its query with every key";
    case Stage::kScaled: return "the scores of " + who + " are scaled: " + scaleText(session);
    case Stage::kSoftcapped: return "large scores of " + who + " are capped softly";
    case Stage::kBiased: return "a bias is added to the scores of " + who;
    case Stage::kMasked: return "the mask takes away what " + who + " may not read";
    case Stage::kWeights: return "the scores of " + who + " become weights";
    case Stage::kZ: return who + " mixes the values by its weights";
    case Stage::kConcat: return "the heads' results for " + who + " are put side by side";
    case Stage::kY:
      return session.trace().problem.wo ? "the result of " + who + " is multiplied by the output projection W_O" : who + " takes over its result";
    case Stage::kResidual: return "the result is added to what " + who + " held";
  }
  return "";
}

std::string cellHappening(const Session& session, Stage stage, const std::string& who, Index col) {
  const std::string component = "component " + ordinal(session.example(), col);
  const auto source = [&] { return sourceText(session, col); };
  switch (stage) {
    case Stage::kNorm: return component + " of " + who + " is normalised";
    case Stage::kQ: return who + " makes " + component + " of its query";
    case Stage::kK: return who + " makes " + component + " of its key";
    case Stage::kV: return who + " makes " + component + " of its value";
    case Stage::kScores: return who + " compares its query with the key of " + source();
    case Stage::kScaled: return "the score for " + source() + " is scaled: " + scaleText(session);
    case Stage::kSoftcapped: return "the score for " + source() + " is capped softly";
    case Stage::kBiased: return "a bias is added to the score for " + source();
    case Stage::kMasked: return "the mask decides whether " + who + " may read " + source();
    case Stage::kWeights: return "the score for " + source() + " becomes a weight";
    case Stage::kZ: return who + " mixes " + component + " of the values";
    case Stage::kConcat: return component + " for " + who + " is put in its place";
    case Stage::kY: return component + " of the result for " + who + " is made";
    case Stage::kResidual: return component + " is added to what " + who + " held";
  }
  return "";
}

std::string phaseHappening(const Session& session, const Step& step, const std::string& who) {
  if (step.stage == Stage::kNorm) {
    if (step.term == 0) return "the mean of " + who + " is taken";
    if (step.term == 1) return "the variance of " + who + " is taken";
    return cellHappening(session, step.stage, who, step.col);
  }
  const std::string source = step.col < 0 ? "" : sourceText(session, step.col);
  switch (step.term) {
    case 0: return "the largest score of " + who + " is found";
    case 1:
      if (!session.trace().mask.allowed(step.row, step.col)) return source + " is blocked and takes no part";
      return "the score for " + source + " is put through the exponential";
    case 2: return "the exponentials of " + who + " are added up";
    default: return "the exponential for " + source + " is divided by the sum";
  }
}

// "a", "a and b", "a, b and c".
std::string listed(const std::vector<std::string>& all, std::string_view before_last) {
  std::string text;
  for (std::size_t n = 0; n < all.size(); ++n)
    text.append(n == 0 ? "" : n + 1 < all.size() ? ", " : before_last).append(all[n]);
  return text;
}

// "aligned top-left" where it matters which source a destination stands at.
std::string alignmentName(const Session& session) {
  const core::MaskSpec& mask = session.trace().problem.mask;
  const bool matters = session.trace().mask.rows() != session.trace().mask.columns() && (mask.causal || mask.window);
  return !matters ? "" : mask.align == core::Align::kBottomRight ? "aligned bottom-right" : "aligned top-left";
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

std::string headText(const lesson::Example& example, Index head) { return "head " + ordinal(example, head); }

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
  const bool cross = session.trace().problem.cross;
  if (step.row < 0)
    return rowHappening(session, step.stage, sources && cross ? "every source" : "every position");
  const std::string who = sources ? sourceText(session, step.row) : destinationText(session, step.row);
  const bool phased = step.stage == Stage::kNorm || step.stage == Stage::kWeights;
  if (phased && step.term >= 0) return phaseHappening(session, step, who);
  const core::Mask& mask = session.trace().mask;
  if (step.col < 0 && step.stage == Stage::kMasked && mask.allowedInRow(step.row) == mask.columns())
    return "the mask lets " + who + " read every source";
  if (step.col < 0) return rowHappening(session, step.stage, who);
  const std::string cell = cellHappening(session, step.stage, who, step.col);
  const Index terms = session.timeline().termsOf(step.stage);
  if (step.term < 0 || terms < 2) return cell;
  if (step.stage == Stage::kZ)
    return cell + ": " + sourceText(session, step.term) +
           (session.trace().mask.allowed(step.row, step.term) ? " adds its share" : " is blocked and adds nothing");
  const Index products = terms - (endsWithBias(session.trace().problem, step.stage) ? 1 : 0);
  if (step.term == products) return cell + ": the bias is added";
  if (products == 1) return cell;
  return cell + ": product " + std::to_string(step.term + 1) + " of " + std::to_string(products);
}

std::string whyBlocked(const Session& session, Index row, Index col) {
  return reasonsText(session.trace().mask.reasons(row, col), session.trace().problem.mask.window.value_or(1),
                     alignmentName(session));
}

std::string reasonsText(std::uint8_t reasons, Index window, const std::string& aligned) {
  const std::string also = (aligned.empty() ? "" : ", " + aligned) + ")";
  std::vector<std::string> source, clauses;
  if (reasons & core::kBlockedByCausal) source.push_back("comes later (causal mask" + also);
  if (reasons & core::kBlockedByWindow)
    source.push_back("lies outside the window of " + std::to_string(window) + " (counting the position itself" + also);
  if (reasons & core::kBlockedByPadding) source.push_back("is padding");
  if (!source.empty()) clauses.push_back("it " + listed(source, " and "));
  if (reasons & core::kBlockedByAllowed) clauses.push_back("the example does not allow it");
  if (reasons & core::kBlockedByEdit) clauses.push_back("you forbade it");
  return listed(clauses, clauses.size() > 2 || source.size() > 1 ? ", and " : " and ");
}

std::string alignmentText(const Session& session) {
  const std::string name = alignmentName(session);
  if (name.empty()) return "";
  const bool last = session.trace().problem.mask.align == core::Align::kBottomRight;
  return name + (last ? ": the last query stands at the last source" : ": the first query stands at the first source");
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
  if (edited) except.push_back("those that an edit has changed");
  if (silent) except.push_back("those that may read no source");
  if (broken) except.push_back("those whose weights are not numbers");
  return std::string("rows sum to 1") + (head.sink ? " together with what the sink takes" : "") +
         (except.empty() ? "" : ", except " + listed(except, " and "));
}

std::string stageTitle(Stage stage) {
  switch (stage) {
    case Stage::kNorm: return "normalised input";
    case Stage::kQ: return "queries";
    case Stage::kK: return "keys";
    case Stage::kV: return "values";
    case Stage::kScores: return "scores";
    case Stage::kScaled: return "scaled scores";
    case Stage::kSoftcapped: return "soft-capped scores";
    case Stage::kBiased: return "scores with bias";
    case Stage::kMasked: return "masked scores";
    case Stage::kWeights: return "weights";
    case Stage::kZ: return "mixture z";
    case Stage::kConcat: return "heads side by side";
    case Stage::kY: return "output y";
    case Stage::kResidual: return "residual";
  }
  return "";
}

std::string scaleText(const Session& session) {
  const core::Trace<double>& trace = session.trace();
  Printer printer(session.state());
  const Printer decimal(false, session.state().decimals);
  const Index d_k = trace.heads[0].q.cols();
  std::string text;
  if (trace.default_scale) {
    text = "÷ √" + std::to_string(d_k) + " (" + decimal.text(std::sqrt(static_cast<double>(d_k))) + ")";
    if (trace.problem.temperature) text += ", ÷ temperature " + printer.text(*trace.problem.temperature);
    return text;
  }
  return printer.uniform([&] {
    text = "× " + printer.text(trace.scale);
    if (trace.problem.temperature) text += ", ÷ temperature " + printer.text(*trace.problem.temperature);
    return text;
  });
}

}  // namespace attn::app
