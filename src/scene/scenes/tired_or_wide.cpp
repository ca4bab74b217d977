// One pronoun whose meaning hangs on a word that comes later, and one verb to come that hangs on a word from before.
// The vectors and weights are invented so that a reader can follow them; nothing here was trained.
#include <cmath>

#include "core/language.h"
#include "scene/figures.h"
#include "scene/scene.h"

namespace attn::scene {
namespace {

constexpr double kEmpty = -1;  // a token without a ground

// What the invented vectors say of a word, one coordinate each.
enum Feature : Index { kReader, kFound, kContent, kKind, kFeatures };

struct Word {
  Tokens pieces;  // as GPT-2's tokenizer cuts it; a blank belongs to the piece that it stands before
  double features[kFeatures] = {};
};

struct Sentence {
  Tokens tokens;
  Matrix<double> x;  // T×4
  Index reader = 0;
};

Index at(const Tokens& tokens, const std::string& part) {
  for (std::size_t i = tokens.size(); i-- > 0;) {
    if (tokens[i] == part || tokens[i] == " " + part) return static_cast<Index>(i);
  }
  return 0;
}

std::string wholeWord(const Tokens& pieces) {
  std::string word;
  for (const std::string& piece : pieces) word += piece;
  return word.substr(word[0] == ' ' ? 1 : 0);
}

// A word that is cut carries what it says on its last piece.
Sentence sentenceOf(const std::vector<Word>& words, bool cut) {
  Sentence sentence;
  std::vector<const Word*> says;
  for (const Word& word : words) {
    const Tokens parts = cut ? word.pieces : Tokens{wholeWord(word.pieces)};
    for (std::size_t i = 0; i < parts.size(); ++i) says.push_back(i + 1 == parts.size() ? &word : nullptr);
    sentence.tokens.insert(sentence.tokens.end(), parts.begin(), parts.end());
  }
  sentence.x = Matrix<double>::Zero(static_cast<Index>(says.size()), kFeatures);
  for (std::size_t i = 0; i < says.size(); ++i) {
    for (Index f = 0; says[i] && f < kFeatures; ++f) sentence.x(static_cast<Index>(i), f) = says[i]->features[f];
    if (says[i] && says[i]->features[kReader] != 0) sentence.reader = static_cast<Index>(i);
  }
  return sentence;
}

// "animal" and "street" are told apart by their kind, "tired" and "wide" say which kind they speak of.
Sentence animalSentence(bool tired, bool cut) {
  return sentenceOf({{{"The"}, {}},
                     {{" animal"}, {0, 0, 0, 1}},
                     {{" didn", "'t"}, {}},
                     {{" cross"}, {}},
                     {{" the"}, {}},
                     {{" street"}, {0, 0, 0, -1}},
                     {{" because"}, {}},
                     {{" it"}, {1, 0, 0, 0}},
                     {{" was"}, {}},
                     {{" too"}, {}},
                     {{tired ? " tired" : " wide"}, {0, 1, tired ? 1.0 : -1.0, 0}}},
                    cut);
}

// The subject is what the last word looks for; singular is +1, plural −1.
Sentence keySentence(bool singular, bool others_singular, bool cut) {
  return sentenceOf({{{"The"}, {}},
                     {{singular ? " key" : " keys"}, {0, 1, singular ? 1.0 : -1.0, 0}},
                     {{" beside"}, {}},
                     {{" the"}, {}},
                     {{others_singular ? " cabinet" : " cabinets"}, {1, 0, others_singular ? 1.0 : -1.0, 0}}},
                    cut);
}

// The reader's score is `strength` for the words it looks for and 0 for all others; it takes up their content.
core::Problem<double> readContent(const Sentence& sentence, double strength, bool causal) {
  core::Problem<double> problem;
  problem.T = problem.S = sentence.x.rows();
  problem.x = sentence.x;
  Matrix<double> wq = Matrix<double>::Zero(kFeatures, 1), wk = wq, wv = wq, wo = Matrix<double>::Zero(1, kFeatures);
  wq(kReader, 0) = strength;
  wk(kFound, 0) = wv(kContent, 0) = wo(0, kContent) = 1;
  problem.wq = {wq};
  problem.wk = {wk};
  problem.wv = {wv};
  problem.wo = wo;
  problem.residual = core::Residual::kInput;
  problem.mask.causal = causal;
  return problem;
}

// Scores the content that was taken up against each word's kind: the kinds that agree get the higher score.
core::Problem<double> compareKinds(const Matrix<double>& x, double strength, bool causal) {
  core::Problem<double> problem;
  problem.T = problem.S = x.rows();
  problem.x = x;
  Matrix<double> wq = Matrix<double>::Zero(kFeatures, 1), wk = wq;
  wq(kContent, 0) = strength;
  wk(kKind, 0) = 1;
  problem.wq = {wq};
  problem.wk = problem.wv = {wk};
  problem.mask.causal = causal;
  return problem;
}

struct TwoLayers {
  core::Trace<double> first, second;
};

TwoLayers read(const Sentence& sentence, double strength, bool causal) {
  core::Trace<double> first = traceOf(readContent(sentence, strength, causal));
  core::Trace<double> second = traceOf(compareKinds(*first.residual, strength, causal));
  return {std::move(first), std::move(second)};
}

std::vector<std::string> blockedRow(const core::Mask& mask, Index row, int copies) {
  std::vector<std::string> reasons;
  for (int copy = 0; copy < copies; ++copy) {
    for (Index j = 0; j < mask.columns(); ++j) reasons.push_back(core::blockReasonText(mask.reasons(row, j)));
  }
  return reasons;
}

// Two rows of one reader, with the cells that it may not read.
lesson::Grid twoRows(lesson::Grid look, const core::Mask& mask, Index reader) {
  look.blocked = blockedRow(mask, reader, 2);
  return look;
}

Matrix<double> stacked(const Matrix<double>& a, const Matrix<double>& b, Index row) {
  Matrix<double> rows(2, a.cols());
  rows << a.row(row), b.row(row);
  return rows;
}

// A token as it is shown: the blank that belongs to a piece can be seen.
Tokens shown(const Tokens& tokens, bool cut) {
  Tokens names = tokens;
  for (std::string& name : names) {
    if (cut && name[0] == ' ') name = "␣" + name.substr(1);
  }
  return names;
}

// What may not be read has no ground and no number: a weight of 0 by the mask is no small weight.
lesson::Strip readStrip(std::string title, const Tokens& tokens, const core::HeadTrace<double>& head,
                        const core::Mask& mask, Index reader) {
  lesson::Strip strip = weightStrip(std::move(title), tokens, head.softmax.weights.row(reader), reader);
  for (std::size_t j = 0; j < strip.items.size(); ++j) {
    if (mask.allowed(reader, static_cast<Index>(j))) continue;
    strip.items[j].weight = kEmpty;
    strip.items[j].note = tr("masked");
  }
  return strip;
}

// Both endings through both layers.
struct Endings {
  Sentence sentences[2];
  TwoLayers runs[2];
  Tokens tokens;  // of the chosen ending, as shown
  Index chosen = 0, reader = 0, animal = 0, street = 0;
};

Endings computeEndings(const Inputs& in) {
  const bool cut = in.on("pieces"), causal = in.on("causal");
  Endings both{{animalSentence(true, cut), animalSentence(false, cut)}, {}, {}};
  for (int i = 0; i < 2; ++i) both.runs[i] = read(both.sentences[i], in.number("strength"), causal);
  both.chosen = in.text("word") == "tired" ? 0 : 1;
  both.tokens = shown(both.sentences[both.chosen].tokens, cut);
  both.reader = both.sentences[0].reader;
  both.animal = at(both.sentences[0].tokens, "animal");
  both.street = at(both.sentences[0].tokens, "street");
  return both;
}

void showSecondLayer(const Endings& of, Outputs& out) {
  const core::HeadTrace<double>&tired = of.runs[0].second.heads[0], &wide = of.runs[1].second.heads[0];
  const core::Mask& mask = of.runs[0].second.mask;
  Tokens columns = of.tokens;
  columns.back() = tr("ending");
  const Tokens rows = {"… tired", "… wide"};
  const Matrix<double> scores = stacked(tired.scores, wide.scores, of.reader),
                       both = stacked(tired.softmax.weights, wide.softmax.weights, of.reader);
  lesson::Grid look = signedLook(tr("Layer 2: scores of \"it\" for both endings"), rows, columns);
  look.decimals = 2;
  out.grid("it_scores", scores, twoRows(std::move(look), mask, of.reader));
  lesson::Grid map = mapLook(tr("Layer 2: weights of \"it\" for both endings"), rows, columns);
  out.grid("it_both", both, twoRows(std::move(map), mask, of.reader));
  out.number("animal_tired", both(0, of.animal));
  out.number("street_tired", both(0, of.street));
  out.number("animal_wide", both(1, of.animal));
  out.number("street_wide", both(1, of.street));
  out.number("animal_chosen", both(of.chosen, of.animal));
  out.number("street_chosen", both(of.chosen, of.street));
  out.number("animal_score", scores(of.chosen, of.animal));
  out.number("street_score", scores(of.chosen, of.street));
  out.number("ending_difference", (both.row(0) - both.row(1)).cwiseAbs().maxCoeff());
  out.flag("endings_equal", both.row(0) == both.row(1));
  out.flag("ending_matters", both.row(0) != both.row(1));
}

void showAnimal(const Inputs& in, Outputs& out) {
  const Endings of = computeEndings(in);
  const TwoLayers& run = of.runs[of.chosen];
  out.figure("it_first",
             readStrip(tr("Layer 1: what \"it\" reads"), of.tokens, run.first.heads[0], run.first.mask, of.reader));
  out.figure("it_second",
             readStrip(tr("Layer 2: what \"it\" reads"), of.tokens, run.second.heads[0], run.second.mask, of.reader));
  showSecondLayer(of, out);
  const auto first = [&](Index i) -> const Matrix<double>& { return of.runs[i].first.heads[0].softmax.weights; };
  out.number("tokens", static_cast<double>(of.tokens.size()));
  out.number("words", static_cast<double>(animalSentence(true, false).tokens.size()));
  out.number("last_chosen", first(of.chosen)(of.reader, static_cast<Index>(of.tokens.size()) - 1));
  out.flag("first_layer_equal", first(0).row(of.reader) == first(1).row(of.reader));
  out.number("taken_up", (*run.first.residual)(of.reader, kContent));
  out.text("ending_number", of.chosen == 0 ? "+1" : "−1");
}

void describeKey(const core::HeadTrace<double>& key, const core::HeadTrace<double>& keys,
                 const core::HeadTrace<double>& chosen, Index reader, Outputs& out) {
  const Matrix<double> both = stacked(key.softmax.weights, keys.softmax.weights, reader);
  const double mixture = chosen.z(reader, 0);
  out.number("subject_weight", chosen.softmax.weights(reader, 1));
  out.number("last_weight", chosen.softmax.weights(reader, reader));
  out.number("key_mixture", key.z(reader, 0));
  out.number("keys_mixture", keys.z(reader, 0));
  out.number("mixture", mixture);
  out.text("number", mixture > 0 ? tr("singular") : mixture < 0 ? tr("plural") : tr("neither"));
  out.flag("undecided", mixture == 0);
  out.flag("key_weights_equal", both.row(0) == both.row(1));
  out.flag("key_outputs_differ", key.z.row(reader) != keys.z.row(reader));
}

void showKey(const Inputs& in, Outputs& out) {
  const bool cut = in.on("pieces"), causal = in.on("causal"), singular = in.text("noun") == "key";
  const bool others = in.text("others") == "cabinet";
  const double strength = in.number("strength");
  const Sentence sentences[] = {keySentence(true, others, cut), keySentence(false, others, cut)};
  const core::Trace<double> runs[] = {traceOf(readContent(sentences[0], strength, causal)),
                                      traceOf(readContent(sentences[1], strength, causal))};
  const Index reader = sentences[0].reader, chosen = singular ? 0 : 1;
  const core::Trace<double> other_mask = traceOf(readContent(sentences[chosen], strength, !causal));
  const core::HeadTrace<double>&key = runs[0].heads[0], &keys = runs[1].heads[0], &head = runs[chosen].heads[0];
  Tokens columns = shown(sentences[chosen].tokens, cut);
  out.figure("key_strip", readStrip(tr("What the last word reads"), columns, head, runs[chosen].mask, reader));
  columns[1] = tr("subject");
  const Matrix<double> both = stacked(key.softmax.weights, keys.softmax.weights, reader);
  lesson::Grid map = mapLook(tr("The last row for both subjects"), {"The key …", "The keys …"}, columns);
  out.grid("key_both", both, twoRows(std::move(map), runs[0].mask, reader));
  describeKey(key, keys, head, reader, out);
  out.text("subject", in.text("noun"));
  out.text("subject_number", singular ? "+1" : "−1");
  out.text("last_number", others ? "+1" : "−1");
  out.flag("key_same_with_either_mask", other_mask.heads[0].z.row(reader) == head.z.row(reader));
}

}  // namespace

core::Check tiredOrWide(const Inputs& in, Outputs& out, const Progress&) {
  out.flag("looks", in.number("strength") != 0);
  showAnimal(in, out);
  showKey(in, out);
  if (in.text("sentence") == "it") {
    out.hide("noun");
    out.hide("others");
  } else {
    out.hide("word");
  }
  return {};
}

}  // namespace attn::scene
