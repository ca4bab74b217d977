// The parts of the screen around the stage; each draws one panel and emits Actions.
#pragma once
#include "ui/frame.h"
#include "ui/layout.h"

namespace attn::ui {

void drawHeader(Frame& frame, const Rect& area, bool narrow);
void drawContents(Frame& frame, Panel& panel);  // the examples and opened documents
void drawExplanation(Frame& frame, Panel& panel);  // the step in words and numbers
void drawSettings(Frame& frame, Panel& panel);  // how numbers and the screen look
void drawChoices(Frame& frame, Panel& panel);  // order, grain, row, mask: on narrow screens
void drawHelp(Frame& frame, Panel& panel);
void drawAbout(Frame& frame, Panel& panel);

// The transport bar; compact, it holds only what steps.
float transportHeight(Frame& frame, float width, bool compact);
void drawTransport(Frame& frame, const Rect& area, bool compact);

// Titles and small print inside panels: each moves the pen down.
void heading(Frame& frame, Panel& panel, std::string_view text);
void body(Frame& frame, Panel& panel, std::string_view text);
void note(Frame& frame, Panel& panel, std::string_view text);

}  // namespace attn::ui
