// Elements of every type as numbers and as texts, in both byte orders.
#include "io/element_type.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <string>
#include <vector>

#include "core/half.h"
#include "core/rng.h"

namespace {

using namespace attn;
using io::ElementType;

constexpr double kInfinity = std::numeric_limits<double>::infinity();

// The lowest `bytes` bytes of `bits`.
std::vector<std::byte> bytesOf(std::uint64_t bits, std::size_t bytes, bool big_endian) {
  std::vector<std::byte> out;
  for (std::size_t i = 0; i < bytes; ++i) out.push_back(static_cast<std::byte>(bits >> (8 * i)));
  if (big_endian) std::reverse(out.begin(), out.end());
  return out;
}

double valueOf(std::uint64_t bits, ElementType type, bool big_endian = false) {
  return io::valueAt(bytesOf(bits, io::typeBytes(type), big_endian).data(), type, big_endian);
}

std::string textOf(std::uint64_t bits, ElementType type, bool big_endian = false) {
  return io::valueText(bytesOf(bits, io::typeBytes(type), big_endian).data(), type, big_endian);
}

// The digits that a decimal needs: "0.00120" has 3, "1200" 2.
std::size_t digitsOf(const std::string& text) {
  std::string digits;
  for (const char c : text.substr(0, text.find('e')))
    if (c >= '0' && c <= '9') digits += c;
  digits.erase(0, digits.find_first_not_of('0'));
  while (!digits.empty() && digits.back() == '0') digits.pop_back();
  return digits.size();
}

}  // namespace

TEST_CASE("an element of any type and byte order has its value and its text") {
  const struct {
    ElementType type;
    std::uint64_t bits;
    double value;
    const char* text;
  } kCases[] = {
      {ElementType::kBool, 0, 0, "0"},
      {ElementType::kBool, 1, 1, "1"},
      {ElementType::kBool, 0x80, 1, "1"},
      {ElementType::kI8, 0x80, -128, "-128"},
      {ElementType::kU8, 0xFF, 255, "255"},
      {ElementType::kI16, 0xFFFE, -2, "-2"},
      {ElementType::kU16, 0xFFFE, 65534, "65534"},
      {ElementType::kI32, 0x80000000u, -2147483648.0, "-2147483648"},
      {ElementType::kU32, 0x01020304u, 16909060, "16909060"},
      {ElementType::kI64, UINT64_MAX, -1, "-1"},
      {ElementType::kI64, (1ull << 53) + 1, 9007199254740992.0, "9007199254740993"},
      {ElementType::kU64, UINT64_MAX, 18446744073709551616.0, "18446744073709551615"},
      {ElementType::kF16, 0x3C00, 1, "1"},
      {ElementType::kF16, 0x2E66, 0.0999755859375, "0.1"},
      {ElementType::kF16, 0x8001, -0x1p-24, "-6e-8"},
      {ElementType::kF16, 0x7BFF, 65504, "65500"},
      {ElementType::kF16, 0xFC00, -kInfinity, "-inf"},
      {ElementType::kBF16, 0x3DCD, 0.10009765625, "0.1"},
      {ElementType::kBF16, 0x7F7F, 0x1.FEp127, "3.39e38"},
      {ElementType::kBF16, 0x8000, 0, "-0"},
      {ElementType::kF32, 0x3DCCCCCDu, 0.10000000149011612, "0.1"},
      {ElementType::kF32, 0x00000001u, 0x1p-149, "1e-45"},
      {ElementType::kF32, 0x4B800000u, 16777216, "16777216"},
      {ElementType::kF32, 0x7F7FFFFFu, 0x1.FFFFFEp127, "3.4028235e38"},
      {ElementType::kF32, 0x80000000u, 0, "-0"},
      {ElementType::kF32, 0x7F800000u, kInfinity, "inf"},
      {ElementType::kF64, 0x3FB999999999999Aull, 0.1, "0.1"},
      {ElementType::kF64, 0xC006A09E667F3BCDull, -2.8284271247461903, "-2.8284271247461903"},
      {ElementType::kF64, 0x8000000000000000ull, 0, "-0"},
  };
  for (const auto& c : kCases) {
    for (const bool big_endian : {false, true}) {
      CAPTURE(io::typeName(c.type));
      CAPTURE(c.text);
      CAPTURE(big_endian);
      CHECK(valueOf(c.bits, c.type, big_endian) == c.value);
      CHECK(textOf(c.bits, c.type, big_endian) == c.text);
    }
  }
  CHECK(std::signbit(valueOf(0x8000, ElementType::kF16)));
}

