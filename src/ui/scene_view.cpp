// The state of controls as figures need it, and pictures whose words are kept for tests. Knows no block.
#include "ui/scene_view.h"

#include <algorithm>
#include <cmath>

#include "app/scene_show.h"
#include "core/number.h"
#include "ui/paint.h"

namespace attn::ui {

using lesson::Param;

const Param* SceneView::param(std::string_view key) const {
  const auto at = std::find_if(page.params.begin(), page.params.end(), [&](const Param& p) { return p.key == key; });
  return key.empty() || at == page.params.end() ? nullptr : &*at;
}

std::string SceneView::value(const Param& param) const {
  return app::valueIn(frame.session.state().settings, param);
}

double SceneView::number(std::string_view key, double shown) const {
  const Param* known = param(key);
  if (!known) return shown;
  const auto number = core::parseNumber(value(*known));
  return number && std::isfinite(*number) ? *number : shown;
}

void SceneView::set(const Param& param, const std::string& value) const {
  frame.dispatch(app::action::Set{param.key, value});
}

bool SceneView::onScreen(const Rect& r) const {
  if (memory.taken) return true;
  const ImVec2 low = ImGui::GetWindowDrawList()->GetClipRectMin(), high = ImGui::GetWindowDrawList()->GetClipRectMax();
  return r.x < high.x && r.x + r.w > low.x && r.y < high.y && r.y + r.h > low.y;
}

bool SceneView::hovers(const Rect& r) const {
  return ImGui::IsWindowHovered() && !ImGui::IsAnyItemActive() &&
         ImGui::IsMouseHoveringRect({r.x, r.y}, {r.x + r.w, r.y + r.h});
}

std::string settingText(const Param& param, double value) {
  const double step = param.step > 0 ? param.step : param.kind == lesson::ParamKind::kInteger ? 1 : 0;
  if (step > 0) value = std::round(value / step) * step;
  value = std::clamp(value, param.minimum, param.maximum);
  if (param.kind == lesson::ParamKind::kInteger) value = std::round(value);
  // Decimal steps such as 0.1 add up to 0.30000000000000004 otherwise.
  const double rounded = std::round(value * 1e9) / 1e9;
  return core::fullText(rounded == 0 ? 0 : rounded);
}

std::uint64_t newTextureKey() {
  static std::uint64_t keys = std::uint64_t{1} << 62;
  return ++keys;
}

void paintFigure(Frame& frame, const figure::Picture& picture, const Rect& bounds) {
  paint(picture, *ImGui::GetWindowDrawList(), frame.view);
  if (figure::Picture* taken = sceneMemory(frame).taken)
    taken->shapes.insert(taken->shapes.end(), picture.shapes.begin(), picture.shapes.end());
  if (!frame.recorder.keep_texts) return;
  for (const figure::Shape& shape : picture.shapes) {
    const auto* label = std::get_if<figure::Label>(&shape);
    if (!label || label->text.empty()) continue;
    const ImVec2 size = measure(static_cast<Face>(label->face), label->size, label->text);
    const Rect rect{label->at.x - size.x * label->anchor_x, label->at.y - size.y * label->anchor_y, size.x, size.y};
    recordText(frame, label->text, rect, bounds);
  }
}

}  // namespace attn::ui
