// Breaking lines and shortening them. Knows no panel.
#include "ui/text.h"

#include <cmath>

#include "ui/utf8.h"

namespace attn::ui {
namespace {

float widthOf(const Frame& frame, const TextStyle& style, std::string_view text) {
  return measure(style.face, frame.size(style.size), text).x;
}

// The bytes of the longest beginning that is not wider than `width`; at least one character.
std::size_t fitting(const Frame& frame, const TextStyle& style, std::string_view text, float width) {
  std::size_t at = 0;
  while (at < text.size()) {
    const std::size_t next = at + nextChar(text, at).bytes;
    if (at > 0 && widthOf(frame, style, text.substr(0, next)) > width) break;
    at = next;
  }
  return at;
}

// Ends the line with everything of `word` that does not fit into one.
void addWord(const Frame& frame, const TextStyle& style, std::string_view word, float width,
             std::vector<std::string>& lines) {
  std::string& last = lines.back();
  const std::string joined = last.empty() ? std::string(word) : last + " " + std::string(word);
  if (widthOf(frame, style, joined) <= width) {
    last = joined;
    return;
  }
  if (!last.empty()) lines.emplace_back();
  while (widthOf(frame, style, word) > width) {
    const std::size_t bytes = fitting(frame, style, word, width);
    lines.back() = std::string(word.substr(0, bytes));
    word.remove_prefix(bytes);
    if (word.empty()) return;
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
  if (widthOf(frame, style, text) <= width) return std::string(text);
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

}  // namespace

void tooltip(Frame& frame, std::string_view text) {
  const TextStyle style{.face = Face::kBody, .size = kSmall, .color = frame.colors.text};
  const float pad = kUnit, most = std::min(frame.size(320), ImGui::GetIO().DisplaySize.x - 4 * pad);
  const std::vector<std::string> lines = wrap(frame, style, text, most);
  float width = 0;
  for (const std::string& each : lines) width = std::max(width, widthOf(frame, style, each));
  const float height = static_cast<float>(lines.size()) * lineHeight(frame, style);
  const float w = width + 2 * pad, h = height + 1.5f * pad;
  const auto [x, y] = tooltipPlace(frame.view, w, h);
  ImDrawList& list = *ImGui::GetForegroundDrawList();
  list.AddRectFilled({x, y}, {x + w, y + h}, packed(frame.colors.raised), kRounding);
  list.AddRect({x, y}, {x + w, y + h}, packed(frame.colors.line), kRounding);
  float top = y + pad * 0.75f;
  const float size = frame.size(style.size);
  for (const std::string& each : lines) {
    drawText(list, style.face, size, {x + pad, top + frame.size(2)}, style.color, each);
    if (frame.recorder.keep_texts) {
      const Rect place{x, y, w, h};
      frame.recorder.texts.push_back({each, {x + pad, top, widthOf(frame, style, each), size}, place, place});
    }
    top += lineHeight(frame, style);
  }
}

}  // namespace attn::ui
