// Position vectors, rotations and slopes. Knows nothing of words.
#include "core/position.h"

#include <cassert>
#include <cmath>

namespace attn::core {

Matrix<double> sinusoidalPositions(Index T, Index d, double base) {
  assert(T >= 1 && d >= 1 && base > 0);
  Matrix<double> table(T, d);
  for (Index c = 0; c < d; ++c) {
    const double frequency = std::pow(base, -static_cast<double>(c - c % 2) / static_cast<double>(d));
    for (Index t = 0; t < T; ++t) {
      const double angle = static_cast<double>(t) * frequency;
      table(t, c) = c % 2 == 0 ? std::sin(angle) : std::cos(angle);
    }
  }
  return table;
}

double cosineSimilarity(const RowVector<double>& a, const RowVector<double>& b) {
  assert(a.size() == b.size());
  const double lengths = a.norm() * b.norm();
  return lengths == 0 ? 0 : a.dot(b) / lengths;
}

RowVector<double> cosineSimilarities(const Matrix<double>& rows, Index position) {
  RowVector<double> similarities(rows.rows());
  for (Index i = 0; i < rows.rows(); ++i) similarities(i) = cosineSimilarity(rows.row(position), rows.row(i));
  return similarities;
}

std::string_view rotaryLayoutName(RotaryLayout layout) {
  return layout == RotaryLayout::kInterleaved ? "interleaved" : "half-split";
}

RowVector<double> rotaryFrequencies(Index d, double base) {
  RowVector<double> frequencies(d / 2);
  for (Index i = 0; i < d / 2; ++i)
    frequencies(i) = std::pow(base, -2 * static_cast<double>(i) / static_cast<double>(d));
  return frequencies;
}

Matrix<double> rotary(const Matrix<double>& x, RotaryLayout layout, Index first_position, double base) {
  const RowVector<double> frequencies = rotaryFrequencies(x.cols(), base);
  Matrix<double> turned = x;
  for (Index t = 0; t < x.rows(); ++t) {
    for (Index i = 0; i < frequencies.size(); ++i) {
      const bool interleaved = layout == RotaryLayout::kInterleaved;
      const Index a = interleaved ? 2 * i : i, b = interleaved ? 2 * i + 1 : i + frequencies.size();
      const double angle = static_cast<double>(first_position + t) * frequencies(i);
      turned(t, a) = x(t, a) * std::cos(angle) - x(t, b) * std::sin(angle);
      turned(t, b) = x(t, a) * std::sin(angle) + x(t, b) * std::cos(angle);
    }
  }
  return turned;
}

std::vector<double> alibiSlopes(Index heads) {
  assert(heads >= 1);
  Index power = 1;
  while (power * 2 <= heads) power *= 2;
  const auto slope = [](Index h, Index of) { return std::exp2(-8 * static_cast<double>(h) / static_cast<double>(of)); };
  std::vector<double> slopes;
  for (Index h = 1; h <= power; ++h) slopes.push_back(slope(h, power));
  for (Index h = 1; static_cast<Index>(slopes.size()) < heads; h += 2) slopes.push_back(slope(h, 2 * power));
  return slopes;
}

}  // namespace attn::core
