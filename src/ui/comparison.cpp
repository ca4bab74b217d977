// See comparison.h. Computes nothing: the words are app's.
#include "ui/comparison.h"

#include <array>

#include "app/edit_words.h"
#include "ui/layout.h"
#include "ui/stage_memory.h"
#include "ui/text.h"
#include "ui/widgets.h"

namespace attn::ui {
struct ChangesMemory {
  const app::Session* session = nullptr;
  unsigned long revision = 0;
  std::string words;
};

namespace {

std::array<Option, 3> optionsOf(const Frame& frame) {
  const bool comparable = frame.view.stage && frame.view.stage->comparable;
  return {{{"after", "After", "The example as it is edited."},
           {"before", "Before", "What it is compared with.", comparable},
           {"difference", "Difference", "After − before, cell by cell.", comparable}}};
}

}  // namespace

const std::string& changesOf(Frame& frame) {
  std::shared_ptr<ChangesMemory>& memory = frame.view.changes;
  const app::Session& session = frame.session;
  if (!memory || memory->session != &session || memory->revision != session.revision())
    memory = std::make_shared<ChangesMemory>(ChangesMemory{&session, session.revision(), app::changesText(session)});
  return memory->words;
}

float comparisonHeight(const Frame& frame, float width) {
  if (!frame.session.compares() || !frame.session.state().scene.empty()) return 0;
  return choiceHeight(frame, optionsOf(frame), width - 2 * kUnit) + kUnit;
}

void drawComparison(Frame& frame, const Rect& area, bool narrow) {
  if (area.h <= 0) return;
  Panel panel(frame, "comparison", area, frame.colors.surface, 0, false);
  ImGui::GetWindowDrawList()->AddLine({area.x, area.y + area.h - 1}, {area.x + area.w, area.y + area.h - 1},
                                      packed(frame.colors.line));
  const std::array<Option, 3> options = optionsOf(frame);
  const float width = std::min(choiceWidth(frame, options), area.w - 2 * kUnit);
  const auto shown = frame.view.stage ? frame.view.stage->shown : app::Shown::kAfter;
  const int chosen = choice(frame, "show", options, static_cast<int>(shown),
                            {area.x + kUnit, area.y + kUnit / 2, width, area.h - kUnit}, "Compare");
  if (chosen >= 0) frame.dispatch(app::action::SetShown{static_cast<app::Shown>(chosen)});
  const std::string& words = changesOf(frame);
  frame.recorder.add({.id = "comparison/summary", .label = words, .role = Role::kText, .rect = area});
  const float left = area.x + width + 2.5f * kUnit;
  if (narrow || area.x + area.w - left < frame.size(120)) return;
  // Two lines where one does not hold it all.
  const TextStyle style{.size = kSmall, .color = frame.colors.muted, .leading = 1.25f};
  const float room = area.x + area.w - left - kUnit, high = lineHeight(frame, style);
  const std::vector<std::string> lines = wrap(frame, style, words, room);
  if (lines.size() != 2 || 2 * high > area.h) {
    line(frame, style, words, {left, area.y, room, area.h});
    return;
  }
  paragraph(frame, style, words, left, area.y + (area.h - 2 * high) / 2, room);
}

}  // namespace attn::ui
