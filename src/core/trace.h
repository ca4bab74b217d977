// The immutable result of running one attention sublayer once, with every intermediate kept. Stepping only moves
// an index into it.
#pragma once
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/mask.h"
#include "core/problem.h"
#include "core/result.h"
#include "core/softmax.h"
#include "core/stage.h"
#include "core/tensor.h"

namespace attn::core {

template <class Scalar>
struct HeadTrace {
  Index kv_head = 0;
  Matrix<Scalar> q, k, v;                    // T×d_k, S×d_k, S×d_v
  Matrix<Scalar> scores;                     // T×S: Q·Kᵀ
  Matrix<Scalar> scaled;                     // T×S: scores × scale ÷ temperature
  std::optional<Matrix<Scalar>> softcapped;  // T×S: c·tanh(scaled/c)
  std::optional<Matrix<Scalar>> bias;        // T×S: given bias + ALiBi, as one array
  std::optional<Matrix<Scalar>> biased;      // T×S: + bias
  Matrix<Scalar> masked;                     // T×S: −∞ where blocked
  std::optional<Scalar> sink;
  Softmax<Scalar> softmax;
  Matrix<Scalar> z;  // T×d_v: weights·V
  // Arrays into which an intervention has put other numbers, as they were computed.
  std::vector<std::pair<Array, Matrix<Scalar>>> overwritten;
};

template <class Scalar>
struct Trace {
  Problem<Scalar> problem;  // what was computed from: parameters, given arrays, rules
  Scalar scale = 1;         // the factor in use
  bool default_scale = true;  // it is 1/√d_k
  std::optional<Matrix<Scalar>> x;  // T×D: given, or Norm(state)
  std::optional<Matrix<Scalar>> overwritten_x;  // Norm(state), where an intervention has put other numbers
  Mask mask;                        // T×S, the same for all heads
  std::vector<HeadTrace<Scalar>> heads;
  Matrix<Scalar> concat;                   // T×Σd_v
  Matrix<Scalar> y;                        // T×D_out: concat·W_O + bo, or concat
  std::optional<Matrix<Scalar>> residual;  // T×D: y + x or y + state
};

// Refuses what checkProblem refuses, and a Trace whose memory cannot be had.
template <class Scalar>
Result<Trace<Scalar>> computeTrace(const Problem<Scalar>& problem);

// The stages of this computation in order: projections only where weights are given, softcapped, biased and masked only
// where used, concat only with several heads, y only with W_O, bo or a residual.
std::vector<Stage> stagesOf(const Problem<double>& problem);

// The array as one head has it (biases as 1×n), or null where this computation has none. masked, concat and y always
// exist, also where stagesOf omits them because they equal what they are made of.
// Parameters of key/value heads are those of the head that `head` uses. The pointer lives as long as the trace.
struct ArrayView {
  const double* data = nullptr;  // row-major
  Index rows = 0, columns = 0;
  double operator()(Index i, Index j) const { return data[i * columns + j]; }
  explicit operator bool() const { return data != nullptr; }
};
ArrayView arrayOf(const Trace<double>& trace, Index head, Array array);

// The same array as it was computed, before any intervention.
ArrayView computedOf(const Trace<double>& trace, Index head, Array array);

}  // namespace attn::core
