// The problems behind problems.h. Knows core only.
#include "support/problems.h"

#include <doctest/doctest.h>

#include <cmath>
#include <numbers>

namespace attn::test {

Matrix matrix(std::initializer_list<std::initializer_list<double>> rows) {
  Matrix m(static_cast<Index>(rows.size()), static_cast<Index>(rows.begin()->size()));
  Index i = 0;
  for (const auto& row : rows) {
    Index j = 0;
    for (const double value : row) m(i, j++) = value;
    ++i;
  }
  return m;
}

core::RowVector<double> vector(std::initializer_list<double> values) { return matrix({values}).row(0); }

Problem threePositions() {
  Problem p;
  p.T = p.S = 3;
  p.x = matrix({{1, 0}, {0, 1}, {1, 1}});
  p.wq = {Matrix::Identity(2, 2)};
  p.wk = {Matrix::Identity(2, 2) * (std::numbers::sqrt2 * std::numbers::ln2)};
  p.wv = {matrix({{2, 0}, {0, 4}})};
  p.wo = Matrix::Identity(2, 2);
  p.mask.causal = true;
  p.residual = core::Residual::kInput;
  return p;
}

Problem catSatDown() {
  Problem p;
  p.T = p.S = 4;
  p.q = {matrix({{0, 1}, {0, 1}, {2, 0}, {2, .5}})};
  p.k = {matrix({{0, 1}, {2, 0}, {.5, .5}, {0, .5}})};
  p.v = {matrix({{1, 0}, {0, 1}, {1, 1}, {.5, .5}})};
  return p;
}

Problem baseCase() {
  Problem p;
  p.T = p.S = 3;
  p.q = p.k = {matrix({{1, 0}, {0, 1}, {1, 1}})};
  p.v = {matrix({{1, 2}, {3, 4}, {5, 6}})};
  return p;
}

Trace traceOf(const Problem& problem) {
  core::Result<Trace> result = core::computeTrace(problem);
  if (!result) MESSAGE(result.error().message);
  REQUIRE(result.ok());
  return result.take();
}

double largestDifference(const Matrix& a, const Matrix& b) {
  if (a.rows() != b.rows() || a.cols() != b.cols()) return kInfinity;
  double largest = 0;
  for (Index i = 0; i < a.rows(); ++i)
    for (Index j = 0; j < a.cols(); ++j) {
      if (a(i, j) == b(i, j)) continue;
      const double difference = std::abs(a(i, j) - b(i, j));
      if (!std::isfinite(difference)) return kInfinity;
      largest = std::max(largest, difference);
    }
  return largest;
}

std::uint64_t Random::next() {
  std::uint64_t z = state_ += 0x9e3779b97f4a7c15U;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9U;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebU;
  return z ^ (z >> 31);
}

double Random::uniform() { return static_cast<double>(next() >> 11) * 0x1p-53; }

double Random::normal() {
  const double radius = std::sqrt(-2 * std::log(1 - uniform()));
  return radius * std::cos(2 * std::numbers::pi * uniform());
}

Index Random::below(Index n) { return static_cast<Index>(next() % static_cast<std::uint64_t>(n)); }

Matrix Random::matrix(Index rows, Index columns) {
  Matrix m(rows, columns);
  for (Index i = 0; i < rows; ++i)
    for (Index j = 0; j < columns; ++j) m(i, j) = normal();
  return m;
}

Problem randomProblem(Random& random, Index tokens, Index width, Index heads, Index key_value_heads) {
  Problem p;
  p.T = p.S = tokens;
  p.x = random.matrix(tokens, width);
  const double size = 1 / std::sqrt(static_cast<double>(width));
  for (Index h = 0; h < heads; ++h) {
    p.wq.push_back(random.matrix(width, width) * size);
    p.bq.push_back(random.matrix(1, width).row(0));
  }
  for (Index g = 0; g < key_value_heads; ++g) {
    p.wk.push_back(random.matrix(width, width) * size);
    p.wv.push_back(random.matrix(width, width) * size);
    p.bk.push_back(random.matrix(1, width).row(0));
    p.bv.push_back(random.matrix(1, width).row(0));
  }
  p.wo = random.matrix(heads * width, width) * size;
  p.residual = core::Residual::kInput;
  return p;
}

}  // namespace attn::test
