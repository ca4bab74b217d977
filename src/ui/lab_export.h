// Taking away what the screen shows: arrays, code, pictures, words. In the part of the program that is fetched when it is
// first opened.
#pragma once
#include "core/gate.h"
#include "ui/layout.h"

namespace attn::ui {

ATTN_GATE void drawExport(Frame& frame, Panel& panel);

}  // namespace attn::ui
