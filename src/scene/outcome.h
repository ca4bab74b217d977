// The one number that a person asks about: a coordinate, the length or a read-out of a row of z or y. Knows no act.
#pragma once
#include <string>
#include <vector>

#include "scene/open_example.h"

namespace attn::scene {

struct Asked {
  enum class Measure : std::uint8_t { kCoordinate, kNorm, kDot };
  bool of_y = false;  // else of z of the head
  Index row = 0, head = 0;
  Measure measure = Measure::kCoordinate;
  Index coordinate = 0;
  std::vector<double> readout;  // kDot: as many as the row has columns
};

// Of the controls `row`, `of_head`, `of` (z or y), `measure`, `coordinate` and `readout`. Gives them their options, and
// the page the words for what is asked. Refuses a read-out vector that has not one finite number per column.
core::Result<Asked> readAsked(const Inputs& in, const OpenExample& open, Outputs& out);

// The row asked about stands at `at`.
double outcomeOf(const Asked& asked, const core::Trace<double>& trace, Index at);

}  // namespace attn::scene
