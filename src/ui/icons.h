// Small signs drawn as shapes, so that no face has to hold them.
#pragma once
#include "figure/color.h"
#include "imgui.h"

namespace attn::ui {

enum class Icon {
  kNone,
  kFirst,
  kPreviousStage,
  kPreviousStep,
  kPlay,
  kPause,
  kNextStep,
  kNextStage,
  kLast,
  kMenu,
  kClose,
  kUndo,
  kRedo,
  kUp,
  kDown,
  kCheck,
  kPlus,
  kMinus,
  kDice,
};

// Within a square of `size` around `center`.
void drawIcon(ImDrawList& list, Icon icon, ImVec2 center, float size, figure::Color color, float alpha = 1);

}  // namespace attn::ui
