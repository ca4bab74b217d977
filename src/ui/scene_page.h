// The page of a scene, once it is there: its words and figures as one column. Knows no scene by name.
#pragma once
#include "core/gate.h"
#include "ui/layout.h"
#include "ui/scene_view.h"

namespace attn::ui {

// `area` is what the panel shows of the page at once.
ATTN_GATE void drawScenePage(SceneView& view, Panel& panel, const Rect& area);

}  // namespace attn::ui
