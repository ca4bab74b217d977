// Names of the parts, and notes brought into shape.
#include "app/presentation.h"

#include <algorithm>

#include "io/text.h"

namespace attn::app {
namespace {

struct Line {
  std::string text;
  std::size_t characters = 0;
};

Line lineOf(std::string_view text) {
  Line line;
  bool gap = false;
  while (!text.empty()) {
    const int length = io::characterLength(text);
    const char32_t code = length > 0 ? io::characterAt(text, length) : U'\uFFFD';
    text.remove_prefix(static_cast<std::size_t>(std::max(1, length)));
    const bool blank = code <= U' ' || (code >= 0x7F && code < 0xA0);
    gap = gap || blank;
    if (blank) continue;
    if (gap && !line.text.empty() && ++line.characters <= kLongestNote) line.text += ' ';
    gap = false;
    if (++line.characters <= kLongestNote) io::appendCharacter(line.text, code);
  }
  return line;
}

}  // namespace

std::string partsText(const Presentation& presentation) {
  std::string text;
  for (std::size_t i = 0; i < kPartNames.size(); ++i)
    if (presentation.hidden[i]) text += (text.empty() ? "" : ".") + std::string(kPartNames[i]);
  return text;
}

std::optional<std::array<bool, kPartNames.size()>> parseParts(std::string_view text) {
  std::array<bool, kPartNames.size()> hidden{};
  while (!text.empty()) {
    const std::size_t end = std::min(text.find_first_of("., "), text.size());
    const std::string_view name = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    if (name.empty()) continue;
    const auto at = std::find(kPartNames.begin(), kPartNames.end(), name);
    if (at == kPartNames.end()) return std::nullopt;
    hidden[static_cast<std::size_t>(at - kPartNames.begin())] = true;
  }
  return hidden;
}

std::string noteText(std::string_view text) {
  Line line = lineOf(text);
  while (!line.text.empty() && line.text.back() == ' ') line.text.pop_back();
  return std::move(line.text);
}

bool isLongNote(std::string_view text) { return lineOf(text).characters > kLongestNote; }

}  // namespace attn::app
