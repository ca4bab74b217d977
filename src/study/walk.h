// One layer of the running model as an example document, to be walked through step by step. Knows no page.
#pragma once
#include <string>

#include "study/running.h"

namespace attn::study {

// Whether a layer has few enough numbers to be written into a document and shown one by one: a width of 256 at most.
bool canWalk(const core::Decoder& decoder);

// The residual stream before the layer, its norm, the weights and biases of all heads, W_O and the causal mask: all that
// the layer computes is computed again from it, in double precision.
// Only where canWalk.
std::string walkDocument(const Running& running, Index layer);

}  // namespace attn::study
