// Lines that wrap and panels that scroll. Knows no content.
#include "ui/layout.h"

#include <algorithm>
#include <string>

namespace attn::ui {

Rect Flow::place(float width, float height) {
  width = std::min(width, width_);
  if (at_ > x_ && at_ + width > x_ + width_ + 0.5f) wrap();
  const Rect out{at_, y_, width, height > 0 ? height : height_};
  at_ += width + gap_;
  tallest_ = std::max(tallest_, out.h);
  return out;
}

void Flow::wrap() {
  y_ += tallest_ + gap_;
  at_ = x_;
  tallest_ = 0;
}

Panel::Panel(Frame& frame, std::string_view name, const Rect& area, figure::Color ground, float padding, bool scrolls)
    : frame_(frame), padding_(padding), scrolls_(scrolls) {
  ImGui::SetCursorScreenPos({area.x, area.y});
  const std::string id(name);
  ImGui::BeginChild(
      id.c_str(), {std::max(1.f, area.w), std::max(1.f, area.h)}, 0,
      ImGuiWindowFlags_NoNav |
          (scrolls ? ImGuiWindowFlags_None : ImGuiWindowFlags_NoScrollbar | ImGuiWindowFlags_NoScrollWithMouse));
  ImGui::GetWindowDrawList()->AddRectFilled({area.x, area.y}, {area.x + area.w, area.y + area.h}, packed(ground));
  x_ = area.x + padding;
  width_ = area.w - 2 * padding - (scrolls ? kUnit / 2 : 0);
  y = area.y + padding - ImGui::GetScrollY();
}

void Panel::scroll(float by) {
  if (by != 0) ImGui::SetScrollY(std::clamp(ImGui::GetScrollY() + by, 0.f, ImGui::GetScrollMaxY()));
}

Panel::~Panel() {
  if (scrolls_) {
    ImGui::SetCursorScreenPos({x_, y});
    ImGui::Dummy({1, padding_});
  }
  ImGui::EndChild();
}

}  // namespace attn::ui
