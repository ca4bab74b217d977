// Two-byte floating-point numbers: IEEE 754 binary16, and bfloat16, the upper half of a float. Knows no arrays.
#pragma once
#include <cstdint>
#include <span>

namespace attn::core {

// Exact for every value; a NaN stays a NaN with the same payload bits.
float fromHalf(std::uint16_t half);
float fromBfloat(std::uint16_t bfloat);

// To the nearest, ties to even, as processors and NumPy round; what is too large becomes infinite.
std::uint16_t toHalf(float value);
std::uint16_t toBfloat(float value);

// The same of many; `floats` and `halves` are as many.
void fromHalves(std::span<const std::uint16_t> halves, std::span<float> floats);
void toHalves(std::span<const float> floats, std::span<std::uint16_t> halves);

}  // namespace attn::core
