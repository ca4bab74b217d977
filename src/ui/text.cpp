// Breaking lines and shortening them. Knows no panel.
#include "ui/text.h"

#include <cmath>

#include "core/utf8.h"
#include "ui/glyphs.h"

namespace attn::ui {
namespace {

float widthOf(const Frame& frame, const TextStyle& style, std::string_view text) {
  return measure(style.face, frame.size(style.size), text).x;
}

// The bytes of the longest beginning that is not wider than `width`; at least one character. Widths of pieces add
// up, so what does not fit is never looked at, however long the text.
std::size_t fitting(const Frame& frame, const TextStyle& style, std::string_view text, float width) {
  std::size_t at = 0;
  float taken = 0;
  while (at < text.size()) {
    std::size_t bytes = pieceBytes(text, at);
    float more = widthOf(frame, style, text.substr(at, bytes));
    if (taken + more > width) {  // of what is drawn as one, the beginning may fit
      bytes = core::nextChar(text, at).bytes;
      more = widthOf(frame, style, text.substr(at, bytes));
    }
    taken += more;
    if (at > 0 && taken > width) break;
    at += bytes;
  }
  return at;
}

bool fits(const Frame& frame, const TextStyle& style, std::string_view text, float width) {
  return fitting(frame, style, text, width) == text.size() && widthOf(frame, style, text) <= width;
}

// Ends the line with everything of `word` that does not fit into one.
void addWord(const Frame& frame, const TextStyle& style, std::string_view word, float width,
             std::vector<std::string>& lines) {
  std::string& last = lines.back();
  const std::size_t begun = last.size();
  std::size_t bytes = fitting(frame, style, word, width);
  if (bytes == word.size()) {
    last += (begun > 0 ? " " : "") + std::string(word);
    if (widthOf(frame, style, last) <= width) return;
    last.resize(begun);
  }
  if (begun > 0) lines.emplace_back();
  for (; bytes < word.size(); bytes = fitting(frame, style, word, width)) {
    lines.back() = std::string(word.substr(0, bytes));
    word.remove_prefix(bytes);
    lines.emplace_back();
  }
  lines.back() = std::string(word);
}

Rect clip() {
  const ImVec2 low = ImGui::GetWindowDrawList()->GetClipRectMin(), high = ImGui::GetWindowDrawList()->GetClipRectMax();
  return {low.x, low.y, high.x - low.x, high.y - low.y};
}

}  // namespace

void recordText(Frame& frame, std::string_view text, const Rect& rect, const Rect& bounds) {
  if (frame.recorder.keep_texts) frame.recorder.texts.push_back({std::string(text), rect, bounds, clip()});
}

float lineHeight(const Frame& frame, const TextStyle& style) { return frame.size(style.size) * style.leading; }

std::vector<std::string> wrap(const Frame& frame, const TextStyle& style, std::string_view text, float width) {
  std::vector<std::string> lines(1);
  while (true) {
    const std::size_t end = text.find_first_of(" \n");
    const std::string_view word = text.substr(0, end);
    if (!word.empty()) addWord(frame, style, word, width, lines);
    if (end == std::string_view::npos) break;
    if (text[end] == '\n') lines.emplace_back();
    text.remove_prefix(end + 1);
  }
  return lines;
}

float paragraph(Frame& frame, const TextStyle& style, std::string_view text, float x, float y, float width) {
  if (text.empty()) return 0;
  const float height = lineHeight(frame, style), lead = (height - frame.size(style.size)) / 2;
  float top = y;
  for (const std::string& each : wrap(frame, style, text, width)) {
    drawText(*ImGui::GetWindowDrawList(), style.face, frame.size(style.size), {x, top + lead}, style.color, each);
    recordText(frame, each, {x, top, widthOf(frame, style, each), height}, {x, y, width, 1e6f});
    top += height;
  }
  return top - y;
}

std::string elided(const Frame& frame, const TextStyle& style, std::string_view text, float width) {
  if (fits(frame, style, text, width)) return std::string(text);
  const float room = width - widthOf(frame, style, "…");
  if (room <= 0) return "";
  return std::string(text.substr(0, fitting(frame, style, text, room))) + "…";
}

float line(Frame& frame, const TextStyle& style, std::string_view text, const Rect& area) {
  const std::string shown = elided(frame, style, text, area.w);
  const ImVec2 extent = measure(style.face, frame.size(style.size), shown);
  drawText(*ImGui::GetWindowDrawList(), style.face, frame.size(style.size), {area.x, area.y + (area.h - extent.y) / 2},
           style.color, shown);
  recordText(frame, shown, {area.x, area.y + (area.h - extent.y) / 2, extent.x, extent.y}, area);
  if (shown != text && resting(frame, area)) tooltip(frame, text);
  return extent.x;
}

void watchPointer(ViewState& view) {
  constexpr float kTremble = 2;
  const ImVec2 at = ImGui::GetMousePos();
  PointerRest& rest = view.pointer;
  if (!ImGui::IsMousePosValid()) {
    rest.since = -1;
  } else if (rest.since < 0 || std::abs(at.x - rest.x) > kTremble || std::abs(at.y - rest.y) > kTremble) {
    rest = {at.x, at.y, view.environment.now};
  }
}

bool pointerRests(const ViewState& view) {
  return view.pointer.since >= 0 && view.environment.now - view.pointer.since >= kTooltipDelay;
}

bool resting(const Frame& frame, const Rect& area) {
  return pointerRests(frame.view) && ImGui::IsWindowHovered() &&
         ImGui::IsMouseHoveringRect({area.x, area.y}, {area.x + area.w, area.y + area.h}) &&
         !ImGui::IsMouseDown(ImGuiMouseButton_Left);
}

namespace {

// Below the pointer, above it where there is no room, and beside the panel that is being read.
ImVec2 tooltipPlace(const ViewState& view, float w, float h) {
  const ImVec2 mouse = ImGui::GetMousePos(), screen = ImGui::GetIO().DisplaySize;
  const Rect& keep = view.kept_clear;
  const auto over = [&](float x, float y) {
    return x < keep.x + keep.w && x + w > keep.x && y < keep.y + keep.h && y + h > keep.y;
  };
  float x = std::max(0.f, std::min(mouse.x + 14, screen.x - w - 2));
  const float above = std::max(0.f, mouse.y - h - 8);
  float y = mouse.y + 20 + h > screen.y ? above : mouse.y + 20;
  if (over(x, y) && keep.x > w + kUnit) {
    x = keep.x - w - kUnit;
    if (mouse.x < keep.x && y <= mouse.y && y + h >= mouse.y) y = above;
  } else if (over(x, y) && !over(x, above)) {
    y = above;
  }
  return {x, y};
}

TextStyle tipStyle(const Frame& frame) { return {.face = Face::kBody, .size = kSmall, .color = frame.colors.text}; }

// What is told beside something, and how large it is.
struct Tip {
  std::vector<std::string> lines;
  float w = 0, h = 0;
};

Tip tipOf(const Frame& frame, std::string_view text, float width, float height) {
  const TextStyle style = tipStyle(frame);
  Tip tip{wrap(frame, style, text, std::min(frame.size(320), width - 4 * kUnit))};
  const auto most = static_cast<std::size_t>(std::max(1.f, (height - 3 * kUnit) / lineHeight(frame, style)));
  if (tip.lines.size() > most) {
    tip.lines.resize(most);
    tip.lines.back() += "…";
  }
  for (const std::string& each : tip.lines) tip.w = std::max(tip.w, widthOf(frame, style, each));
  tip.w += 2 * kUnit;
  tip.h = static_cast<float>(tip.lines.size()) * lineHeight(frame, style) + 1.5f * kUnit;
  return tip;
}

void drawTip(Frame& frame, ImDrawList& list, const Tip& tip, float x, float y) {
  const TextStyle style = tipStyle(frame);
  const Rect place{x, y, tip.w, tip.h};
  list.AddRectFilled({x, y}, {x + tip.w, y + tip.h}, packed(frame.colors.raised), kRounding);
  list.AddRect({x, y}, {x + tip.w, y + tip.h}, packed(frame.colors.line), kRounding);
  float top = y + kUnit * 0.75f;
  const float size = frame.size(style.size);
  for (const std::string& each : tip.lines) {
    drawText(list, style.face, size, {x + kUnit, top + frame.size(2)}, style.color, each);
    if (frame.recorder.keep_texts)
      frame.recorder.texts.push_back({each, {x + kUnit, top, widthOf(frame, style, each), size}, place, place});
    top += lineHeight(frame, style);
  }
}

}  // namespace

void tooltip(Frame& frame, std::string_view text) {
  const ImVec2 screen = ImGui::GetIO().DisplaySize;
  const Tip tip = tipOf(frame, text, screen.x, screen.y);
  const auto [x, y] = tooltipPlace(frame.view, tip.w, tip.h);
  drawTip(frame, *ImGui::GetForegroundDrawList(), tip, x, y);
}

void callout(Frame& frame, std::string_view text, const Rect& about, const Rect& within) {
  constexpr float kAway = 6;
  const Tip tip = tipOf(frame, text, within.w, within.h);
  const float bottom = within.y + within.h - tip.h;
  const float x = std::clamp(about.x + about.w / 2 - tip.w / 2, within.x, std::max(within.x, within.x + within.w - tip.w));
  const float above = about.y - tip.h - kAway, below = about.y + about.h + kAway;
  const float y = below <= bottom ? below : above >= within.y ? above : bottom;
  drawTip(frame, *ImGui::GetWindowDrawList(), tip, x, std::max(within.y, y));
}

}  // namespace attn::ui
