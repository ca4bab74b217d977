// Hearing a row of weights: the key and the button. In the part of the program that is fetched when it is first opened; to be
// called only while ViewState::sounds is on.
#pragma once
#include <string_view>

#include "core/gate.h"
#include "ui/layout.h"

namespace attn::ui {

inline constexpr std::string_view kHearControl = "explain/hear";

// Plays app::heardRow, or says why there is nothing to hear.
ATTN_GATE void hearRow(Frame& frame);
ATTN_GATE void drawHearing(Frame& frame, Panel& panel);

}  // namespace attn::ui
