// The keys, from the table that works them.
#include "ui/file_menu.h"
#include "ui/hearing.h"
#include "ui/keys.h"
#include "ui/open_scene.h"
#include "ui/panels.h"
#include "ui/sheets.h"
#include "ui/text.h"
#include "ui/widgets.h"

namespace attn::ui {
namespace {

void keyLine(Frame& frame, Panel& panel, const KeyBinding& each) {
  const TextStyle key{.face = Face::kNumber, .size = kSmall, .color = frame.colors.text};
  const TextStyle does{.size = kBody, .color = frame.colors.text};
  const float column = std::min(frame.size(138), panel.width() * 0.5f);
  const std::string keys = tr(each.shown), words = tr(each.does);
  const ImVec2 extent = measure(key.face, frame.size(key.size), keys);
  const float h = frame.size(22);
  ImGui::GetWindowDrawList()->AddRectFilled({panel.x(), panel.y + 1},
                                            {panel.x() + std::min(column, extent.x + 12), panel.y + h - 1},
                                            packed(frame.colors.raised), kRounding);
  line(frame, key, keys, {panel.x() + 6, panel.y, column - 6, h});
  const float height =
      paragraph(frame, does, words, panel.x() + column + kUnit, panel.y, panel.width() - column - kUnit);
  tell(frame, keys + ": " + words, Role::kText);
  panel.y += std::max(h, height) + kUnit / 2;
}

void scope(Frame& frame, Panel& panel, std::string_view title, Scope wanted) {
  heading(frame, panel, title);
  for (const KeyBinding& each : keyBindings())
    if (each.scope == wanted && (frame.view.letter_keys || !each.letter) && (frame.view.sounds || each.control != kHearControl))
      keyLine(frame, panel, each);
  if (wanted == Scope::kAlways && frame.view.file_menu)
    for (const KeyBinding& each : frame.view.file_menu->keys) keyLine(frame, panel, each);
  panel.y += kUnit;
}

// Row reads column, by what is open: its last destination and its first source.
std::string howToRead(const app::Session& session) {
  const lesson::Example& example = session.example();
  const auto name = [&](core::Index position, bool source) {
    return app::positionText(example, position, source, session.state().show_spaces);
  };
  const std::string row = name(static_cast<core::Index>(example.tokens.size()) - 1, false), column = name(0, true);
  return tr("A row reads, a column is read: among the weights, the cell in the row of {0} and the column of {1} is how much "
            "{0} takes from {1}.", {row, column});
}

// What fingers do, for who has no keys.
constexpr std::string_view kTouch[] = {
    trLater("Tap a button to press it; tap Next step to go on."),
    trLater("Tap a cell to read it in full and in words; tap beside the matrices to put that away."),
    trLater("Tap a position at the left of a matrix to follow it."),
    trLater("Drag the picture to move it; spread or pinch two fingers to zoom. Fit lets it follow the step again."),
    trLater("Drag a panel to read on. With large text everything between the bars is one page: drag it with one finger, and "
    "the picture in it with two."),
    trLater("Rest a finger on a button to read what it does."),
};

void fingers(Frame& frame, Panel& panel) {
  heading(frame, panel, tr("By touch"));
  for (const std::string_view each : kTouch) body(frame, panel, tr(each));
  panel.y += kUnit;
}

constexpr std::string_view kSceneTouch[] = {
    trLater("Drag the page to read on, and the panel below it to reach every control."),
    trLater("Drag what has a halo or three dots: tips of arrows, points, words of a sentence."),
    trLater("Rest a finger on a figure to read its numbers in full."),
};

// With a scene open there are no steps: there is a page, and what can be varied.
void sceneHelp(Frame& frame, Panel& panel) {
  body(frame, panel,
       tr("A scene says in its first line what to look for. Under Try you vary it; everything on the page is then computed "
       "anew. A tick or a cross, with the word true or false, stands before what the computation has found out."));
  if (frame.view.environment.coarse_pointer) {
    heading(frame, panel, tr("By touch"));
    for (const std::string_view each : kSceneTouch) body(frame, panel, tr(each));
    panel.y += kUnit;
  }
  scope(frame, panel, tr("With the page in focus"), Scope::kScene);
  scope(frame, panel, tr("In the page, and in a panel such as this"), Scope::kScroll);
  scope(frame, panel, tr("In a presentation"), Scope::kPresented);
  scope(frame, panel, tr("Everywhere but in a text field"), Scope::kAlways);
  note(frame, panel,
       tr("The pointer over a figure tells its numbers in full; by the keyboard, “{0}” below a table gives them. Tab goes "
          "through the controls and through what can be dragged, which arrow keys move. On a Mac, Cmd works like Ctrl.",
          {frame.view.save_file ? tr("Save as CSV") : tr("Copy as CSV")}));
}

}  // namespace

void drawHelp(Frame& frame, Panel& panel) {
  if (inScene(frame)) return sceneHelp(frame, panel);
  const bool touch = frame.view.environment.coarse_pointer;
  const Rect rect{panel.x(), panel.y, buttonWidth(frame, tr("Take the tour")), frame.controlHeight()};
  if (button(frame, "help/tour", tr("Take the tour"), rect)) {
    frame.view.tour = 1;
    closeSheets(frame);
  }
  panel.y += rect.h + 1.5f * kUnit;
  body(frame, panel, tr("Each press shows one step of the computation.") + " " + howToRead(frame.session));
  body(frame, panel, tr("Play goes on to the end of the stage that it is in and stops there, so that you can look. With Run on it "
                        "plays to the end of everything."));
  if (touch) fingers(frame, panel);
  body(frame, panel,
       touch ? tr("With a keyboard: every key below has a control on the screen; those for inside a matrix are there while you "
                  "are in one.")
             : tr("Every key below has a control on the screen; those for inside a matrix are there while you are in one."));
  scope(frame, panel, tr("With the picture in focus"), Scope::kStage);
  scope(frame, panel, tr("Inside a matrix"), Scope::kMatrix);
  scope(frame, panel, tr("In a panel such as this"), Scope::kScroll);
  scope(frame, panel, tr("In a presentation"), Scope::kPresented);
  scope(frame, panel, tr("Everywhere but in a text field"), Scope::kAlways);
  note(frame, panel,
       tr("Drag the picture to move it, Ctrl + wheel or two fingers to zoom. Tab goes through the controls. "
       "On a Mac, Cmd works like Ctrl."));
}

}  // namespace attn::ui
