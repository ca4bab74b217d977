// The notebook as a sheet: predictions, results and notes, to be kept as a file or cleared. Knows no task.
#pragma once
#include "core/gate.h"
#include "ui/layout.h"

namespace attn::ui {

ATTN_GATE void drawNotebook(Frame& frame, Panel& panel);

}  // namespace attn::ui
