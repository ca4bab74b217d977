// Numbers as people and machines read them. Knows no locale.
#include "core/number.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <numbers>
#include <string_view>

namespace attn::core {
namespace {

constexpr std::string_view kMinus = "−";
constexpr double kLargestFixed = 1e9;
constexpr double kExactTolerance = 1e-13;
constexpr int kLargestDenominator = 64;
// More than this and a fraction near a large random number is no longer rare.
constexpr double kLargestNumerator = 4096;
constexpr double kLargestWhole = 1e6;

std::string print(const char* format, int precision, double value) {
  std::array<char, 400> buffer;
  const int length = std::snprintf(buffer.data(), buffer.size(), format, precision, value);
  std::string text(buffer.data(), static_cast<std::size_t>(std::max(0, length)));
  std::replace(text.begin(), text.end(), ',', '.');  // the one sign that a locale may have changed
  return text;
}

bool readsBack(const char* format, int precision, double value) {
  std::array<char, 400> buffer;
  std::snprintf(buffer.data(), buffer.size(), format, precision, value);
  return std::strtod(buffer.data(), nullptr) == value;
}

// "3e-09" → "3e-9", "1.5000e+300" → "1.5e300".
std::string plainExponent(std::string text) {
  std::size_t at = text.find('e');
  if (at == std::string::npos) return text;
  if (text.find('.') < at) {
    const std::size_t last = text.find_last_not_of('0', at - 1);
    const std::size_t end = text[last] == '.' ? last : last + 1;
    text.erase(end, at - end);
    at = end;
  }
  ++at;
  if (text[at] == '+') text.erase(at, 1);
  if (text[at] == '-') ++at;
  while (at + 1 < text.size() && text[at] == '0') text.erase(at, 1);
  return text;
}

// How fixedText writes a finite magnitude: which printf form, with how many digits.
struct NumberForm {
  const char* format;
  int precision;
};

NumberForm formOf(double magnitude, int decimals) {
  if (magnitude >= kLargestFixed) return {"%.*e", decimals};
  const std::string text = print("%.*f", decimals, magnitude);
  const bool reads_as_zero = text.find_first_not_of("0.") == std::string::npos;
  if (magnitude > 0 && reads_as_zero) return {"%.*e", 0};
  return {"%.*f", decimals};
}

struct Unit {
  double value;
  std::string_view text;
};

constexpr std::array<Unit, 4> kUnits = {{{1, ""},
                                        {std::numbers::sqrt2, "√2"},
                                        {std::numbers::ln2, "ln 2"},
                                        {std::numbers::sqrt2 * std::numbers::ln2, "√2·ln 2"}}};

// p/q of the unit: "3/2", "√2", "1/2·√2".
std::string multipleText(long p, int q, const Unit& unit) {
  std::string text = std::to_string(p);
  if (q > 1) text.append("/").append(std::to_string(q));
  if (unit.text.empty()) return text;
  if (p == 1 && q == 1) return std::string(unit.text);
  return text.append("·").append(unit.text);
}

const char* machineWord(double value) {
  if (std::isnan(value)) return "nan";
  return value < 0 ? "-inf" : "inf";
}

}  // namespace

std::string fixedText(double value, int decimals) {
  if (std::isnan(value)) return "NaN";
  if (value == 0) return "0";
  const std::string sign(value < 0 ? kMinus : "");
  if (std::isinf(value)) return sign + "∞";
  const double magnitude = std::abs(value);
  const NumberForm form = formOf(magnitude, std::clamp(decimals, 0, 17));
  return sign + plainExponent(print(form.format, form.precision, magnitude));
}

bool fixedIsExact(double value, int decimals) {
  if (!std::isfinite(value) || value == 0) return true;
  const double magnitude = std::abs(value);
  const NumberForm form = formOf(magnitude, std::clamp(decimals, 0, 17));
  return readsBack(form.format, form.precision, magnitude);
}

std::optional<std::string> exactText(double value) {
  if (value == 0) return "0";
  if (!std::isfinite(value)) return std::nullopt;
  const double magnitude = std::abs(value);
  for (const Unit& unit : kUnits) {
    for (int q = 1; q <= kLargestDenominator; ++q) {
      const double p = std::round(magnitude / unit.value * q);
      const double largest = q == 1 && unit.text.empty() ? kLargestWhole : kLargestNumerator;
      if (p < 1 || p > largest) continue;
      if (std::abs(p * unit.value / q - magnitude) > kExactTolerance * magnitude) continue;
      std::string text(value < 0 ? kMinus : "");
      text += multipleText(static_cast<long>(p), q, unit);
      return text;
    }
  }
  return std::nullopt;
}

std::string fullText(double value) {
  if (!std::isfinite(value)) return machineWord(value);
  if (value == 0) return "0";
  int digits = 1;
  while (digits < 17 && !readsBack("%.*e", digits - 1, value)) ++digits;
  const std::string scientific = plainExponent(print("%.*e", digits - 1, value));
  const int exponent = std::atoi(scientific.c_str() + scientific.find('e') + 1);
  if (exponent < -5 || exponent > 16) return scientific;
  return print("%.*f", std::max(0, digits - 1 - exponent), value);
}

std::string machineText(double value) {
  return std::isfinite(value) ? print("%.*g", 17, value) : machineWord(value);
}

}  // namespace attn::core
