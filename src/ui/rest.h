// What the page fetches only when it is first opened. Knows nothing of what is in it.
#pragma once
#include "ui/frame.h"
#include "ui/layout.h"

namespace attn::ui {

// True when what ATTN_GATE marks may be drawn in this panel. Until then asks for it, and says in the panel that it is
// coming, or why not.
bool restIsHere(Frame& frame, Panel& panel);

}  // namespace attn::ui
