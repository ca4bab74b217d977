// Small problems that many tests speak of, random ones, and ways to compare arrays. Knows core only.
#pragma once
#include <cstdint>
#include <initializer_list>
#include <limits>

#include "core/trace.h"

namespace attn::test {

using core::Index;
using Matrix = core::Matrix<double>;
using Problem = core::Problem<double>;
using Trace = core::Trace<double>;

inline constexpr double kInfinity = std::numeric_limits<double>::infinity();

Matrix matrix(std::initializer_list<std::initializer_list<double>> rows);
core::RowVector<double> vector(std::initializer_list<double> values);

// The two worked examples and the base case of the public bug reports (Q = K = [[1,0],[0,1],[1,1]]).
Problem threePositions();
Problem catSatDown();
Problem baseCase();

// computeTrace of a problem that must be accepted.
Trace traceOf(const Problem& problem);

// Largest |a − b|; infinity where shapes or non-finite cells differ.
double largestDifference(const Matrix& a, const Matrix& b);

// splitmix64 with Box and Muller's transform: the same numbers on every machine.
class Random {
 public:
  explicit Random(std::uint64_t seed) : state_(seed) {}
  std::uint64_t next();
  double uniform();  // in [0, 1)
  double normal();
  Index below(Index n);
  Matrix matrix(Index rows, Index columns);  // normal

 private:
  std::uint64_t state_;
};

// Self-attention with weights, biases and residual x, no mask.
Problem randomProblem(Random& random, Index tokens, Index width, Index heads, Index key_value_heads);

}  // namespace attn::test
