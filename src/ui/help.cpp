// The keys, from the table that works them.
#include "ui/keys.h"
#include "ui/panels.h"
#include "ui/text.h"

namespace attn::ui {
namespace {

void keyLine(Frame& frame, Panel& panel, const KeyBinding& each) {
  const TextStyle key{.face = Face::kNumber, .size = kSmall, .color = frame.colors.text};
  const TextStyle does{.size = kBody, .color = frame.colors.text};
  const float column = std::min(frame.size(138), panel.width() * 0.45f);
  const ImVec2 extent = measure(key.face, frame.size(key.size), each.shown);
  const float h = frame.size(22);
  ImGui::GetWindowDrawList()->AddRectFilled({panel.x(), panel.y + 1},
                                            {panel.x() + std::min(column, extent.x + 12), panel.y + h - 1},
                                            packed(frame.colors.raised), kRounding);
  line(frame, key, each.shown, {panel.x() + 6, panel.y, column - 6, h});
  const float height =
      paragraph(frame, does, each.does, panel.x() + column + kUnit, panel.y, panel.width() - column - kUnit);
  panel.y += std::max(h, height) + kUnit / 2;
}

void scope(Frame& frame, Panel& panel, std::string_view title, Scope wanted) {
  heading(frame, panel, title);
  for (const KeyBinding& each : keyBindings())
    if (each.scope == wanted) keyLine(frame, panel, each);
  panel.y += kUnit;
}

}  // namespace

void drawHelp(Frame& frame, Panel& panel) {
  body(frame, panel,
       "Each press shows one step of the computation. Rows read, columns are read: cell [2][1] is how much "
       "row 2 takes from column 1. Every key below has a control on the screen.");
  scope(frame, panel, "With the picture in focus", Scope::kStage);
  scope(frame, panel, "Inside a matrix", Scope::kMatrix);
  scope(frame, panel, "Everywhere", Scope::kAlways);
  note(frame, panel,
       "Drag the picture to move it, Ctrl + wheel or two fingers to zoom. Tab goes through the controls. "
       "On a Mac, Cmd works like Ctrl.");
}

}  // namespace attn::ui
