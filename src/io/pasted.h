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
  // To how many decimals each number is known, in the order of the rows. Zeros at the end that a print leaves out count
  // as far as the number with the most digits has any: beside 0.3333, 0.5 is known to 4. 17 for 1/3.
  std::vector<int> decimals;
  int most_decimals = 0;  // written behind a point

  std::size_t count() const;
  bool even() const;  // all rows are equally long
};

// Refuses, in one sentence: text without numbers, an abbreviated print ("..." for what was left out), and zero bytes.
// nan, inf, Infinity, ∞ and a minus sign as − are read. Words are passed over with what they are set to:
// `dtype=float64`, `device='cuda:0'`, a line of column names.
core::Result<Pasted> readPasted(std::string_view text);

// 0,25 for 0.25 stands in it, or numbers with nothing but a comma between.
bool hasDecimalCommas(std::string_view text);

// The numbers as rows × columns: as they stand, or dealt out row by row where they are one row, or one column, of that
// many. Refuses another count, and rows of other lengths, naming both shapes.
core::Result<core::Matrix<double>> shaped(const Pasted& pasted, core::Index rows, core::Index columns);

}  // namespace attn::io
