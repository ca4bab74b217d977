// A figure's shapes on an ImGui draw list. Knows no matrices.
#pragma once
#include "figure/picture.h"
#include "ui/theme.h"
#include "ui/view_state.h"

namespace attn::ui {

// Heatmaps are kept in view.heatmaps and drawn by view.draw_heatmap when the list is rendered.
void paint(const figure::Picture& picture, ImDrawList& list, ViewState& view);

// The widths of our faces, remembered: layout asks for the same few texts again and again.
figure::Measure cachedMeasure();

}  // namespace attn::ui
