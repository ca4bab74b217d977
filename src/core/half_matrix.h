// A matrix that is kept as float16, half the memory of floats, and becomes floats row by row where it is computed with.
// Knows nothing of where its numbers come from.
#pragma once
#include <cstdint>
#include <optional>

#include "core/buffer.h"
#include "core/result.h"
#include "core/tensor.h"

namespace attn::core {

// Row-major. Moves, never copies.
class HalfMatrix {
 public:
  HalfMatrix() = default;  // 0×0

  // Holds nothing in particular. Refuses, naming its size, when there is no memory for it.
  static Result<HalfMatrix> allocate(Index rows, Index columns);

  Index rows() const { return rows_; }
  Index cols() const { return columns_; }
  Index size() const { return rows_ * columns_; }

  // Rounds to the nearest float16, ties to even, into rows `first` and following; gives the first value that float16
  // has not (65,520 and above, infinite, NaN), where there is one.
  std::optional<float> setRows(Index first, const Matrix<float>& values);

  // Exact. The memory of what they give is not tried.
  Matrix<float> middleRows(Index first, Index count) const;
  Matrix<float> toMatrix() const { return middleRows(0, rows_); }
  RowVector<float> row(Index i) const { return middleRows(i, 1); }

 private:
  Buffer bits_;
  Index rows_ = 0, columns_ = 0;
};

}  // namespace attn::core
