// Arithmetic as it is printed: every number carries its text and the value that the text says, so that a line can be
// checked as a reader would check it. Knows no attention.
#pragma once
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "app/state.h"
#include "core/language.h"

namespace attn::app {

// Says that a line does not add up with its printed numbers, because they are rounded.
std::string roundedMark();  // " (rounded; hover for full precision)"

// A number or an expression: its text, and what the text comes to with the numbers as printed.
struct Printed {
  std::string text;
  double value = 0;
};

class Printer {
 public:
  Printer(bool exact, int decimals) : exact_(exact), decimals_(decimals) {}
  // Prints every number in full precision, for hovering: nothing is rounded, so nothing is marked.
  static Printer full() {
    Printer printer(false, 17);
    printer.full_ = true;
    return printer;
  }
  explicit Printer(const State& state) : Printer(state.exact, state.decimals) {}

  // Exact form when on and available, else fixed decimals; whole numbers without any.
  std::string text(double value) const;
  Printed number(double value) const;

  // A line prints either exact forms only or decimals only: `build` runs once more with decimals when a number in it
  // has no exact form.
  template <class Build>
  std::string uniform(Build build) {
    mixed_ = false;
    in_line_ = true;
    std::string line = build();
    in_line_ = false;
    if (!exact_ || !mixed_) return line;
    exact_ = false;
    line = build();
    exact_ = true;
    return line;
  }

  // Whether `expression` comes to `result` as printed.
  bool agrees(const Printed& expression, double result) const;

  // "label = expression = … = result". A label that ends with a colon is followed by a space instead of " = ".
  struct Part {
    std::string label;
    std::vector<Printed> expressions;  // each comes to the result
    double result = 0;
    std::optional<double> set = {};  // what an edit puts in its place
  };
  // The parts with "; " between them, and one mark for all unless every one adds up.
  std::string line(const std::vector<Part>& parts) const;

 private:
  std::string partText(const Part& part) const;
  std::optional<std::string> exactly(double value) const;

  bool exact_;
  int decimals_;
  bool full_ = false;
  bool in_line_ = false;  // uniform() is at its first attempt
  mutable bool mixed_ = false;  // a number without an exact form has been printed while they are on
};

Printed product(const Printed& a, const Printed& b);     // 2×(−1)
Printed quotient(const Printed& a, const Printed& b);    // 4 ÷ √2
Printed ratio(const Printed& a, const Printed& b);       // e^(0) / 1.2381
Printed times(const Printed& a, const Printed& b);       // 4 × 0.5, for a rule that acts on a whole score
Printed difference(const Printed& a, const Printed& b);  // 2 − (−1)
Printed bracketed(const Printed& a);                     // (a)
Printed exponential(const Printed& a);                   // e^(a)
Printed hyperbolicTangent(const Printed& a);             // tanh(a)
Printed squareRoot(const Printed& a);                    // √(a)
Printed square(const Printed& a);                        // (a)²
Printed largest(const std::vector<Printed>& all);        // max(a, b, …)
// "a + b + … (64 products)": from more than six terms only the first two are printed, yet all are counted, as `counted`
// says: "{0} products".
Printed sum(const std::vector<Printed>& terms, std::string_view counted = trLater("{0} numbers"));

}  // namespace attn::app
