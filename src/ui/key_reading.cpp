// The keys of a frame: those of the focused control first, then those of the table in keys.cpp.
#include <algorithm>
#include <array>

#include "imgui_internal.h"

#include "ui/file_menu.h"
#include "ui/keys.h"
#include "ui/open_scene.h"
#include "ui/presenting.h"
#include "ui/reading_order.h"
#include "ui/sheets.h"

namespace attn::ui {
namespace {

// Ctrl and Cmd are one modifier.
int heldMods() {
  const ImGuiIO& io = ImGui::GetIO();
  return (io.KeyCtrl || io.KeySuper ? static_cast<int>(ImGuiMod_Ctrl) : 0) | (io.KeyShift ? static_cast<int>(ImGuiMod_Shift) : 0) |
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
  return binding.mods == kWritten ? (mods & ~ImGuiMod_Shift) == 0 : binding.mods == mods;
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

using Taken = std::array<bool, ImGuiKey_NamedKey_COUNT>;

void run(Frame& frame, std::span<const KeyBinding> bindings, int mods, Taken& taken) {
  for (const KeyBinding& each : bindings) {
    bool& done = taken[static_cast<std::size_t>(each.key - ImGuiKey_NamedKey_BEGIN)];
    if (done || !held(each, mods) || !applies(frame, each) || !ImGui::IsKeyPressed(each.key, each.repeats)) continue;
    done = frame.view.keyboard = true;
    each.run(frame);
  }
}

}  // namespace

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
  Taken taken{};
  run(frame, keyBindings(), mods, taken);
  if (frame.view.file_menu) run(frame, frame.view.file_menu->keys, mods, taken);
}

}  // namespace attn::ui
