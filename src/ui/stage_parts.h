// Which cells a step reads and writes. Knows no screen.
#pragma once
#include <optional>
#include <vector>

#include "app/state.h"
#include "figure/equation.h"
#include "figure/matrix_figure.h"

namespace attn::ui {

struct Part {
  core::Array array = core::Array::kX;
  bool again = false;  // the second drawing, beside what it is joined with
  figure::CellRange range;
};

struct StepParts {
  std::vector<Part> operands;
  std::vector<Part> result;  // one

  bool involves(core::Array array, bool again) const;
};

// Matrices of more rows or columns do not fit on a screen with their numbers.
inline constexpr core::Index kReadableSide = 24;

// Some matrix of the step has more rows or columns than fit on a screen with their numbers.
bool isLarge(const figure::Equation& equation, const StepParts& parts);

StepParts partsOf(const figure::Equation& equation, const app::Step& step);

}  // namespace attn::ui
