// Copies rows into panels. Knows no masks.
#include "core/streaming/pack.h"

#include <algorithm>
#include <cstring>
#include <limits>

namespace attn::core::streaming {
namespace {

const float* rowOf(const Rows& rows, Index head, Index row) { return rows.data + head * rows.head + row * rows.row; }

// Magnitudes as whole numbers: in order, then ∞, then what is no number.
std::int32_t magnitudeBits(float x) {
  std::int32_t bits = 0;
  std::memcpy(&bits, &x, sizeof bits);
  return bits & 0x7fffffff;
}

Index roundedUp(Index n, Index step) { return (n + step - 1) / step * step; }

typedef float Four __attribute__((vector_size(16)));

// Four numbers of four rows, times `factor`, as four columns.
void transposeFour(const float* const* rows, Index at, Index width, float factor, float* out) {
  Four row[4];
  for (int n = 0; n < 4; ++n) {
    std::memcpy(&row[n], rows[n] + at, sizeof row[n]);
    row[n] *= factor;
  }
  const Four low01 = __builtin_shufflevector(row[0], row[1], 0, 4, 1, 5);
  const Four low23 = __builtin_shufflevector(row[2], row[3], 0, 4, 1, 5);
  const Four high01 = __builtin_shufflevector(row[0], row[1], 2, 6, 3, 7);
  const Four high23 = __builtin_shufflevector(row[2], row[3], 2, 6, 3, 7);
  const Four column[4] = {
      __builtin_shufflevector(low01, low23, 0, 1, 4, 5), __builtin_shufflevector(low01, low23, 2, 3, 6, 7),
      __builtin_shufflevector(high01, high23, 0, 1, 4, 5), __builtin_shufflevector(high01, high23, 2, 3, 6, 7)};
  for (int n = 0; n < 4; ++n) std::memcpy(out + (at + n) * width, &column[n], sizeof column[n]);
}

// Rows become columns: out[at·width + j] = factor·number `at` of row j.
void transpose(const float* const* rows, Index width, Index d, float factor, float* out) {
  const Index fours = d / 4 * 4;
  Index j = 0;
  for (; j + 4 <= width; j += 4)
    for (Index at = 0; at < fours; at += 4) transposeFour(rows + j, at, width, factor, out + j);
  for (Index at = 0; at < d; ++at)
    for (Index rest = at < fours ? j : 0; rest < width; ++rest) out[at * width + rest] = rows[rest][at] * factor;
}

}  // namespace

Index packedKeys(const Inputs& inputs, const Kernel& kernel) { return roundedUp(inputs.S, kernel.panel) * inputs.d_k; }

Index packedValues(const Inputs& inputs, const Kernel& kernel) { return inputs.S * roundedUp(inputs.d_v, kernel.lanes); }

void packKeys(const Inputs& inputs, const Kernel& kernel, Index head, float* out) {
  static constexpr float kZeros[kWidestHead] = {};
  const float* rows[kSourceStep];
  for (Index first = 0; first < inputs.S; first += kernel.panel, out += kernel.panel * inputs.d_k) {
    for (Index j = first; j < first + kernel.panel; ++j) rows[j - first] = j < inputs.S ? rowOf(inputs.k, head, j) : kZeros;
    transpose(rows, kernel.panel, inputs.d_k, 1, out);
  }
}

bool packValues(const Inputs& inputs, const Kernel& kernel, Index head, float* out) {
  std::int32_t largest = 0;
  for (Index first = 0; first < inputs.d_v; first += kernel.panel) {
    const Index given = std::min<Index>(kernel.panel, inputs.d_v - first), width = roundedUp(given, kernel.lanes);
    for (Index j = 0; j < inputs.S; ++j, out += width) {
      std::fill(out + given, out + width, 0.f);
      const float* row = rowOf(inputs.v, head, j) + first;
      for (Index n = 0; n < given; ++n) {
        out[n] = row[n];
        largest = std::max(largest, magnitudeBits(row[n]));
      }
    }
  }
  return largest < magnitudeBits(std::numeric_limits<float>::infinity());
}

void packQueries(const Inputs& inputs, const Kernel& kernel, Index head, Index row, Index rows, float factor, float* out) {
  static constexpr float kZeros[kWidestHead] = {};
  const float* group[kSourceStep];
  for (Index first = 0; first < rows; first += kernel.rows, out += kernel.rows * inputs.d_k) {
    for (Index i = first; i < first + kernel.rows; ++i)
      group[i - first] = i < rows ? rowOf(inputs.q, head, row + i) : kZeros;
    transpose(group, kernel.rows, inputs.d_k, factor, out);
  }
}

}  // namespace attn::core::streaming
