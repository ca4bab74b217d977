// Tells tokens apart, without recursion: a header may open as many brackets as it is long.
#include "io/python_literal.h"

namespace attn::io {
namespace {

bool isSpace(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\f'; }
bool isDecimalDigit(char c) { return c >= '0' && c <= '9'; }
bool isNamePart(char c) {
  return isDecimalDigit(c) || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == '.';
}

}  // namespace

// `quote` is the place of the opening quote; a text ends at the same sign, which a backslash may stand before.
PythonToken PythonTokens::quoted(std::size_t quote) {
  for (std::size_t at = quote + 1; at < literal_.size(); ++at) {
    if (literal_[at] == '\\') {
      ++at;
    } else if (literal_[at] == literal_[quote]) {
      end_ = at + 1;
      return {PythonToken::Kind::kText, literal_.substr(quote + 1, at - quote - 1)};
    }
  }
  end_ = literal_.size();
  return {PythonToken::Kind::kWrong, literal_.substr(quote)};
}

void PythonTokens::advance() {
  begin_ = end_;
  while (begin_ < literal_.size() && isSpace(literal_[begin_])) ++begin_;
  end_ = begin_;
  if (begin_ == literal_.size()) {
    next_ = {};
    return;
  }
  const char first = literal_[begin_];
  const char second = begin_ + 1 < literal_.size() ? literal_[begin_ + 1] : '\0';
  const bool prefixed = (first == 'u' || first == 'b') && (second == '\'' || second == '"');
  if (first == '\'' || first == '"' || prefixed) {
    next_ = quoted(begin_ + (prefixed ? 1 : 0));
    return;
  }
  ++end_;
  const bool minus = first == '-' && isDecimalDigit(second);
  if (!isNamePart(first) && !minus) {
    const bool known = std::string_view("{}[](),:-+").find(first) != std::string_view::npos;
    next_ = {known ? PythonToken::Kind::kSign : PythonToken::Kind::kWrong, literal_.substr(begin_, 1)};
    return;
  }
  while (end_ < literal_.size() && isNamePart(literal_[end_])) ++end_;
  const bool number = minus || isDecimalDigit(first);
  next_ = {number ? PythonToken::Kind::kNumber : PythonToken::Kind::kName, literal_.substr(begin_, end_ - begin_)};
}

bool PythonTokens::skipValue() {
  std::string open;  // the closing signs that are awaited; as long as the literal at most
  do {
    const PythonToken token = take();
    if (token.kind == PythonToken::Kind::kEnd || token.kind == PythonToken::Kind::kWrong) return false;
    if (token.is('(')) open += ')';
    else if (token.is('[')) open += ']';
    else if (token.is('{')) open += '}';
    else if (token.is(')') || token.is(']') || token.is('}')) {
      if (open.empty() || open.back() != token.text.front()) return false;
      open.pop_back();
    } else if (open.empty() && token.kind == PythonToken::Kind::kSign) {
      return false;
    }
  } while (!open.empty());
  return true;
}

}  // namespace attn::io
