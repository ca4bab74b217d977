// The attention module of a small GPT on a batch: one linear layer for queries, keys and values, split into heads,
// causal attention, heads side by side again, a linear output (Vaswani et al. 2017, section 3.2.2; laid out as in
// Radford et al. 2019's code). Every shape on the way is kept. Knows no training.
#pragma once
#include <string>
#include <vector>

#include "core/rng.h"
#include "core/softmax.h"
#include "core/tensor.h"

namespace attn::core {

// Rows are inputs, as everywhere here: y = x·W + b. (PyTorch's Linear keeps the transpose of W.)
template <class Scalar>
struct MultiHeadModule {
  Index heads = 1;           // divides d_model
  bool causal = true;
  Matrix<Scalar> w_qkv;      // D×3D: columns of Q, then of K, then of V; within each, head by head
  RowVector<Scalar> b_qkv;   // 3D
  Matrix<Scalar> w_proj;     // D×D
  RowVector<Scalar> b_proj;  // D

  Index width() const { return w_proj.rows(); }
  Index headWidth() const { return width() / heads; }
};

// Seeded as PyTorch makes its Linear layers: uniform in ±1/√fan_in, biases too.
MultiHeadModule<double> randomModule(Rng& rng, Index width, Index heads);
MultiHeadModule<float> toFloat(const MultiHeadModule<double>& module);

struct ParameterCount {
  Index qkv_weights = 0, qkv_biases = 0, proj_weights = 0, proj_biases = 0;
  Index total() const { return qkv_weights + qkv_biases + proj_weights + proj_biases; }
};
template <class Scalar>
ParameterCount parametersOf(const MultiHeadModule<Scalar>& module);

// T×D as H matrices of T×(D/H), and back: no number is changed or lost. H divides D.
template <class Scalar>
std::vector<Matrix<Scalar>> splitHeads(const Matrix<Scalar>& x, Index heads);
template <class Scalar>
Matrix<Scalar> mergeHeads(const std::vector<Matrix<Scalar>>& heads);

// Where entry (head, t, i) of the split array lies in the memory of the T×D array, row after row: t·D + head·(D/H) + i.
// So neighbours along i stay neighbours, and a step along t still jumps by D.
inline Index splitOffset(Index width, Index heads, Index head, Index t, Index i) {
  return t * width + head * (width / heads) + i;
}

template <class Scalar>
struct ModuleHead {
  Matrix<Scalar> q, k, v;  // T×(D/H)
  Matrix<Scalar> scores;   // T×T: q·kᵀ
  Matrix<Scalar> scaled;   // T×T: ÷ √(D/H)
  Softmax<Scalar> softmax;
  Matrix<Scalar> z;        // T×(D/H)
};

template <class Scalar>
struct ModuleSequence {
  Matrix<Scalar> qkv;                     // T×3D
  std::vector<ModuleHead<Scalar>> heads;  // H
  Matrix<Scalar> merged;                  // T×D
  Matrix<Scalar> y;                       // T×D
};

// One result per sequence of the batch; each is T×D with the module's D, and T may differ.
template <class Scalar>
std::vector<ModuleSequence<Scalar>> runModule(const MultiHeadModule<Scalar>& module,
                                              const std::vector<Matrix<Scalar>>& batch);

// Rows of tokens that no training has touched: a seeded vector of unit normal numbers per different token, plus one per
// position, as PyTorch makes its Embedding tables. T×width.
Matrix<double> untrainedEmbeddings(Rng& rng, const std::vector<std::string>& tokens, Index width);

}  // namespace attn::core
