// Text that stays within its panel: wrapped, or elided with the whole in a tooltip.
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "ui/frame.h"

namespace attn::ui {

struct TextStyle {
  Face face = Face::kBody;
  float size = kBody;  // at text scale 1
  figure::Color color;
  float leading = 1.4f;  // line height ÷ size
};

float lineHeight(const Frame& frame, const TextStyle& style);

// Broken at spaces, and within words that are wider than `width`. Line feeds in the text break too.
std::vector<std::string> wrap(const Frame& frame, const TextStyle& style, std::string_view text, float width);

// Wrapped, from the top left; the height that it took.
float paragraph(Frame& frame, const TextStyle& style, std::string_view text, float x, float y, float width);

// One line; what does not fit ends with "…" and is whole in the tooltip. The width that it took.
float line(Frame& frame, const TextStyle& style, std::string_view text, const Rect& area);
std::string elided(const Frame& frame, const TextStyle& style, std::string_view text, float width);

// Running text in which W_Q and d_k have indices; what stands in ticks, such as a name of a file, is shown as it is,
// without the ticks.
struct Run {
  std::string_view text;
  bool index = false;
};
std::vector<Run> richRuns(std::string_view text);
inline constexpr float kIndexSize = 0.74f, kIndexDrop = 0.40f;  // of the size of the text
float richWidth(const Frame& frame, const TextStyle& style, std::string_view text);
// One line from the top left, which must stay within `bounds`.
void richLine(Frame& frame, const TextStyle& style, std::string_view text, float x, float y, const Rect& bounds);

// For tests: what is drawn by other means than those above, and what it must stay within.
void recordText(Frame& frame, std::string_view text, const Rect& rect, const Rect& bounds);

// Near the pointer, but never over the panel beside the picture.
void tooltip(Frame& frame, std::string_view text);
// The same without a pointer: below what it is about, or above it, and within an area.
void callout(Frame& frame, std::string_view text, const Rect& about, const Rect& within);
// The pointer has been still for a moment, within the area.
bool resting(const Frame& frame, const Rect& area);
bool pointerRests(const ViewState& view);
// Call once a frame, before anything asks where the pointer rests.
void watchPointer(ViewState& view);

}  // namespace attn::ui
