// The weights that a hypothesis gives for exported queries and keys. Knows no verdicts.
#pragma once
#include <optional>
#include <vector>

#include "audit/hypothesis.h"
#include "core/tensor.h"

namespace attn::audit {

// The relative rounding of one stored number: half the distance from 1 to the next.
enum class Precision : std::uint8_t { kDouble, kFloat, kHalf, kBfloat };
double roundingOf(Precision precision);

// One layer, one sequence. H query heads, G key/value heads (G divides H); weights of H heads, or one that is their mean.
struct Export {
  std::vector<core::Matrix<double>> q;        // H of T×d_k; empty when not exported
  std::vector<core::Matrix<double>> k, v;     // G of S×d_k, S×d_v
  std::vector<core::Matrix<double>> weights;  // H, or 1, of T×S
  std::vector<core::Matrix<double>> out;      // H of T×d_v: weights · v
  std::vector<core::Matrix<double>> bias;     // none, 1 or H of T×S
  std::optional<core::Index> model_width;     // d_model, where known; otherwise H·d_k stands for it
  Precision precision = Precision::kFloat;    // the coarsest of what is stored
  // Where only some rows are looked at: the position of each row of q, weights and out among `all_rows`; otherwise empty.
  std::vector<core::Index> positions;
  core::Index all_rows = 0;

  core::Index heads() const { return static_cast<core::Index>(q.size()); }
  core::Index T() const;  // rows, of all or of those that are looked at
  core::Index S() const;
  core::Index position(core::Index row) const { return positions.empty() ? row : positions[row]; }
};

// The same export with these rows only.
Export rowsOf(const Export& exported, const std::vector<core::Index>& rows);

// Which cells of T×S a hypothesis lets be read: true = may be read. `given` (may be null) is for kZeroCells.
core::Matrix<bool> allowedBy(const Hypothesis& hypothesis, const Export& exported, const core::Matrix<double>* given);

// Scores of head `h` after scale and exported bias, before the mask; how far rounding may have moved each row's. What
// has to be fitted to the weights (audit/fit.h) is left out.
struct Scores {
  core::Matrix<double> values;          // T×S
  core::RowVector<double> uncertainty;  // T
};
Scores scoresUnder(const Hypothesis& hypothesis, const Export& exported, core::Index h);

// Weights of head `h` under the hypothesis: T×S. `given` (may be null) is the exported head, whose zeros dropout takes
// over. Rows without a source are 0 unless a finite fill stands in for −∞.
core::Matrix<double> weightsUnder(const Hypothesis& hypothesis, const Export& exported, const Scores& scores,
                                  const core::Matrix<double>* given);

}  // namespace attn::audit
