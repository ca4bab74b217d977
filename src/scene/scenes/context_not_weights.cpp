// What one replaced token changes in a small stack, and what one changed entry of a stored matrix does. Knows no
// training: the weights are seeded.
#include <algorithm>

#include "core/language.h"
#include "core/stack.h"
#include "scene/figures.h"
#include "scene/scene.h"

namespace attn::scene {
namespace {

using core::RowVector;

constexpr Index kMostWords = 10;
constexpr core::StackShape kShape{8, 2, 2, true, false, false};

// The numbers that a checkpoint would hold.
std::vector<const Matrix<double>*> storedOf(const core::Stack& stack) {
  std::vector<const Matrix<double>*> all;
  for (const core::StackLayer& layer : stack.layers) {
    for (const auto* list : {&layer.attention.wq, &layer.attention.wk, &layer.attention.wv}) {
      for (const Matrix<double>& matrix : *list) all.push_back(&matrix);
    }
    all.push_back(&*layer.attention.wo);
  }
  return all;
}

Index storedCount(const core::Stack& stack) {
  Index count = 0;
  for (const Matrix<double>* matrix : storedOf(stack)) count += matrix->size();
  return count;
}

Index storedChanged(const core::Stack& a, const core::Stack& b) {
  const auto first = storedOf(a), second = storedOf(b);
  Index changed = 0;
  for (std::size_t i = 0; i < first.size(); ++i) changed += changedEntries(*first[i], *second[i]);
  return changed;
}

using HeadArray = Matrix<double> core::HeadTrace<double>::*;

RowVector<double> headChanges(const core::Trace<double>& a, const core::Trace<double>& b, HeadArray array) {
  RowVector<double> largest = rowChanges(a.heads[0].*array, b.heads[0].*array);
  for (std::size_t h = 1; h < a.heads.size(); ++h) {
    largest = largest.cwiseMax(rowChanges(a.heads[h].*array, b.heads[h].*array)).eval();
  }
  return largest;
}

RowVector<double> weightChanges(const core::Trace<double>& a, const core::Trace<double>& b) {
  RowVector<double> largest = RowVector<double>::Zero(a.mask.rows());
  for (std::size_t h = 0; h < a.heads.size(); ++h) {
    largest = largest.cwiseMax(rowChanges(a.heads[h].softmax.weights, b.heads[h].softmax.weights)).eval();
  }
  return largest;
}

// One row for each array of each layer, one column for each position: the largest change there.
constexpr Index kRowsPerLayer = 6;

Matrix<double> changesOf(const core::StackRun& a, const core::StackRun& b) {
  const auto layers = static_cast<Index>(a.traces.size());
  Matrix<double> changes(layers * kRowsPerLayer + 1, a.states.front().rows());
  for (Index l = 0; l < layers; ++l) {
    const auto at = static_cast<std::size_t>(l);
    const core::Trace<double>&one = a.traces[at], &other = b.traces[at];
    changes.row(l * kRowsPerLayer) = rowChanges(a.states[at], b.states[at]);
    changes.row(l * kRowsPerLayer + 1) = headChanges(one, other, &core::HeadTrace<double>::q);
    changes.row(l * kRowsPerLayer + 2) = headChanges(one, other, &core::HeadTrace<double>::k);
    changes.row(l * kRowsPerLayer + 3) = headChanges(one, other, &core::HeadTrace<double>::v);
    changes.row(l * kRowsPerLayer + 4) = weightChanges(one, other);
    changes.row(l * kRowsPerLayer + 5) = headChanges(one, other, &core::HeadTrace<double>::z);
  }
  changes.bottomRows(1) = rowChanges(a.states.back(), b.states.back());
  return changes;
}

lesson::Grid changesLook(std::string title, Tokens columns) {
  lesson::Grid grid = signedLook(std::move(title), {}, std::move(columns));
  for (Index l = 0; l < kShape.layers; ++l) {
    for (const std::string& name : {std::string("x"), std::string("q"), std::string("k"), std::string("v"), tr("attention"),
                                    std::string("z")}) {
      grid.row_labels.push_back(tr("layer {0}: {1}", {l + 1, name}));
    }
  }
  grid.row_labels.push_back(tr("output"));
  grid.scale = lesson::GridScale::kPositive;
  grid.decimals = 2;
  return grid;
}

struct Setting {
  Tokens tokens, replaced;
  Index position = 0;
  core::Stack stack;
  core::StackRun run;
};

void showReplacement(const Setting& set, std::uint64_t seed, Outputs& out) {
  const core::StackRun after = core::runStack(set.stack, vectorsOf(set.replaced, seed, kShape.width)).take();
  Tokens columns = set.tokens;
  const auto at = static_cast<std::size_t>(set.position);
  columns[at] = set.replaced[at];
  const Matrix<double> changes = changesOf(set.run, after);
  out.grid("changed_by_token", changes, changesLook(tr("Change when one token is replaced"), columns));
  out.number("stored", static_cast<double>(storedCount(set.stack)));
  // The stack was handed to both computations; what it holds now is compared with what the first one was made from.
  core::Stack used = set.stack;
  for (std::size_t l = 0; l < used.layers.size(); ++l) used.layers[l].attention = after.traces[l].problem;
  out.number("stored_changed", static_cast<double>(storedChanged(set.stack, used)));
  const auto moved = [&](Index row) { return (changes.row(row).array() > 0).count(); };
  out.number("keys_moved", static_cast<double>(moved(2)));
  out.number("weight_rows_moved", static_cast<double>(moved(4)));
  out.number("second_keys_moved", static_cast<double>(moved(kRowsPerLayer + 2)));
  out.text("second_keys", tr("{0} {0|position|positions}", {moved(kRowsPerLayer + 2)}));
  out.number("outputs_moved", static_cast<double>(moved(kShape.layers * kRowsPerLayer)));
  out.flag("replaced", set.replaced != set.tokens);
  const double before = set.position == 0 ? 0 : changes.leftCols(set.position).maxCoeff();
  out.number("earlier_change", before);
  out.flag("earlier_moved", before > 0);
  out.flag("earlier_unchanged", before == 0);
  out.flag("has_earlier", set.position > 0);
}

void showEntry(const Setting& set, const Inputs& in, Outputs& out) {
  core::Stack changed = set.stack;
  double& entry = changed.layers[0].attention.wk[0](in.integer("entry_row"), in.integer("entry_column"));
  out.number("entry_before", entry);
  entry += in.number("amount");
  out.number("entry_after", entry);
  const core::StackRun after = core::runStack(changed, set.run.states.front()).take();
  const Matrix<double> changes = changesOf(set.run, after);
  out.grid("changed_by_entry", changes, changesLook(tr("Change when one stored number is changed"), set.tokens));
  const Index stored_changed = storedChanged(set.stack, changed);
  out.number("stored_changed_by_entry", static_cast<double>(stored_changed));
  out.flag("entry_changed", stored_changed > 0);
  const core::Mask& mask = set.run.traces[0].mask;
  Index with_choice = 0, moved = 0;
  for (Index i = 0; i < mask.rows(); ++i) {
    if (mask.allowedInRow(i) < 2) continue;
    ++with_choice;
    moved += changes(4, i) > 0;
  }
  out.number("rows_with_choice", static_cast<double>(with_choice));
  out.number("rows_moved_by_entry", static_cast<double>(moved));
  out.flag("every_key_moves", (changes.row(2).array() > 0).all());
  out.flag("every_row_moves", moved == with_choice);
}

}  // namespace

core::Check contextNotWeights(const Inputs& in, Outputs& out, const Progress&) {
  Setting set;
  set.tokens = tokensOf(in.text("sentence"));
  const auto T = static_cast<Index>(set.tokens.size());
  if (T < 2 || T > kMostWords) {
    return core::Error{tr("The sentence has {0} {0|word|words}; write 2 to {1}, with blanks between them.",
                          {T, kMostWords})};
  }
  const Tokens word = tokensOf(in.text("word"));
  if (word.size() != 1) return core::Error{tr("The replacement \"{0}\" is not one word; write one.", {in.text("word")})};
  const std::uint64_t seed = in.seed("seed");
  set.position = std::min(in.integer("position"), T - 1);
  out.flag("position_beyond", in.integer("position") >= T);
  out.number("last_position", static_cast<double>(T - 1));
  out.number("replaced_position", static_cast<double>(set.position));
  out.limit("position", static_cast<double>(T - 1));
  set.replaced = set.tokens;
  set.replaced[static_cast<std::size_t>(set.position)] = word.front();
  core::Rng rng(seed);
  set.stack = core::randomStack(rng, kShape, core::plainMask(in.on("causal")));
  set.run = core::runStack(set.stack, vectorsOf(set.tokens, seed, kShape.width)).take();
  out.text("old_word", set.tokens[static_cast<std::size_t>(set.position)]);
  out.text("new_word", word.front());
  out.number("tokens", static_cast<double>(T));
  out.number("width", static_cast<double>(kShape.width));
  out.number("heads", static_cast<double>(kShape.heads));
  out.number("layers", static_cast<double>(kShape.layers));
  out.number("head_width", static_cast<double>(kShape.width / kShape.heads));
  showReplacement(set, seed, out);
  showEntry(set, in, out);
  return {};
}

}  // namespace attn::scene
