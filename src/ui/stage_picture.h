// The whole stage as one figure: matrices, ways between them, what the step is about. Knows no input.
#pragma once
#include "figure/picture.h"
#include "ui/stage_cells.h"

namespace attn::ui {

// Everything that meets memory.canvas, in screen coordinates.
figure::Picture stagePicture(StageMemory& memory, ViewState& view, const app::Session& session);

// Placed on the screen.
figure::Placed onScreen(const figure::Placed& placed, figure::Point origin);

}  // namespace attn::ui
