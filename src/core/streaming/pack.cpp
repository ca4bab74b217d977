// Copies rows into panels. Knows no masks but padding, whose rows are left out.
#include "core/streaming/pack.h"

#include <algorithm>
#include <bit>
#include <limits>

namespace attn::core::streaming {
namespace {

const float* rowOf(const Rows& rows, Index head, Index row) { return rows.data + head * rows.head + row * rows.row; }

Index roundedUp(Index n, Index step) { return (n + step - 1) / step * step; }

// Columns become rows: out[d·width + j] = factor·row j's number d, 0 for rows that are none.
void transpose(const float* const* rows, Index width, Index d, float factor, float* out) {
  for (Index at = 0; at < d; ++at, out += width)
    for (Index j = 0; j < width; ++j) out[j] = rows[j][at] * factor;
}

}  // namespace

Index packedKeys(const Inputs& inputs, const Kernel& kernel) { return roundedUp(inputs.S, kernel.panel) * inputs.d_k; }

Index packedValues(const Inputs& inputs, const Kernel& kernel) { return inputs.S * roundedUp(inputs.d_v, kernel.lanes); }

void packKeys(const Inputs& inputs, const Kernel& kernel, Index head, float* out) {
  static constexpr float kZeros[kWidestHead] = {};
  const float* rows[kSourceStep];
  for (Index first = 0; first < inputs.S; first += kernel.panel, out += kernel.panel * inputs.d_k) {
    for (Index j = first; j < first + kernel.panel; ++j) {
      const bool read = j < inputs.S && (!inputs.rules.padding || inputs.rules.padding[j]);
      rows[j - first] = read ? rowOf(inputs.k, head, j) : kZeros;
    }
    transpose(rows, kernel.panel, inputs.d_k, 1, out);
  }
}

bool packValues(const Inputs& inputs, const Kernel& kernel, Index head, float* out) {
  std::int32_t largest = 0;  // magnitude, as bits: in order, then ∞, then what is no number
  for (Index first = 0; first < inputs.d_v; first += kernel.panel) {
    const Index given = std::min<Index>(kernel.panel, inputs.d_v - first), width = roundedUp(given, kernel.lanes);
    for (Index j = 0; j < inputs.S; ++j, out += width) {
      std::fill(out + given, out + width, 0.f);
      if (inputs.rules.padding && !inputs.rules.padding[j]) {
        std::fill(out, out + given, 0.f);
        continue;
      }
      const float* row = rowOf(inputs.v, head, j) + first;
      for (Index n = 0; n < given; ++n) {
        out[n] = row[n];
        largest = std::max(largest, std::bit_cast<std::int32_t>(row[n]) & 0x7fffffff);
      }
    }
  }
  return largest < std::bit_cast<std::int32_t>(std::numeric_limits<float>::infinity());
}

void packQueries(const Inputs& inputs, const Kernel& kernel, Index head, Index row, Index rows, float factor, float* out) {
  static constexpr float kZeros[kWidestHead] = {};
  const float* group[kSourceStep];
  for (Index first = 0; first < rows; first += kernel.rows, out += kernel.rows * inputs.d_k) {
    for (Index i = first; i < first + kernel.rows; ++i) group[i - first] = i < rows ? rowOf(inputs.q, head, row + i) : kZeros;
    transpose(group, kernel.rows, inputs.d_k, factor, out);
  }
}

}  // namespace attn::core::streaming
