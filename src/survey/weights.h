// The weights of one head out of whatever the files have of it: weights, scores, or queries and keys. Knows no page.
#pragma once
#include <cstdint>
#include <string>

#include "core/result.h"
#include "core/tensor.h"
#include "opened/model.h"

namespace attn::survey {

enum class WeightsFrom : std::uint8_t {
  kNowhere,
  kFile,      // as exported
  kScores,    // softmax of the scores as they are: what is −∞ may not be read
  kComputed,  // softmax(q·k/√d_k + bias) under the mask that is asked for
};

WeightsFrom weightsFrom(const opened::Model& model, std::uint64_t layer);

// T×S, by the first of these ways that there is. `causal`: of what is computed, no source after the destination may be
// read, the last destination standing at the last source.
core::Result<core::Matrix<double>> weightsOf(const opened::Model& model, const opened::Place& place, bool causal);

// Out of queries and keys, whatever else there is. Key head ⌊h·G/H⌋ serves head h of H. Refuses what does not fit
// together, naming both arrays.
core::Result<core::Matrix<double>> computedWeights(const opened::Model& model, const opened::Place& place, bool causal);

// Exported bias of a head, T×S; without one it has no rows. Refuses one of another shape.
core::Result<core::Matrix<double>> biasOf(const opened::Model& model, const opened::Place& place, core::Index T, core::Index S);

// That queries and keys have one width, and as many heads as one can serve the other.
core::Check fitting(const opened::Model& model, std::uint64_t layer, const core::Matrix<double>& q, const core::Matrix<double>& k);
// Where keys and values of this head are: their heads may be fewer.
opened::Place keyPlace(const opened::Model& model, const opened::Place& place);

// The matrix of a role at a place, with the bytes that may be held for it.
core::Result<core::Matrix<double>> matrixOf(const opened::Model& model, opened::Role role, const opened::Place& place);

}  // namespace attn::survey
