// The words and signs of a Python literal such as a .npy header is. Evaluates nothing.
#pragma once
#include <cstddef>
#include <string>
#include <string_view>

namespace attn::io {

struct PythonToken {
  enum class Kind { kEnd, kText, kNumber, kName, kSign, kWrong };
  Kind kind = Kind::kEnd;
  std::string_view text;  // of a text: what stands between its quotes, escapes as they are

  bool is(char sign) const { return kind == Kind::kSign && text.front() == sign; }
};

class PythonTokens {
 public:
  // `literal` must live longer.
  explicit PythonTokens(std::string_view literal) : literal_(literal) { advance(); }

  const PythonToken& next() const { return next_; }
  PythonToken take() {
    const PythonToken taken = next_;
    advance();
    return taken;
  }
  // Takes the next token when it is that sign.
  bool accept(char sign) {
    if (!next_.is(sign)) return false;
    advance();
    return true;
  }
  // Passes over one value with all brackets that it opens. False when it is not complete.
  bool skipValue();
  // Where the next token begins.
  std::size_t place() const { return begin_; }

 private:
  void advance();
  PythonToken quoted(std::size_t quote);

  std::string_view literal_;
  std::size_t begin_ = 0, end_ = 0;
  PythonToken next_;
};

}  // namespace attn::io
