#include "ui/scene_figure.h"
namespace attn::ui {
Extent extentOf(SceneView&, const lesson::Flow&, float room) { return {room, 20}; }
void drawFigure(SceneView&, const lesson::Flow&, std::size_t, const Rect&) {}
}  // namespace attn::ui
