// The step in words: what is done, its formula, the same with numbers, what it means, what comes next.
#include "app/explain.h"

#include "core/number.h"
#include "ui/panels.h"
#include "ui/text.h"
#include "ui/widgets.h"

namespace attn::ui {

struct ExplanationMemory {
  const app::Session* session = nullptr;
  unsigned long revision = 0;
  app::Explanation words;
};

namespace {

const app::Explanation& currentExplanation(Frame& frame) {
  std::shared_ptr<ExplanationMemory>& memory = frame.view.explanation;
  const app::Session& session = frame.session;
  if (!memory || memory->session != &session || memory->revision != session.revision())
    memory =
        std::make_shared<ExplanationMemory>(ExplanationMemory{&session, session.revision(), app::explain(session)});
  return memory->words;
}

}  // namespace

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

// The results of the step in full precision, for what the panel prints rounded.
std::string fullPrecision(const app::Session& session) {
  constexpr core::Index kMostCells = 8;
  const auto& at = session.state().at;
  if (!at) return "";
  const core::Array array = core::resultOf(at->stage);
  const core::ArrayView view = core::arrayOf(session.trace(), session.state().head, array);
  const core::Index row = at->row >= 0 ? at->row : session.state().row;
  if (!view || row >= view.rows) return "";
  std::string text;
  const core::Index first = std::max<core::Index>(at->col, 0), end = at->col >= 0 ? at->col + 1 : view.columns;
  for (core::Index col = first; col < std::min(end, first + kMostCells); ++col)
    text += (text.empty() ? "" : "\n") + app::cellText(session, {array, row, col});
  return text;
}

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
  const Rect area{panel.x(), top, panel.width(), panel.y - top};
  if (resting(area)) {
    const std::string full = fullPrecision(frame.session);
    if (!full.empty()) tooltip(frame, full);
  }
  panel.y += 1.5f * kUnit;
}

// Columns of the bars: names, lengths, figures; each as wide as its content asks for, within reason.
struct BarColumns {
  float label = 0, value = 0, length = 0;
};

constexpr std::size_t kMostBars = 64;

std::string shownText(const app::Bar& each) { return each.known || each.blocked ? each.text : "not yet known"; }

Face faceOf(const app::Bar& each) { return each.blocked || !each.known ? Face::kBody : Face::kNumber; }

BarColumns columnsOf(const Frame& frame, const std::vector<app::Bar>& bars, float width) {
  BarColumns columns;
  for (std::size_t i = 0; i < std::min(bars.size(), kMostBars); ++i) {
    columns.label = std::max(columns.label, measure(Face::kBody, frame.size(kSmall), bars[i].label).x + 1);
    columns.value = std::max(columns.value, measure(faceOf(bars[i]), frame.size(kSmall), shownText(bars[i])).x + 1);
  }
  columns.label = std::min(columns.label, width * 0.4f);
  columns.value = std::min(columns.value, width * 0.38f);
  columns.length = std::max(8.f, width - columns.label - columns.value - 2 * kUnit);
  return columns;
}

void bar(Frame& frame, Panel& panel, const app::Bar& each, const BarColumns& columns) {
  const float h = frame.size(22), x = panel.x() + columns.label + kUnit;
  line(frame, {.size = kSmall, .color = frame.colors.text}, each.label, {panel.x(), panel.y, columns.label, h});
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const float top = panel.y + h * 0.25f, bottom = panel.y + h * 0.75f;
  list.AddRectFilled({x, top}, {x + columns.length, bottom}, packed(frame.colors.raised), 2);
  const float filled = columns.length * static_cast<float>(std::clamp(each.weight, 0.0, 1.0));
  if (each.known && !each.blocked && filled > 0)
    list.AddRectFilled({x, top}, {x + filled, bottom}, packed(frame.colors.row), 2);
  const TextStyle figure{
      .face = faceOf(each), .size = kSmall, .color = each.blocked ? frame.colors.muted : frame.colors.text};
  line(frame, figure, shownText(each), {x + columns.length + kUnit, panel.y, columns.value, h});
  if (each.known && resting({panel.x(), panel.y, panel.width(), h}))
    tooltip(frame, each.label + ": " + (each.blocked ? each.text : core::fullText(each.weight)));
  panel.y += h;
}

void distribution(Frame& frame, Panel& panel, const app::Explanation& explanation) {
  const std::vector<app::Bar>& bars = explanation.distribution;
  if (bars.empty()) return;
  heading(frame, panel, "How this row spreads its attention");
  const BarColumns columns = columnsOf(frame, bars, panel.width());
  for (std::size_t i = 0; i < std::min(bars.size(), kMostBars); ++i) bar(frame, panel, bars[i], columns);
  if (bars.size() > kMostBars) note(frame, panel, "… and " + std::to_string(bars.size() - kMostBars) + " more sources");
  panel.y += kUnit / 2;
  note(frame, panel, explanation.distribution_sum);
}

}  // namespace

void drawExplanation(Frame& frame, Panel& panel) {
  const app::Explanation& explanation = currentExplanation(frame);
  const TextStyle headline{.face = Face::kStrong, .size = 17, .color = frame.colors.text, .leading = 1.3f};
  panel.y += paragraph(frame, headline, explanation.headline, panel.x(), panel.y, panel.width()) + kUnit;
  if (!frame.session.state().at) note(frame, panel, frame.session.example().about);
  arithmetic(frame, panel, explanation);
  body(frame, panel, explanation.sentence);
  if (!explanation.next.empty()) {
    const float top = panel.y;
    const TextStyle next{.face = Face::kStrong, .size = kBody, .color = frame.colors.text};
    panel.y +=
        paragraph(frame, next, explanation.next, panel.x() + 1.5f * kUnit, panel.y, panel.width() - 1.5f * kUnit);
    ImGui::GetWindowDrawList()->AddRectFilled({panel.x(), top + 2}, {panel.x() + 3, panel.y - 2},
                                              packed(frame.colors.now), 1);
    panel.y += 2 * kUnit;
  }
  distribution(frame, panel, explanation);
  if (!explanation.column_sums.empty()) heading(frame, panel, "How much each source is read");
  for (const std::string& each : explanation.column_sums) note(frame, panel, each);
}

}  // namespace attn::ui
