// The strip above the picture while the keyboard is inside a matrix: that it is there, and controls for the keys that
// work only there.
#include "ui/choices.h"
#include "ui/keys.h"
#include "ui/matrix_cursor.h"
#include "ui/panels.h"
#include "ui/text.h"
#include "ui/widgets.h"

namespace attn::ui {
namespace {

constexpr core::Index kFarRows = 1 << 30;  // all the way

struct ReadingPress {
  std::string_view id, label;
  Icon icon;
  void (*run)(Frame&);
};
constexpr ReadingPress kPresses[] = {
    {"matrix/row-start", trLater("Row start"), Icon::kNone, [](Frame& f) { moveCursor(f, 0, -kFarRows); }},
    {"matrix/row-end", trLater("Row end"), Icon::kNone, [](Frame& f) { moveCursor(f, 0, kFarRows); }},
    {"matrix/first", trLater("First cell"), Icon::kNone, [](Frame& f) { moveCursor(f, -kFarRows, -kFarRows); }},
    {"matrix/previous", trLater("Previous matrix"), Icon::kUp, [](Frame& f) { changeMatrix(f, -1); }},
    {"matrix/next", trLater("Next matrix"), Icon::kDown, [](Frame& f) { changeMatrix(f, 1); }},
    {"matrix/leave", trLater("Leave"), Icon::kNone, [](Frame& f) { leaveMatrix(f); }},
};

std::string words(const Frame& frame) {
  const std::string name(core::arrayName(currentArray(frame.session)));
  return frame.view.environment.coarse_pointer ? tr("Reading {0}", {name}) : tr("Reading {0}: arrows move, Esc leaves", {name});
}

TextStyle styleOf(const Frame& frame) { return {.size = kSmall, .color = frame.colors.text}; }

float lay(Frame& frame, const Rect& area, bool draw) {
  Flow flow(area.x + 1.5f * kUnit, area.y + kUnit / 2, area.w - 3 * kUnit, frame.controlHeight(), kUnit / 2);
  const std::string text = words(frame);
  const Rect place = flow.place(measure(Face::kBody, frame.size(kSmall), text).x + kUnit);
  if (draw) line(frame, styleOf(frame), text, place);
  for (const ReadingPress& each : kPresses) {
    const ButtonOptions options{.icon = each.icon, .icon_only = each.icon != Icon::kNone};
    const std::string label = tr(each.label);
    const Rect rect = flow.place(buttonWidth(frame, label, options));
    if (draw && button(frame, each.id, label, rect, options)) each.run(frame);
  }
  return flow.bottom() + kUnit / 2 - area.y;
}

}  // namespace

float readingHeight(Frame& frame, float width) {
  return frame.view.in_matrix ? lay(frame, {0, 0, width, 0}, false) : 0;
}

void drawReading(Frame& frame, const Rect& area) {
  if (area.h <= 0 || !frame.view.in_matrix) return;
  Panel panel(frame, "reading", area, frame.colors.raised, 0, false);
  ImGui::GetWindowDrawList()->AddRectFilled({area.x, area.y}, {area.x + 4, area.y + area.h},
                                            packed(frame.colors.focus));
  lay(frame, area, true);
}

}  // namespace attn::ui
