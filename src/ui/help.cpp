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

// Row reads column, by what is open: its last destination and its first source.
std::string howToRead(const app::Session& session) {
  const lesson::Example& example = session.example();
  const auto name = [&](core::Index position, bool source) {
    return app::positionText(example, position, source, session.state().show_spaces);
  };
  const std::string row = name(static_cast<core::Index>(example.tokens.size()) - 1, false), column = name(0, true);
  return "A row reads, a column is read: among the weights, the cell in the row of " + row + " and the column of " +
         column + " is how much " + row + " takes from " + column + ".";
}

}  // namespace

void drawHelp(Frame& frame, Panel& panel) {
  body(frame, panel, "Each press shows one step of the computation. " + howToRead(frame.session) +
                         " Every key below has a control on the screen; those for inside a matrix are there while "
                         "you are in one.");
  scope(frame, panel, "With the picture in focus", Scope::kStage);
  scope(frame, panel, "Inside a matrix", Scope::kMatrix);
  scope(frame, panel, "Everywhere", Scope::kAlways);
  note(frame, panel,
       "Drag the picture to move it, Ctrl + wheel or two fingers to zoom. Tab goes through the controls. "
       "On a Mac, Cmd works like Ctrl.");
}

}  // namespace attn::ui
