// One sheet at a time. Knows nothing of what they say.
#include "ui/sheets.h"

#include <array>
#include <string>
#include <utility>

#include "ui/file_menu.h"
#include "ui/lab.h"
#include "ui/lab_export.h"
#include "ui/lab_notebook.h"
#include "ui/panels.h"
#include "ui/rest.h"
#include "ui/share.h"
#include "ui/text.h"
#include "ui/widgets.h"

namespace attn::ui {
namespace {

void drawHelpSheet(Frame& frame, Panel& panel) {
  if (restIsHere(frame, panel)) drawHelp(frame, panel);
}

void drawAboutSheet(Frame& frame, Panel& panel) {
  if (restIsHere(frame, panel)) drawAbout(frame, panel);
}

void drawSettingsSheet(Frame& frame, Panel& panel) {
  if (restIsHere(frame, panel)) drawSettings(frame, panel);
}

void drawLabSheet(Frame& frame, Panel& panel) {
  if (restIsHere(frame, panel)) drawLaboratory(frame, panel);
}

void drawExportSheet(Frame& frame, Panel& panel) {
  if (restIsHere(frame, panel)) drawExport(frame, panel);
}

void drawNotebookSheet(Frame& frame, Panel& panel) {
  if (restIsHere(frame, panel)) drawNotebook(frame, panel);
}

void drawShareSheet(Frame& frame, Panel& panel) {
  if (restIsHere(frame, panel)) drawShare(frame, panel);
}

void drawFilesSheet(Frame& frame, Panel& panel) { frame.view.file_menu->draw(frame, panel); }

constexpr std::array<Sheet, 8> kSheets{{{trLater("Help"), &ViewState::help_open, drawHelpSheet},
                                        {trLater("About"), &ViewState::about_open, drawAboutSheet},
                                        {trLater("Settings"), &ViewState::settings_open, drawSettingsSheet},
                                        {trLater("Edit and compare"), &ViewState::lab_open, drawLabSheet},
                                        {trLater("Export"), &ViewState::export_open, drawExportSheet},
                                        {trLater("Make a link"), &ViewState::share_open, drawShareSheet},
                                        {trLater("Notebook"), &ViewState::notebook_open, drawNotebookSheet},
                                        {trLater("File"), &ViewState::files_open, drawFilesSheet}}};

}  // namespace

const Sheet* openSheet(const ViewState& view) {
  for (const Sheet& each : kSheets)
    if (view.*each.open) return &each;
  return nullptr;
}

void turnSheet(Frame& frame, bool ViewState::*sheet, std::string_view opener) {
  ViewState& view = frame.view;
  if (view.*sheet) return closeSheets(frame);
  for (const Sheet& each : kSheets) view.*each.open = false;
  view.*sheet = true;
  // A press of the mouse leaves no control with the focus.
  view.sheet_has_keyboard = frame.recorder.focused == opener;
  if (!view.sheet_has_keyboard) return;
  view.sheet_opener = opener;
  view.focus_next = "sheet/close";
}

void closeSheets(Frame& frame) {
  ViewState& view = frame.view;
  if (std::exchange(view.clears_notebook, false)) view.said.clear();  // the question goes with what it is about
  for (const Sheet& each : kSheets) view.*each.open = false;
  if (view.sheet_has_keyboard) view.focus_next = view.sheet_opener;
  view.sheet_has_keyboard = false;
}

bool sheetHasFocus(const Frame& frame) {
  const Control* control = frame.recorder.byId(frame.recorder.focused);
  return control && control->in_sheet;
}

void drawSheet(Frame& frame, const Rect& area, const Sheet& sheet, bool beside_stage) {
  const float h = frame.controlHeight(), bar = h + kUnit;
  frame.recorder.in_sheet = true;
  {
    Panel top(frame, "sheet bar", {area.x, area.y, area.w, bar}, frame.colors.raised, 0, false);
    line(frame, {.face = Face::kStrong, .size = 17, .color = frame.colors.text}, tr(sheet.title),
         {area.x + 2 * kUnit, area.y, area.w - h - 4 * kUnit, bar});
    if (button(frame, "sheet/close", tr("Close"), {area.x + area.w - h - kUnit, area.y + kUnit / 2, h, h},
               {.icon = Icon::kClose, .icon_only = true, .look = Look::kQuiet}))
      closeSheets(frame);
  }
  Panel panel(frame, std::string(sheet.title) + " sheet", {area.x, area.y + bar, area.w, area.h - bar},
              frame.colors.surface, 2 * kUnit);
  if (beside_stage)
    ImGui::GetWindowDrawList()->AddLine({area.x, area.y + bar}, {area.x, area.y + area.h}, packed(frame.colors.line));
  panel.scroll(std::exchange(frame.view.scroll_sheet_by, 0.f));
  sheet.draw(frame, panel);
  frame.recorder.in_sheet = false;
}

}  // namespace attn::ui
