// Figures of a page. Each kind says what room its picture takes within a width, and draws it there.
#pragma once
#include "ui/scene_view.h"

namespace attn::ui {

// `block` is the figure's place on the page: its ids and memories go by it.
Extent extentOf(SceneView& view, const lesson::Grid& grid, float room);
void drawFigure(SceneView& view, const lesson::Grid& grid, std::size_t block, const Rect& area);
// Whether its numbers can still be read within this width; always true for what is drawn without them.
bool keepsNumbers(const SceneView& view, const lesson::Grid& grid, float room);
Extent extentOf(SceneView& view, const lesson::Table& table, float room);
void drawFigure(SceneView& view, const lesson::Table& table, std::size_t block, const Rect& area);
Extent extentOf(SceneView& view, const lesson::Plot& plot, float room);
void drawFigure(SceneView& view, const lesson::Plot& plot, std::size_t block, const Rect& area);
Extent extentOf(SceneView& view, const lesson::Plane& plane, float room);
void drawFigure(SceneView& view, const lesson::Plane& plane, std::size_t block, const Rect& area);
Extent extentOf(SceneView& view, const lesson::Strip& strip, float room);
void drawFigure(SceneView& view, const lesson::Strip& strip, std::size_t block, const Rect& area);
Extent extentOf(SceneView& view, const lesson::Flow& flow, float room);
void drawFigure(SceneView& view, const lesson::Flow& flow, std::size_t block, const Rect& area);
Extent extentOf(SceneView& view, const lesson::Maps& maps, float room);
void drawFigure(SceneView& view, const lesson::Maps& maps, std::size_t block, const Rect& area);

}  // namespace attn::ui
