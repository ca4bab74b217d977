// The laboratory: everything that edits the open example, and what it is compared with. In the part of the program that
// is fetched when it is first opened.
#pragma once
#include "core/gate.h"
#include "ui/layout.h"

namespace attn::ui {

ATTN_GATE void drawLaboratory(Frame& frame, Panel& panel);

// Shows the laboratory with the keyboard in the field of the chosen cell.
void editChosenCell(Frame& frame);

inline constexpr std::string_view kCellField = "lab/value";

// Its parts, in order.
void drawEdits(Frame& frame, Panel& panel);        // the list, each item removable
void drawChosenCell(Frame& frame, Panel& panel);   // its number, its row, and the acts on it
void drawPosition(Frame& frame, Panel& panel);     // the token of the chosen row
void drawHeadsAndRules(Frame& frame, Panel& panel);
void drawCompared(Frame& frame, Panel& panel);

// Buttons one after the other on lines that wrap; pressed(n) is asked of each.
class Acts {
 public:
  Acts(Frame& frame, Panel& panel);
  ~Acts();
  bool press(std::string_view id, std::string_view label, std::string_view tip = {}, bool enabled = true);

 private:
  Frame& frame_;
  Panel& panel_;
  Flow flow_;
};

// A page about the open example, in the place of the stage.
void openPage(Frame& frame, const std::string& scene, lesson::Settings settings);

void edit(Frame& frame, std::string text, bool dragging = false);

// A labelled line to write in; what was written when it is another text.
std::optional<std::string> labField(Frame& frame, Panel& panel, std::string_view id, std::string_view label,
                                    const std::string& text, std::string_view tip, std::string_view hint = {});

}  // namespace attn::ui
