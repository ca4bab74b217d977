// Softmax over the allowed sources of each row, with everything a person may want to check kept.
#pragma once
#include <cstdint>
#include <optional>
#include <vector>

#include "core/mask.h"
#include "core/row_status.h"
#include "core/tensor.h"

namespace attn::core {

// weights = exp ÷ (row_sum + e^(sink − row_max)), after Vaswani et al. 2017, section 3.2.1; blocked cells are exactly 0.
// In a kNoSource row, row_max is −∞ and row_sum, exp and weights are 0.
template <class Scalar>
struct Softmax {
  RowVector<Scalar> row_max;        // T: the largest allowed score, without the sink
  Matrix<Scalar> exp;               // T×S: e^(score − row_max), 0 where blocked
  RowVector<Scalar> row_sum;        // T: the sum of exp, without the sink
  Matrix<Scalar> exp_plain;         // T×S: e^score, what a hand calculation has; may overflow to ∞
  RowVector<Scalar> row_sum_plain;  // T
  Matrix<Scalar> weights;           // T×S
  std::vector<RowStatus> row_status;  // T
};

// scores and mask are T×S.
template <class Scalar>
Softmax<Scalar> softmaxRows(const Matrix<Scalar>& scores, const Mask& mask, std::optional<Scalar> sink = std::nullopt);

}  // namespace attn::core
