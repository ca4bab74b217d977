// Four floats at once, in the vectors of GCC and clang: one source for every processor and for the browser. Knows no
// instruction set, and nothing of attention.
#pragma once
#include <cstdint>
#include <cstring>

namespace attn::map {

inline constexpr int kLanes = 4;
using Lanes = float __attribute__((vector_size(16)));
using LaneBits = std::uint32_t __attribute__((vector_size(16)));

inline Lanes splat(float x) { return Lanes{x, x, x, x}; }
inline Lanes larger(Lanes a, Lanes b) { return a < b ? b : a; }  // in this order, one instruction

// From and to any address.
inline Lanes load(const float* from) {
  Lanes lanes;
  std::memcpy(&lanes, from, sizeof lanes);
  return lanes;
}
inline void store(float* to, Lanes lanes) { std::memcpy(to, &lanes, sizeof lanes); }

inline float sumOf(Lanes v) { return (v[0] + v[2]) + (v[1] + v[3]); }
inline float largestOf(Lanes v) {
  const float a = v[0] > v[2] ? v[0] : v[2], b = v[1] > v[3] ? v[1] : v[3];
  return a > b ? a : b;
}

// 2^x for x ≤ 0, relative error ≤ 2e-7 down to −126; 2^0 is 1, and from −127 down it is 0. A polynomial of degree 5 on
// [−½, ½], the best one whose first coefficient is 1, and the whole part of x in the exponent's bits.
inline Lanes powerOfTwo(Lanes x) {
  const Lanes shifted = x + splat(12582912);  // 1.5·2²³: rounds to a whole number, in the lowest bits
  const Lanes f = x - (shifted - splat(12582912));
  Lanes p = f * splat(1.326472731e-3f) + splat(9.671512991e-3f);
  p = p * f + splat(5.550733581e-2f);
  p = p * f + splat(0.2402224243f);
  p = p * f + splat(0.6931470037f);
  p = p * f + splat(1);
  return (Lanes)(((LaneBits)p + ((LaneBits)shifted << 23)) & (LaneBits)(x > splat(-127)));
}

}  // namespace attn::map
