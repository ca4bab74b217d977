// See comparison.h. Computes nothing: the words are app's.
#include "ui/comparison.h"

#include <algorithm>
#include <array>
#include <vector>

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
  return {{{"after", tr("After"), tr("The example as it is edited.")},
           {"before", tr("Before"), tr("What it is compared with."), comparable},
           {"difference", tr("Difference"), tr("After − before, cell by cell."), comparable}}};
}

float choicesWidth(const Frame& frame, float width) {
  return std::min(choiceWidth(frame, optionsOf(frame)), width - 2 * kUnit);
}

// What is left for the words beside the choice; 0 where that is too little to read.
float roomFor(const Frame& frame, float width, bool narrow) {
  const float room = width - choicesWidth(frame, width) - 3.5f * kUnit;
  return narrow || room < frame.size(120) ? 0 : room;
}

TextStyle styleOf(const Frame& frame) { return {.size = kSmall, .color = frame.colors.muted, .leading = 1.25f}; }

struct Lines {
  std::vector<std::string> lines;
  float height = 0;
};

// What changed, on at most three lines; the last then holds the rest and is drawn as far as it goes.
Lines linesOf(Frame& frame, float room) {
  constexpr std::size_t kMost = 3;
  if (room <= 0) return {};
  Lines out{wrap(frame, styleOf(frame), changesOf(frame), room)};
  for (std::size_t n = kMost; n < out.lines.size(); ++n) out.lines[kMost - 1] += " " + out.lines[n];
  if (out.lines.size() > kMost) out.lines.resize(kMost);
  out.height = static_cast<float>(out.lines.size()) * lineHeight(frame, styleOf(frame));
  return out;
}

}  // namespace

const std::string& changesOf(Frame& frame) {
  std::shared_ptr<ChangesMemory>& memory = frame.view.changes;
  const app::Session& session = frame.session;
  if (!memory || memory->session != &session || memory->revision != session.revision())
    memory = std::make_shared<ChangesMemory>(ChangesMemory{&session, session.revision(), app::changesText(session)});
  return memory->words;
}

float comparisonHeight(Frame& frame, float width, bool narrow) {
  if (!frame.session.compares() || !frame.session.state().scene.empty()) return 0;
  const float choices = choiceHeight(frame, optionsOf(frame), width - 2 * kUnit);
  return std::max(choices, linesOf(frame, roomFor(frame, width, narrow)).height) + kUnit;
}

void drawComparison(Frame& frame, const Rect& area, bool narrow) {
  if (area.h <= 0) return;
  Panel panel(frame, "comparison", area, frame.colors.surface, 0, false);
  ImGui::GetWindowDrawList()->AddLine({area.x, area.y + area.h - 1}, {area.x + area.w, area.y + area.h - 1},
                                      packed(frame.colors.line));
  const std::array<Option, 3> options = optionsOf(frame);
  const auto shown = frame.view.stage ? frame.view.stage->shown : app::Shown::kAfter;
  const int chosen = choice(frame, "show", options, static_cast<int>(shown),
                            {area.x + kUnit, area.y + kUnit / 2, choicesWidth(frame, area.w), area.h - kUnit},
                            tr("Compare"));
  if (chosen >= 0) frame.dispatch(app::action::SetShown{static_cast<app::Shown>(chosen)});
  frame.recorder.add({.id = "comparison/summary", .label = changesOf(frame), .role = Role::kText, .rect = area});
  const float room = roomFor(frame, area.w, narrow);
  const Lines words = linesOf(frame, room);
  Rect each{area.x + area.w - kUnit - room, area.y + (area.h - words.height) / 2, room, lineHeight(frame, styleOf(frame))};
  for (const std::string& text : words.lines) {
    line(frame, styleOf(frame), text, each);
    each.y += each.h;
  }
}

}  // namespace attn::ui
