// The signs that stand for what cannot be seen. See token_text.h.
#include "lesson/token_text.h"

#include <cassert>
#include <cstdio>
#include <optional>

#include "io/text.h"

namespace attn::lesson {
namespace {

constexpr int kMostCharacters = 60;  // of a token in a sentence or a label
constexpr std::string_view kEmpty = "∅", kSpace = "␣", kNewline = "⏎", kTab = "⇥", kNoBreak = "⍽";

std::string codePoint(char32_t code) {
  char text[16];
  std::snprintf(text, sizeof text, "U+%04X", static_cast<unsigned>(code));
  return text;
}

// Whether the token holds one of the signs that stand for what cannot be seen.
bool isOurSign(std::string_view character) {
  for (std::string_view sign : {kEmpty, kSpace, kNewline, kTab, kNoBreak})
    if (character == sign) return true;
  return false;
}

// Leaves no trace on the screen: control characters, odd spaces, marks of direction.
bool isInvisible(char32_t code) {
  const auto within = [code](char32_t first, char32_t last) { return code >= first && code <= last; };
  return code < 0x20 || within(0x7F, 0x9F) || code == 0xAD || within(0x2000, 0x200B) || within(0x200E, 0x200F) ||
         within(0x2028, 0x202F) || within(0x205F, 0x206F) || code == 0x3000 || code == 0xFEFF;
}

// Half of a split pair, as JSON escapes it and as its bytes stand for it; nothing where `rest` starts otherwise.
std::optional<char32_t> surrogateAt(std::string_view rest) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(rest[i]); };
  const bool half = rest.size() >= 3 && byte(0) == 0xED && byte(1) >= 0xA0 && byte(1) <= 0xBF && byte(2) >= 0x80 &&
                    byte(2) <= 0xBF;
  if (!half) return std::nullopt;
  return 0xD000 + (byte(1) & 0x3Fu) * 64 + (byte(2) & 0x3Fu);
}

std::string byteText(char c) {
  char text[8];
  std::snprintf(text, sizeof text, "\\x%02X", static_cast<unsigned>(static_cast<unsigned char>(c)));
  return text;
}

// A space that would not be seen: at an end of the token or beside another one.
bool hiddenSpace(std::string_view token, std::size_t at) {
  const auto space = [&](std::size_t i) { return token[i] == ' '; };
  return at == 0 || at + 1 == token.size() || space(at - 1) || space(at + 1);
}

std::string characterText(std::string_view character, char32_t code, bool show_spaces) {
  if (show_spaces && (character == "Ġ" || character == "▁")) return std::string(kSpace);
  if (code == '\n') return std::string(kNewline);
  if (code == '\t') return std::string(kTab);
  if (code == 0xA0) return std::string(kNoBreak);
  if (isInvisible(code)) return codePoint(code);
  // Told apart from what it stands for elsewhere.
  if (isOurSign(character)) return std::string(character) + "(" + codePoint(code) + ")";
  return std::string(character);
}

}  // namespace

std::string tokenText(std::string_view token, bool show_spaces) {
  if (token.empty()) return std::string(kEmpty);
  std::string text;
  int characters = 0;
  for (std::size_t at = 0; at < token.size(); ++characters) {
    if (characters == kMostCharacters) return text + "… (" + tr("{0} bytes", {token.size()}) + ")";
    const std::string_view rest = token.substr(at);
    const int length = io::characterLength(rest);
    if (const auto half = surrogateAt(rest)) {
      text += codePoint(*half);
      at += 3;
    } else if (length == 0) {
      text += byteText(token[at++]);
    } else if (rest.front() == ' ' && hiddenSpace(token, at)) {
      text += kSpace;
      ++at;
    } else {
      const auto bytes = static_cast<std::size_t>(length);
      text += characterText(rest.substr(0, bytes), io::characterAt(rest, length), show_spaces);
      at += bytes;
    }
  }
  return text;
}

std::string positionName(const Example& example, core::Index position, bool source, bool show_spaces) {
  const std::vector<std::string>& tokens = source ? example.sources : example.tokens;
  assert(position >= 0 && position < static_cast<core::Index>(tokens.size()));
  const std::string& token = tokens[static_cast<std::size_t>(position)];
  const std::string number = std::to_string(position + example.first_index);
  return token == number ? number : tr("{0} “{1}”", {number, tokenText(token, show_spaces)});
}

std::string positionText(const Example& example, core::Index position, bool source, bool show_spaces) {
  const std::string name = positionName(example, position, source, show_spaces);
  const bool number = name == std::to_string(position + example.first_index);
  return number ? tr("position {0}", {name}) : name;
}

std::string enumerated(const std::vector<std::string>& all, std::string_view last) {
  if (all.empty()) return "";
  std::string text = all.front();
  for (std::size_t n = 1; n + 1 < all.size(); ++n) text += ", " + all[n];
  return all.size() < 2 ? text : tr(last, {text, all.back()});
}

}  // namespace attn::lesson
