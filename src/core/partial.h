// The running value of one result cell after some of its terms: what stepping by single products shows.
#pragma once
#include "core/trace.h"

namespace attn::core {

// Products are added in the order of the computation, a bias last; with all terms it is the cell itself, bit for bit,
// before an intervention puts another number there.
// For the weights one term is the exponential. Stages that are not sums give their result.
double partialValue(const Trace<double>& trace, Index head, Stage stage, Index row, Index column, Index terms);

}  // namespace attn::core
