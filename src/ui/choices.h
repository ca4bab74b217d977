// What a step is and what is followed: order, grain, row, head, mask; undo and redo. Beside the transport on wide
// screens, a list on narrow ones.
#pragma once
#include "ui/panels.h"

namespace attn::ui {

// Lines of controls from the top of `area`; the height that they take.
float choicesLine(Frame& frame, const Rect& area, bool draw);
// Undo and redo: in the header where it has room for them, else among the choices.
bool headerHoldsHistory(const Frame& frame);
float historyWidth(const Frame& frame);
void drawHistory(Frame& frame, const Rect& area);
void drawPlayback(Frame& frame, Panel& panel);  // speed and running on

}  // namespace attn::ui
