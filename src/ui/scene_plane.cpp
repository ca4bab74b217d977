#include "ui/scene_figure.h"
namespace attn::ui {
Extent extentOf(SceneView&, const lesson::Plane&, float room) { return {room, 20}; }
void drawFigure(SceneView&, const lesson::Plane&, std::size_t, const Rect&) {}
}  // namespace attn::ui
