// Tokens, positions and values as the screen prints them. See explain.h.
#include "app/explain.h"
#include "app/printed.h"

namespace attn::app {
namespace {

// How many bytes the mark of a tokenizer for "a space stands here" takes at the start of `rest`; 0 when there is none.
std::size_t spaceMark(std::string_view rest) {
  for (std::string_view mark : {"Ġ", "▁"})
    if (rest.starts_with(mark)) return mark.size();
  return 0;
}

// A space that would not be seen: at an end of the token or beside another one.
bool hiddenSpace(std::string_view token, std::size_t at) {
  const auto space = [&](std::size_t i) { return token[i] == ' '; };
  return at == 0 || at + 1 == token.size() || space(at - 1) || space(at + 1);
}

std::string controlPicture(char c) {
  if (c == '\n') return "⏎";
  if (c == '\t') return "⇥";
  if (c == 127) return "␡";
  return {'\xE2', '\x90', static_cast<char>(0x80 + c)};  // ␀ is U+2400
}

}  // namespace

std::string tokenText(std::string_view token, bool show_spaces) {
  if (token.empty()) return "∅";
  std::string text;
  for (std::size_t i = 0; i < token.size(); ++i) {
    const char c = token[i];
    const std::size_t mark = show_spaces ? spaceMark(token.substr(i)) : 0;
    if (mark > 0) {
      text += "␣";
      i += mark - 1;
    } else if (token.substr(i).starts_with("\xC2\xA0")) {
      text += "⍽";  // a no-break space
      ++i;
    } else if (c == ' ' && hiddenSpace(token, i)) {
      text += "␣";
    } else if ((c >= 0 && c < ' ') || c == 127) {
      text += controlPicture(c);
    } else {
      text += c;
    }
  }
  return text;
}

std::string positionText(const lesson::Example& example, Index position, bool source, bool show_spaces) {
  const std::string& token = (source ? example.sources : example.tokens)[static_cast<std::size_t>(position)];
  const std::string number = std::to_string(position + example.first_index);
  if (token == number) return "position " + number;
  return number + " “" + tokenText(token, show_spaces) + "”";
}

std::string valueText(const State& state, double value) { return Printer(state).text(value); }

}  // namespace attn::app
