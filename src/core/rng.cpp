// Random numbers that are the same bits everywhere. Knows nothing of what they are drawn for.
#include "core/rng.h"

#include <cassert>
#include <cmath>
#include <cstring>
#include <numeric>
#include <utility>

namespace attn::core {
namespace {

std::uint64_t splitmix(std::uint64_t& state) {
  std::uint64_t z = state += 0x9e3779b97f4a7c15;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
  z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
  return z ^ (z >> 31);
}

std::uint64_t rotateLeft(std::uint64_t x, int by) { return (x << by) | (x >> (64 - by)); }

// The natural logarithm of a normal number > 0: u = 2^e·m with m in [√½, √2), ln m = 2·artanh((m − 1) / (m + 1)).
double exactlyRoundedLog(double u) {
  std::uint64_t bits;
  std::memcpy(&bits, &u, sizeof bits);
  // Moving the boundary of the exponent from 1 to √½ (its bits).
  const std::uint64_t moved = bits - 0x3fe6a09e667f3bcd;
  const auto exponent = static_cast<std::int64_t>(moved) >> 52;
  bits -= static_cast<std::uint64_t>(exponent) << 52;
  double m;
  std::memcpy(&m, &bits, sizeof m);
  const double s = (m - 1) / (m + 1), t = s * s;
  // |s| ≤ 0.172, so the first term left out, t^12/25, is below 1e-19.
  double sum = 1.0 / 23;
  for (int k = 21; k >= 1; k -= 2) sum = sum * t + 1.0 / k;
  return static_cast<double>(exponent) * 0.69314718055994530942 + 2 * s * sum;
}

// sin and cos of 2π·u for u in [0, 1): Taylor series within an eighth of the circle, the rest by symmetry.
std::pair<double, double> sineAndCosineOfTurn(double u) {
  const double eighths = u * 8;
  const int octant = static_cast<int>(eighths);
  double part = eighths - octant;  // exact
  if (octant % 2 == 1) part = 1 - part;
  const double a = part * 0.78539816339744830962, t = a * a;
  double sine = 0, cosine = 0;
  // a ≤ π/4, so the first terms left out, a^19/19! and a^18/18!, are below 3e-18.
  for (int k = 17; k >= 1; k -= 2) sine = 1 - sine * t * (1.0 / ((k + 1) * (k + 2)));
  for (int k = 16; k >= 0; k -= 2) cosine = 1 - cosine * t * (1.0 / ((k + 1) * (k + 2)));
  sine *= a;
  if (octant == 1 || octant == 2 || octant == 5 || octant == 6) std::swap(sine, cosine);
  return {octant >= 4 ? -sine : sine, octant >= 2 && octant < 6 ? -cosine : cosine};
}

}  // namespace

Rng::Rng(std::uint64_t seed) {
  for (std::uint64_t& word : state_) word = splitmix(seed);
}

std::uint64_t Rng::next() {
  const std::uint64_t result = rotateLeft(state_[1] * 5, 7) * 9, t = state_[1] << 17;
  state_[2] ^= state_[0];
  state_[3] ^= state_[1];
  state_[1] ^= state_[2];
  state_[0] ^= state_[3];
  state_[2] ^= t;
  state_[3] = rotateLeft(state_[3], 45);
  return result;
}

double Rng::normal() {
  if (std::exchange(has_kept_, false)) return kept_;
  const double radius = std::sqrt(-2 * exactlyRoundedLog(1 - uniform()));
  const auto [sine, cosine] = sineAndCosineOfTurn(uniform());
  kept_ = radius * sine;
  has_kept_ = true;
  return radius * cosine;
}

Index Rng::below(Index n) {
  assert(n >= 1);
  const auto bound = static_cast<std::uint64_t>(n);
  const std::uint64_t uneven = (0 - bound) % bound;  // 2^64 mod n: so many numbers would be drawn once too often
  std::uint64_t drawn = next();
  while (drawn < uneven) drawn = next();
  return static_cast<Index>(drawn % bound);
}

std::vector<Index> Rng::permutation(Index n) {
  std::vector<Index> order(static_cast<std::size_t>(n));
  std::iota(order.begin(), order.end(), Index{0});
  for (auto i = order.size(); i > 1; --i) std::swap(order[i - 1], order[static_cast<std::size_t>(below(static_cast<Index>(i)))]);
  return order;
}

Matrix<double> Rng::normalMatrix(Index rows, Index columns, double standard_deviation) {
  Matrix<double> m(rows, columns);
  for (Index n = 0; n < m.size(); ++n) m.data()[n] = standard_deviation * normal();
  return m;
}

Matrix<double> Rng::uniformMatrix(Index rows, Index columns, double low, double high) {
  Matrix<double> m(rows, columns);
  for (Index n = 0; n < m.size(); ++n) m.data()[n] = uniform(low, high);
  return m;
}

Matrix<double> linearWeights(Rng& rng, Index fan_in, Index fan_out) {
  const double bound = 1 / std::sqrt(static_cast<double>(fan_in));
  return rng.uniformMatrix(fan_in, fan_out, -bound, bound);
}

RowVector<double> linearBias(Rng& rng, Index fan_in, Index fan_out) {
  const double bound = 1 / std::sqrt(static_cast<double>(fan_in));
  return rng.uniformMatrix(1, fan_out, -bound, bound);
}

Matrix<double> xavierWeights(Rng& rng, Index fan_in, Index fan_out) {
  const double bound = std::sqrt(6 / static_cast<double>(fan_in + fan_out));
  return rng.uniformMatrix(fan_in, fan_out, -bound, bound);
}

Matrix<double> normalWeights(Rng& rng, Index fan_in, Index fan_out, double standard_deviation) {
  return rng.normalMatrix(fan_in, fan_out, standard_deviation);
}

}  // namespace attn::core
