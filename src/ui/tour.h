// Four cards for who is here for the first time, each about a part of the screen, which is framed meanwhile. Knows no step.
#pragma once
#include <array>
#include <string>

#include "ui/layout.h"

namespace attn::ui {

inline constexpr int kTourCards = 4;  // the picture, the words, the choices, the contents
// Where those are; without width where they are not on the screen.
using TourStops = std::array<Rect, kTourCards>;

// In the walkthrough, unless it is presented, a panel is open, or the screen is too low for a card beside the steps.
bool onTour(const app::Session& session, const ViewState& view);
std::string tourText(const ViewState& view);  // of the card that is shown
float tourHeight(Frame& frame, float width);  // 0 when there is no tour
void drawTour(Frame& frame, const Rect& area, const TourStops& stops);
void endTour(ViewState& view);

}  // namespace attn::ui
