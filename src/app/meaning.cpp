// One sentence for each kind of step. Prints no results.
#include "app/meaning.h"

#include <algorithm>
#include <cmath>

#include "app/explain.h"
#include "app/printed.h"
#include "app/words.h"
#include "core/language.h"

namespace attn::app {
namespace {

using core::Stage;

std::string aboutMask(const Session& session, const Step& step, const std::string& who) {
  const core::Mask& mask = session.trace().mask;
  if (step.row >= 0 && step.col >= 0) {
    if (mask.allowed(step.row, step.col)) return tr("The score stays as it is: {0} may read this source.", {who});
    return tr("You see a score that no longer counts: e^(−∞) is 0, so this source gets no weight.");
  }
  if (step.row >= 0 && mask.allowedInRow(step.row) == mask.columns())
    return tr("Nothing changes here: no score of {0} is blocked.", {who});
  const std::string aligned = alignmentText(session);
  if (aligned.empty()) return tr("A blocked score becomes −∞, so that its exponential is 0 and the source takes no part.");
  return tr("A blocked score becomes −∞, so that its exponential is 0 and the source takes no part; the mask "
            "is {0}.", {aligned});
}

bool readsNothing(const Session& session, const Step& step) {
  return step.row >= 0 && readsNothing(session, step.row);
}

std::string aboutWeights(const Session& session, const Step& step, const std::string& who) {
  const auto& head = session.trace().heads[static_cast<std::size_t>(session.state().head)];
  if (readsNothing(session, step))
    return tr("No source is allowed, so {0} has no distribution; its weights and its result count as 0.", {who});
  switch (step.term) {
    case 0:
      return tr("You subtract the largest score from all: no exponential of a score overflows, and the weights stay the "
                "same.");
    case 1:
      if (!session.trace().mask.allowed(step.row, step.col))
        return tr("A blocked source has no exponential and is left out of the sum.");
      return tr("The exponential is always positive, and a score that is larger by 1 counts e ≈ 2.718 times as much.");
    case 2: return tr("You divide every exponential by this sum, so that the shares fit together.");
    default: break;
  }
  if (step.row < 0) return tr("No weight is negative, and {0}.", {rowSumsText(session)});
  if (step.col < 0 && std::isnan(head.softmax.weights.row(step.row).sum()))
    return tr("A score of {0} is too large for a double, so its weights are not numbers.", {who});
  if (const auto sum = editedSum(session, step.row); sum && step.col < 0)
    return tr("An edit has set weights of {0}: they sum to {1}, and nothing brings them back to what the softmax gave.",
              {who, valueText(session.state(), *sum)});
  if (step.col >= 0 && !session.trace().mask.allowed(step.row, step.col) && head.softmax.weights(step.row, step.col) == 0)
    return tr("A blocked source takes no part: {0} reads nothing of it.", {who});
  if (step.col >= 0)
    return tr("This is the share that {0} has in what {1} reads.", {sourceText(session, step.col), who});
  if (!head.sink)
    return tr("The weights of {0} are never negative and sum to 1: they say how much it reads from each source.", {who});
  return tr("The weights of {0} are never negative and sum to less than 1, because the sink takes the rest: they say how "
            "much it reads from each source.", {who});
}

std::string aboutMixture(const Session& session, const Step& step, const std::string& who) {
  if (readsNothing(session, step))
    return tr("Nothing is read, so nothing is mixed: the result of {0} counts as 0.", {who});
  if (step.row < 0)
    return tr("You mix the values, each with its weight: this is what every position has read from the sources.");
  return tr("You mix the values, each with its weight: this is what {0} has read from the sources.", {who});
}

std::string aboutNorm(const Session& session) {
  const auto& norm = session.trace().problem.norm;
  if (norm->gain && norm->bias)
    return tr("You bring each position's numbers to mean 0 and variance 1, then multiply by the gain and add the bias, "
              "before attention reads them.");
  if (norm->gain)
    return tr("You bring each position's numbers to mean 0 and variance 1, then multiply by the gain, before attention "
              "reads them.");
  if (norm->bias)
    return tr("You bring each position's numbers to mean 0 and variance 1, then add the bias, before attention reads them.");
  return tr("You bring each position's numbers to mean 0 and variance 1, before attention reads them.");
}

std::string aboutBias(const Session& session) {
  const auto& problem = session.trace().problem;
  const auto falls = [](double slope) { return slope >= 0; };
  if (problem.alibi.empty()) return tr("The bias moves scores up or down before they become weights.");
  if (!problem.bias.empty())
    return tr("The bias is the given one and, added to it, a part that changes with the distance between the positions.");
  return std::all_of(problem.alibi.begin(), problem.alibi.end(), falls)
             ? tr("The farther away a source is, the more is taken off its score.")
             : tr("The farther away a source is, the more its score moves.");
}

std::string ours(const Session& session, const Step& step) {
  const std::string who = step.row < 0                 ? ""
                          : rowsAreSources(step.stage) ? sourceText(session, step.row)
                                                       : destinationText(session, step.row);
  const auto& problem = session.trace().problem;
  switch (step.stage) {
    case Stage::kNorm: return aboutNorm(session);
    case Stage::kQ: return tr("The query is what a position compares with every key to decide where to read.");
    case Stage::kK: return tr("The key of a source is what queries are compared with.");
    case Stage::kV: return tr("The value of a source is what it hands over when it is read.");
    case Stage::kScores: return tr("You compare directions and lengths at once: a larger score is a better match.");
    case Stage::kScaled:
      if (session.trace().default_scale)
        return tr("You divide by √d_k, because sums of d_k products grow about that much.");
      return tr("You multiply every score by the same number; their order stays as it was or turns round as a whole.");
    case Stage::kSoftcapped: return tr("Small scores hardly change; large ones stay between −c and c.");
    case Stage::kBiased: return aboutBias(session);
    case Stage::kMasked: return aboutMask(session, step, who);
    case Stage::kWeights: return aboutWeights(session, step, who);
    case Stage::kZ: return aboutMixture(session, step, who);
    case Stage::kConcat: return tr("You put the results of the heads side by side; nothing is added up yet.");
    case Stage::kY:
      return problem.wo ? tr("W_O turns what was read into a change of the position's own vector.")
                        : tr("Without W_O the result is taken over as it is.");
    case Stage::kResidual: return tr("You add what was read to what the position held: nothing that was there is lost.");
  }
  return "";
}

}  // namespace

std::string meaning(const Session& session, const Step& step) {
  const auto text = session.example().texts.find(step.stage);
  return text == session.example().texts.end() ? ours(session, step) : text->second;
}

std::string farewell(const Session& session, bool keys) {
  const State& state = session.state();
  const bool follow = state.order == Order::kRow;
  const bool several = session.example().tokens.size() > 1;
  const std::string reached =
      follow ? tr("You have followed {0} to its last number.", {destinationText(session, state.row)})
             : tr("You have taken every position to its last number.");
  const auto key = [&](const std::string& text, const std::string& name) { return keys ? text + " (" + name + ")" : text; };
  const std::string next = follow && several ? key(tr("choose another row"), tr("↑ or ↓"))
                           : follow          ? key(tr("take all rows stage by stage"), "O")
                                             : key(tr("follow one row"), "O");
  const std::string mask = key(tr("change the mask"), "M");
  if (state.grain == Grain::kTerm) return reached + " " + tr("To try next: {0}, {1}.", {next, mask});
  return reached + " " + tr("To try next: {0}, {1}, or {2}.", {next, mask, key(tr("go through single products"), "4")});
}

}  // namespace attn::app
