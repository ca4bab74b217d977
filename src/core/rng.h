// Seeded random numbers: xoshiro256** (Blackman and Vigna, "Scrambled linear pseudorandom number generators", 2021),
// its state filled by splitmix64. Every number is the same bit for bit on every machine: normal() uses only operations
// that IEEE 754 rounds exactly (+ − × ÷ √), never libm, whose logarithm and exponential differ in the last bit between
// builds.
#pragma once
#include <cstdint>
#include <vector>

#include "core/tensor.h"

namespace attn::core {

class Rng {
 public:
  explicit Rng(std::uint64_t seed);

  std::uint64_t next();
  double uniform() { return static_cast<double>(next() >> 11) * 0x1p-53; }  // in [0, 1), a multiple of 2^−53
  double uniform(double low, double high) { return low + (high - low) * uniform(); }  // low ≤ high
  // Mean 0, standard deviation 1: the ziggurat of Marsaglia and Tsang 2000, with 128 layers as in Doornik 2005.
  double normal();
  Index below(Index n);                      // 0 … n − 1, all alike; n ≥ 1
  std::vector<Index> permutation(Index n);   // of 0 … n − 1, all alike (Fisher and Yates)

  // Row by row.
  Matrix<double> normalMatrix(Index rows, Index columns, double standard_deviation = 1);
  Matrix<double> uniformMatrix(Index rows, Index columns, double low, double high);

 private:
  std::uint64_t state_[4];
};

// Initial weights of a layer that maps fan_in numbers to fan_out: fan_in × fan_out, for x·W.
// Uniform in ±1/√fan_in, as PyTorch's Linear is made (its bias too).
Matrix<double> linearWeights(Rng& rng, Index fan_in, Index fan_out);
RowVector<double> linearBias(Rng& rng, Index fan_in, Index fan_out);
// Uniform in ±√(6 / (fan_in + fan_out)): Glorot and Bengio 2010, equation 16.
Matrix<double> xavierWeights(Rng& rng, Index fan_in, Index fan_out);
// Normal with a given standard deviation (0.02 in GPT-2).
Matrix<double> normalWeights(Rng& rng, Index fan_in, Index fan_out, double standard_deviation);

}  // namespace attn::core
