// One layer of the running model as an example document, to be walked through step by step. Knows no page.
#pragma once
#include <string>

#include "study/running.h"

namespace attn::study {

// The residual stream before the layer, its norm, the weights and biases of all heads, W_O and the causal mask: all that
// the layer computes is computed again from it, in double precision.
std::string walkDocument(const Running& running, Index layer);

}  // namespace attn::study
