// What the command map is asked for. Knows nothing of how it is computed.
#pragma once
#include <string>

#include "cli/sequences.h"
#include "map/head.h"

namespace attn::cli {

struct MapChoice {
  map::Range rows, columns;  // of the rectangle
  map::Index width = 0, height = 0, head = 0;
  bool largest = true, weights = true, logarithmic = false, picture = true;
  std::string out;
};

// Refuses what is not written as it should be, or lies outside of these arrays.
core::Result<MapChoice> readMapChoice(const Parsed& parsed, const Sequences& all);

}  // namespace attn::cli
