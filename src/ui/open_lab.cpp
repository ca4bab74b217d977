// The way into the laboratory, which is there before the laboratory is. Knows nothing of what it holds.
#include "ui/lab.h"
#include "ui/presenting.h"
#include "ui/sheets.h"

namespace attn::ui {

void editChosenCell(Frame& frame) {
  if (hides(frame, app::Part::kEdits)) return;
  ViewState& view = frame.view;
  if (view.narrow) view.phone_tab = kEditTab;
  else if (!view.lab_open) turnSheet(frame, &ViewState::lab_open, frame.recorder.focused);
  view.focus_next = std::string(kCellField);
  if (!view.environment.page_owns_focus) frame.recorder.activate(std::string(kCellField));
}

}  // namespace attn::ui
