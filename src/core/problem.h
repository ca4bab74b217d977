// One attention sublayer as it is given: inputs, parameters, score rules and mask. No results.
#pragma once
#include <optional>
#include <vector>

#include "core/intervention.h"
#include "core/mask.h"
#include "core/result.h"
#include "core/tensor.h"

namespace attn::core {

// Layer normalisation of `state`: (state − mean) / √(population variance + eps) · gain + bias, per row.
template <class Scalar>
struct Norm {
  Scalar eps = Scalar(1e-5);
  std::optional<RowVector<Scalar>> gain;  // D
  std::optional<RowVector<Scalar>> bias;  // D
};

// What y is added to.
enum class Residual : std::uint8_t {
  kNone,     // y is not added to anything
  kInput,    // x itself
  kState,    // `state`, given beside x
  kPreNorm,  // `state`; x is left out and computed as Norm(state)
};

// T destinations (rows, queries), S sources (columns, keys), D = d_model. H query heads; G key/value heads, G divides H,
// and query head h uses key/value head ⌊h·G/H⌋.
template <class Scalar>
struct Problem {
  Index T = 0;
  Index S = 0;
  bool cross = false;  // sources are a sequence of their own; otherwise S = T and the tokens are the same

  std::optional<Matrix<Scalar>> x;          // T×D
  std::optional<Matrix<Scalar>> x_sources;  // S×D, cross-attention only
  std::vector<Matrix<Scalar>> wq;           // H of D×d_k
  std::vector<Matrix<Scalar>> wk, wv;       // G of D×d_k, G of D×d_v
  std::vector<RowVector<Scalar>> bq, bk, bv;  // none, or one per matrix

  // Instead of x and weights, each of the three on its own:
  std::vector<Matrix<Scalar>> q;     // H of T×d_k
  std::vector<Matrix<Scalar>> k, v;  // G of S×d_k, G of S×d_v

  std::optional<Matrix<Scalar>> wo;     // Σd_v × D_out; without it y = concat
  std::optional<RowVector<Scalar>> bo;  // D_out

  std::optional<Scalar> scale;        // default 1/√d_k
  std::optional<Scalar> temperature;  // > 0; scores are divided by it
  std::optional<Scalar> softcap;      // c > 0: c·tanh(s/c)
  std::vector<Scalar> sink;           // none, one for all heads, or H: a logit that joins the denominator only
  std::vector<Scalar> alibi;          // none, one for all heads, or H slopes: bias slope·−|p_i − j|
  std::vector<Matrix<Scalar>> bias;   // none, one for all heads, or H of T×S, added to the scores
  MaskSpec mask;

  Residual residual = Residual::kNone;
  std::optional<Matrix<Scalar>> state;  // T×D, with kState and kPreNorm
  std::optional<Norm<Scalar>> norm;     // with kPreNorm

  std::vector<Intervention> interventions;  // in order, each when the computation comes to its array

  Index heads() const { return static_cast<Index>(wq.empty() ? q.size() : wq.size()); }
  Index keyValueHeads() const { return static_cast<Index>(wk.empty() ? k.size() : wk.size()); }
};

// A full Trace is built only up to this many score cells T·S·H (about 0.25 GB of doubles).
inline constexpr Index kMaxTraceCells = Index(1) << 22;

// Refuses shapes that do not fit; the sentence names the field (as in documents), both shapes and the axis.
// Also refuses sizes above kMaxTraceCells, a scale or rule that is not finite, temperature or softcap ≤ 0, and an
// intervention that lies outside its array.
template <class Scalar>
Check checkProblem(const Problem<Scalar>& problem);

// Whether an intervention acts on this array as query head `head` has it: on all heads, on this one, or for k and v on one
// that uses the same key/value head.
template <class Scalar>
bool concerns(const Problem<Scalar>& problem, const Intervention& one, Array array, Index head);

// Whether an intervention has put a number of its own into this cell.
bool intervened(const Problem<double>& problem, Array array, Index head, Index row, Index col);

// The same problem in single precision, for parity tests against float frameworks.
Problem<float> toFloat(const Problem<double>& problem);

}  // namespace attn::core
