// Departures with a number of their own, fitted to what was exported: the logarithm of a weight is its score plus a
// constant of its row, so a temperature, a cap or a bias can be read off. Says nothing about whether the fit is good.
#pragma once
#include <optional>

#include "audit/hypothesis.h"
#include "audit/recompute.h"

namespace attn::audit {

bool isFitted(Kind kind);

// The departure with its numbers, for one head. Scores change as it says (temperature, soft-cap, biases), or stay (sink,
// top-k, dropout). Nothing when the weights give it no hold, as when no row has two weights above 0.
std::optional<Departure> fitted(Kind kind, const Hypothesis& others, const Export& exported, Scores& scores,
                                const core::Matrix<double>& given);

}  // namespace attn::audit
