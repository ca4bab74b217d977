// The keys: one table that works them, names them in tooltips and fills the help panel.
#pragma once
#include <span>
#include <string>
#include <string_view>

#include "ui/frame.h"

namespace attn::ui {

// Everywhere · with the stage focused · inside a matrix · with the page of a scene focused · wherever there is something
// to scroll: the sheet that has the focus, else the page of a scene · in a presentation, wherever the focus is.
enum class Scope { kAlways, kStage, kMatrix, kScene, kScroll, kPresented };

inline constexpr int kWritten = -1;  // in place of modifiers: with Shift or without, as the layout writes the character

struct KeyBinding {
  std::string_view shown;  // "Shift + →", in English as what follows
  std::string_view does;  // "Next stage"
  std::string_view control;  // the visible control that does the same: its id, or the beginning of it
  Scope scope;
  ImGuiKey key;
  int mods;
  bool letter;  // switched off together with the single-letter keys
  bool repeats;  // while held
  void (*run)(Frame&);
};

std::span<const KeyBinding> keyBindings();

// The keys that do what the control does, as they are shown; "" when there are none.
std::string keysOf(std::string_view control);

// Reads the keys of this frame. Call after the panels have recorded their controls.
void handleKeys(Frame& frame);

// The matrix that the keyboard enters: the result of the current step, or what is given before the first.
core::Array currentArray(const app::Session& session);
void enterMatrix(Frame& frame);
void leaveMatrix(Frame& frame);

}  // namespace attn::ui
