// Acts on a computation that pages try out in turn: as edits to be written down, and carried out behind the
// projections. Knows no page.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "core/trace.h"
#include "scene/scene.h"

namespace attn::scene {

struct Act {
  enum class Kind : std::uint8_t {
    kForbid,      // row may not read source: the rest of the row renormalises
    kZeroWeight,  // the weight on source becomes 0, the rest stays
    kZeroValue,   // the value of source becomes 0, for every row that reads it
    kAblate,      // z of a head becomes 0
    kPermute,     // a row's weights in a head are dealt anew among the sources that it may read
  };
  Kind kind = Kind::kForbid;
  std::optional<Index> row;  // nothing: all rows; of kForbid, kZeroWeight and kPermute
  Index source = 0;
  Index head = 0;  // of kAblate and kPermute
  std::uint64_t seed = 0;
};

// In the grammar of edits; several where the heads' values are of several widths.
std::vector<std::string> editsOf(const Act& act, const core::Trace<double>& trace);

// On a projectedProblem, whose row stands at `at` where the act names one.
void carryOut(const Act& act, Index at, core::Problem<double>& problem);

}  // namespace attn::scene
