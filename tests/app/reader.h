// Reads printed arithmetic as a person with a calculator would: "(√2·ln 2) ÷ √2", "e^(2 − 1) / 1.2381". Knows nothing
// of how the lines were made.
#pragma once
#include <optional>
#include <string>
#include <string_view>

namespace attn::test {

// The value of an expression; nothing where it holds words or an ellipsis.
std::optional<double> evaluated(std::string_view expression);

struct LineCheck {
  int equalities = 0;  // "a = b" that could be evaluated
  int wrong = 0;       // those that do not hold to the printed digits
  bool marked = false; // the line says that it is rounded
};
// Splits a line at "; " and " = ", drops labels that end with ": ", and compares each evaluable part with the last.
LineCheck checkLine(std::string_view line);

}  // namespace attn::test
