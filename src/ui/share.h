// "Make a link": how others will find this moment, shown on the screen itself while it is being chosen. In the part of the
// program that is fetched when it is first opened.
#pragma once
#include "core/gate.h"
#include "ui/layout.h"

namespace attn::ui {

ATTN_GATE void drawShare(Frame& frame, Panel& panel);

}  // namespace attn::ui
