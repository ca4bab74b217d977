// What a head would do with tokens alone, read off its weights, and how much heads read of one another.
#include <algorithm>
#include <cmath>
#include <numeric>

#include "core/circuit.h"
#include "core/composition.h"
#include "core/language.h"
#include "core/number.h"
#include "core/statistics.h"
#include "study/parts.h"

namespace attn::study {
namespace {

constexpr std::size_t kMostTokens = 100;  // of a map

// The whole vocabulary where it is small, else the tokens of the text, each once.
std::vector<Index> tokensOfMap(const Running& running) {
  const auto all = static_cast<std::size_t>(running.decoder().vocabulary());
  std::vector<Index> tokens;
  if (all <= kMostTokens) {
    tokens.resize(all);
    std::iota(tokens.begin(), tokens.end(), Index(0));
    return tokens;
  }
  for (const Index token : running.read.tokens)
    if (tokens.size() < kMostTokens && std::find(tokens.begin(), tokens.end(), token) == tokens.end()) tokens.push_back(token);
  return tokens;
}

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
  const std::vector<Index> tokens = tokensOfMap(running);
  std::vector<std::string> names;
  for (const Index token : tokens) names.push_back(running.label(token));
  if (static_cast<Index>(tokens.size()) == running.decoder().vocabulary()) out.hide("text");
  const core::Matrix<double> qk = core::qkCircuit(running.decoder(), layer, head, tokens);
  const core::Matrix<double> ov = core::ovCircuit(running.decoder(), layer, head, tokens);
  out.matrix("qk", qk);
  out.matrix("ov", ov);
  Index i = 0, j = 0, s = 0, c = 0;
  // What a row gives to all alike changes no softmax.
  const auto beyondMean = [](const core::Matrix<double>& map) {
    return core::Matrix<double>(map.colwise() - map.rowwise().mean());
  };
  beyondMean(qk).maxCoeff(&i, &j);
  beyondMean(ov).maxCoeff(&s, &c);
  const auto name = [&](Index n) { return names[static_cast<std::size_t>(n)]; };
  shown.says = tr("By {0} alone, in {1} “{2}” stands out most for reading “{3}”, and reading “{4}” for raising “{5}”: furthest above "
                  "the mean of their rows.", {running.units(), headName(layer, head), name(i), name(j), name(s), name(c)});
  std::string text = tr("Two maps that need no run: both are computed from the weights and the embeddings of {0}, without their "
                        "places.", {running.units()});
  if (layer > 0)
    text += " " + tr("In a later layer they leave out what earlier layers add, so they show the direct path only.");
  shown.text(std::move(text));
  if (static_cast<Index>(tokens.size()) < running.decoder().vocabulary())
    shown.note(tr("They show the {0} of the text, each once; the whole vocabulary has {1}.",
                  {running.units(), scene::grouped(static_cast<double>(running.decoder().vocabulary()))}));
  shown.add(gridOf(qk, names, tr("QK: who reads whom"),
                   tr("Row: the {0} that reads. Column: the one that is read, in the order of the rows. The score q·k/√d_k.",
                      {running.unit()})));
  shown.add(gridOf(ov, names, tr("OV: what reading it says about the next"),
                   tr("Row: the {0} that is read. Column: the one whose logit changes, in the order of the rows; up to the scale of "
                      "the last norm.", {running.unit()})));
}

void addComposition(const Running& running, Index layer, Index head, Shown& shown) {
  if (running.layers() < 2) return;
  constexpr std::uint64_t kDraws = 50;
  const core::Problem<float> later = core::attentionOf(running.decoder().blocks[static_cast<std::size_t>(layer)]);
  lesson::Table table;
  table.title = tr("What {0} reads of earlier heads", {headName(layer, head)});
  table.columns = {tr("earlier head"), tr("in its queries"), tr("in its keys"), tr("in its values")};
  if (layer == 0) {
    shown.note(tr("Heads of layer 0 have no earlier heads to read; choose a head of a later layer to see what it reads of them."));
    return;
  }
  const core::HeadMaps maps = core::headMaps(later, head);
  double most = -1;
  std::string pair;
  for (Index l = 0; l < layer; ++l) {
    const core::Problem<float> earlier = core::attentionOf(running.decoder().blocks[static_cast<std::size_t>(l)]);
    for (Index h = 0; h < running.heads(); ++h) {
      const core::Composition score = core::composition(core::headMaps(earlier, h), maps);
      const std::string name = headMark(l, h);
      table.rows.push_back({name, core::fixedText(score.q, 3), core::fixedText(score.k, 3), core::fixedText(score.v, 3)});
      if (score.k > most) most = score.k, pair = name, table.marked = {static_cast<Index>(table.rows.size()) - 1};
    }
  }
  core::Running chance;
  for (std::uint64_t seed = 1; seed <= kDraws; ++seed)
    chance.add(core::randomComposition(running.decoder().width(), maps.qk.left.cols(), 1, seed));
  table.note = tr("‖A·B‖ / (‖A‖·‖B‖) with Frobenius norms, A what the earlier head writes and B what this one reads (Elhage et al. "
                  "2021). By chance: {0} ± {1} (mean and standard deviation of {2} random pairs). Norms' division, biases and MLPs "
                  "are left out.", {core::fixedText(chance.mean(), 3), core::fixedText(chance.sampleDeviation(), 3), kDraws});
  shown.add(std::move(table));
  shown.text(tr("The keys of {0} read most of head {1} ({2}). An induction head needs an earlier head that writes, at each position, "
                "what stood before it, and finds that by its keys; a number well above chance may come from that, and only switching "
                "the earlier head off shows whether it does.", {headName(layer, head), pair, core::fixedText(most, 3)}));
}

}  // namespace

void showCircuits(const Running& running, const Inputs& in, Outputs& out, Shown& shown) {
  const Index layer = std::min(in.integer("layer"), running.layers() - 1), head = std::min(in.integer("head"), running.heads() - 1);
  addMaps(running, layer, head, out, shown);
  addComposition(running, layer, head, shown);
}

}  // namespace attn::study
