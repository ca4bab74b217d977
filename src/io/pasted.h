// Numbers that somebody pastes, as rows: prints of NumPy and PyTorch, JSON lists, CSV and TSV, or just numbers with
// anything between. Knows no array that they should be.
#pragma once
#include <cstddef>
#include <string_view>
#include <vector>

#include "core/result.h"
#include "core/tensor.h"

namespace attn::io {

struct Pasted {
  std::vector<std::vector<double>> rows;  // innermost brackets, or lines where there are none; none is empty
  std::size_t nan = 0, infinite = 0;
  // After the point, of the number that has the most; 17 where one is written as 1/3. Of numbers such as 3.33e-01, whose
  // decimals are as many as their digits make them (4), the fewest.
  int decimals = 0;

  std::size_t count() const;
  bool even() const;  // all rows are equally long
};

// Refuses, in one sentence: text without numbers, an abbreviated print ("..." for what was left out), and zero bytes.
// nan, inf, Infinity, ∞ and a minus sign as − are read. Words are passed over with what they are set to:
// `dtype=float64`, `device='cuda:0'`, a line of column names.
core::Result<Pasted> readPasted(std::string_view text);

// The numbers as rows × columns: as they stand, or dealt out row by row where they are one row, or one column, of that
// many. Refuses another count, and rows of other lengths, naming both shapes.
core::Result<core::Matrix<double>> shaped(const Pasted& pasted, core::Index rows, core::Index columns);

}  // namespace attn::io
