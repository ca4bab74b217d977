// The part of a computation behind the projections, for some rows only: what many changes are tried on in turn when one
// row is asked about. Knows no edit and no scene.
#pragma once
#include <vector>

#include "core/trace.h"
#include "scene/scene.h"

namespace attn::scene {

// A problem whose row n computes, bit for bit, row rows[n] of z, concat and y of `trace`: queries, keys and values are
// given, the mask is `allowed`, biases are one array per head. It has no residual. What takes a mean over all rows
// needs all of them: see needsAllRows.
core::Problem<double> projectedProblem(const core::Trace<double>& trace, const std::vector<Index>& rows);

bool needsAllRows(const core::Problem<double>& problem);

// Row `row` alone, or all rows where they are needed; `at` becomes where that row stands.
core::Problem<double> problemOfRow(const core::Trace<double>& trace, Index row, Index& at);

}  // namespace attn::scene
