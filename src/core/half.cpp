// Bits moved between the formats, rounded as IEEE 754 asks.
#include "core/half.h"

#include <cassert>
#include <cstring>

namespace attn::core {
namespace {

// std::bit_cast is not in every library that we build with.
float floatOf(std::uint32_t bits) {
  float value;
  std::memcpy(&value, &bits, sizeof value);
  return value;
}

std::uint32_t bitsOf(float value) {
  std::uint32_t bits;
  std::memcpy(&bits, &value, sizeof bits);
  return bits;
}

}  // namespace

float fromHalf(std::uint16_t half) {
  const std::uint32_t sign = std::uint32_t(half & 0x8000u) << 16;
  const std::uint32_t magnitude = std::uint32_t(half & 0x7FFFu) << 13;
  // The exponents' zeros lie 112 apart. The product is exact, also of subnormals, and takes no branch in a loop.
  const std::uint32_t bits = bitsOf(floatOf(magnitude) * 0x1p112f);
  const std::uint32_t special = magnitude >= 0x0F800000u ? 0x7F800000u : 0;  // infinite or NaN
  return floatOf(sign | bits | special);
}

float fromBfloat(std::uint16_t bfloat) { return floatOf(std::uint32_t(bfloat) << 16); }

std::uint16_t toHalf(float value) {
  const std::uint32_t bits = bitsOf(value);
  const auto sign = static_cast<std::uint16_t>(bits >> 16 & 0x8000u);
  const std::uint32_t magnitude = bits & 0x7FFFFFFFu;
  if (magnitude > 0x7F800000u) {  // NaN: the payload's upper bits, and never an infinity
    const std::uint32_t payload = magnitude >> 13 & 0x3FFu;
    return static_cast<std::uint16_t>(sign | 0x7C00u | (payload ? payload : 0x200u));
  }
  if (magnitude >= 0x477FF000u) return static_cast<std::uint16_t>(sign | 0x7C00u);  // 65520 and above round to ∞
  if (magnitude < 0x38800000u) {
    // Below 2⁻¹⁴: adding 0.5 leaves multiples of 2⁻²⁴ in the fraction, rounded by the processor.
    return static_cast<std::uint16_t>(sign | (bitsOf(floatOf(magnitude) + 0.5f) - bitsOf(0.5f)));
  }
  const std::uint32_t rounded = magnitude + 0xFFFu + (magnitude >> 13 & 1u);
  return static_cast<std::uint16_t>(sign | (rounded - 0x38000000u) >> 13);
}

std::uint16_t toBfloat(float value) {
  const std::uint32_t bits = bitsOf(value);
  if ((bits & 0x7FFFFFFFu) > 0x7F800000u) {
    const std::uint32_t upper = bits >> 16;
    return static_cast<std::uint16_t>(upper & 0x7Fu ? upper : upper | 0x40u);
  }
  return static_cast<std::uint16_t>((bits + 0x7FFFu + (bits >> 16 & 1u)) >> 16);
}

void fromHalves(std::span<const std::uint16_t> halves, std::span<float> floats) {
  assert(halves.size() == floats.size());
  for (std::size_t i = 0; i < halves.size(); ++i) floats[i] = fromHalf(halves[i]);
}

void toHalves(std::span<const float> floats, std::span<std::uint16_t> halves) {
  assert(halves.size() == floats.size());
  for (std::size_t i = 0; i < floats.size(); ++i) halves[i] = toHalf(floats[i]);
}

}  // namespace attn::core
