// The strips of a presentation. Knows no stage.
#include "ui/presenting.h"

#include <algorithm>
#include <cmath>
#include <string>

#include "app/explain.h"
#include "io/label.h"
#include "ui/open_scene.h"
#include "ui/text.h"
#include "ui/widgets.h"

namespace attn::ui {
namespace {

constexpr float kPresentedBody = 28;             // CSS pixels of body text on a screen of this size:
constexpr float kWidth = 1280, kHeight = 720;
constexpr float kLeast = 0.6f;                   // of it on a smaller one

TextStyle noteStyle(const Frame& frame) { return {.face = Face::kStrong, .size = kBody, .color = frame.colors.text, .leading = 1.3f}; }
TextStyle sentenceStyle(const Frame& frame) { return {.size = kBody, .color = frame.colors.text, .leading = 1.3f}; }

// On a low screen a long text scrolls: the stage and the steps come first.
float atMost(float height) { return std::min(height, ImGui::GetIO().DisplaySize.y * 0.25f); }

float paddingOf(const Frame& frame) { return presents(frame) ? 2 * kUnit : 1.5f * kUnit; }

// Of the step, or what came out in a scene.
std::string sentenceOf(const Frame& frame) {
  const app::Session& session = frame.session;
  if (!inScene(frame)) {
    const app::Explanation words = app::explain(session);
    const bool numbered = words.numbers.size() == 1;
    return numbered ? words.headline + ": " + words.numbers.front() : words.headline + ".";
  }
  if (!session.page()) return session.sceneFailure().empty() ? tr("The scene is being computed.") : session.sceneFailure();
  return session.page()->says.empty() ? session.page()->title : session.page()->says;
}

template <class... Kinds>
bool isAny(const lesson::Block& block) {
  return (std::holds_alternative<Kinds>(block.content) || ...);
}

bool isFigureBlock(const lesson::Block& block) {
  return isAny<lesson::Grid, lesson::Table, lesson::Plot, lesson::Plane, lesson::Strip, lesson::Flow, lesson::Maps>(block);
}

bool onlyFigures(const app::Presentation& shown, const lesson::Page& page) {
  return shown.present && std::any_of(page.blocks.begin(), page.blocks.end(), isFigureBlock);
}

float sentenceRoom(const Frame& frame, float width) { return width - frame.controlHeight() - 5 * kUnit; }

}  // namespace

bool hides(const Frame& frame, app::Part part) { return frame.session.presentation().hides(part); }
bool presents(const Frame& frame) { return frame.session.presentation().present; }

float presentedScale(const app::Presentation& presentation, float preferred, float width, float height) {
  if (!presentation.present) return preferred;
  const float share = std::max(kLeast, std::min(width / kWidth, height / kHeight));
  return std::max(preferred, std::ceil(kPresentedBody / kBody * share * 100) / 100);
}

float noteStripHeight(Frame& frame, float width) {
  const std::string& note = frame.session.presentation().note;
  if (note.empty()) return 0;
  const auto lines = static_cast<float>(wrap(frame, noteStyle(frame), note, width - 2 * paddingOf(frame)).size());
  return atMost(lines * lineHeight(frame, noteStyle(frame)) + 1.5f * kUnit);
}

void drawNoteStrip(Frame& frame, const Rect& area) {
  if (area.h <= 0) return;
  const std::string& note = frame.session.presentation().note;
  Panel panel(frame, "note", area, frame.colors.raised, 0);
  ImGui::GetWindowDrawList()->AddRectFilled({area.x, area.y}, {area.x + 4, area.y + area.h}, packed(frame.colors.now));
  panel.y += 0.75f * kUnit;
  panel.y += paragraph(frame, noteStyle(frame), note, area.x + paddingOf(frame), panel.y, area.w - 2 * paddingOf(frame));
  frame.recorder.add({.id = "note/text", .label = note, .role = Role::kText, .rect = area});
}

float sentenceHeight(Frame& frame, float width) {
  const auto lines = static_cast<float>(
      wrap(frame, sentenceStyle(frame), io::withoutTicks(sentenceOf(frame)), sentenceRoom(frame, width)).size());
  return std::max(frame.controlHeight(), atMost(lines * lineHeight(frame, sentenceStyle(frame)))) + 2 * kUnit;
}

void drawSentence(Frame& frame, const Rect& area) {
  Panel panel(frame, "sentence", area, frame.colors.surface, 0);
  ImGui::GetWindowDrawList()->AddLine({area.x, area.y}, {area.x + area.w, area.y}, packed(frame.colors.line));
  const std::string text = io::withoutTicks(sentenceOf(frame));
  const float room = sentenceRoom(frame, area.w), side = frame.controlHeight();
  const auto lines = static_cast<float>(wrap(frame, sentenceStyle(frame), text, room).size());
  const float height = lines * lineHeight(frame, sentenceStyle(frame));
  panel.y += std::max(kUnit, (area.h - height) / 2);
  panel.y += paragraph(frame, sentenceStyle(frame), text, area.x + 2 * kUnit, panel.y, room);
  frame.recorder.add({.id = "sentence/text", .label = text, .role = Role::kText, .rect = {area.x, area.y, room, area.h}});
  if (button(frame, "presentation/leave", tr("Leave the presentation"),
             {area.x + area.w - side - kUnit, area.y + (area.h - side) / 2, side, side},
             {.icon = Icon::kClose, .icon_only = true, .look = Look::kQuiet}))
    leavePresentation(frame);
}

bool leavesOut(const app::Presentation& shown, const lesson::Page& page, const lesson::Block& block) {
  if (onlyFigures(shown, page)) return !isFigureBlock(block);
  if (shown.hides(app::Part::kAnswers) && isAny<lesson::Verdict>(block)) return true;
  if (!shown.hides(app::Part::kExplain)) return false;
  const auto* words = std::get_if<lesson::Words>(&block.content);
  using Style = lesson::Words::Style;
  return words ? words->style == Style::kText || words->style == Style::kNote : isAny<lesson::Source>(block);
}

bool leavesLookOut(const app::Presentation& shown, const lesson::Page& page) {
  return page.look.empty() || onlyFigures(shown, page) || shown.hides(app::Part::kExplain);
}

bool reveals(const lesson::Param& param) { return param.key == "reveal"; }

void leavePresentation(Frame& frame) {
  app::Presentation shown = frame.session.presentation();
  shown.present = false;
  frame.dispatch(app::action::Present{shown});
}

}  // namespace attn::ui
