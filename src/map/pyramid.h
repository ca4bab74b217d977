// The weights of a whole head at every zoom: cells of n×n pairs with their largest and their mean weight, found by one
// pass over all rows in an order that shows the whole from the first rows on. Knows no colours and no screen.
#pragma once
#include <cstdint>
#include <span>
#include <vector>

#include "map/blocks.h"
#include "map/row_order.h"
#include "map/statistics.h"

namespace attn::map {

inline constexpr Index kMostCells = 4096;  // along a side, of the finest level

// What is known of a cell. Blocked weights count as 0.
struct Cell {
  float max = 0;    // the largest weight so far: a lower bound ("≥") until every row is in
  float mean = 0;   // of all its pairs; of those in the rows that are in, until every row is
  // Approximate: the mean is off by no more in about nineteen of twenty cells where rows are alike, and still in four of
  // five where few rows hold most of the weight. 0 when exact, infinite of a single row.
  float error = 0;
  Index seen = 0, rows = 0;  // "n of N rows"
  bool exact() const { return seen == rows; }
};

// The bytes of a pyramid whose finest cells have so many rows and sources.
std::uint64_t pyramidBytes(Shape shape, Index cell);

// The finest cell, a power of two, with at most kMostCells along a side and at most `memory` bytes. Refuses when there is
// none.
core::Result<Index> planPyramid(Shape shape, std::uint64_t memory);

// Kept as floats: a mean kept as a 16-bit logarithm is off by up to 4e-3 once 32 rows have been added to it.
class Pyramid {
 public:
  // Level 0 has the given cell, a power of two ≤ 512; each further one twice that, up to a single cell. `head` must outlive
  // this; a part of the rows is a head of its own, its rule shifted.
  static core::Result<Pyramid> make(const Head& head, Index cell, std::uint64_t seed);

  // Takes up to so many more rows, in an order of its own (RowOrder); best a multiple of 128. Returns how many are in.
  Index advance(Index rows);
  bool done() const { return order_.done(); }

  int levels() const { return static_cast<int>(levels_.size()); }
  Index cellSize(int level) const { return levels_[static_cast<std::size_t>(level)].cell; }
  Shape cells(int level) const;  // rows and sources of cells
  Cell at(int level, Index row, Index column) const;
  // All cells of a level, row-major, as at() has them.
  std::span<const float> largest(int level) const;
  std::span<const float> means(int level) const;

  const RowStatistics& statistics() const { return statistics_; }  // known of the rows that are in

 private:
  struct Level {
    Index cell, rows, columns;
    float *max, *mean, *spread;  // rows·columns; spread: the sum of squared deviations of the rows' means (Welford 1962)
    std::int32_t* seen;          // of each row of cells
  };

  Pyramid(const Head& head, std::uint64_t seed) : head_(&head), order_(head.shape().rows, seed) {}
  void layOut(Index cell);
  void takeGroup(std::span<const Index> rows);
  void fold(Index row, float* most, float* sums);
  void join(const Level& level, Index row, const float* most, const float* sums);
  void merge(const Level& fine, const Level& coarse);
  Index rowsOf(const Level& level, Index row) const;
  Index sourcesOf(const Level& level, Index column) const;
  double pairsOf(const Level& level, Index row, Index column) const;

  const Head* head_;
  RowOrder order_;
  core::Buffer memory_;
  Workspace workspace_;
  RowStatistics statistics_;
  std::vector<Level> levels_;
  Index stride_ = 0, blocks_ = 0;  // cells and blocks of a row as they are kept while a group is taken
  float *most_ = nullptr, *sums_ = nullptr, *tops_ = nullptr;
};

}  // namespace attn::map
