// What stands around the picture: the heads above it, the legends and the zoom below it.
#pragma once
#include "ui/frame.h"
#include "ui/stage_memory.h"

namespace attn::ui {

// Draws it within `area` and returns what is left for the picture.
figure::Box drawChrome(Frame& frame, StageMemory& memory, const Rect& area);

}  // namespace attn::ui
