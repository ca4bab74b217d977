// The parts of the scene about softmax that concern a whole map, and what weights are used for.
#pragma once
#include "scene/scene.h"

namespace attn::scene {

// A softmax along the wrong axis beside the right one. Reads the switch `causal`.
void describeAxis(const Inputs& in, Outputs& out);

// Weights of which some are dropped and the rest enlarged, as in training. Reads `drop` and `seed`.
void describeDropout(const Inputs& in, Outputs& out);

// A distribution over a vocabulary, from which one token is drawn, beside one over sources, which mixes. Reads `seed`.
void describeVocabulary(const Inputs& in, Outputs& out);

}  // namespace attn::scene
