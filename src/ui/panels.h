// The parts of the screen around the stage; each draws one panel and emits Actions.
#pragma once
#include <span>
#include <string>
#include <string_view>

#include "app/explain.h"
#include "core/gate.h"
#include "ui/frame.h"
#include "ui/layout.h"

namespace attn::ui {

struct Option;

void drawHeader(Frame& frame, const Rect& area, bool narrow);
// The open scene is about the example: the way back to it, with its edits, where it was left.
bool aboutExample(const Frame& frame);
float backToStageWidth(const Frame& frame);
void backToStage(Frame& frame, const Rect& rect);
// "Copy link": the address of this moment, and words about it.
void copyLink(Frame& frame);
void drawContents(Frame& frame, Panel& panel);  // the examples and opened documents
void drawExplanation(Frame& frame, Panel& panel);  // the step in words and numbers
void drawDistribution(Frame& frame, Panel& panel, const app::Explanation& explanation);
ATTN_GATE void drawSettings(Frame& frame, Panel& panel);  // how numbers and the screen look
void drawChoices(Frame& frame, Panel& panel);  // order, grain, row, mask: on narrow screens
ATTN_GATE void drawHelp(Frame& frame, Panel& panel);
ATTN_GATE void drawAbout(Frame& frame, Panel& panel);

// That the words are about other numbers than the picture shows; "" where they are not.
std::string wordsAreOf(const app::Session& session);

inline constexpr std::string_view kColumnSums = trLater("How much each source is read");

// The transport bar; compact, it holds only what steps.
float transportHeight(Frame& frame, float width, bool compact);
void drawTransport(Frame& frame, const Rect& area, bool compact);

// Above the picture while the keyboard is inside a matrix; no height otherwise.
float readingHeight(Frame& frame, float width);
void drawReading(Frame& frame, const Rect& area);

// In a sheet: what is drawn by other means than those below, for the mirror.
void tell(Frame& frame, std::string_view text, Role role);
// Titles and small print inside panels: each moves the pen down.
void heading(Frame& frame, Panel& panel, std::string_view text);
void body(Frame& frame, Panel& panel, std::string_view text);
void note(Frame& frame, Panel& panel, std::string_view text);
// A titled choice, as wide as the panel; the option just chosen, or −1.
int pick(Frame& frame, Panel& panel, std::string_view id, std::string_view title, std::span<const Option> options, int current);

}  // namespace attn::ui
