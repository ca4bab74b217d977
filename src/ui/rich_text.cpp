// Words of a page: indices below the line, lines broken once. Knows no block.
#include <cctype>

#include "core/utf8.h"
#include "ui/scene_view.h"

namespace attn::ui {
namespace {

bool isLetter(char c) { return std::isalpha(static_cast<unsigned char>(c)) != 0; }
bool isWord(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

// A letter of another script; signs such as √ and · begin with other bytes.
bool endsLetter(std::string_view text) {
  std::size_t at = text.size();
  while (at > 0 && (static_cast<unsigned char>(text[at - 1]) & 0xC0) == 0x80) --at;
  const unsigned char lead = at > 0 ? static_cast<unsigned char>(text[at - 1]) : 0;
  const bool times = text.size() >= 2 && text.substr(text.size() - 2) == "×";
  return lead > 0xC2 && lead != 0xE2 && !times;
}

// The underscore of an index stands after one letter: d_k, W_Q, √d_k; not in row_sum.
bool startsIndex(std::string_view text, std::size_t at) {
  if (text[at] != '_' || at == 0 || at + 1 >= text.size() || !isLetter(text[at - 1])) return false;
  if (at >= 2 && (isWord(text[at - 2]) || endsLetter(text.substr(0, at - 1)))) return false;
  return isWord(text[at + 1]) && text[at + 1] != '_';
}

float widthOf(const Frame& frame, const TextStyle& style, std::string_view text, bool index) {
  return measure(style.face, frame.size(style.size) * (index ? kIndexSize : 1), text).x;
}

// Bytes of the longest beginning within the width; at least one character.
std::size_t fittingRich(const Frame& frame, const TextStyle& style, std::string_view text, float width) {
  std::size_t at = 0;
  while (at < text.size()) {
    const std::size_t next = at + core::nextChar(text, at).bytes;
    if (at > 0 && richWidth(frame, style, text.substr(0, next)) > width) break;
    at = next;
  }
  return at;
}

class LineBreaker {
 public:
  LineBreaker(const Frame& frame, const TextStyle& style, float width)
      : frame_(frame), style_(style), width_(width), space_(richWidth(frame, style, " ")) {}

  std::vector<std::string> lines(std::string_view text) {
    while (true) {
      const std::size_t end = text.find_first_of(" \n");
      if (const std::string_view word = text.substr(0, end); !word.empty()) add(word);
      if (end == std::string_view::npos) return std::move(lines_);
      if (text[end] == '\n') start();
      text.remove_prefix(end + 1);
    }
  }

 private:
  void start() {
    lines_.emplace_back();
    used_ = 0;
  }
  void add(std::string_view word) {
    float wide = richWidth(frame_, style_, word);
    if (!lines_.back().empty() && used_ + space_ + wide <= width_) {
      lines_.back() += ' ';
      used_ += space_;
    } else if (!lines_.back().empty()) {
      start();
    }
    while (wide > width_ && lines_.back().empty()) {
      const std::size_t bytes = fittingRich(frame_, style_, word, width_);
      if (bytes >= word.size()) break;
      lines_.back() = std::string(word.substr(0, bytes));
      word.remove_prefix(bytes);
      start();
      wide = richWidth(frame_, style_, word);
    }
    lines_.back() += word;
    used_ += wide;
  }

  const Frame& frame_;
  const TextStyle& style_;
  float width_, space_, used_ = 0;
  std::vector<std::string> lines_{1};
};

}  // namespace

std::vector<Run> richRuns(std::string_view text) {
  std::vector<Run> runs;
  std::size_t begin = 0;
  for (std::size_t i = 1; i < text.size(); ++i) {
    if (!startsIndex(text, i)) continue;
    std::size_t end = i + 1;
    while (end < text.size() && isWord(text[end]) && text[end] != '_') ++end;
    runs.push_back({text.substr(begin, i - begin), false});
    runs.push_back({text.substr(i + 1, end - i - 1), true});
    begin = end;
    i = end;
  }
  if (begin < text.size()) runs.push_back({text.substr(begin), false});
  return runs;
}

float richWidth(const Frame& frame, const TextStyle& style, std::string_view text) {
  float width = 0;
  for (const Run& run : richRuns(text)) width += widthOf(frame, style, run.text, run.index);
  return width;
}

float richWidth(const figure::Measure& measure, figure::Typeface face, float size, std::string_view text) {
  float width = 0;
  for (const Run& run : richRuns(text)) width += measure(face, size * (run.index ? kIndexSize : 1), run.text);
  return width;
}

void addRich(figure::Picture& picture, const figure::Measure& measure, figure::Typeface face, float size, figure::Point at,
             float anchor_x, float anchor_y, figure::Color color, std::string_view text) {
  const std::vector<Run> runs = richRuns(text);
  if (runs.size() == 1) {
    picture.add(figure::Label{at, anchor_x, anchor_y, face, size, color, std::string(text)});
    return;
  }
  float x = at.x - richWidth(measure, face, size, text) * anchor_x;
  const float y = at.y - size * anchor_y;
  for (const Run& run : runs) {
    const float own = size * (run.index ? kIndexSize : 1);
    picture.add(figure::Label{{x, y + (run.index ? size * kIndexDrop : 0)}, 0, 0, face, own, color, std::string(run.text)});
    x += measure(face, own, run.text);
  }
}

void richLine(Frame& frame, const TextStyle& style, std::string_view text, float x, float y, const Rect& bounds) {
  const float size = frame.size(style.size), height = lineHeight(frame, style), top = y + (height - size) / 2;
  float at = x;
  for (const auto& [run, index] : richRuns(text)) {
    drawText(*ImGui::GetWindowDrawList(), style.face, size * (index ? kIndexSize : 1),
             {at, top + (index ? size * kIndexDrop : 0)}, style.color, run);
    at += widthOf(frame, style, run, index);
  }
  recordText(frame, text, {x, y, at - x, height}, bounds);
}

const std::vector<std::string>& richLines(const SceneView& view, const TextStyle& style, std::string_view text,
                                          float width) {
  std::string key = std::to_string(static_cast<int>(style.face)) + ' ' + std::to_string(view.size(style.size)) + ' ' +
                    std::to_string(width) + ' ';
  key += text;
  const auto found = view.memory.lines.find(key);
  if (found != view.memory.lines.end()) return found->second;
  constexpr std::size_t kMost = 4096;  // resizing makes many
  if (view.memory.lines.size() >= kMost) view.memory.lines.clear();
  return view.memory.lines.emplace(std::move(key), LineBreaker(view.frame, style, width).lines(text)).first->second;
}

float richHeight(const SceneView& view, const TextStyle& style, std::string_view text, float width) {
  if (text.empty()) return 0;
  return static_cast<float>(richLines(view, style, text, width).size()) * lineHeight(view.frame, style);
}

float richParagraph(const SceneView& view, const TextStyle& style, std::string_view text, float x, float y,
                    float width) {
  if (text.empty()) return 0;
  const float height = lineHeight(view.frame, style);
  float top = y;
  for (const std::string& each : richLines(view, style, text, width)) {
    if (view.onScreen({x, top, width, height}) || view.frame.recorder.keep_texts)
      richLine(view.frame, style, each, x, top, {x, y, width, 1e6f});
    top += height;
  }
  return top - y;
}

}  // namespace attn::ui
