// Next-token training with one head built by hand that reads the position after its own: its loss in training with and
// without a mask, and what it does when it has to generate. Nothing is trained here; the head is the cheat.
#include <algorithm>
#include <cmath>

#include "core/language.h"
#include "core/number.h"
#include "scene/figures.h"
#include "scene/scene.h"

namespace attn::scene {
namespace {

constexpr Index kMostShiftTokens = 10;

enum class Masking { kNone, kCausal, kStrict };  // strict: the diagonal is blocked too

// Each token is its word (one of V) and its place (one of P): V + P numbers, two of them 1.
struct Text {
  Tokens tokens, words;
  std::vector<Index> ids;
  Index V = 0, P = 0;
};

Text textOf(Tokens tokens) {
  Text text;
  for (const std::string& token : tokens) {
    const auto found = std::find(text.words.begin(), text.words.end(), token);
    text.ids.push_back(found - text.words.begin());
    if (found == text.words.end()) text.words.push_back(token);
  }
  text.V = static_cast<Index>(text.words.size());
  text.P = static_cast<Index>(tokens.size());
  text.tokens = std::move(tokens);
  return text;
}

// The query of place p matches the key of place p + 1 with the score `match`; the value is the word, so that the result
// times `match` are the logits of the next word.
core::Problem<double> cheat(const Text& text, Index length, double match, Masking masking) {
  core::Problem<double> problem;
  problem.T = problem.S = length;
  problem.x = Matrix<double>::Zero(length, text.V + text.P);
  for (Index i = 0; i < length; ++i) {
    (*problem.x)(i, text.ids[static_cast<std::size_t>(i)]) = (*problem.x)(i, text.V + i) = 1;
  }
  Matrix<double> wq = Matrix<double>::Zero(text.V + text.P, text.P), wk = wq;
  for (Index p = 0; p + 1 < text.P; ++p) wq(text.V + p, p + 1) = match;
  wk.bottomRows(text.P).setIdentity();
  problem.wq = {wq};
  problem.wk = {wk};
  problem.wv = {Matrix<double>::Identity(text.V + text.P, text.V)};
  problem.wo = Matrix<double>::Identity(text.V, text.V) * match;
  problem.scale = 1;
  problem.mask.causal = masking == Masking::kCausal;
  for (Index i = 0; masking == Masking::kStrict && i < length; ++i) {
    problem.mask.allowed.emplace_back();
    for (Index j = 0; j < length; ++j) problem.mask.allowed.back().push_back(j < i);
  }
  return problem;
}

// T×V: the probability of each word as the next one.
Matrix<double> predictions(const core::Trace<double>& trace) {
  return core::softmaxRows(trace.y, core::Mask(trace.y.rows(), trace.y.cols())).weights;
}

// −ln of the probability of each position's target: the token after it. The last input has no target within the text.
std::vector<double> losses(const Text& text, const Matrix<double>& predicted) {
  std::vector<double> each;
  for (Index i = 0; i + 1 < text.P; ++i) {
    const double loss = -std::log(predicted(i, text.ids[static_cast<std::size_t>(i) + 1]));
    each.push_back(loss == 0 ? 0 : loss);  // not −0
  }
  return each;
}

double mean(const std::vector<double>& values) {
  double sum = 0;
  for (const double value : values) sum += value;
  return sum / static_cast<double>(values.size());
}

lesson::Strip stripOf(std::string title, const Tokens& tokens, const Tokens& notes) {
  lesson::Strip strip;
  strip.title = std::move(title);
  for (std::size_t i = 0; i < tokens.size(); ++i) strip.items.push_back({tokens[i], notes[i], -1, false});
  return strip;
}

void showTargets(const Text& text, Outputs& out) {
  Tokens notes(text.tokens.begin() + 1, text.tokens.end());
  for (std::string& note : notes) note = "→ " + note;
  notes.push_back("–");
  out.figure("shifted", stripOf(tr("Inputs, and below each its target"), text.tokens, notes));
}

struct Training {
  Matrix<double> predicted;
  double loss = 0;
};

Training train(const Text& text, double match, Masking masking, const std::string& name, const std::string& title,
               Outputs& out) {
  const core::Trace<double> trace = traceOf(cheat(text, text.P, match, masking));
  lesson::Grid look = mapLook(title, text.tokens, text.tokens, &trace.mask);
  look.decimals = 2;
  for (Index i = 0; i + 1 < text.P; ++i) look.marked.emplace_back(i, i + 1);
  out.grid("weights_" + name, trace.heads[0].softmax.weights, look);
  Training training{predictions(trace), 0};
  const std::vector<double> each = losses(text, training.predicted);
  training.loss = mean(each);
  out.numbers("losses_" + name, each);
  out.number("loss_" + name, training.loss);
  return training;
}

// Greedy: the likeliest word; among equals the one that came first in the text.
Index likeliest(const Matrix<double>& predicted, Index row) {
  Index best = 0;
  for (Index w = 1; w < predicted.cols(); ++w) {
    if (predicted(row, w) > predicted(row, best) + 1e-12) best = w;  // equal but for rounding counts as equal
  }
  return best;
}

// The words that a step starts from; of many, the last few.
std::string lastWords(const Text& text, Index length) {
  constexpr Index kShown = 4;
  std::string words = length > kShown ? "…" : "";
  for (Index i = std::max<Index>(0, length - kShown); i < length; ++i) {
    words += (words.empty() ? "" : " ") + text.words[static_cast<std::size_t>(text.ids[static_cast<std::size_t>(i)])];
  }
  return words;
}

struct Generation {
  Tokens words, prefixes;
  Index right = 0, asked = 0;
  std::vector<double> right_probability;
};

// From the true text so far, one step at a time, as far as there is a truth to compare with.
Generation generate(const Text& text, double match, Masking masking, Index prompt) {
  Generation made;
  Text so_far = text;
  for (Index length = prompt; length < text.P; ++length) {
    const Matrix<double> predicted = predictions(traceOf(cheat(so_far, length, match, masking)));
    const Index word = likeliest(predicted, length - 1), truth = text.ids[static_cast<std::size_t>(length)];
    made.prefixes.push_back(lastWords(so_far, length));
    made.words.push_back(text.words[static_cast<std::size_t>(word)]);
    made.right_probability.push_back(predicted(length - 1, truth));
    made.right += word == truth;
    ++made.asked;
    so_far.ids[static_cast<std::size_t>(length)] = word;
  }
  return made;
}

void showGeneration(const Text& text, const Generation& made, Index prompt, Outputs& out) {
  lesson::Table table;
  table.title = tr("One word at a time");
  table.columns = {tr("step"), tr("it has"), tr("it says"), tr("the text has"), tr("probability of the text's word")};
  for (std::size_t i = 0; i < made.words.size(); ++i) {
    table.rows.push_back({std::to_string(i + 1), made.prefixes[i], made.words[i],
                          text.tokens[static_cast<std::size_t>(prompt) + i],
                          core::fixedText(made.right_probability[i], 4)});
  }
  out.figure("generation", std::move(table));
  out.texts("generated", made.words);
  out.number("generated_right", static_cast<double>(made.right));
  out.number("generated_asked", static_cast<double>(made.asked));
  out.flag("some_right", made.right > 0);
  out.text("given", prompt == 1 ? tr("the first word") : tr("the first {0} words", {prompt}));
}

// Is what a position computes in training what it would compute if the text ended there?
double differenceFromPrefixes(const Text& text, double match, Masking masking, const Matrix<double>& predicted) {
  double largest = 0;
  for (Index length = 1; length < text.P; ++length) {
    const Matrix<double> alone = predictions(traceOf(cheat(text, length, match, masking)));
    largest = std::max(largest, (alone.row(length - 1) - predicted.row(length - 1)).cwiseAbs().maxCoeff());
  }
  return largest;
}

void compareWithPrefixes(const Text& text, double match, const Training& open, const Training& causal, Outputs& out) {
  const double open_difference = differenceFromPrefixes(text, match, Masking::kNone, open.predicted);
  const double causal_difference = differenceFromPrefixes(text, match, Masking::kCausal, causal.predicted);
  out.number("open_difference", open_difference);
  out.number("causal_difference", causal_difference);
  out.flag("open_training_is_generation", open_difference == 0);
  out.flag("open_training_is_not_generation", open_difference != 0);
  out.flag("causal_training_is_generation", causal_difference == 0);
}

}  // namespace

core::Check trainingShift(const Inputs& in, Outputs& out, const Progress&) {
  Tokens tokens = tokensOf(in.text("sentence"));
  if (tokens.size() < 3 || static_cast<Index>(tokens.size()) > kMostShiftTokens) {
    return core::Error{tr("The text has {0} {0|word|words}; write 3 to {1}, with blanks between them.",
                          {tokens.size(), kMostShiftTokens})};
  }
  const Text text = textOf(std::move(tokens));
  if (text.V < 2) return core::Error{tr("The text says one word only; write at least two different ones.")};
  const double match = in.number("match");
  const Masking masking = in.text("mask") == "none"     ? Masking::kNone
                          : in.text("mask") == "causal" ? Masking::kCausal
                                                        : Masking::kStrict;
  const Index prompt = std::min(in.integer("prompt"), text.P - 1);
  out.limit("prompt", static_cast<double>(text.P - 1));
  showTargets(text, out);
  const Training open = train(text, match, Masking::kNone, "none", tr("No mask"), out);
  const Training causal = train(text, match, Masking::kCausal, "causal", tr("Causal mask"), out);
  const Training strict = train(text, match, Masking::kStrict, "strict", tr("The diagonal blocked too"), out);
  const Training& chosen = masking == Masking::kNone ? open : masking == Masking::kCausal ? causal : strict;
  out.number("loss", chosen.loss);
  out.number("guessing", std::log(static_cast<double>(text.V)));
  out.number("words", static_cast<double>(text.V));
  out.number("targets", static_cast<double>(text.P - 1));
  out.text("second", text.tokens[1]);
  out.text("third", text.tokens[2]);
  showGeneration(text, generate(text, match, masking, prompt), prompt, out);
  compareWithPrefixes(text, match, open, causal, out);
  out.flag("loss_is_zero", open.loss <= 1e-9);  // approached: the match is finite
  return {};
}

}  // namespace attn::scene
