// A recursive-descent reader of the signs that the panel uses.
#include "app/reader.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <vector>

namespace attn::test {
namespace {

class Reader {
 public:
  explicit Reader(std::string_view text) : rest_(text) {}

  std::optional<double> whole() {
    const double value = sum();
    return failed_ || !rest_.empty() ? std::nullopt : std::optional(value);
  }

 private:
  bool take(std::string_view sign) {
    if (!rest_.starts_with(sign)) return false;
    rest_.remove_prefix(sign.size());
    return true;
  }
  void skipSpace() {
    while (take(" ")) continue;
  }

  double sum() {
    double value = product();
    for (;;) {
      skipSpace();
      if (take("+")) value += product();
      else if (take("−")) value -= product();
      else return value;
    }
  }

  double product() {
    double value = factor();
    for (;;) {
      skipSpace();
      if (take("×") || take("·")) value *= factor();
      else if (take("÷") || take("/")) value /= factor();
      else return value;
    }
  }

  double factor() {
    skipSpace();
    const double value = primary();
    return take("²") ? value * value : value;
  }

  double inBrackets() {
    const double value = sum();
    failed_ = failed_ || !take(")");
    return value;
  }

  double primary() {
    if (take("−")) return -factor();
    if (take("∞")) return std::numeric_limits<double>::infinity();
    if (take("e^(")) return std::exp(inBrackets());
    if (take("tanh(")) return std::tanh(inBrackets());
    if (take("max(")) return largest();
    if (take("√(")) return std::sqrt(inBrackets());
    if (take("√")) return std::sqrt(number());
    if (take("ln ")) return std::log(number());
    if (take("(")) return inBrackets();
    return number();
  }

  double largest() {
    double value = sum();
    while (take(",")) value = std::max(value, sum());
    failed_ = failed_ || !take(")");
    return value;
  }

  double number() {
    const std::string text(rest_.substr(0, rest_.find_first_not_of("0123456789.e-")));
    char* end = nullptr;
    const double value = std::strtod(text.c_str(), &end);
    if (end == text.c_str()) return failed_ = true, 0;
    rest_.remove_prefix(static_cast<std::size_t>(end - text.c_str()));
    return value;
  }

  std::string_view rest_;
  bool failed_ = false;
};

std::vector<std::string_view> split(std::string_view text, std::string_view at) {
  std::vector<std::string_view> parts;
  for (std::size_t end; (end = text.find(at)) != std::string_view::npos; text.remove_prefix(end + at.size()))
    parts.push_back(text.substr(0, end));
  parts.push_back(text);
  return parts;
}

// Half a unit of the last printed digit, which a tie reaches; exact forms and whole numbers claim equality.
double tolerance(std::string_view result, double value) {
  const std::size_t exponent = result.find('e');
  if (exponent != std::string_view::npos && result.find("^") == std::string_view::npos) {
    const std::size_t point = result.find('.');
    const int digits = point == std::string_view::npos ? 0 : static_cast<int>(exponent - point - 1);
    return 0.5001 * std::pow(10, std::atoi(std::string(result.substr(exponent + 1)).c_str()) - digits);
  }
  const std::size_t point = result.find('.');
  if (point == std::string_view::npos) return 1e-9 * std::max(1.0, std::abs(value));
  return 0.5001 * std::pow(10, -static_cast<double>(result.size() - point - 1));
}

bool near(double a, double b, double limit) {
  if (std::isnan(a) || std::isnan(b)) return std::isnan(a) && std::isnan(b);
  const double rounding = 1e-15 * std::abs(b);  // a few operations on doubles of this size
  return a == b || std::abs(a - b) <= limit + rounding;
}

}  // namespace

std::optional<double> evaluated(std::string_view expression) { return Reader(expression).whole(); }

LineCheck checkLine(std::string_view line) {
  constexpr std::string_view kMark = " (rounded; hover for full precision)";
  LineCheck check;
  check.marked = line.ends_with(kMark);
  if (check.marked) line.remove_suffix(kMark.size());
  for (std::string_view part : split(line, "; ")) {
    const std::size_t label = part.rfind(": ");
    if (label != std::string_view::npos) part.remove_prefix(label + 2);
    const auto sides = split(part, " = ");
    const auto result = evaluated(sides.back());
    if (!result) continue;
    for (std::size_t n = 0; n + 1 < sides.size(); ++n) {
      const auto value = evaluated(sides[n]);
      if (!value) continue;
      ++check.equalities;
      check.wrong += !near(*value, *result, tolerance(sides.back(), *result));
    }
  }
  return check;
}

}  // namespace attn::test
