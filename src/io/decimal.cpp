// Most numbers have so few digits that one multiplication is exact; the others go through strtod, whose reading is exact.
#include "io/decimal.h"

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>

namespace attn::io {
namespace {

// A double and the middle between two of them have at most 767 digits; one more digit says whether others follow.
constexpr std::size_t kMostDigits = 780;
constexpr long long kFarExponent = 1'000'000'000'000'000;

constexpr double kPowers[] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,  1e8,  1e9,  1e10, 1e11,
                              1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};

long long exponentOf(std::string_view text) {
  const bool negative = !text.empty() && text[0] == '-';
  long long value = 0;
  for (const char c : text) {
    if (c >= '0' && c <= '9') value = std::min(value * 10 + (c - '0'), kFarExponent);
  }
  return negative ? -value : value;
}

// A number without its sign: `mantissa`, which is exact for up to 19 digits, or `digits`, times ten to `scale`.
struct Decimal {
  char digits[kMostDigits + 32];
  std::size_t count = 0;
  std::uint64_t mantissa = 0;
  long long scale = 0;

  void add(char c, bool fraction) {
    if (count == 0 && c == '0') {
      scale -= fraction;
    } else if (count < kMostDigits) {
      digits[count++] = c;
      if (count <= 19) mantissa = mantissa * 10 + static_cast<std::uint64_t>(c - '0');
      scale -= fraction;
    } else {
      if (c != '0') digits[kMostDigits - 1] = std::max(digits[kMostDigits - 1], '1');  // not exactly in the middle
      scale += !fraction;
    }
  }

  double value() {
    if (count == 0) return 0;
    if (count <= 19 && mantissa <= std::uint64_t(1) << 53 && scale >= -22 && scale <= 22) {
      const auto exact = static_cast<double>(mantissa);
      return scale < 0 ? exact / kPowers[-scale] : exact * kPowers[scale];
    }
    std::snprintf(digits + count, sizeof digits - count, "e%lld", scale);
    return std::strtod(digits, nullptr);
  }
};

}  // namespace

double decimalValue(std::string_view text) {
  const bool negative = !text.empty() && text[0] == '-';
  Decimal decimal;
  bool fraction = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (c >= '0' && c <= '9') {
      decimal.add(c, fraction);
    } else if (c == '.') {
      fraction = true;
    } else if (c == 'e' || c == 'E') {
      decimal.scale += exponentOf(text.substr(i + 1));
      break;
    }
  }
  const double value = decimal.value();
  return negative ? -value : value;
}

}  // namespace attn::io
