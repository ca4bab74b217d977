// The card of a verdict. See scene_verdict.h.
#include "ui/scene_verdict.h"

#include <algorithm>

#include "ui/sheets.h"
#include "ui/widgets.h"

namespace attn::ui {
namespace {

using lesson::Verdict;

figure::Color colorOf(const SceneView& view, const Verdict& verdict) {
  switch (verdict.judgement) {
    case Verdict::Judgement::kRight: return view.colors().row;
    case Verdict::Judgement::kWrong: return view.colors().warning;
    case Verdict::Judgement::kNone: break;
  }
  return view.colors().muted;
}

// A tick, a cross, or an empty ring: the words beside it say the same.
void drawMark(SceneView& view, const Verdict& verdict, float x, float y) {
  const float radius = view.size(10);
  const ImVec2 center{x + radius, y};
  const figure::Color color = colorOf(view, verdict);
  ImDrawList& list = *ImGui::GetWindowDrawList();
  list.AddCircleFilled(center, radius, packed(color, 0.14f));
  list.AddCircle(center, radius, packed(color), 0, 1.4f);
  if (verdict.judgement == Verdict::Judgement::kNone) return;
  const bool right = verdict.judgement == Verdict::Judgement::kRight;
  drawIcon(list, right ? Icon::kCheck : Icon::kClose, center, radius * 1.05f, color);
}

void drawNotebookButton(SceneView& view, float x, float y, float room) {
  const std::string label = tr("Open the notebook");
  const Rect rect{x, y, std::min(room, buttonWidth(view.frame, label)), view.frame.controlHeight()};
  if (button(view.frame, "page/notebook", label, rect)) turnSheet(view.frame, &ViewState::notebook_open, "page/notebook");
}

}  // namespace

std::string predictionLine(const Verdict& verdict) {
  return verdict.prediction.empty() ? tr("You made no prediction.") : tr("Yours: {0}", {verdict.prediction});
}
std::string answerLine(const Verdict& verdict) { return tr("Computed: {0}", {verdict.answer}); }
std::string noteLine(const Verdict& verdict) { return tr("Your note: {0}", {verdict.note}); }

float drawVerdict(SceneView& view, const Verdict& verdict, std::size_t, float x, float y, float width) {
  const TextStyle title{.face = Face::kStrong, .size = 16, .color = view.colors().text, .leading = 1.45f};
  const TextStyle body{.size = 16, .color = view.colors().text, .leading = 1.45f};
  const TextStyle small{.size = 14, .color = view.colors().muted, .leading = 1.45f};
  const float pad = view.size(16), mark = view.size(20) + 1.5f * kUnit, room = width - 2 * pad;
  std::vector<std::string> lines{predictionLine(verdict), answerLine(verdict)};
  float tall = 2 * pad + std::max(view.size(22), richHeight(view, title, verdict.words, room - mark)) + kUnit;
  for (const std::string& each : lines) tall += richHeight(view, body, each, room);
  if (!verdict.note.empty()) tall += richHeight(view, small, noteLine(verdict), room) + kUnit / 2;
  const bool kept = !view.frame.session.notebook().entries().empty();
  if (kept) tall += view.frame.controlHeight() + 1.5f * kUnit;
  ImDrawList& list = *ImGui::GetWindowDrawList();
  list.AddRectFilled({x, y}, {x + width, y + tall}, packed(view.colors().surface), kRounding);
  list.AddRect({x, y}, {x + width, y + tall}, packed(view.colors().line), kRounding);
  list.AddRectFilled({x, y}, {x + 4, y + tall}, packed(colorOf(view, verdict)), 1.5f);
  float top = y + pad;
  drawMark(view, verdict, x + pad, top + lineHeight(view.frame, title) / 2);
  top += std::max(view.size(22), richParagraph(view, title, verdict.words, x + pad + mark, top, room - mark)) + kUnit;
  for (const std::string& each : lines) top += richParagraph(view, body, each, x + pad, top, room);
  if (!verdict.note.empty()) richParagraph(view, small, noteLine(verdict), x + pad, top + kUnit / 2, room);
  if (kept) drawNotebookButton(view, x + pad, y + tall - pad - view.frame.controlHeight(), room);
  return tall;
}

}  // namespace attn::ui
