// What stands in prints of arrays: numbers, brackets, words, texts in quotes, lines. Knows no shape.
#pragma once
#include <cmath>
#include <cstddef>
#include <optional>
#include <string_view>

namespace attn::io {

// A number at the start of a text, and how it is written there.
struct WrittenNumber {
  double value = 0;
  std::size_t length = 0;    // bytes
  std::size_t decimals = 0;  // after the point
  std::size_t digits = 0;    // from the first that is not 0
  int power = 0;             // of 3.33e-01; 0 where there is no exponent
  bool exponent = false, fraction = false;  // 1/3 is a fraction

  // Whether its decimals say how well it is known: not of 1/3, nan and ∞.
  bool countable() const { return !fraction && std::isfinite(value); }
};

// Digits with a point and an exponent, fractions, nan, inf, infinity in any case, ∞, and a minus sign as −. A word that
// only begins so is no number.
std::optional<WrittenNumber> numberAt(std::string_view text);

// One after the other, from the beginning of the text. Everything else is passed over; so is what a word is set to that
// describes an array: `dtype=float64`, `size=(1000, 1000)`, `device='cuda:0'`.
class PrintTokens {
 public:
  enum class Kind { kNumber, kOpen, kClose, kLineEnd, kQuoted, kWord, kLeftOut, kZeroByte, kEnd };
  struct Token {
    Kind kind = Kind::kEnd;
    std::size_t at = 0;     // offset of its first byte
    std::string_view text;  // of a word; of what stands between quotes, be it a number or not
    WrittenNumber number;
  };

  explicit PrintTokens(std::string_view text) : text_(text), rest_(text) {}
  Token next();

 private:
  bool quoted(Token& token);
  void word(Token& token);
  void skipValue();
  void skipBrackets();
  void advance(std::size_t count) { rest_.remove_prefix(count < rest_.size() ? count : rest_.size()); }

  std::string_view text_, rest_;
};

}  // namespace attn::io
