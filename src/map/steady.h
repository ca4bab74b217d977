// Powers and turns that are the same bits on every machine: only operations that IEEE 754 rounds exactly, never libm.
// Knows nothing of what they are for.
#pragma once

namespace attn::map {

// 2^−x for 0 ≤ x ≤ 1000, relative error below 1e-14.
double steadyPower(double x);

// The point on the unit circle after so many turns ≥ 0, absolute error below 1e-14 · (1 + turns).
struct Turned {
  double cosine, sine;
};
Turned steadyTurn(double turns);

}  // namespace attn::map
