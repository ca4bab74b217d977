// Tokens in another order, through one attention layer: which outputs move along with their tokens, and which change.
// Knows no sentence but those of its controls.
#include <algorithm>
#include <cmath>

#include "core/language.h"
#include "core/number.h"
#include "core/position.h"
#include "core/rng.h"
#include "core/trace.h"
#include "scene/figures.h"
#include "scene/scene.h"

namespace attn::scene {
namespace {

constexpr Index kTokenWidth = 8;
constexpr Index kHeads = 2;
constexpr double kSameSum = 1e-12;  // another order of the same few terms rounds differently, by less than this

struct OrderLayer {
  std::vector<Matrix<double>> wq, wk, wv;
  Matrix<double> wo;
};

OrderLayer makeLayer(std::uint64_t seed) {
  core::Rng rng(seed);
  const double size = 1 / std::sqrt(static_cast<double>(kTokenWidth));
  OrderLayer layer;
  for (Index h = 0; h < kHeads; ++h) {
    layer.wq.push_back(rng.normalMatrix(kTokenWidth, kTokenWidth / kHeads, size));
    layer.wk.push_back(rng.normalMatrix(kTokenWidth, kTokenWidth / kHeads, size));
    layer.wv.push_back(rng.normalMatrix(kTokenWidth, kTokenWidth / kHeads, size));
  }
  layer.wo = rng.normalMatrix(kTokenWidth, kTokenWidth, size);
  return layer;
}

enum class Place { kNone, kWaves, kTable, kRotary };

struct Way {
  Place place = Place::kNone;
  bool causal = false;
};

core::Trace<double> attend(const OrderLayer& layer, Matrix<double> x, const Way& way, std::uint64_t seed) {
  if (way.place == Place::kWaves) x += core::sinusoidalPositions(x.rows(), kTokenWidth);
  if (way.place == Place::kTable) x += core::Rng(seed + 1).normalMatrix(x.rows(), kTokenWidth);
  core::Problem<double> problem;
  problem.T = problem.S = x.rows();
  problem.x = x;
  problem.wq = layer.wq;
  problem.wk = layer.wk;
  problem.wv = layer.wv;
  problem.wo = layer.wo;
  problem.mask = core::plainMask(way.causal);
  if (way.place != Place::kRotary) return traceOf(problem);
  const core::Trace<double> plain = traceOf(problem);
  core::Problem<double> turned = problem;
  turned.wq.clear();
  turned.wk.clear();
  for (const core::HeadTrace<double>& head : plain.heads) {
    turned.q.push_back(core::rotary(head.q, core::RotaryLayout::kInterleaved));
    turned.k.push_back(core::rotary(head.k, core::RotaryLayout::kInterleaved));
  }
  return traceOf(turned);
}

Matrix<double> rowsInOrder(const Matrix<double>& x, const std::vector<Index>& order) {
  Matrix<double> moved(x.rows(), x.cols());
  for (Index i = 0; i < x.rows(); ++i) moved.row(i) = x.row(order[static_cast<std::size_t>(i)]);
  return moved;
}

std::vector<Index> inverse(const std::vector<Index>& order) {
  std::vector<Index> back(order.size());
  for (std::size_t i = 0; i < order.size(); ++i) back[static_cast<std::size_t>(order[i])] = static_cast<Index>(i);
  return back;
}

Tokens tokensInOrder(const Tokens& tokens, const std::vector<Index>& order) {
  Tokens moved;
  for (const Index i : order) moved.push_back(tokens[static_cast<std::size_t>(i)]);
  return moved;
}

struct Comparison {
  core::Trace<double> before, after;
  Matrix<double> put_back;  // the outputs after, each beside the token that it belongs to
  double largest = 0;
};

Comparison compare(const OrderLayer& layer, const Matrix<double>& x, const std::vector<Index>& order, const Way& way,
                   std::uint64_t seed) {
  Comparison both{attend(layer, x, way, seed), attend(layer, rowsInOrder(x, order), way, seed), {}, 0};
  both.put_back = rowsInOrder(both.after.y, inverse(order));
  both.largest = largestChange(both.before.y, both.put_back);
  return both;
}

std::string placeName(Place place) {
  switch (place) {
    case Place::kNone: return tr("none");
    case Place::kWaves: return tr("waves, added");
    case Place::kTable: return tr("a random table, added");
    case Place::kRotary: return tr("queries and keys turned");
  }
  return "";
}

Place placeOf(const std::string& id) {
  return id == "waves" ? Place::kWaves : id == "table" ? Place::kTable : id == "rotary" ? Place::kRotary : Place::kNone;
}

// All cases at once, so that the chosen one can be seen among the others.
lesson::Table caseTable(const OrderLayer& layer, const Matrix<double>& x, const std::vector<Index>& order,
                        const Way& chosen, std::uint64_t seed, Outputs& out) {
  lesson::Table table{tr("The same shuffle in every case"), "", {tr("positions"), tr("mask"), tr("largest difference"),
                      tr("shuffled the same way")}, {}, {}};
  std::vector<double> differences;
  for (const Place place : {Place::kNone, Place::kWaves, Place::kTable, Place::kRotary}) {
    for (const bool causal : {false, true}) {
      const double largest = compare(layer, x, order, {place, causal}, seed).largest;
      if (place == chosen.place && causal == chosen.causal) table.marked = {static_cast<Index>(table.rows.size())};
      table.rows.push_back({placeName(place), causal ? tr("causal") : tr("none"), core::fixedText(largest, 4),
                            largest < kSameSum ? tr("true") : tr("false")});
      differences.push_back(largest);
    }
  }
  out.numbers("case_differences", differences);
  out.flag("same_without_positions", differences[0] < kSameSum);
  out.flag("same_with_positions", differences[2] < kSameSum);
  out.flag("same_under_causal_mask", differences[1] < kSameSum);
  const double least_of_others = *std::min_element(differences.begin() + 1, differences.end());
  out.flag("only_first_is_blind", differences[0] < kSameSum && least_of_others >= kSameSum);
  return table;
}

lesson::Strip strip(std::string title, const Tokens& tokens, std::string order_key) {
  lesson::Strip made;
  made.title = std::move(title);
  for (const std::string& token : tokens) made.items.push_back({token, "", -1, false});
  made.order_key = std::move(order_key);
  return made;
}

void describe(const Comparison& both, const Tokens& tokens, const std::vector<Index>& order, bool causal,
              Outputs& out) {
  const Tokens moved = tokensInOrder(tokens, order);
  const auto map = [&](const std::string& title, const Tokens& names, const core::Trace<double>& trace) {
    return mapLook(title, names, names, causal ? &trace.mask : nullptr);
  };
  out.grid("weights_before", both.before.heads[0].softmax.weights,
           map(tr("Weights of head 0, first order"), tokens, both.before));
  out.grid("weights_after", both.after.heads[0].softmax.weights,
           map(tr("Weights of head 0, new order"), moved, both.after));
  const Matrix<double> difference = both.put_back - both.before.y;
  const double limit = std::max({both.before.y.cwiseAbs().maxCoeff(), both.put_back.cwiseAbs().maxCoeff(),
                                 difference.cwiseAbs().maxCoeff()});  // the three have one scale
  const auto look = [&](const std::string& title) {
    lesson::Grid grid = signedLook(title, tokens, numbered(kTokenWidth, "y{0}"));
    grid.limit = limit;
    grid.decimals = 2;
    return grid;
  };
  out.grid("output_before", both.before.y, look(tr("Outputs, first order")));
  out.grid("output_put_back", both.put_back, look(tr("Outputs, new order, each at its token again")));
  out.grid("output_difference", difference, look(tr("Outputs of the new order minus those of the first")));
}

}  // namespace

core::Check tokenOrder(const Inputs& in, Outputs& out, const Progress&) {
  const bool dog = in.text("words") == "dog";
  const std::string key = dog ? "order3" : "order";
  out.hide(dog ? "order" : "order3");
  const Tokens tokens = dog ? Tokens{"dog", "bites", "man"} : Tokens{"my", "old", "cat", "slept", "outside"};
  const std::vector<Index> order = in.order(key);
  const std::uint64_t seed = in.seed("seed");
  const OrderLayer layer = makeLayer(seed);
  const Matrix<double> x = vectorsOf(tokens, seed, kTokenWidth);
  const Way chosen{placeOf(in.text("positions")), in.on("causal")};
  const Comparison both = compare(layer, x, order, chosen, seed);

  const Tokens moved = tokensInOrder(tokens, order);
  std::string joined_before, joined_after;
  for (const std::string& token : tokens) joined_before += (joined_before.empty() ? "" : " ") + token;
  for (const std::string& token : moved) joined_after += (joined_after.empty() ? "" : " ") + token;
  out.text("sentence_before", joined_before);
  out.text("sentence_after", joined_after);
  out.flag("shuffled", moved != tokens);
  out.flag("shuffled_the_same_way", both.largest < kSameSum);
  out.number("largest_difference", both.largest);
  out.number("width", static_cast<double>(kTokenWidth));
  out.figure("before", strip(tr("First order"), tokens, ""));
  out.figure("after", strip(tr("New order"), moved, key));
  describe(both, tokens, order, chosen.causal, out);
  out.figure("cases", caseTable(layer, x, order, chosen, seed, out));
  return {};
}

}  // namespace attn::scene
