// What a later token can change in a stack of causal layers, and by which route an earlier one arrives where no single
// map shows it. Knows no words: the positions are numbered.
#include <algorithm>

#include "core/language.h"
#include "core/stack.h"
#include "scene/figures.h"
#include "scene/scene.h"

namespace attn::scene {
namespace {

constexpr Index kPositions = 6;
constexpr core::StackShape kStackShape{8, 2, 1, true, false, true};

struct Pair {
  core::StackRun before, after;
};

// One seeded input, and the same with another vector at `position`.
Pair changeAt(const core::Stack& stack, Index T, Index position, std::uint64_t seed) {
  core::Rng rng(seed + 1);
  Matrix<double> x = rng.normalMatrix(T, kStackShape.width);
  core::StackRun before = core::runStack(stack, x).take();
  x.row(position) = rng.normalMatrix(1, kStackShape.width);
  return {std::move(before), core::runStack(stack, x).take()};
}

double largestBefore(const Matrix<double>& changes, Index position) {
  return position == 0 ? 0 : changes.leftCols(position).maxCoeff();
}

Tokens layerNames(Index layers, Index unmasked) {
  Tokens names = {tr("input")};
  for (Index l = 1; l <= layers; ++l) {
    names.push_back(l == unmasked ? tr("layer {0}, no mask", {l}) : tr("layer {0}", {l}));
  }
  return names;
}

// Every position that has changed, and the reading that carried the change there.
lesson::Flow spreadFlow(const core::StackRun& run, const Matrix<double>& changes, Tokens layers) {
  lesson::Flow flow;
  flow.title = tr("How the change travels");
  flow.positions = numbered(changes.cols());
  flow.layers = std::move(layers);
  for (std::size_t l = 0; l < run.traces.size(); ++l) {
    const auto row = static_cast<Index>(l);
    const core::Mask& mask = run.traces[l].mask;
    for (Index i = 0; i < changes.cols(); ++i) {
      for (Index j = 0; j < changes.cols(); ++j) {
        if (mask.allowed(i, j)) flow.edges.push_back({row, j, i, 1, changes(row, j) > 0 && changes(row + 1, i) > 0});
      }
    }
  }
  for (Index row = 0; row < changes.rows(); ++row) {
    for (Index j = 0; j < changes.cols(); ++j) {
      if (changes(row, j) > 0) flow.nodes.push_back({row, j, "", true});
    }
  }
  return flow;
}

void showLaterToken(const Inputs& in, Outputs& out) {
  const Index layers = in.integer("layers"), position = in.integer("position");
  const Index unmasked = std::min(in.integer("unmasked"), layers);
  core::StackShape shape = kStackShape;
  shape.layers = layers;
  core::Rng rng(in.seed("seed"));
  core::Stack stack = core::randomStack(rng, shape, core::plainMask(true));
  const Pair causal = changeAt(stack, kPositions, position, in.seed("seed"));
  const double masked = largestBefore(core::largestChanges(causal.before, causal.after), position);
  if (unmasked > 0) stack.layers[static_cast<std::size_t>(unmasked - 1)].attention.mask = {};
  const Pair chosen = changeAt(stack, kPositions, position, in.seed("seed"));
  const Matrix<double> changes = core::largestChanges(chosen.before, chosen.after);
  lesson::Grid look = signedLook(tr("Largest change at each position"), layerNames(layers, unmasked), numbered(kPositions));
  look.scale = lesson::GridScale::kPositive;
  out.grid("changes", changes, look);
  out.figure("spread", spreadFlow(chosen.before, changes, layerNames(layers, unmasked)));
  const double earlier = largestBefore(changes, position);
  out.number("unmasked_layer", static_cast<double>(unmasked));
  out.number("earlier_with_all_masks", masked);
  out.number("earlier_change", earlier);
  out.flag("earlier_stay_with_all_masks", masked == 0);
  out.flag("earlier_stay", earlier == 0);
  out.flag("all_masked", unmasked == 0);
  out.flag("has_earlier", position > 0);
  out.number("positions", static_cast<double>(kPositions));
  out.text("layers_passed", tr("{0} {0|layer|layers}", {layers}));
}

// Three positions, two layers of two heads. Layer 1 lets B read A, and C only itself; layer 2 lets C read B and itself,
// so that its weight on A is exactly 0.
core::Stack routeStack(std::uint64_t seed, bool cut) {
  core::StackShape shape = kStackShape;
  shape.layers = 2;
  core::Rng rng(seed);
  core::Stack stack = core::randomStack(rng, shape, {});
  stack.layers[0].attention.mask.allowed = {{true, false, false}, {!cut, true, false}, {false, false, true}};
  stack.layers[1].attention.mask.allowed = {{true, false, false}, {false, true, false}, {false, true, true}};
  return stack;
}

lesson::Flow routeFlow(const core::StackRun& run, const std::vector<Index>& route) {
  lesson::Flow flow;
  flow.title = tr("From token A to the output at C");
  flow.layers = {tr("input"), tr("layer {0}", {1}), tr("layer {0}", {2})};
  flow.positions = {"A", "B", "C"};
  for (Index l = 0; l < 2; ++l) {
    const core::Trace<double>& trace = run.traces[static_cast<std::size_t>(l)];
    const Matrix<double> weights = core::strengths(trace, false);
    for (Index i = 0; i < 3; ++i) {
      for (Index j = 0; j < 3; ++j) {
        const bool on_route =
            !route.empty() && route[static_cast<std::size_t>(l)] == j && route[static_cast<std::size_t>(l) + 1] == i;
        if (trace.mask.allowed(i, j)) flow.edges.push_back({l, j, i, weights(i, j), on_route});
      }
    }
  }
  for (std::size_t l = 0; l < route.size(); ++l) flow.nodes.push_back({static_cast<Index>(l), route[l], "", true});
  return flow;
}

void showRoute(const Inputs& in, Outputs& out) {
  const core::Stack stack = routeStack(in.seed("seed"), in.on("cut"));
  const Pair runs = changeAt(stack, 3, 0, in.seed("seed"));
  std::vector<Matrix<double>> strengths;
  for (const core::Trace<double>& trace : runs.before.traces) strengths.push_back(core::strengths(trace, true));
  const std::vector<Index> route = core::strongestRoute(strengths, 0, 2);
  out.figure("route", routeFlow(runs.before, route));
  const Tokens positions = {"A", "B", "C"};
  for (std::size_t l = 0; l < 2; ++l) {
    const std::string name = "route_map_" + std::to_string(l + 1);
    out.grid(name, core::strengths(runs.before.traces[l], false),
             mapLook(tr("Layer {0}", {l + 1}), positions, positions, &runs.before.traces[l].mask));
  }
  const core::Trace<double>& second = runs.before.traces[1];
  double direct = 0;
  for (const auto& head : second.heads) direct = std::max(direct, head.softmax.weights(2, 0));
  out.number("weight_on_first", direct);
  out.flag("layer_two_skips_first", direct == 0);
  const double moved = core::largestChanges(runs.before, runs.after)(2, 2);
  out.number("output_moved_by", moved);
  out.flag("output_moves", moved > 0);
  out.flag("output_stays", moved == 0);
  out.flag("route_exists", !route.empty());
}

}  // namespace

core::Check causality(const Inputs& in, Outputs& out, const Progress&) {
  out.limit("unmasked", static_cast<double>(in.integer("layers")));
  const bool route = in.text("part") == "route";
  if (route) for (const char* key : {"position", "layers", "unmasked"}) out.hide(key);
  if (!route) out.hide("cut");
  showLaterToken(in, out);
  showRoute(in, out);
  return {};
}

}  // namespace attn::scene
