// What a head would do with characters alone, read off its weights, and how much heads read of one another.
#include <cmath>
#include <numeric>

#include "core/circuit.h"
#include "core/composition.h"
#include "core/number.h"
#include "study/parts.h"

namespace attn::study {
namespace {

constexpr Index kMostTokens = 100;  // of a map over the vocabulary

lesson::Grid gridOf(const core::Matrix<double>& values, const std::vector<std::string>& names, std::string title, std::string note) {
  lesson::Grid grid;
  grid.title = std::move(title);
  grid.note = std::move(note);
  grid.rows = values.rows(), grid.columns = values.cols();
  grid.values.assign(values.data(), values.data() + values.size());
  grid.row_labels = grid.column_labels = names;
  return grid;
}

void addMaps(const Running& running, Index layer, Index head, Outputs& out, Shown& shown) {
  std::vector<Index> tokens(static_cast<std::size_t>(std::min(kMostTokens, running.decoder().vocabulary())));
  std::iota(tokens.begin(), tokens.end(), Index(0));
  std::vector<std::string> names;
  for (const Index token : tokens) names.push_back(running.label(token));
  const core::Matrix<double> qk = core::qkCircuit(running.decoder(), layer, head, tokens);
  const core::Matrix<double> ov = core::ovCircuit(running.decoder(), layer, head, tokens);
  out.matrix("qk", qk);
  out.matrix("ov", ov);
  Index i = 0, j = 0, s = 0, c = 0;
  qk.maxCoeff(&i, &j);
  ov.maxCoeff(&s, &c);
  shown.says = "By characters alone, in " + headName(layer, head) + " " + running.quoted(i) + " likes most to read " + running.quoted(j) +
               ", and reading " + running.quoted(s) + " raises " + running.quoted(c) + " most.";
  shown.text("Two maps that need no text: both are computed from the weights and the embeddings of characters, without their places." +
             std::string(layer > 0 ? " In a later layer they leave out what earlier layers add, so they show the direct path only." : ""));
  shown.add(gridOf(qk, names, "QK: who reads whom", "Row: the character that reads. Column: the one that is read. The score q·k/√d_k."));
  shown.add(gridOf(ov, names, "OV: what reading it says about the next",
                   "Row: the character that is read. Column: the one whose logit changes, up to the scale of the last norm."));
}

void addComposition(const Running& running, Index layer, Index head, Shown& shown) {
  if (running.layers() < 2) return;
  constexpr int kDraws = 20;
  const core::Problem<float> later = core::attentionOf(running.decoder().blocks[static_cast<std::size_t>(layer)]);
  lesson::Table table;
  table.title = "What " + headName(layer, head) + " reads of earlier heads";
  table.columns = {"earlier head", "in its queries", "in its keys", "in its values"};
  if (layer == 0) {
    shown.note("Heads of layer 0 have no earlier heads to read; choose a head of a later layer to see what it reads of them.");
    return;
  }
  const core::HeadMaps maps = core::headMaps(later, head);
  double most = -1;
  std::string pair;
  for (Index l = 0; l < layer; ++l) {
    const core::Problem<float> earlier = core::attentionOf(running.decoder().blocks[static_cast<std::size_t>(l)]);
    for (Index h = 0; h < running.heads(); ++h) {
      const core::Composition score = core::composition(core::headMaps(earlier, h), maps);
      const std::string name = std::to_string(l) + "." + std::to_string(h);
      table.rows.push_back({name, core::fixedText(score.q, 3), core::fixedText(score.k, 3), core::fixedText(score.v, 3)});
      if (score.k > most) most = score.k, pair = name, table.marked = {static_cast<Index>(table.rows.size()) - 1};
    }
  }
  const double chance = core::randomComposition(running.decoder().width(), maps.qk.left.cols(), kDraws, 1);
  table.note = "‖A·B‖ / (‖A‖·‖B‖) with Frobenius norms, A what the earlier head writes and B what this one reads (Elhage et al. 2021). By chance: " +
               core::fixedText(chance, 3) + ". Norms' division, biases and MLPs are left out.";
  shown.add(std::move(table));
  shown.text("An induction head is made of two: an earlier head writes, at each position, what stood before it, and the later head finds that by its "
             "keys. Here the keys of " + headName(layer, head) + " read most of head " + pair + " (" + core::fixedText(most, 3) + ").");
}

}  // namespace

void showCircuits(const Running& running, const Inputs& in, Outputs& out, Shown& shown) {
  const Index layer = std::min(in.integer("layer"), running.layers() - 1), head = std::min(in.integer("head"), running.heads() - 1);
  addMaps(running, layer, head, out, shown);
  addComposition(running, layer, head, shown);
}

}  // namespace attn::study
