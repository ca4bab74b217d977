// A close look at the rows of the current step where the picture has to be smaller than numbers are.
#pragma once
#include "ui/frame.h"
#include "ui/stage_memory.h"

namespace attn::ui {

// Draws along the bottom of `area` and returns its height; 0 when the step's matrices are small enough to be read.
float drawLens(Frame& frame, StageMemory& memory, const figure::Box& area);

}  // namespace attn::ui