TEST_CASE("what is no number is nan in every floating-point type") {
  CHECK(textOf(0x7E00, ElementType::kF16) == "nan");
  CHECK(textOf(0xFFFF, ElementType::kBF16) == "nan");
  CHECK(textOf(0xFFC00000u, ElementType::kF32) == "nan");
  CHECK(textOf(0x7FF8000000000000ull, ElementType::kF64) == "nan");
}

TEST_CASE("the text of every two-byte number reads back as its bits, and one digit less never does") {
  const struct {
    ElementType type;
    std::uint16_t (*round)(float);
    unsigned infinity;
  } kCases[] = {{ElementType::kF16, core::toHalf, 0x7C00}, {ElementType::kBF16, core::toBfloat, 0x7F80}};
  for (const auto& c : kCases) {
    CAPTURE(io::typeName(c.type));
    int wrong = 0, too_long = 0;
    for (unsigned bits = 1; bits < c.infinity; ++bits) {
      const std::string text = textOf(bits, c.type);
      // So short a decimal is never within a float's rounding of the middle of two such numbers without being it.
      wrong += c.round(std::strtof(text.c_str(), nullptr)) != bits;
      wrong += textOf(bits | 0x8000u, c.type) != "-" + text;
      const std::size_t digits = digitsOf(text);
      char shorter[40];
      if (digits < 2) continue;
      std::snprintf(shorter, sizeof shorter, "%.*e", static_cast<int>(digits) - 2, valueOf(bits, c.type));
      too_long += c.round(std::strtof(shorter, nullptr)) == bits;
    }
    CHECK(wrong == 0);
    CHECK(too_long == 0);
  }
}

TEST_CASE("the text of any float or double reads back as its bits") {
  core::Rng rng(12);
  int wrong = 0;
  for (int i = 0; i < 20000; ++i) {
    const std::uint64_t bits = rng.next(), low = bits & 0xFFFFFFFFu;
    const double wide = valueOf(bits, ElementType::kF64);
    const double narrow = valueOf(low, ElementType::kF32);
    if (!std::isnan(wide)) wrong += std::strtod(textOf(bits, ElementType::kF64).c_str(), nullptr) != wide;
    if (!std::isnan(narrow)) {
      wrong += static_cast<double>(std::strtof(textOf(low, ElementType::kF32).c_str(), nullptr)) != narrow;
    }
  }
  CHECK(wrong == 0);
}

TEST_CASE("every type has the name and the size that NumPy gives it") {
  const struct {
    ElementType type;
    const char* name;
    std::size_t bytes;
    bool floating;
  } kCases[] = {{ElementType::kBool, "bool", 1, false},       {ElementType::kI8, "int8", 1, false},
                {ElementType::kI16, "int16", 2, false},       {ElementType::kI32, "int32", 4, false},
                {ElementType::kI64, "int64", 8, false},       {ElementType::kU8, "uint8", 1, false},
                {ElementType::kU16, "uint16", 2, false},      {ElementType::kU32, "uint32", 4, false},
                {ElementType::kU64, "uint64", 8, false},      {ElementType::kF16, "float16", 2, true},
                {ElementType::kBF16, "bfloat16", 2, true},    {ElementType::kF32, "float32", 4, true},
                {ElementType::kF64, "float64", 8, true},      {ElementType::kText, "text", 0, false}};
  for (const auto& c : kCases) {
    CHECK(io::typeName(c.type) == c.name);
    CHECK(io::typeBytes(c.type) == c.bytes);
    CHECK(io::isFloating(c.type) == c.floating);
  }
}
