// Elements bit by bit: the machine that this runs on may have either byte order.
#include "io/element_type.h"

#include <array>
#include <cassert>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "core/half.h"
#include "core/number.h"
#include "io/little_endian.h"

namespace attn::io {
namespace {

struct Facts {
  std::string_view name;
  std::size_t bytes;
};

// In the order of ElementType.
constexpr std::array<Facts, 14> kFacts = {{{"bool", 1},
                                           {"int8", 1},
                                           {"int16", 2},
                                           {"int32", 4},
                                           {"int64", 8},
                                           {"uint8", 1},
                                           {"uint16", 2},
                                           {"uint32", 4},
                                           {"uint64", 8},
                                           {"float16", 2},
                                           {"bfloat16", 2},
                                           {"float32", 4},
                                           {"float64", 8},
                                           {"text", 0}}};

const Facts& factsOf(ElementType type) { return kFacts[static_cast<std::size_t>(type)]; }

std::uint64_t bitsAt(const std::byte* at, std::size_t bytes, bool big_endian) {
  std::uint64_t bits = 0;
  for (std::size_t i = 0; i < bytes; ++i) {
    bits = bits << 8 | std::to_integer<std::uint64_t>(at[big_endian ? i : bytes - 1 - i]);
  }
  return bits;
}

template <class To, class From>
To sameBits(From from) {
  static_assert(sizeof(To) == sizeof(From));
  To to;
  std::memcpy(&to, &from, sizeof to);
  return to;
}

// The sign is the upper one of the type's bits.
std::int64_t signedOf(std::uint64_t bits, std::size_t bytes) {
  const auto shift = static_cast<int>(64 - 8 * bytes);
  return static_cast<std::int64_t>(bits << shift) >> shift;
}

// Rounded towards zero, with the last bit set where that is not exact: rounding this once more to fewer bits gives what
// rounding the double directly would.
float toOdd(double value) {
  auto near = static_cast<float>(value);
  if (static_cast<double>(near) == value || std::isinf(value)) return near;
  if (std::abs(static_cast<double>(near)) > std::abs(value)) near = std::nextafter(near, 0.0f);
  return sameBits<float>(sameBits<std::uint32_t>(near) | 1u);
}

// Whether the decimal reads back as `value`, which is of that type.
bool readsBack(const char* decimal, double value, ElementType type) {
  if (type == ElementType::kF32) return static_cast<double>(std::strtof(decimal, nullptr)) == value;
  const double read = std::strtod(decimal, nullptr);
  if (type == ElementType::kF16) return core::fromHalf(core::toHalf(toOdd(read))) == value;
  if (type == ElementType::kBF16) return core::fromBfloat(core::toBfloat(toOdd(read))) == value;
  return read == value;
}

// "2.5", "-0.1", "1e-7" from "2.5e+00", "-1e-01", "1e-07", which has as many digits as are needed.
std::string layOut(std::string_view scientific, int largest_fixed) {
  std::string text(scientific.front() == '-' ? "-" : "");
  const std::size_t e = scientific.find('e');
  const int exponent = std::atoi(scientific.data() + e + 1);
  std::string digits;
  for (const char c : scientific.substr(0, e))
    if (c >= '0' && c <= '9') digits += c;
  if (exponent < -5 || exponent > largest_fixed) {
    text += digits.front();
    if (digits.size() > 1) text.append(".").append(digits, 1);
    return text.append("e").append(std::to_string(exponent));
  }
  if (exponent < 0) return text.append("0.").append(static_cast<std::size_t>(-exponent - 1), '0').append(digits);
  const auto whole = static_cast<std::size_t>(exponent) + 1;
  if (digits.size() <= whole) return text.append(digits).append(whole - digits.size(), '0');
  return text.append(digits, 0, whole).append(".").append(digits, whole);
}

std::string floatText(double value, ElementType type) {
  if (std::isnan(value)) return "nan";
  if (std::isinf(value)) return value < 0 ? "-inf" : "inf";
  if (value == 0) return std::signbit(value) ? "-0" : "0";
  if (type == ElementType::kF64) return core::fullText(value);
  constexpr int kFloatDigits = 9;  // enough for a float, and so for what has fewer bits
  std::array<char, 40> decimal;
  for (int digits = 1; digits <= kFloatDigits; ++digits) {
    std::snprintf(decimal.data(), decimal.size(), "%.*e", digits - 1, value);
    if (readsBack(decimal.data(), value, type)) break;
  }
  return layOut(decimal.data(), type == ElementType::kF32 ? 7 : 4);
}

}  // namespace

std::string_view typeName(ElementType type) { return factsOf(type).name; }

std::size_t typeBytes(ElementType type) { return factsOf(type).bytes; }

bool isFloating(ElementType type) {
  return type >= ElementType::kF16 && type <= ElementType::kF64;
}

double valueAt(const std::byte* at, ElementType type, bool big_endian) {
  assert(type != ElementType::kText);
  const std::size_t bytes = typeBytes(type);
  const std::uint64_t bits = bitsAt(at, bytes, big_endian);
  switch (type) {
    case ElementType::kBool: return bits != 0 ? 1 : 0;
    case ElementType::kI8:
    case ElementType::kI16:
    case ElementType::kI32:
    case ElementType::kI64: return static_cast<double>(signedOf(bits, bytes));
    case ElementType::kF16: return core::fromHalf(static_cast<std::uint16_t>(bits));
    case ElementType::kBF16: return core::fromBfloat(static_cast<std::uint16_t>(bits));
    case ElementType::kF32: return sameBits<float>(static_cast<std::uint32_t>(bits));
    case ElementType::kF64: return sameBits<double>(bits);
    default: return static_cast<double>(bits);
  }
}

void valuesAt(const std::byte* at, std::size_t count, ElementType type, bool big_endian, double* values) {
  if (type == ElementType::kF32 && !big_endian) {  // what nearly all files have, without a question for each element
    for (std::size_t i = 0; i < count; ++i)
      values[i] = sameBits<float>(littleEndian<std::uint32_t>({at + 4 * i, 4}, 0));
    return;
  }
  const std::size_t bytes = typeBytes(type);
  for (std::size_t i = 0; i < count; ++i) values[i] = valueAt(at + i * bytes, type, big_endian);
}

std::string valueText(const std::byte* at, ElementType type, bool big_endian) {
  assert(type != ElementType::kText);
  if (isFloating(type)) return floatText(valueAt(at, type, big_endian), type);
  const std::size_t bytes = typeBytes(type);
  const std::uint64_t bits = bitsAt(at, bytes, big_endian);
  if (type == ElementType::kBool) return bits != 0 ? "1" : "0";
  const bool is_signed = type >= ElementType::kI8 && type <= ElementType::kI64;
  return is_signed ? std::to_string(signedOf(bits, bytes)) : std::to_string(bits);
}

}  // namespace attn::io
