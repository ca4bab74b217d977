// Sums of the exponential's and the circle's series. See steady.h.
#include "map/steady.h"

#include <cassert>
#include <cmath>

namespace attn::map {

double steadyPower(double x) {
  assert(0 <= x && x <= 1000);
  const double whole = std::floor(x), y = (whole - x) * 0.69314718055994530942;  // −ln 2 < y ≤ 0
  double sum = 1;
  for (int n = 20; n >= 1; --n) sum = 1 + sum * y / n;
  return std::ldexp(sum, -static_cast<int>(whole));
}

Turned steadyTurn(double turns) {
  assert(turns >= 0);
  const double part = turns - std::floor(turns);             // 0 … 1
  const double quarters = std::floor(4 * part + 0.5);         // the nearest quarter, 0 … 4
  const double angle = (part - quarters / 4) * 6.2831853071795864769, square = angle * angle;  // at most π/4 either way
  double cosine = 1, sine = 1;
  for (int n = 18; n >= 2; n -= 2) {
    cosine = 1 - cosine * square / (n * (n - 1));
    sine = 1 - sine * square / (n * (n + 1));
  }
  sine *= angle;
  switch (static_cast<int>(quarters) % 4) {
    case 1: return {-sine, cosine};
    case 2: return {-cosine, -sine};
    case 3: return {sine, -cosine};
    default: return {cosine, sine};
  }
}

}  // namespace attn::map
