// What a computation gives when it is done wrong in a way that many have done it wrong. Each is computed, none is looked
// up. Knows nobody's numbers.
#pragma once
#include <functional>
#include <string>
#include <vector>

#include "core/trace.h"

namespace attn::scene {

struct Mistake {
  std::string id;    // "no-scale"
  std::string says;  // "the scores are not divided by √d_k"
};

// What can be compared: scores, scaled, masked, weights, z, concat, y.
bool knowsMistakesOf(core::Array array);

// Calls `visit` with each mistake that makes sense for this computation and the array as it would then be, in the order
// in which they are best named, until it returns false. Some give the right numbers all the same: a triangle after the
// softmax that is divided again, for one, or a transposed symmetric map; whoever compares leaves those out. One mistake
// comes several times where programs differ in what they make of it. Words count heads from `first_index`.
void visitMistakes(const core::Trace<double>& trace, core::Array array, core::Index head, int first_index,
                   const std::function<bool(const Mistake&, const core::Matrix<double>&)>& visit);

}  // namespace attn::scene
