// The step in words: what is done, its formula, the same with numbers, what it means, what comes next.
#include "app/explain.h"

#include "core/number.h"
#include "ui/panels.h"
#include "ui/text.h"
#include "ui/widgets.h"

namespace attn::ui {

void heading(Frame& frame, Panel& panel, std::string_view text) {
  const TextStyle style{.face = Face::kStrong, .size = kSmall, .color = frame.colors.muted};
  panel.y += paragraph(frame, style, text, panel.x(), panel.y, panel.width()) + kUnit / 2;
}

void body(Frame& frame, Panel& panel, std::string_view text) {
  const TextStyle style{.size = kBody, .color = frame.colors.text};
  panel.y += paragraph(frame, style, text, panel.x(), panel.y, panel.width()) + kUnit;
}

void note(Frame& frame, Panel& panel, std::string_view text) {
  const TextStyle style{.size = kSmall, .color = frame.colors.muted};
  panel.y += paragraph(frame, style, text, panel.x(), panel.y, panel.width()) + kUnit;
}

namespace {

// The formula and its numbers on a ground of their own.
void arithmetic(Frame& frame, Panel& panel, const app::Explanation& explanation) {
  if (explanation.formula.empty() && explanation.numbers.empty()) return;
  ImDrawList& list = *ImGui::GetWindowDrawList();
  list.ChannelsSplit(2);
  list.ChannelsSetCurrent(1);
  const float top = panel.y, x = panel.x() + 1.5f * kUnit, width = panel.width() - 3 * kUnit;
  panel.y += kUnit;
  const TextStyle formula{.face = Face::kNumber, .size = 14, .color = frame.colors.now};
  panel.y += paragraph(frame, formula, explanation.formula, x, panel.y, width);
  const TextStyle numbers{.face = Face::kNumber, .size = 14, .color = frame.colors.text};
  for (const std::string& each : explanation.numbers) {
    panel.y += kUnit / 2;
    panel.y += paragraph(frame, numbers, each, x, panel.y, width);
  }
  panel.y += kUnit;
  list.ChannelsSetCurrent(0);
  list.AddRectFilled({panel.x(), top}, {panel.x() + panel.width(), panel.y}, packed(frame.colors.ground), kRounding);
  list.ChannelsMerge();
  panel.y += 1.5f * kUnit;
}

void bar(Frame& frame, Panel& panel, const app::Bar& each) {
  const float h = frame.size(22), label = std::min(frame.size(110), panel.width() * 0.38f), gap = kUnit;
  const float value = std::min(frame.size(110), panel.width() * 0.32f);
  const float length = panel.width() - label - value - 2 * gap, x = panel.x() + label + gap;
  const TextStyle style{.size = kSmall, .color = frame.colors.text};
  line(frame, style, each.label, {panel.x(), panel.y, label, h});
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const float top = panel.y + h * 0.25f, bottom = panel.y + h * 0.75f;
  list.AddRectFilled({x, top}, {x + length, bottom}, packed(frame.colors.raised), 2);
  const float filled = length * static_cast<float>(std::clamp(each.weight, 0.0, 1.0));
  if (each.known && !each.blocked && filled > 0) list.AddRectFilled({x, top}, {x + filled, bottom}, packed(frame.colors.row), 2);
  const TextStyle figure{.face = each.blocked || !each.known ? Face::kBody : Face::kNumber, .size = kSmall,
                         .color = each.blocked ? frame.colors.muted : frame.colors.text};
  const Rect place{x + length + gap, panel.y, value, h};
  line(frame, figure, each.known || each.blocked ? each.text : "not yet known", place);
  if (each.known && resting({panel.x(), panel.y, panel.width(), h}))
    tooltip(frame, each.label + ": " + (each.blocked ? each.text : core::fullText(each.weight)));
  panel.y += h;
}

void distribution(Frame& frame, Panel& panel, const app::Explanation& explanation) {
  if (explanation.distribution.empty()) return;
  constexpr std::size_t kMostBars = 64;
  heading(frame, panel, "How this row spreads its attention");
  const std::size_t count = explanation.distribution.size();
  for (std::size_t i = 0; i < std::min(count, kMostBars); ++i) bar(frame, panel, explanation.distribution[i]);
  if (count > kMostBars) note(frame, panel, "… and " + std::to_string(count - kMostBars) + " more sources");
  panel.y += kUnit / 2;
  note(frame, panel, explanation.distribution_sum);
}

}  // namespace

void drawExplanation(Frame& frame, Panel& panel) {
  const app::Explanation explanation = app::explain(frame.session);
  const TextStyle headline{.face = Face::kStrong, .size = 17, .color = frame.colors.text, .leading = 1.3f};
  panel.y += paragraph(frame, headline, explanation.headline, panel.x(), panel.y, panel.width()) + kUnit;
  arithmetic(frame, panel, explanation);
  body(frame, panel, explanation.sentence);
  if (!explanation.next.empty()) {
    const float top = panel.y;
    const TextStyle next{.face = Face::kStrong, .size = kBody, .color = frame.colors.text};
    panel.y += paragraph(frame, next, explanation.next, panel.x() + 1.5f * kUnit, panel.y, panel.width() - 1.5f * kUnit);
    ImGui::GetWindowDrawList()->AddRectFilled({panel.x(), top + 2}, {panel.x() + 3, panel.y - 2}, packed(frame.colors.now), 1);
    panel.y += 2 * kUnit;
  }
  distribution(frame, panel, explanation);
  if (!explanation.column_sums.empty()) heading(frame, panel, "How much each source is read");
  for (const std::string& each : explanation.column_sums) note(frame, panel, each);
}

}  // namespace attn::ui
