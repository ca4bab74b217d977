// A small stack of attention layers, for asking which outputs depend on which inputs, and by which route. Knows nothing
// of words or training; the weights are given or seeded.
#pragma once
#include <optional>
#include <vector>

#include "core/rng.h"
#include "core/trace.h"

namespace attn::core {

// A layer that works on each row on its own: max(0, x·w1 + b1)·w2 + b2 (Vaswani et al. 2017, section 3.3).
struct Mlp {
  Matrix<double> w1;     // D×hidden
  RowVector<double> b1;  // hidden
  Matrix<double> w2;     // hidden×D
  RowVector<double> b2;  // D
};
Mlp randomMlp(Rng& rng, Index width, Index hidden);
Matrix<double> applyMlp(const Mlp& mlp, const Matrix<double>& x);

struct StackLayer {
  // Weights and mask; T, S, x and state are filled in by runStack, residual and norm by the Stack.
  Problem<double> attention;
  std::optional<Mlp> mlp;
};

// One layer: state += attention(state), then state += mlp(state) where there is one. With pre_norm both read the
// normalised state and add to the state itself; without residual nothing is added.
struct Stack {
  bool residual = true;
  bool pre_norm = false;  // only with residual
  std::vector<StackLayer> layers;
};

struct StackShape {
  Index width = 8, heads = 2, layers = 2;  // heads divides width
  bool residual = true, pre_norm = false, mlp = false;
};

// Weights are normal with standard deviation 1/√width, so that states keep their size and rows differ clearly; every
// layer has a W_O and the given mask, which may be changed layer by layer afterwards.
Stack randomStack(Rng& rng, const StackShape& shape, const MaskSpec& mask);

struct StackRun {
  std::vector<Matrix<double>> states;  // L + 1 of T×D: the input, then the state after each layer
  std::vector<Trace<double>> traces;   // L: the attention of each layer
};

// x is T×D. Refuses what computeTrace refuses, and a mask that does not fit T, naming the layer (from 0).
Result<StackRun> runStack(const Stack& stack, const Matrix<double>& x);

// (L+1)×T: the largest |difference| of each position's state after each layer; row 0 is that of the inputs. Exactly 0
// where nothing changed: a row is computed from what it may read only. Both runs have the same shapes.
Matrix<double> largestChanges(const StackRun& a, const StackRun& b);

// T×T, one layer: cell (i, j) says that what stands at j can change what leaves at i: i may read j, or i = j and either
// a residual carries it over or its query has a choice, two sources or more, to divide its weight between.
Matrix<bool> mayReach(const Mask& mask, bool residual);

// T×T, several layers, the first applied first: whether what stands at input j can arrive at output i.
Matrix<bool> reachThrough(const std::vector<Mask>& masks, bool residual);

// How strongly one layer carries j to i: its weights averaged over heads, plus 1 on the diagonal with a residual.
Matrix<double> strengths(const Trace<double>& trace, bool residual);

// The route from input `source` to output `destination` whose product of strengths is largest: the positions at which
// it stands before the first layer, between layers and after the last (L + 1 of them). Empty where every route has a 0.
std::vector<Index> strongestRoute(const std::vector<Matrix<double>>& strengths, Index source, Index destination);

// How many positions, itself included, a position can have heard of through `layers` layers of a causal window w:
// 1 + layers·(w − 1), as far as the sequence goes.
inline Index windowReach(Index window, Index layers) { return 1 + layers * (window - 1); }

}  // namespace attn::core
