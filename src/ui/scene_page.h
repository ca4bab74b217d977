// A scene in the place of the stage: its words and figures as one column that scrolls. Knows no scene by name.
#pragma once
#include "ui/frame.h"

namespace attn::ui {

bool inScene(const Frame& frame);
// At the start of a frame in which a scene is open: what was kept of another scene or page is forgotten.
void beginScene(Frame& frame);

void drawScenePage(Frame& frame, const Rect& area);
void scrollPage(Frame& frame, float lines);  // ±1e9: all the way
void scrollPageBy(Frame& frame, int screens);

}  // namespace attn::ui
