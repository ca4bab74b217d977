// What each key does. Knows no key codes of browsers or windows: ImGui's keys name what is written on the person's
// layout.
#include "ui/keys.h"

#include <array>

#include "imgui_internal.h"

#include "ui/contents_order.h"
#include "ui/lab.h"
#include "ui/matrix_cursor.h"
#include "ui/open_scene.h"
#include "ui/presenting.h"
#include "ui/reading_order.h"
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

bool sheetHasFocus(const Frame& frame) {
  const Control* control = frame.recorder.byId(frame.recorder.focused);
  return control && control->in_sheet;
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

constexpr int kWritten = -1;  // in place of modifiers: with Shift or without, as the layout writes the character
constexpr int kFar = 1 << 30;  // all the way
constexpr int kAllTheWay = 10'000'000;
constexpr Scope kStage = Scope::kStage, kMatrix = Scope::kMatrix, kAlways = Scope::kAlways, kScene = Scope::kScene,
                kScroll = Scope::kScroll, kPresented = Scope::kPresented;
// What is in the table first wins: inside a matrix the arrows are the cursor's.
constexpr std::array kBindings{
    KeyBinding{"Page Down", "Next step", "transport/next", kPresented, ImGuiKey_PageDown, 0, false, true, presentStep<1>},
    KeyBinding{"Page Up", "Previous step", "transport/previous", kPresented, ImGuiKey_PageUp, 0, false, true,
               presentStep<-1>},
    KeyBinding{"→", "Next column", "cell", kMatrix, ImGuiKey_RightArrow, 0, false, true, move<0, 1>},
    KeyBinding{"←", "Previous column", "cell", kMatrix, ImGuiKey_LeftArrow, 0, false, true, move<0, -1>},
    KeyBinding{"↑", "Row above", "cell", kMatrix, ImGuiKey_UpArrow, 0, false, true, move<-1, 0>},
    KeyBinding{"↓", "Row below", "cell", kMatrix, ImGuiKey_DownArrow, 0, false, true, move<1, 0>},
    KeyBinding{"Home", "Start of the row", "matrix/row-start", kMatrix, ImGuiKey_Home, 0, false, false, move<0, -kFar>},
    KeyBinding{"End", "End of the row", "matrix/row-end", kMatrix, ImGuiKey_End, 0, false, false, move<0, kFar>},
    KeyBinding{"Ctrl + Home", "First cell", "matrix/first", kMatrix, ImGuiKey_Home, kCtrl, false, false,
               move<-kFar, -kFar>},
    KeyBinding{"Page Up", "Previous matrix", "matrix/previous", kMatrix, ImGuiKey_PageUp, 0, false, true, matrix<-1>},
    KeyBinding{"Page Down", "Next matrix", "matrix/next", kMatrix, ImGuiKey_PageDown, 0, false, true, matrix<1>},
    KeyBinding{"Enter", "Edit the chosen cell", "matrix/enter", kMatrix, ImGuiKey_Enter, 0, false, false, editChosenCell},
    KeyBinding{"E", "Edit and compare", "header/lab", kStage, ImGuiKey_E, 0, true, false, laboratory},
    KeyBinding{"X", "Export", "header/export", kStage, ImGuiKey_X, 0, true, false, exports},
    KeyBinding{"X", "Export", "header/export", kScene, ImGuiKey_X, 0, true, false, exports},
    KeyBinding{".", "Next step", "transport/next", kMatrix, ImGuiKey_Period, 0, true, true, step<1>},
    KeyBinding{",", "Previous step", "transport/previous", kMatrix, ImGuiKey_Comma, 0, true, true, step<-1>},
    KeyBinding{"Esc", "Leave the matrix, close a panel", "matrix/leave", kAlways, ImGuiKey_Escape, 0, false, false,
               escape},
    KeyBinding{"→", "Next step", "transport/next", kStage, ImGuiKey_RightArrow, 0, false, true, step<1>},
    KeyBinding{"←", "Previous step", "transport/previous", kStage, ImGuiKey_LeftArrow, 0, false, true, step<-1>},
    KeyBinding{"Shift + →", "Next stage", "transport/next-stage", kStage, ImGuiKey_RightArrow, kShift, false, true,
               stage<1>},
    KeyBinding{"Shift + ←", "Previous stage", "transport/previous-stage", kStage, ImGuiKey_LeftArrow, kShift, false,
               true, stage<-1>},
    KeyBinding{"Home", "Back to the start", "transport/first", kStage, ImGuiKey_Home, 0, false, false, first},
    KeyBinding{"End", "Show the whole result", "transport/last", kStage, ImGuiKey_End, 0, false, false, last},
    KeyBinding{"Space", "Play to the end of the stage, or pause", "transport/play", kStage, ImGuiKey_Space, 0, false, false, play},
    KeyBinding{"↑", "Row above", "row/previous", kStage, ImGuiKey_UpArrow, 0, false, true, row<-1>},
    KeyBinding{"↓", "Row below", "row/next", kStage, ImGuiKey_DownArrow, 0, false, true, row<1>},
    KeyBinding{"[", "Previous head", "head/previous", kStage, ImGuiKey_LeftBracket, 0, true, true, head<-1>},
    KeyBinding{"]", "Next head", "head/next", kStage, ImGuiKey_RightBracket, 0, true, true, head<1>},
    KeyBinding{"1", "One step is a stage", "grain/stage", kStage, ImGuiKey_1, 0, true, false,
               setGrain<app::Grain::kStage>},
    KeyBinding{"2", "One step is a row", "grain/row", kStage, ImGuiKey_2, 0, true, false, setGrain<app::Grain::kRow>},
    KeyBinding{"3", "One step is a cell", "grain/cell", kStage, ImGuiKey_3, 0, true, false,
               setGrain<app::Grain::kCell>},
    KeyBinding{"4", "One step is one multiply-add", "grain/term", kStage, ImGuiKey_4, 0, true, false,
               setGrain<app::Grain::kTerm>},
    KeyBinding{"O", "Follow one row, or go stage by stage", "order", kStage, ImGuiKey_O, 0, true, false, otherOrder},
    KeyBinding{"M", "Next mask", "mask", kStage, ImGuiKey_M, 0, true, false, nextMask},
    KeyBinding{"Enter", "Move the keyboard into the matrix", "matrix/enter", kStage, ImGuiKey_Enter, 0, false, false,
               enterMatrix},
    KeyBinding{"+", "Larger picture", "stage/zoom-in", kStage, ImGuiKey_Equal, kWritten, true, true, zoom<1>},
    KeyBinding{"−", "Smaller picture", "stage/zoom-out", kStage, ImGuiKey_Minus, kWritten, true, true, zoom<-1>},
    KeyBinding{"0", "Follow the step with the picture", "stage/fit", kStage, ImGuiKey_0, 0, true, false, fit},
    KeyBinding{"→", "Next value of the main control", "scenes/more", kScene, ImGuiKey_RightArrow, 0, false, true,
               stepMain<1>},
    KeyBinding{"←", "Previous value of the main control", "scenes/less", kScene, ImGuiKey_LeftArrow, 0, false, true,
               stepMain<-1>},
    KeyBinding{"Shift + →", "Next scene", "scenes/next", kScene, ImGuiKey_RightArrow, kShift, false, false, scene<1>},
    KeyBinding{"Shift + ←", "Previous scene", "scenes/previous", kScene, ImGuiKey_LeftArrow, kShift, false, false,
               scene<-1>},
    KeyBinding{"↓", "Scroll down", "page/title", kScroll, ImGuiKey_DownArrow, 0, false, true, scrollLines<3>},
    KeyBinding{"↑", "Scroll up", "page/title", kScroll, ImGuiKey_UpArrow, 0, false, true, scrollLines<-3>},
    KeyBinding{"Page Down", "Scroll down by a screen", "page/title", kScroll, ImGuiKey_PageDown, 0, false, true,
               scrollScreens<1>},
    KeyBinding{"Page Up", "Scroll up by a screen", "page/title", kScroll, ImGuiKey_PageUp, 0, false, true,
               scrollScreens<-1>},
    KeyBinding{"Home", "Scroll to the top", "page/title", kScroll, ImGuiKey_Home, 0, false, false,
               scrollLines<-kAllTheWay>},
    KeyBinding{"End", "Scroll to the end", "page/title", kScroll, ImGuiKey_End, 0, false, false, scrollLines<kAllTheWay>},
    KeyBinding{"?", "This help", "header/help", kAlways, ImGuiKey_Slash, kShift, true, false, help},
    KeyBinding{"Ctrl + Z", "Undo a choice", "history/undo", kAlways, ImGuiKey_Z, kCtrl, false, true, undo},
    KeyBinding{"Shift + Ctrl + Z", "Redo", "history/redo", kAlways, ImGuiKey_Z, kCtrl | kShift, false, true, redo},
    KeyBinding{"Ctrl + Y", "Redo", "history/redo", kAlways, ImGuiKey_Y, kCtrl, false, true, redo},
};

// Ctrl and Cmd are one modifier.
int heldMods() {
  const ImGuiIO& io = ImGui::GetIO();
  return (io.KeyCtrl || io.KeySuper ? kCtrl : 0) | (io.KeyShift ? kShift : 0) |
         (io.KeyAlt ? static_cast<int>(ImGuiMod_Alt) : 0);
}

bool applies(const Frame& frame, const KeyBinding& binding) {
  if (binding.letter && !frame.view.letter_keys) return false;
  if (binding.scope == Scope::kAlways) return true;
  if (binding.scope == Scope::kPresented) return presents(frame) && !openSheet(frame.view);
  if (binding.scope == Scope::kScroll)
    return sheetHasFocus(frame) || (inScene(frame) && (frame.view.stage_focused || !frame.recorder.focused.empty()));
  if (!frame.recorder.focused.empty() || !frame.view.stage_focused) return false;
  if (inScene(frame)) return binding.scope == Scope::kScene;
  return binding.scope == Scope::kStage || (binding.scope == Scope::kMatrix && frame.view.in_matrix);
}

bool held(const KeyBinding& binding, int mods) {
  return binding.mods == kWritten ? (mods & ~kShift) == 0 : binding.mods == mods;
}

// Tab and Shift+Tab go from the stage ("") through every control that can act, and back to the stage.
void cycleFocus(Frame& frame, int by) {
  std::vector<std::string> stops{""};
  for (const Control* each : inReadingOrder(frame.recorder))
    if (each->enabled) stops.push_back(each->id);
  const auto at = std::find(stops.begin(), stops.end(), frame.recorder.focused);
  const int count = static_cast<int>(stops.size());
  const int now = at == stops.end() ? 0 : static_cast<int>(at - stops.begin());
  frame.recorder.focused = stops[static_cast<std::size_t>((now + by + count) % count)];
}

bool nudgeHandle(Frame& frame, const Control& control) {
  const int x = ImGui::IsKeyPressed(ImGuiKey_RightArrow) - ImGui::IsKeyPressed(ImGuiKey_LeftArrow);
  const int y = ImGui::IsKeyPressed(ImGuiKey_UpArrow) - ImGui::IsKeyPressed(ImGuiKey_DownArrow);
  if (x != 0 || y != 0) frame.recorder.nudge(control.id, x, y);
  return x != 0 || y != 0;
}

// A focused control keeps its own keys: Enter and Space press it, arrows move a slider or a choice.
bool workFocused(Frame& frame) {
  const Control* control = frame.recorder.byId(frame.recorder.focused);
  if (!control) return false;
  if (ImGui::IsKeyPressed(ImGuiKey_Enter, false) || ImGui::IsKeyPressed(ImGuiKey_Space, false)) {
    frame.recorder.activate(control->id);
    return true;
  }
  if (control->handle) return nudgeHandle(frame, *control);
  const int by = (ImGui::IsKeyPressed(ImGuiKey_RightArrow) || ImGui::IsKeyPressed(ImGuiKey_UpArrow)) -
                 (ImGui::IsKeyPressed(ImGuiKey_LeftArrow) || ImGui::IsKeyPressed(ImGuiKey_DownArrow));
  if (by == 0) return false;
  if (control->role == Role::kSlider) {
    frame.recorder.setValue(control->id, control->value + by * control->step);
    return true;
  }
  if (control->role != Role::kRadio) return false;
  const std::string group = control->id.substr(0, control->id.rfind('/') + 1);
  const auto& all = frame.recorder.controls();
  const int count = static_cast<int>(all.size()), at = static_cast<int>(control - all.data());
  const int next = at + by;
  if (next < 0 || next >= count || all[static_cast<std::size_t>(next)].id.rfind(group, 0) != 0) return true;
  frame.recorder.focused = all[static_cast<std::size_t>(next)].id;
  frame.recorder.activate(frame.recorder.focused);
  return true;
}

}  // namespace

