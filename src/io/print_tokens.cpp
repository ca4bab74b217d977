// See print_tokens.h.
#include "io/print_tokens.h"

#include <algorithm>
#include <limits>
#include <utility>

#include "io/decimal.h"
#include "io/text.h"

namespace attn::io {
namespace {

constexpr int kMostPower = 10000;

bool isDigit(char c) { return c >= '0' && c <= '9'; }
bool isLetter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
bool opens(char c) { return c == '[' || c == '(' || c == '{'; }
bool closes(char c) { return c == ']' || c == ')' || c == '}'; }
bool begins(std::string_view text, std::string_view what) { return text.substr(0, what.size()) == what; }

// `word` is in small letters.
bool beginsInAnyCase(std::string_view text, std::string_view word) {
  if (text.size() < word.size()) return false;
  return std::equal(word.begin(), word.end(), text.begin(), [](char small, char c) {
    return small == (c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c);
  });
}

// What a print says of its array behind the numbers.
bool describes(std::string_view name) {
  static constexpr std::string_view kNames[] = {"dtype", "device", "size", "shape", "requires_grad", "grad_fn", "layout"};
  return std::find(std::begin(kNames), std::end(kNames), name) != std::end(kNames);
}

std::size_t digitsEnd(std::string_view text, std::size_t at) {
  while (at < text.size() && isDigit(text[at])) ++at;
  return at;
}

// Behind the exponent at `at`, or `at` where there is none.
std::size_t exponentEnd(std::string_view text, std::size_t at) {
  if (at >= text.size() || (text[at] != 'e' && text[at] != 'E')) return at;
  const bool has_sign = at + 1 < text.size() && (text[at + 1] == '-' || text[at + 1] == '+');
  const std::size_t first = at + 1 + has_sign;
  const std::size_t end = digitsEnd(text, first);
  return end == first ? at : end;
}

// Behind "/3" at `at`, or `at` where there is no such thing.
std::size_t fractionEnd(std::string_view text, std::size_t at) {
  if (at >= text.size() || text[at] != '/') return at;
  const std::size_t end = digitsEnd(text, at + 1);
  return end == at + 1 || text.substr(at + 1, end - at - 1).find_first_not_of('0') == std::string_view::npos ? at : end;
}

// nan, inf, infinity in any case, and ∞, when no letter follows.
std::optional<WrittenNumber> specialAt(std::string_view text) {
  static constexpr std::pair<std::string_view, bool> kWords[] = {{"infinity", true}, {"inf", true}, {"nan", false}};
  WrittenNumber number;
  number.value = std::numeric_limits<double>::infinity();
  number.length = 3;
  if (begins(text, "∞")) return number;
  for (const auto& word : kWords) {
    if (!beginsInAnyCase(text, word.first)) continue;
    const char next = text.size() > word.first.size() ? text[word.first.size()] : ' ';
    if (isLetter(next) || isDigit(next) || next == '=') continue;
    if (!word.second) number.value = std::numeric_limits<double>::quiet_NaN();
    number.length = word.first.size();
    return number;
  }
  return std::nullopt;
}

std::optional<WrittenNumber> digitsAt(std::string_view text) {
  WrittenNumber number;
  std::size_t end = digitsEnd(text, 0);
  if (end < text.size() && text[end] == '.') {
    const std::size_t last = digitsEnd(text, end + 1);
    number.decimals = last - end - 1;
    if (end == 0 && number.decimals == 0) return std::nullopt;
    end = last;
  }
  if (end == 0) return std::nullopt;
  const std::string_view written = text.substr(0, end);
  const std::size_t first = std::min(written.find_first_of("123456789"), written.size());
  number.digits = static_cast<std::size_t>(std::count_if(written.begin() + static_cast<std::ptrdiff_t>(first), written.end(), isDigit));
  const std::size_t exponent = exponentEnd(text, end), fraction = fractionEnd(text, exponent);
  number.value = decimalValue(text.substr(0, exponent));
  number.exponent = exponent > end, number.fraction = fraction > exponent;
  if (number.fraction) number.value /= decimalValue(text.substr(exponent + 1, fraction - exponent - 1));
  if (number.exponent) {
    const double power = decimalValue(text.substr(end + 1, exponent - end - 1));
    number.power = static_cast<int>(std::clamp<double>(power, -kMostPower, kMostPower));
  }
  number.length = fraction;
  return number;
}

}  // namespace

std::optional<WrittenNumber> numberAt(std::string_view text) {
  if (text.empty()) return std::nullopt;
  std::size_t sign = 0;
  bool negative = false;
  if (begins(text, "−")) sign = 3, negative = true;
  else if (text[0] == '-' || text[0] == '+') sign = 1, negative = text[0] == '-';
  const std::string_view after = text.substr(sign);
  if (after.empty()) return std::nullopt;
  const bool letter = !isDigit(after[0]) && after[0] != '.';
  std::optional<WrittenNumber> number = letter ? specialAt(after) : digitsAt(after);
  if (!number) return number;
  if (negative && number->value == number->value) number->value = -number->value;
  number->length += sign;
  return number;
}

PrintTokens::Token PrintTokens::next() {
  Token token;
  while (!rest_.empty()) {
    const char c = rest_[0];
    token.at = text_.size() - rest_.size();
    if (c == '\0') return token.kind = Kind::kZeroByte, token;
    if (begins(rest_, "...") || begins(rest_, "…")) return advance(3), token.kind = Kind::kLeftOut, token;
    if (opens(c)) return advance(1), token.kind = Kind::kOpen, token;
    if (closes(c)) return advance(1), token.kind = Kind::kClose, token;
    if (c == '\n' || c == '\r') return advance(1), token.kind = Kind::kLineEnd, token;
    if (c == '"' || c == '\'') {
      if (quoted(token)) return token;
    } else if (const std::optional<WrittenNumber> number = numberAt(rest_)) {
      token.kind = Kind::kNumber, token.number = *number;
      advance(number->length);
      return token;
    } else if (isLetter(c)) {
      word(token);
      return token;
    } else {
      advance(static_cast<std::size_t>(std::max(1, characterLength(rest_))));
    }
  }
  return Token{Kind::kEnd, text_.size(), {}, {}};
}

// "0.5" is a number, "cuda:0" is not; an apostrophe without another on its line is nothing.
bool PrintTokens::quoted(Token& token) {
  const char quote = rest_[0];
  std::size_t end = 1;
  while (end < rest_.size() && rest_[end] != quote && rest_[end] != '\n') {
    const bool escapes = rest_[end] == '\\' && end + 1 < rest_.size() && rest_[end + 1] != '\n';
    end += escapes ? 2 : 1;
  }
  const bool closed = end < rest_.size() && rest_[end] == quote;
  const std::string_view inside = rest_.substr(1, std::min(end, rest_.size()) - 1);
  advance(1);
  if (!closed) return false;
  const std::optional<WrittenNumber> number = numberAt(inside);
  const bool whole = number && number->length == inside.size();
  token.kind = whole ? Kind::kNumber : Kind::kQuoted, token.text = inside;
  if (whole) token.number = *number;
  advance(end);
  return true;
}

// A name and what it is set to: `dtype=torch.float32`, `size=(1000, 1000)`, `grad_fn=<SoftmaxBackward0>`.
void PrintTokens::word(Token& token) {
  std::size_t end = 0;
  while (end < rest_.size() && (isLetter(rest_[end]) || isDigit(rest_[end]) || rest_[end] == '.')) ++end;
  token.kind = Kind::kWord, token.text = rest_.substr(0, end);
  advance(end);
  if (begins(rest_, "=") && describes(token.text)) skipValue();
}

void PrintTokens::skipValue() {
  advance(1);
  if (rest_.empty()) return;
  if (opens(rest_[0])) return skipBrackets();
  if (rest_[0] == '\'' || rest_[0] == '"') return advance(std::min(rest_.find(rest_[0], 1), rest_.size() - 1) + 1);
  advance(std::min(rest_.find_first_of(",)]\n"), rest_.size()));
}

void PrintTokens::skipBrackets() {
  int depth = 0;
  std::size_t at = 0;
  for (; at < rest_.size(); ++at) {
    depth += opens(rest_[at]) ? 1 : closes(rest_[at]) ? -1 : 0;
    if (depth == 0) break;
  }
  advance(at + 1);
}

}  // namespace attn::io
