// One pronoun whose meaning hangs on a word that comes later, and one verb to come that hangs on a word from before.
// The vectors and weights are invented so that a reader can follow them; nothing here was trained.
#include <cmath>

#include "scene/figures.h"
#include "scene/scene.h"

namespace attn::scene {
namespace {

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

std::string joined(const Tokens& pieces) {
  std::string word;
  for (const std::string& piece : pieces) word += piece;
  return word.substr(word[0] == ' ' ? 1 : 0);
}

// A word that is cut carries what it says on its last piece.
Sentence sentenceOf(const std::vector<Word>& words, bool cut) {
  Sentence sentence;
  std::vector<const Word*> says;
  for (const Word& word : words) {
    const Tokens parts = cut ? word.pieces : Tokens{joined(word.pieces)};
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

lesson::Grid twoRows(std::string title, Tokens rows, Tokens columns, const core::Mask& mask, Index reader) {
  lesson::Grid grid = mapLook(std::move(title), std::move(rows), std::move(columns));
  grid.blocked = blockedRow(mask, reader, 2);
  return grid;
}

Matrix<double> stacked(const Matrix<double>& a, const Matrix<double>& b, Index row) {
  Matrix<double> rows(2, a.cols());
  rows << a.row(row), b.row(row);
  return rows;
}

void showAnimal(const Inputs& in, Outputs& out) {
  const bool cut = in.on("pieces"), causal = in.on("causal"), tired = in.text("word") == "tired";
  const Sentence sentences[] = {animalSentence(true, cut), animalSentence(false, cut)};
  const TwoLayers runs[] = {read(sentences[0], in.number("strength"), causal),
                            read(sentences[1], in.number("strength"), causal)};
  const Index reader = sentences[0].reader, chosen = tired ? 0 : 1;
  const Index animal = at(sentences[0].tokens, "animal"), street = at(sentences[0].tokens, "street");
  const auto weights = [&](Index run, bool second) -> const Matrix<double>& {
    return (second ? runs[run].second : runs[run].first).heads[0].softmax.weights;
  };
  const Tokens& tokens = sentences[chosen].tokens;
  out.figure("it_first", weightStrip("Layer 1: what \"it\" reads", tokens, weights(chosen, false).row(reader), reader));
  out.figure("it_second", weightStrip("Layer 2: what \"it\" reads", tokens, weights(chosen, true).row(reader), reader));
  Tokens columns = sentences[0].tokens;
  columns.back() = cut ? " tired/ wide" : "tired/wide";
  const Matrix<double> both = stacked(weights(0, true), weights(1, true), reader);
  out.grid("it_both", both, twoRows("Layer 2: the row of \"it\" for both endings", {"… tired", "… wide"}, columns,
                                    runs[0].second.mask, reader));
  out.number("tokens", static_cast<double>(tokens.size()));
  out.number("words", static_cast<double>(animalSentence(tired, false).tokens.size()));
  out.number("animal_tired", both(0, animal));
  out.number("street_tired", both(0, street));
  out.number("animal_wide", both(1, animal));
  out.number("street_wide", both(1, street));
  out.number("animal_chosen", both(chosen, animal));
  out.number("street_chosen", both(chosen, street));
  out.number("last_chosen", weights(chosen, false)(reader, static_cast<Index>(tokens.size()) - 1));
  out.number("ending_difference", (both.row(0) - both.row(1)).cwiseAbs().maxCoeff());
  out.flag("endings_equal", both.row(0) == both.row(1));
  out.flag("first_layer_equal", weights(0, false).row(reader) == weights(1, false).row(reader));
  out.number("taken_up", (*runs[chosen].first.residual)(reader, kContent));
}

void showKey(const Inputs& in, Outputs& out) {
  const bool cut = in.on("pieces"), causal = in.on("causal"), singular = in.text("noun") == "key";
  const bool others = in.text("others") == "cabinet";
  const double strength = in.number("strength");
  const Sentence sentences[] = {keySentence(true, others, cut), keySentence(false, others, cut)};
  const core::Trace<double> runs[] = {traceOf(readContent(sentences[0], strength, causal)),
                                      traceOf(readContent(sentences[1], strength, causal))};
  const core::Trace<double> other_mask = traceOf(readContent(sentences[singular ? 0 : 1], strength, !causal));
  const Index reader = sentences[0].reader, chosen = singular ? 0 : 1;
  const core::HeadTrace<double>& head = runs[chosen].heads[0];
  out.figure("key_strip", weightStrip("What the last word reads", sentences[chosen].tokens,
                                      head.softmax.weights.row(reader), reader));
  Tokens columns = sentences[0].tokens;
  columns[1] = cut ? " key/ keys" : "key/keys";
  const Matrix<double> both = stacked(runs[0].heads[0].softmax.weights, runs[1].heads[0].softmax.weights, reader);
  out.grid("key_both", both,
           twoRows("The last row for both subjects", {"The key …", "The keys …"}, columns, runs[0].mask, reader));
  out.number("subject_weight", head.softmax.weights(reader, 1));
  out.number("key_mixture", runs[0].heads[0].z(reader, 0));
  out.number("keys_mixture", runs[1].heads[0].z(reader, 0));
  const double mixture = head.z(reader, 0);
  out.number("mixture", mixture);
  out.text("number", mixture > 0 ? "singular" : mixture < 0 ? "plural" : "neither");
  out.flag("key_weights_equal", both.row(0) == both.row(1));
  out.flag("key_outputs_equal", runs[0].heads[0].z.row(reader) == runs[1].heads[0].z.row(reader));
  out.flag("mask_matters_to_key", other_mask.heads[0].z.row(reader) != head.z.row(reader));
}

}  // namespace

core::Check tiredOrWide(const Inputs& in, Outputs& out, const Progress&) {
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
