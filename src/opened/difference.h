// How the arrays of two opened files differ: which belong together, by how much their numbers differ, and where most.
// Knows no roles; says nothing in words but why two arrays cannot be compared.
#pragma once
#include <cstdint>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "core/result.h"
#include "core/tensor.h"
#include "io/array_file.h"

namespace attn::opened {

// One of the two; must live as long as it is looked at.
struct Side {
  const io::ByteSource& source;
  const io::ArrayFile& file;
};

struct Pairing {
  std::vector<std::pair<std::size_t, std::size_t>> pairs;  // an array of a, one of b
  std::vector<std::size_t> only_a, only_b;
};

// `given` pairs first, then arrays of the same name among the rest. One array on each side is a pair whatever its name.
Pairing pairsByName(const io::ArrayFile& a, const io::ArrayFile& b,
                    std::vector<std::pair<std::size_t, std::size_t>> given = {});

// Differences of some numbers taken together.
struct Tally {
  double largest = 0;             // NaN beside a number counts as infinite, NaN beside NaN as none
  std::vector<std::uint64_t> at;  // where that is first, one index for each axis; empty where nothing differs
  double sum = 0;
  std::uint64_t count = 0, differing = 0;

  double mean() const { return count > 0 ? sum / static_cast<double>(count) : 0; }
};

struct Difference {
  std::string a, b;  // names
  std::vector<std::uint64_t> shape, other_shape;
  std::string error;          // why the numbers could not be compared, or ""
  bool same_bits = true;      // as doubles, so also zeros of the same sign
  Tally all;
  std::vector<Tally> parts;   // of each index of the axes before the last two: layers, heads, …; none for a plane

  bool comparable() const { return error.empty() && shape == other_shape; }
};

// Told how many numbers more have been compared; false stops, and the difference is what is known by then.
using Compared = std::function<bool(std::uint64_t numbers)>;

// Of array `m` of a and array `n` of b.
Difference differenceOf(const Side& a, std::size_t m, const Side& b, std::size_t n, const Compared& compared = {});

// The indices of a part, in the order of the axes.
std::vector<std::uint64_t> partIndices(const std::vector<std::uint64_t>& shape, std::size_t part);

// a − b of one part, small enough to look at: each cell is the difference of largest size among `rows_each` ×
// `columns_each` numbers, 0 where both are the same.
struct Picture {
  core::Matrix<double> cells;
  std::uint64_t rows_each = 1, columns_each = 1;
};

// At most `side` cells each way. Only for two arrays that are comparable.
core::Result<Picture> pictureOf(const Side& a, std::size_t m, const Side& b, std::size_t n, std::size_t part,
                                std::uint64_t side);

}  // namespace attn::opened
