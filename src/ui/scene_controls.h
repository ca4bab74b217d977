// What a person may vary in a scene, once its page is there. Knows no scene by name.
#pragma once
#include "core/gate.h"
#include "ui/layout.h"
#include "ui/scene_view.h"

namespace attn::ui {

// "Try", where no tab says so already: one control per param, and what came out.
ATTN_GATE void drawSceneControls(SceneView& view, Panel& panel, bool titled);

// "2,0,1" as places, and back; what is none is left out.
std::vector<Index> placesOf(std::string_view order, std::size_t count);
std::string orderText(const std::vector<Index>& places);
std::vector<std::string> split(std::string_view text);  // at commas

// The param that ← and → change: whether there is one, its steps "− label: value +", and one of them.
ATTN_GATE bool hasMainParam(const SceneView& view);
ATTN_GATE void drawMainSteps(SceneView& view, const Rect& area);
ATTN_GATE void stepMainParam(SceneView& view, int by);

}  // namespace attn::ui
