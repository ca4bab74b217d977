// The line above the stage while there is a before and an after: which of them is shown, and what changed.
#pragma once
#include <string>

#include "ui/frame.h"

namespace attn::ui {

// app::changesText of the moment.
const std::string& changesOf(Frame& frame);

float comparisonHeight(Frame& frame, float width, bool narrow);  // 0 while there is nothing to compare
void drawComparison(Frame& frame, const Rect& area, bool narrow);

}  // namespace attn::ui
