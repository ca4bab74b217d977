// One array of a Trace as a picture of its own. Knows no screen.
#pragma once
#include <string>

#include "app/state.h"
#include "core/result.h"
#include "core/trace.h"
#include "io/named_array.h"
#include "lesson/example.h"

namespace attn::app {

// As SVG, with the numbers, palette and names of positions as `look` has them. `head` is the one whose mask, rows without
// sources and range of weights count. Refuses texts and more than two axes.
core::Result<std::string> arraySvg(const lesson::Example& example, const core::Trace<double>& trace, const io::NamedArray& array,
                                   Index head, const State& look, bool dark);

}  // namespace attn::app
