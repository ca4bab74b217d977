// What all controls share: how they show that they have the focus, and their tooltips. For the .cpp files of widgets.h.
#pragma once
#include <string_view>

#include "ui/frame.h"

namespace attn::ui {

bool onScreen(const Rect& rect);  // some of it is inside the clip rectangle
// What has the focus is brought into view too, once per change of focus.
void focusRing(Frame& frame, const Rect& rect);
// The tooltip of the item made last: its name, the keys that do the same, and more.
void tooltipOfItem(Frame& frame, std::string_view label, std::string_view keys, std::string_view tip);
void fill(const Rect& rect, figure::Color color, float alpha = 1, ImDrawFlags corners = 0);

}  // namespace attn::ui
