// One sentence for each kind of step. Prints no results.
#include "app/meaning.h"

#include <algorithm>
#include <cmath>

#include "app/explain.h"
#include "app/printed.h"
#include "app/words.h"

namespace attn::app {
namespace {

using core::Stage;

std::string aboutMask(const Session& session, const Step& step, const std::string& who) {
  const core::Mask& mask = session.trace().mask;
  if (step.row >= 0 && step.col >= 0) {
    if (mask.allowed(step.row, step.col)) return "The score stays as it is: " + who + " may read this source.";
    return "You see a score that no longer counts: e^(−∞) is 0, so this source gets no weight.";
  }
  if (step.row >= 0 && mask.allowedInRow(step.row) == mask.columns())
    return "Nothing changes here: no score of " + who + " is blocked.";
  const std::string aligned = alignmentText(session);
  return "A blocked score becomes −∞, so that its exponential is 0 and the source takes no part" +
         (aligned.empty() ? "" : "; the mask is " + aligned) + ".";
}

bool readsNothing(const Session& session, const Step& step) {
  return step.row >= 0 && readsNothing(session, step.row);
}

std::string aboutWeights(const Session& session, const Step& step, const std::string& who) {
  const auto& head = session.trace().heads[static_cast<std::size_t>(session.state().head)];
  if (readsNothing(session, step))
    return "No source is allowed, so " + who + " has no distribution; its weights and its result count as 0.";
  switch (step.term) {
    case 0:
      return "You subtract the largest score from all: no exponential of a score overflows, and the weights stay the "
             "same.";
    case 1:
      if (!session.trace().mask.allowed(step.row, step.col))
        return "A blocked source has no exponential and is left out of the sum.";
      return "The exponential is always positive, and a score that is larger by 1 counts e ≈ 2.718 times as much.";
    case 2: return "You divide every exponential by this sum, so that the shares fit together.";
    default: break;
  }
  if (step.row < 0) return "No weight is negative, and " + rowSumsText(session) + ".";
  if (step.col < 0 && std::isnan(head.softmax.weights.row(step.row).sum()))
    return "A score of " + who + " is too large for a double, so its weights are not numbers.";
  if (const auto sum = editedSum(session, step.row); sum && step.col < 0)
    return "An edit has set weights of " + who + ": they sum to " + valueText(session.state(), *sum) +
           ", and nothing brings them back to what the softmax gave.";
  if (step.col >= 0 && !session.trace().mask.allowed(step.row, step.col) && head.softmax.weights(step.row, step.col) == 0)
    return "A blocked source takes no part: " + who + " reads nothing of it.";
  const std::string total = head.sink ? " sum to less than 1, because the sink takes the rest" : " sum to 1";
  if (step.col >= 0)
    return "This is the share that " + sourceText(session, step.col) + " has in what " + who + " reads.";
  return "The weights of " + who + " are never negative and" + total + ": they say how much it reads from each source.";
}

std::string aboutMixture(const Session& session, const Step& step, const std::string& who) {
  if (readsNothing(session, step))
    return "Nothing is read, so nothing is mixed: the result of " + who + " counts as 0.";
  return "You mix the values, each with its weight: this is what " + who + " has read from the sources.";
}

std::string aboutNorm(const Session& session) {
  const auto& norm = session.trace().problem.norm;
  const std::string then = norm->gain && norm->bias ? ", then multiply by the gain and add the bias"
                           : norm->gain             ? ", then multiply by the gain"
                           : norm->bias             ? ", then add the bias"
                                                    : "";
  return "You bring each position's numbers to mean 0 and variance 1" + then + ", before attention reads them.";
}

std::string aboutBias(const Session& session) {
  const auto& problem = session.trace().problem;
  const auto falls = [](double slope) { return slope >= 0; };
  if (problem.alibi.empty()) return "The bias moves scores up or down before they become weights.";
  if (!problem.bias.empty())
    return "The bias is the given one and, added to it, a part that changes with the distance between the positions.";
  return std::all_of(problem.alibi.begin(), problem.alibi.end(), falls)
             ? "The farther away a source is, the more is taken off its score."
             : "The farther away a source is, the more its score moves.";
}

std::string ours(const Session& session, const Step& step) {
  const std::string who = step.row < 0                 ? "every position"
                          : rowsAreSources(step.stage) ? sourceText(session, step.row)
                                                       : destinationText(session, step.row);
  const auto& problem = session.trace().problem;
  switch (step.stage) {
    case Stage::kNorm: return aboutNorm(session);
    case Stage::kQ: return "The query is what a position compares with every key to decide where to read.";
    case Stage::kK: return "The key of a source is what queries are compared with.";
    case Stage::kV: return "The value of a source is what it hands over when it is read.";
    case Stage::kScores: return "You compare directions and lengths at once: a larger score is a better match.";
    case Stage::kScaled:
      if (session.trace().default_scale)
        return "You divide by √d_k, because sums of d_k products grow about that much.";
      return "You multiply every score by the same number; their order stays as it was or turns round as a whole.";
    case Stage::kSoftcapped: return "Small scores hardly change; large ones stay between −c and c.";
    case Stage::kBiased: return aboutBias(session);
    case Stage::kMasked: return aboutMask(session, step, who);
    case Stage::kWeights: return aboutWeights(session, step, who);
    case Stage::kZ: return aboutMixture(session, step, who);
    case Stage::kConcat: return "You put the results of the heads side by side; nothing is added up yet.";
    case Stage::kY:
      return problem.wo ? "W_O turns what was read into a change of the position's own vector."
                        : "Without W_O the result is taken over as it is.";
    case Stage::kResidual: return "You add what was read to what the position held: nothing that was there is lost.";
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
      follow ? "You have followed " + destinationText(session, state.row) + " to its last number."
             : "You have taken every position to its last number.";
  const auto key = [&](const char* name) { return keys ? " (" + std::string(name) + ")" : std::string(); };
  std::string next = follow && several ? "choose another row" + key("↑ or ↓")
                     : follow          ? "take all rows stage by stage" + key("O")
                                       : "follow one row" + key("O");
  next += ", change the mask" + key("M");
  if (state.grain != Grain::kTerm) next += ", or go through single products" + key("4");
  return reached + " To try next: " + next + ".";
}

}  // namespace attn::app