std::span<const KeyBinding> keyBindings() { return kBindings; }

std::string_view keysOf(std::string_view control) {
  std::string_view found;
  for (const KeyBinding& each : kBindings) {
    const bool group = control.rfind(each.control, 0) == 0 && control.substr(each.control.size()).rfind("/", 0) == 0;
    if (each.control != control && !group) continue;
    if (each.scope == Scope::kPresented) continue;
    if (each.scope != Scope::kMatrix) return each.shown;
    if (found.empty()) found = each.shown;
  }
  return found;
}

void handleKeys(Frame& frame) {
  const bool tab = ImGui::IsKeyPressed(ImGuiKey_Tab) && !ImGui::GetIO().KeyCtrl;
  if (ImGui::GetIO().WantTextInput) {
    if (frame.view.environment.page_owns_focus || !tab) return;
    ImGui::ClearActiveID();  // what was written stands, and the keyboard goes on
  }
  // A control that has gone leaves the keyboard to the stage.
  if (!frame.recorder.byId(frame.recorder.focused)) frame.recorder.focused.clear();
  const bool ours = !frame.view.environment.page_owns_focus;
  if (ours && tab) {
    frame.view.keyboard = true;
    return cycleFocus(frame, ImGui::GetIO().KeyShift ? -1 : 1);
  }
  if (ImGui::IsMouseClicked(ImGuiMouseButton_Left)) frame.view.keyboard = false;
  if (ours && heldMods() == 0 && !frame.recorder.focused.empty() && workFocused(frame)) {
    frame.view.keyboard = true;
    return;
  }
  const int mods = heldMods();
  std::array<bool, ImGuiKey_NamedKey_COUNT> taken{};
  for (const KeyBinding& each : kBindings) {
    bool& done = taken[static_cast<std::size_t>(each.key - ImGuiKey_NamedKey_BEGIN)];
    if (done || !held(each, mods) || !applies(frame, each) || !ImGui::IsKeyPressed(each.key, each.repeats)) continue;
    done = frame.view.keyboard = true;
    each.run(frame);
  }
}

}  // namespace attn::ui
