// What each key does. Knows no key codes of browsers or windows: ImGui's keys name what is written on the person's
// layout. They are read in key_reading.cpp.
#include "ui/keys.h"

#include <array>

#include "ui/contents_order.h"
#include "ui/hearing.h"
#include "ui/lab.h"
#include "ui/matrix_cursor.h"
#include "ui/open_scene.h"
#include "ui/presenting.h"
#include "ui/scene_controls.h"
#include "ui/sheets.h"
#include "ui/stage.h"
#include "ui/tour.h"

namespace attn::ui {
namespace {

namespace action = app::action;

constexpr int kCtrl = ImGuiMod_Ctrl, kShift = ImGuiMod_Shift;

template <int by>
void step(Frame& f) {
  f.dispatch(action::StepBy{by});
}
template <int by>
void stage(Frame& f) {
  f.dispatch(action::StageBy{by});
}
template <int by>
void row(Frame& f) {
  chooseRowBy(f, by);
}
template <app::Grain grain>
void setGrain(Frame& f) {
  f.dispatch(action::SetGrain{grain});
}

void otherOrder(Frame& f) {
  const bool by_row = f.session.state().order == app::Order::kRow;
  f.dispatch(action::SetOrder{by_row ? app::Order::kStage : app::Order::kRow});
}

void nextMask(Frame& f) {
  f.dispatch(action::SetMask{static_cast<app::MaskChoice>((static_cast<int>(app::maskInForce(f.session.state())) + 1) % 3)});
}

void help(Frame& f) { turnSheet(f, &ViewState::help_open, f.recorder.focused); }

void laboratory(Frame& f) {
  if (!hides(f, app::Part::kEdits)) turnSheet(f, &ViewState::lab_open, f.recorder.focused);
}

void exports(Frame& f) { turnSheet(f, &ViewState::export_open, f.recorder.focused); }

void hear(Frame& f) {
  if (f.view.sounds && f.view.environment.rest_loaded) hearRow(f);
}

void escape(Frame& f) {
  if (openSheet(f.view)) closeSheets(f);
  else if (presents(f) && !f.view.in_matrix) leavePresentation(f);
  else if (onTour(f.session, f.view) && !f.view.in_matrix) endTour(f.view);
  else leaveMatrix(f);
}

void first(Frame& f) { f.dispatch(action::First{}); }
void last(Frame& f) { f.dispatch(action::Last{}); }
void play(Frame& f) { f.dispatch(action::TogglePlay{}); }
void undo(Frame& f) { f.dispatch(action::Undo{}); }
void redo(Frame& f) { f.dispatch(action::Redo{}); }
template <int by>
void head(Frame& f) {
  chooseHeadBy(f, by);
}
template <int by>
void matrix(Frame& f) {
  changeMatrix(f, by);
}
template <int rows, int columns>
void move(Frame& f) {
  moveCursor(f, rows, columns);
}

template <int by>
void zoom(Frame& f) {
  zoomStage(f.view, by > 0 ? 1.25f : 0.8f);
}
void fit(Frame& f) { fitStage(f.view); }

template <int by>
void stepMain(Frame& f) {
  SceneMemory& memory = sceneMemory(f);
  if (!memory.page) return;
  SceneView view{f, *memory.page, memory};
  stepMainParam(view, by);
}

void scroll(Frame& f, float pixels) {
  (sheetHasFocus(f) ? f.view.scroll_sheet_by : sceneMemory(f).scroll_by) = pixels;
}
// What a clicker sends. In a scene: the main control, or down the page where there is none.
template <int by>
void presentStep(Frame& f) {
  if (!inScene(f)) return step<by>(f);
  SceneMemory& memory = sceneMemory(f);
  if (memory.page && hasMainParam({f, *memory.page, memory})) return stepMain<by>(f);
  scroll(f, static_cast<float>(by) * ImGui::GetIO().DisplaySize.y * 0.55f);
}

template <int by>
void scene(Frame& f) {
  const Neighbours all = neighbours(f);
  const lesson::CatalogueEntry* to = by > 0 ? all.next : all.previous;
  if (to) openEntry(f, *to);
}

template <int by>
void scrollLines(Frame& f) {
  scroll(f, static_cast<float>(by) * f.size(24));
}
template <int by>
void scrollScreens(Frame& f) {
  scroll(f, static_cast<float>(by) * ImGui::GetIO().DisplaySize.y * 0.55f);
}

constexpr int kFar = 1 << 30;  // all the way
constexpr int kAllTheWay = 10'000'000;
constexpr Scope kStage = Scope::kStage, kMatrix = Scope::kMatrix, kAlways = Scope::kAlways, kScene = Scope::kScene,
                kScroll = Scope::kScroll, kPresented = Scope::kPresented;
// What is in the table first wins: inside a matrix the arrows are the cursor's.
constexpr std::array kBindings{
    KeyBinding{trLater("Page Down"), trLater("Next step"), "transport/next", kPresented, ImGuiKey_PageDown, 0, false, true,
               presentStep<1>},
    KeyBinding{trLater("Page Up"), trLater("Previous step"), "transport/previous", kPresented, ImGuiKey_PageUp, 0, false,
               true, presentStep<-1>},
    KeyBinding{"→", trLater("Next column"), "cell", kMatrix, ImGuiKey_RightArrow, 0, false, true, move<0, 1>},
    KeyBinding{"←", trLater("Previous column"), "cell", kMatrix, ImGuiKey_LeftArrow, 0, false, true, move<0, -1>},
    KeyBinding{"↑", trLater("Row above"), "cell", kMatrix, ImGuiKey_UpArrow, 0, false, true, move<-1, 0>},
    KeyBinding{"↓", trLater("Row below"), "cell", kMatrix, ImGuiKey_DownArrow, 0, false, true, move<1, 0>},
    KeyBinding{trLater("Home"), trLater("Start of the row"), "matrix/row-start", kMatrix, ImGuiKey_Home, 0, false, false,
               move<0, -kFar>},
    KeyBinding{trLater("End"), trLater("End of the row"), "matrix/row-end", kMatrix, ImGuiKey_End, 0, false, false,
               move<0, kFar>},
    KeyBinding{trLater("Ctrl + Home"), trLater("First cell"), "matrix/first", kMatrix, ImGuiKey_Home, kCtrl, false, false,
               move<-kFar, -kFar>},
    KeyBinding{trLater("Page Up"), trLater("Previous matrix"), "matrix/previous", kMatrix, ImGuiKey_PageUp, 0, false, true,
               matrix<-1>},
    KeyBinding{trLater("Page Down"), trLater("Next matrix"), "matrix/next", kMatrix, ImGuiKey_PageDown, 0, false, true,
               matrix<1>},
    KeyBinding{trLater("Enter"), trLater("Edit the chosen cell"), "matrix/enter", kMatrix, ImGuiKey_Enter, 0, false, false,
               editChosenCell},
    KeyBinding{"E", trLater("Edit and compare"), "header/lab", kStage, ImGuiKey_E, 0, true, false, laboratory},
    KeyBinding{"X", trLater("Export"), "header/export", kStage, ImGuiKey_X, 0, true, false, exports},
    KeyBinding{"X", trLater("Export"), "header/export", kScene, ImGuiKey_X, 0, true, false, exports},
    KeyBinding{"H", trLater("Hear the row, or stop"), kHearControl, kStage, ImGuiKey_H, 0, true, false, hear},
    KeyBinding{".", trLater("Next step"), "transport/next", kMatrix, ImGuiKey_Period, 0, true, true, step<1>},
    KeyBinding{",", trLater("Previous step"), "transport/previous", kMatrix, ImGuiKey_Comma, 0, true, true, step<-1>},
    KeyBinding{trLater("Esc"), trLater("Leave the matrix, close a panel"), "matrix/leave", kAlways, ImGuiKey_Escape, 0,
               false, false, escape},
    KeyBinding{"→", trLater("Next step"), "transport/next", kStage, ImGuiKey_RightArrow, 0, false, true, step<1>},
    KeyBinding{"←", trLater("Previous step"), "transport/previous", kStage, ImGuiKey_LeftArrow, 0, false, true, step<-1>},
    KeyBinding{trLater("Shift + →"), trLater("Next stage"), "transport/next-stage", kStage, ImGuiKey_RightArrow, kShift,
               false, true, stage<1>},
    KeyBinding{trLater("Shift + ←"), trLater("Previous stage"), "transport/previous-stage", kStage, ImGuiKey_LeftArrow,
               kShift, false, true, stage<-1>},
    KeyBinding{trLater("Home"), trLater("Back to the start"), "transport/first", kStage, ImGuiKey_Home, 0, false, false,
               first},
    KeyBinding{trLater("End"), trLater("Show the whole result"), "transport/last", kStage, ImGuiKey_End, 0, false, false,
               last},
    KeyBinding{trLater("Space"), trLater("Play to the end of the stage, or pause"), "transport/play", kStage, ImGuiKey_Space,
               0, false, false, play},
    KeyBinding{"↑", trLater("Row above"), "row/previous", kStage, ImGuiKey_UpArrow, 0, false, true, row<-1>},
    KeyBinding{"↓", trLater("Row below"), "row/next", kStage, ImGuiKey_DownArrow, 0, false, true, row<1>},
    KeyBinding{"[", trLater("Previous head"), "head/previous", kStage, ImGuiKey_LeftBracket, 0, true, true, head<-1>},
    KeyBinding{"]", trLater("Next head"), "head/next", kStage, ImGuiKey_RightBracket, 0, true, true, head<1>},
    KeyBinding{"1", trLater("One step is a stage"), "grain/stage", kStage, ImGuiKey_1, 0, true, false,
               setGrain<app::Grain::kStage>},
    KeyBinding{"2", trLater("One step is a row"), "grain/row", kStage, ImGuiKey_2, 0, true, false,
               setGrain<app::Grain::kRow>},
    KeyBinding{"3", trLater("One step is a cell"), "grain/cell", kStage, ImGuiKey_3, 0, true, false,
               setGrain<app::Grain::kCell>},
    KeyBinding{"4", trLater("One step is one multiply-add"), "grain/term", kStage, ImGuiKey_4, 0, true, false,
               setGrain<app::Grain::kTerm>},
    KeyBinding{"O", trLater("Follow one row, or go stage by stage"), "order", kStage, ImGuiKey_O, 0, true, false,
               otherOrder},
    KeyBinding{"M", trLater("Next mask"), "mask", kStage, ImGuiKey_M, 0, true, false, nextMask},
    KeyBinding{trLater("Enter"), trLater("Move the keyboard into the matrix"), "matrix/enter", kStage, ImGuiKey_Enter, 0,
               false, false, enterMatrix},
    KeyBinding{"+", trLater("Larger picture"), "stage/zoom-in", kStage, ImGuiKey_Equal, kWritten, true, true, zoom<1>},
    KeyBinding{"−", trLater("Smaller picture"), "stage/zoom-out", kStage, ImGuiKey_Minus, kWritten, true, true, zoom<-1>},
    KeyBinding{"0", trLater("Follow the step with the picture"), "stage/fit", kStage, ImGuiKey_0, 0, true, false, fit},
    KeyBinding{"→", trLater("Next value of the main control"), "scenes/more", kScene, ImGuiKey_RightArrow, 0, false, true,
               stepMain<1>},
    KeyBinding{"←", trLater("Previous value of the main control"), "scenes/less", kScene, ImGuiKey_LeftArrow, 0, false, true,
               stepMain<-1>},
    KeyBinding{trLater("Shift + →"), trLater("Next scene"), "scenes/next", kScene, ImGuiKey_RightArrow, kShift, false, false,
               scene<1>},
    KeyBinding{trLater("Shift + ←"), trLater("Previous scene"), "scenes/previous", kScene, ImGuiKey_LeftArrow, kShift, false,
               false, scene<-1>},
    KeyBinding{"↓", trLater("Scroll down"), "page/title", kScroll, ImGuiKey_DownArrow, 0, false, true, scrollLines<3>},
    KeyBinding{"↑", trLater("Scroll up"), "page/title", kScroll, ImGuiKey_UpArrow, 0, false, true, scrollLines<-3>},
    KeyBinding{trLater("Page Down"), trLater("Scroll down by a screen"), "page/title", kScroll, ImGuiKey_PageDown, 0, false,
               true, scrollScreens<1>},
    KeyBinding{trLater("Page Up"), trLater("Scroll up by a screen"), "page/title", kScroll, ImGuiKey_PageUp, 0, false, true,
               scrollScreens<-1>},
    KeyBinding{trLater("Home"), trLater("Scroll to the top"), "page/title", kScroll, ImGuiKey_Home, 0, false, false,
               scrollLines<-kAllTheWay>},
    KeyBinding{trLater("End"), trLater("Scroll to the end"), "page/title", kScroll, ImGuiKey_End, 0, false, false,
               scrollLines<kAllTheWay>},
    KeyBinding{"?", trLater("This help"), "header/help", kAlways, ImGuiKey_Slash, kShift, true, false, help},
    KeyBinding{trLater("Ctrl + Z"), trLater("Undo a choice"), "history/undo", kAlways, ImGuiKey_Z, kCtrl, false, true, undo},
    KeyBinding{trLater("Shift + Ctrl + Z"), trLater("Redo"), "history/redo", kAlways, ImGuiKey_Z, kCtrl | kShift, false,
               true, redo},
    KeyBinding{trLater("Ctrl + Y"), trLater("Redo"), "history/redo", kAlways, ImGuiKey_Y, kCtrl, false, true, redo},
};

}  // namespace

std::span<const KeyBinding> keyBindings() { return kBindings; }

std::string keysOf(std::string_view control) {
  std::string_view found;
  for (const KeyBinding& each : kBindings) {
    const bool group = control.rfind(each.control, 0) == 0 && control.substr(each.control.size()).rfind("/", 0) == 0;
    if (each.control != control && !group) continue;
    if (each.scope == Scope::kPresented) continue;
    if (each.scope != Scope::kMatrix) return tr(each.shown);
    if (found.empty()) found = each.shown;
  }
  return tr(found);
}

}  // namespace attn::ui
