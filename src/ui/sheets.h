// Settings, help and about: which of them is open, and where the keyboard is before, in and after it. Knows nothing of
// what they say.
#pragma once
#include <string_view>

#include "ui/layout.h"

namespace attn::ui {

struct Sheet {
  std::string_view title;  // in English
  bool ViewState::*open;
  void (*draw)(Frame&, Panel&);
};

inline constexpr std::string_view kSheetWords = "sheet/words";  // the id of what the open one says, line by line

const Sheet* openSheet(const ViewState& view);  // null when none is open

// Opens that sheet, or closes it when it is open. `opener` is the control that was pressed, "" for a key of the stage.
// Who pressed it by the keyboard goes on in the sheet, and is back at the opener when it closes.
void turnSheet(Frame& frame, bool ViewState::*sheet, std::string_view opener);
void closeSheets(Frame& frame);
bool sheetHasFocus(const Frame& frame);  // the keyboard is on a control of the open one

// The title with its button, and below it the sheet.
void drawSheet(Frame& frame, const Rect& area, const Sheet& sheet, bool beside_stage);

}  // namespace attn::ui
