// Two-byte floating-point numbers against their definition, computed in double, where every step is exact.
#include "core/half.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>

#include "core/rng.h"

namespace {

using namespace attn;

struct Format {
  const char* name;
  int exponent_bits, fraction_bits;
  float (*from)(std::uint16_t);
  std::uint16_t (*to)(float);

  int bias() const { return (1 << (exponent_bits - 1)) - 1; }
  unsigned specialExponent() const { return (1u << exponent_bits) - 1; }
  unsigned infinity() const { return specialExponent() << fraction_bits; }

  // Sign · 1.fraction · 2^(exponent − bias), or 0.fraction · 2^(1 − bias).
  double valueOf(unsigned bits) const {
    const double sign = bits & 0x8000u ? -1 : 1;
    const int exponent = static_cast<int>(bits >> fraction_bits & specialExponent());
    const double fraction = std::ldexp(static_cast<double>(bits & ((1u << fraction_bits) - 1)), -fraction_bits);
    if (exponent == 0) return sign * std::ldexp(fraction, 1 - bias());
    return sign * std::ldexp(1 + fraction, exponent - bias());
  }

  // A multiple of the unit of the value's power of two, ties to the even multiple; too large becomes infinite.
  double rounded(double value) const {
    const int exponent = value == 0 ? 1 - bias() : std::max(std::ilogb(value), 1 - bias());
    const int unit = exponent - fraction_bits;
    const double result = std::ldexp(std::nearbyint(std::ldexp(value, -unit)), unit);
    const double largest = valueOf(infinity() - 1);
    return std::abs(result) > largest ? std::copysign(std::numeric_limits<double>::infinity(), value) : result;
  }
};

constexpr Format kFormats[] = {{"float16", 5, 10, core::fromHalf, core::toHalf},
                               {"bfloat16", 8, 7, core::fromBfloat, core::toBfloat}};

std::uint32_t bitsOf(float value) {
  std::uint32_t bits;
  std::memcpy(&bits, &value, sizeof bits);
  return bits;
}

float floatOf(std::uint32_t bits) {
  float value;
  std::memcpy(&value, &bits, sizeof value);
  return value;
}

// Whether `value` is rounded as the definition says, with its sign.
bool roundsWell(const Format& format, float value) {
  const float result = format.from(format.to(value));
  return static_cast<double>(result) == format.rounded(value) && std::signbit(result) == std::signbit(value);
}

}  // namespace

TEST_CASE("all 65,536 values of either format have the value of their definition and go back to the same bits") {
  for (const Format& format : kFormats) {
    CAPTURE(format.name);
    int wrong_values = 0, wrong_bits = 0;
    for (unsigned bits = 0; bits < 0x10000u; ++bits) {
      const float value = format.from(static_cast<std::uint16_t>(bits));
      const unsigned magnitude = bits & 0x7FFFu;
      const bool negative = (bits & 0x8000u) != 0;
      if (std::signbit(value) != negative) ++wrong_values;
      if (magnitude > format.infinity()) wrong_values += !std::isnan(value);
      else if (magnitude == format.infinity()) wrong_values += !std::isinf(value);
      else wrong_values += static_cast<double>(value) != format.valueOf(bits);
      wrong_bits += format.to(value) != bits;
    }
    CHECK(wrong_values == 0);
    CHECK(wrong_bits == 0);
  }
}

TEST_CASE("what lies between two neighbours goes to the nearer one, and the middle to the even one") {
  for (const Format& format : kFormats) {
    CAPTURE(format.name);
    int wrong = 0;
    for (unsigned bits = 0; bits + 1 < format.infinity(); ++bits) {
      const double below = format.valueOf(bits), above = format.valueOf(bits + 1);
      const auto middle = static_cast<float>((below + above) / 2);  // one bit more: exact in a float
      const unsigned even = bits + (bits & 1u);
      for (const unsigned sign : {0u, 0x8000u}) {
        const float s = sign ? -1.0f : 1.0f;
        wrong += format.to(s * middle) != (even | sign);
        wrong += format.to(s * std::nextafter(middle, 0.0f)) != (bits | sign);
        wrong += format.to(s * std::nextafter(middle, INFINITY)) != ((bits + 1) | sign);
      }
    }
    CHECK(wrong == 0);
  }
}

TEST_CASE("half a unit above the largest number becomes infinite, and anything less does not") {
  const struct {
    const Format& format;
    float limit;
  } kCases[] = {{kFormats[0], 65520.0f}, {kFormats[1], floatOf(0x7F7F8000u)}};
  for (const auto& c : kCases) {
    CAPTURE(c.format.name);
    CHECK(c.format.to(c.limit) == c.format.infinity());
    CHECK(c.format.to(-c.limit) == (c.format.infinity() | 0x8000u));
    CHECK(c.format.to(std::nextafter(c.limit, 0.0f)) == c.format.infinity() - 1);
    CHECK(c.format.to(std::numeric_limits<float>::max()) == c.format.infinity());
    CHECK(c.format.to(INFINITY) == c.format.infinity());
  }
}

TEST_CASE("any float is rounded as its definition says") {
  for (const Format& format : kFormats) {
    CAPTURE(format.name);
    core::Rng rng(11);
    int wrong = 0;
    for (int i = 0; i < 200000; ++i) {
      const float value = floatOf(static_cast<std::uint32_t>(rng.next() >> 32));
      if (std::isfinite(value)) wrong += !roundsWell(format, value);
    }
    CHECK(wrong == 0);
  }
}

TEST_CASE("a NaN stays a NaN even where its payload does not fit") {
  for (const Format& format : kFormats) {
    CAPTURE(format.name);
    for (const std::uint32_t bits : {0x7F800001u, 0x7F801000u, 0x7FC00000u, 0x7FFFFFFFu, 0xFF800001u, 0xFFC12345u}) {
      CAPTURE(bits);
      const std::uint16_t small = format.to(floatOf(bits));
      CHECK(std::isnan(format.from(small)));
      CHECK((small >> 15) == (bits >> 31));
    }
    CHECK(bitsOf(format.from(0x8000u)) == 0x80000000u);
  }
}
