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

// The natural logarithm of a normal number > 0, the same bits everywhere:
// u = 2^e·m with m in [√½, √2), and ln m = 2·artanh((m − 1) / (m + 1)).
double steadyLog(double u) {
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

// The bell e^(−x²/2), x ≥ 0, cut into 128 layers of equal area: layer i ≥ 1 lies between the heights f[i] and f[i + 1]
// and reaches to x[i]; layer 0 is the rest, all below f[1], with the tail beyond x[1] = R.
constexpr int kLayers = 128;
constexpr double kTailStart = 3.442619855899;          // R, from Doornik 2005
constexpr double kLayerArea = 9.91256303526217e-3;      // R·e^(−R²/2) + the tail's area
constexpr double kTailHeight = 0.002669629083880923;  // e^(−R²/2)

struct Ziggurat {
  double x[kLayers + 1], f[kLayers + 1], inside[kLayers];  // inside: the part of layer i that lies below the curve

  Ziggurat() {
    x[0] = kLayerArea / kTailHeight;
    f[0] = 0;
    x[1] = kTailStart;
    f[1] = kTailHeight;
    for (int i = 2; i < kLayers; ++i) {
      f[i] = f[i - 1] + kLayerArea / x[i - 1];
      x[i] = std::sqrt(-2 * steadyLog(f[i]));
    }
    x[kLayers] = 0;
    f[kLayers] = 1;
    for (int i = 0; i < kLayers; ++i) inside[i] = x[i + 1] / x[i];
  }
};

// A number beyond R (Marsaglia 1964).
double tail(Rng& rng) {
  for (;;) {
    const double beyond = -steadyLog(1 - rng.uniform()) / kTailStart;
    if (-2 * steadyLog(1 - rng.uniform()) > beyond * beyond) return kTailStart + beyond;
  }
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
  static const Ziggurat kZiggurat;
  for (;;) {
    // One draw holds the layer (7 lowest bits) and a place in it, −1 … 1 (53 highest).
    const std::uint64_t drawn = next();
    const auto layer = static_cast<std::size_t>(drawn & (kLayers - 1));
    const double place = static_cast<double>(static_cast<std::int64_t>(drawn) >> 11) * 0x1p-52;
    const double x = place * kZiggurat.x[layer];
    if (std::abs(place) < kZiggurat.inside[layer]) return x;
    if (layer == 0) return std::copysign(tail(*this), x);
    const double height = uniform(kZiggurat.f[layer], kZiggurat.f[layer + 1]);
    if (2 * steadyLog(height) < -x * x) return x;
  }
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
  for (Index i = n; i > 1; --i)
    std::swap(order[static_cast<std::size_t>(i - 1)], order[static_cast<std::size_t>(below(i))]);
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
