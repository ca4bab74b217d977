// Which part of the picture is in view: follows the step by itself until the person takes over. Knows no drawing.
#pragma once
#include "ui/stage_memory.h"
#include "ui/view_state.h"

namespace attn::ui {

// Moves view.camera towards what the step needs, and lays out memory.layout and memory.origin for it.
void moveCamera(StageMemory& memory, ViewState& view, const app::Session& session);

// Whether the operands and the result of this step would be in view on the canvas, all their numbers readable.
bool numbersFit(StageMemory& memory, const app::Session& session);

}  // namespace attn::ui
