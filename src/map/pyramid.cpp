// The pass that fills a pyramid, and what it has so far. See pyramid.h.
#include "map/pyramid.h"

#include <algorithm>
#include <bit>
#include <cassert>
#include <cstring>
#include <limits>
#include <utility>

#include "core/language.h"
#include "map/kernel.h"
#include "map/student.h"

namespace attn::map {
namespace {

Index ceilingOf(Index whole, Index part) { return (whole + part - 1) / part; }

// Cells of one row, as many as blocks have of them, up to a whole number of vectors.
Index keptCells(Index sources, Index cell) { return ceilingOf(ceilingOf(sources, kBlock) * kBlock / cell, kPanel) * kPanel; }
Index keptBlocks(Index sources) { return ceilingOf(ceilingOf(sources, kBlock), kPanel) * kPanel; }

// In 4-byte numbers: of one level, and of a group of rows while it is taken.
std::uint64_t levelNumbers(std::uint64_t rows, std::uint64_t columns) { return 3 * rows * columns + rows; }
std::uint64_t groupNumbers(Index sources, Index cell) {
  return static_cast<std::uint64_t>(kGroup * (2 * keptCells(sources, cell) + keptBlocks(sources)));
}

// Calls use(cell, rows, columns) for each level, the finest first.
template <class Use>
void forEachLevel(Shape shape, Index cell, Use use) {
  Index rows = ceilingOf(shape.rows, cell), columns = ceilingOf(shape.sources, cell);
  for (;; cell *= 2, rows = ceilingOf(rows, 2), columns = ceilingOf(columns, 2)) {
    use(cell, rows, columns);
    if (rows == 1 && columns == 1) return;
  }
}

std::uint64_t gridBytes(Shape shape, Index cell) {
  std::uint64_t numbers = groupNumbers(shape.sources, cell);
  forEachLevel(shape, cell, [&](Index, Index rows, Index columns) { numbers += levelNumbers(rows, columns); });
  return numbers * sizeof(float);
}

// One more row for n cells: `part` is 1 ÷ (rows by now), `of_pairs` 1 ÷ (sources of a cell).
void joinCells(Index n, float of_pairs, float part, const float* __restrict most, const float* __restrict sums,
               float* __restrict max, float* __restrict mean, float* __restrict spread) {
  for (Index c = 0; c < n; ++c) {
    const float value = sums[c] * of_pairs, before = value - mean[c];
    const float after = mean[c] + before * part;
    spread[c] += before * (value - after);
    mean[c] = after;
    max[c] = max[c] < most[c] ? most[c] : max[c];
  }
}

}  // namespace

std::uint64_t pyramidBytes(Shape shape, Index cell) {
  const Index others = kRows * kBlock + kGroup * shape.width + 2 * shape.rows;  // Workspace and RowStatistics
  return gridBytes(shape, cell) + static_cast<std::uint64_t>(others) * sizeof(float);
}

core::Result<Index> planPyramid(Shape shape, std::uint64_t memory) {
  for (Index cell = 1; cell <= kBlock; cell *= 2)
    if (ceilingOf(std::max(shape.rows, shape.sources), cell) <= kMostCells && pyramidBytes(shape, cell) <= memory)
      return cell;
  return core::Error{tr("A map of {0}×{1} weights does not fit into {2}; allow more memory or take fewer positions.",
                        {shape.rows, shape.sources, core::bytesText(memory)})};
}

core::Result<Pyramid> Pyramid::make(const Head& head, Index cell, std::uint64_t seed) {
  assert(cell <= kBlock && std::has_single_bit(static_cast<std::size_t>(cell)));
  const std::uint64_t bytes = gridBytes(head.shape(), cell);  // maybe more than there are addresses
  auto memory = core::Buffer::allocate(static_cast<std::size_t>(std::min<std::uint64_t>(bytes, SIZE_MAX)));
  if (!memory) return memory.error();
  auto workspace = Workspace::make(head.shape().width);
  if (!workspace) return workspace.error();
  auto statistics = RowStatistics::make(head.shape().rows);
  if (!statistics) return statistics.error();
  Pyramid pyramid(head, seed);
  pyramid.memory_ = memory.take();
  pyramid.workspace_ = workspace.take();
  pyramid.statistics_ = statistics.take();
  pyramid.layOut(cell);
  return pyramid;
}

void Pyramid::layOut(Index cell) {
  std::memset(memory_.bytes().data(), 0, memory_.size());
  float* next = memory_.as<float>().data();
  const auto take = [&next](Index numbers) { return std::exchange(next, next + numbers); };
  const Shape& shape = head_->shape();
  stride_ = keptCells(shape.sources, cell), blocks_ = keptBlocks(shape.sources);
  most_ = take(kGroup * stride_), sums_ = take(kGroup * stride_), tops_ = take(kGroup * blocks_);
  forEachLevel(shape, cell, [&](Index size, Index rows, Index columns) {
    const Index n = rows * columns;
    Level level{size, rows, columns, take(n), take(n), take(n), nullptr};
    level.seen = reinterpret_cast<std::int32_t*>(take(rows));
    levels_.push_back(level);
  });
}

Index Pyramid::advance(Index rows) {
  if (order_.done()) return order_.given();
  while (rows > 0 && !order_.done()) {
    Index group[kGroup], count = 0;
    while (count < std::min(rows, kGroup) && !order_.done()) group[count++] = order_.next();
    std::sort(group, group + count);
    takeGroup({group, static_cast<std::size_t>(count)});
    rows -= count;
  }
  // Rows were joined one by one; now that all are in, the levels are made of each other without that rounding.
  if (order_.done())
    for (std::size_t n = 1; n < levels_.size(); ++n) merge(levels_[n - 1], levels_[n]);
  return order_.given();
}

void Pyramid::takeGroup(std::span<const Index> rows) {
  const Index cell = levels_[0].cell;
  std::fill(most_, sums_ + kGroup * stride_, 0.0f);  // blocks that the rule skips
  std::fill(tops_, tops_ + kGroup * blocks_, kBlocked);
  RunningRow running[kGroup];
  walkBlocks(*head_, rows, {0, head_->shape().sources}, Unit::kLog2, workspace_,
             [this](Index row) { return head_->allowed(row); },
             [&](Index r, Index first, Index n, float* scores) {
               running[r].take(scores, n);
               float* sums = sums_ + r * stride_ + first / cell;
               poolCells(scores, n, cell, most_ + r * stride_ + first / cell, sums);
               const Index cells = ceilingOf(n, cell);
               float most, sum;
               poolCells(sums, cells, cells, &most, &sum);
               running[r].sum += static_cast<double>(sum);
               tops_[r * blocks_ + first / kBlock] = running[r].top;
             });
  for (std::size_t r = 0; r < rows.size(); ++r) {
    float *most = most_ + static_cast<Index>(r) * stride_, *sums = sums_ + static_cast<Index>(r) * stride_;
    float* factors = tops_ + static_cast<Index>(r) * blocks_;
    statistics_.set(rows[r], running[r].top, running[r].sum);
    exponentials(factors, blocks_, running[r].top);
    const Index per_block = kBlock / cell;
    for (Index c = 0, block = 0; c < levels_[0].columns; ++block) {
      const float factor = factors[block] * statistics_.share(rows[r]);
      for (const Index end = c + per_block; c < end; ++c) most[c] *= factor, sums[c] *= factor;
    }
    fold(rows[r], most, sums);
  }
}

// One row's largest weights and sums, cell by cell, into every level.
void Pyramid::fold(Index row, float* most, float* sums) {
  for (const Level& level : levels_) {
    join(level, row / level.cell, most, sums);
    const Index pairs = level.columns / 2;
    for (Index c = 0; c < pairs; ++c) {
      most[c] = std::max(most[2 * c], most[2 * c + 1]);
      sums[c] = sums[2 * c] + sums[2 * c + 1];
    }
    if (level.columns % 2 == 1) most[pairs] = most[2 * pairs], sums[pairs] = sums[2 * pairs];
  }
}

void Pyramid::join(const Level& level, Index row, const float* most, const float* sums) {
  const Index at = row * level.columns, last = level.columns - 1;
  const float part = 1 / static_cast<float>(++level.seen[row]);
  float *max = level.max + at, *mean = level.mean + at, *spread = level.spread + at;
  joinCells(last, 1 / static_cast<float>(level.cell), part, most, sums, max, mean, spread);
  joinCells(1, 1 / static_cast<float>(sourcesOf(level, last)), part, most + last, sums + last, max + last, mean + last,
            spread + last);
}

void Pyramid::merge(const Level& fine, const Level& coarse) {
  for (Index row = 0; row < coarse.rows; ++row) {
    for (Index column = 0; column < coarse.columns; ++column) {
      float max = 0;
      double sum = 0;
      for (Index r = 2 * row; r < std::min(2 * row + 2, fine.rows); ++r) {
        for (Index c = 2 * column; c < std::min(2 * column + 2, fine.columns); ++c) {
          const Index at = r * fine.columns + c;
          max = std::max(max, fine.max[at]);
          sum += static_cast<double>(fine.mean[at]) * pairsOf(fine, r, c);
        }
      }
      const Index at = row * coarse.columns + column;
      coarse.max[at] = max;
      coarse.mean[at] = static_cast<float>(sum / pairsOf(coarse, row, column));
    }
  }
}

Index Pyramid::rowsOf(const Level& level, Index row) const {
  return std::min(level.cell, head_->shape().rows - row * level.cell);
}

Index Pyramid::sourcesOf(const Level& level, Index column) const {
  return std::min(level.cell, head_->shape().sources - column * level.cell);
}

double Pyramid::pairsOf(const Level& level, Index row, Index column) const {
  return static_cast<double>(rowsOf(level, row)) * static_cast<double>(sourcesOf(level, column));
}

Shape Pyramid::cells(int level) const {
  const Level& of = levels_[static_cast<std::size_t>(level)];
  return {of.rows, of.columns, 0};
}

Cell Pyramid::at(int level, Index row, Index column) const {
  const Level& of = levels_[static_cast<std::size_t>(level)];
  assert(0 <= row && row < of.rows && 0 <= column && column < of.columns);
  const Index at = row * of.columns + column;
  Cell cell{of.max[at], of.mean[at], 0, of.seen[row], rowsOf(of, row)};
  cell.error = cell.seen == 0 ? std::numeric_limits<float>::infinity()
                              : static_cast<float>(meanError(cell.seen, cell.rows, static_cast<double>(of.spread[at])));
  return cell;
}

std::span<const float> Pyramid::largest(int level) const {
  const Level& of = levels_[static_cast<std::size_t>(level)];
  return {of.max, static_cast<std::size_t>(of.rows * of.columns)};
}

std::span<const float> Pyramid::means(int level) const {
  const Level& of = levels_[static_cast<std::size_t>(level)];
  return {of.mean, static_cast<std::size_t>(of.rows * of.columns)};
}

}  // namespace attn::map
