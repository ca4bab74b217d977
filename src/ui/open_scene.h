// A scene in the place of the stage, as far as it is known before its page is there. Knows no block of a page.
#pragma once
#include "ui/scene_view.h"

namespace attn::ui {

bool inScene(const Frame& frame);
// At the start of a frame in which a scene is open: what was kept of another scene or page is forgotten.
void beginScene(Frame& frame);
// The page is being computed, for longer than one would not notice.
bool waitsLong(const Frame& frame);
// How far what is shown has faded while another page is awaited: 0 … 0.6.
double fading(const ViewState& view);

// The page, or why there is none.
void drawOpenScene(Frame& frame, const Rect& area);

// The bar at the bottom: the way to the scenes before and after, and the main control.
float sceneBarHeight(Frame& frame, float width, bool compact);
void drawSceneBar(Frame& frame, const Rect& area, bool compact);

}  // namespace attn::ui
