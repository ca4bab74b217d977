// Pixels by walking over all their pairs. See tile.h.
#include "map/tile.h"

#include <algorithm>
#include <cassert>
#include <cstdint>

#include "map/blocks.h"
#include "map/kernel.h"

namespace attn::map {
namespace {

using Edges = std::span<const Index>;

// Which pixel holds a position.
Index pixelOf(Edges edges, Index position) {
  return std::upper_bound(edges.begin(), edges.end(), position) - edges.begin() - 1;
}

// How many pixels from x on, before `end`, are as wide as the first of them.
std::size_t alike(Edges edges, std::size_t x, Index end) {
  const Index width = edges[x + 1] - edges[x];
  std::size_t last = x + 1;
  while (last + 1 < edges.size() && edges[last + 1] <= end && edges[last + 1] - edges[last] == width) ++last;
  return last - x;
}

// Adds n numbers, of source `first` on, to one row of pixels, each times `factor` ≥ 0.
void addNumbers(const float* numbers, Index first, Index n, float factor, Edges edges, float* max, double* sums) {
  const Index end = std::min(first + n, edges.back());
  float most[kBlock], sum[kBlock];
  for (Index from = std::max(first, edges.front()); from < end;) {
    const auto x = static_cast<std::size_t>(pixelOf(edges, from));
    const bool whole = from == edges[x] && edges[x + 1] <= end;
    const std::size_t count = whole ? alike(edges, x, end) : 1;
    const Index to = std::min(end, edges[x + count]);
    poolCells(numbers + (from - first), to - from, whole ? edges[x + 1] - edges[x] : to - from, most, sum);
    for (std::size_t p = 0; p < count; ++p) {
      max[x + p] = std::max(max[x + p], factor * most[p]);
      sums[x + p] += static_cast<double>(factor * sum[p]);
    }
    from = to;
  }
}

// prepare(row, scores, n) makes of scores what is pooled, and gives the factor.
template <class Reach, class Prepare>
core::Check fillPixels(const Head& head, Unit unit, Edges rows, Edges columns, Pixels pixels, float least, Reach reach,
                       Prepare prepare) {
  const Index width = static_cast<Index>(columns.size()) - 1;
  assert(rows.size() >= 2 && width >= 1 && pixels.max.size() == (rows.size() - 1) * static_cast<std::size_t>(width));
  auto memory = core::Buffer::allocate(pixels.max.size() * sizeof(double));
  if (!memory) return memory.error();
  auto workspace = Workspace::make(head.shape().width);
  if (!workspace) return workspace.error();
  const std::span<double> sums = memory.value().as<double>();
  std::fill(sums.begin(), sums.end(), 0.0);
  std::fill(pixels.max.begin(), pixels.max.end(), least);
  for (Index row = rows.front(); row < rows.back();) {
    Index group[kGroup], count = 0;
    while (row < rows.back() && count < kGroup) group[count++] = row++;
    walkBlocks(head, {group, static_cast<std::size_t>(count)}, {columns.front(), columns.back()}, unit, workspace.value(),
               reach, [&](Index r, Index first, Index n, float* scores) {
                 const float factor = prepare(group[r], scores, n);
                 const Index at = pixelOf(rows, group[r]) * width;
                 addNumbers(scores, first, n, factor, columns, pixels.max.data() + at, sums.data() + at);
               });
  }
  for (std::size_t y = 0, at = 0; y + 1 < rows.size(); ++y)
    for (std::size_t x = 0; x + 1 < columns.size(); ++x, ++at) {
      const double pairs = static_cast<double>(rows[y + 1] - rows[y]) * static_cast<double>(columns[x + 1] - columns[x]);
      pixels.mean[at] = static_cast<float>(sums[at] / pairs);
    }
  return {};
}

}  // namespace

std::vector<Index> evenEdges(Range range, Index count) {
  assert(1 <= count && count <= range.size());
  std::vector<Index> edges(static_cast<std::size_t>(count + 1));
  for (Index n = 0; n <= count; ++n) {
    const std::int64_t along = std::int64_t{n} * range.size() / count;
    edges[static_cast<std::size_t>(n)] = range.begin + static_cast<Index>(along);
  }
  return edges;
}

std::vector<Index> cellEdges(Range range, Index cell) {
  assert(cell >= 1 && !range.empty());
  std::vector<Index> edges;
  for (Index at = range.begin; at < range.end; at += cell) edges.push_back(at);
  edges.push_back(range.end);
  return edges;
}

core::Check weightTile(const Head& head, const RowStatistics& statistics, std::span<const Index> row_edges,
                       std::span<const Index> column_edges, Pixels pixels) {
  return fillPixels(head, Unit::kLog2, row_edges, column_edges, pixels, 0, [&](Index row) { return head.allowed(row); },
                    [&](Index row, float* scores, Index n) {
                      assert(statistics.known(row));
                      exponentials(scores, n, statistics.top(row));
                      return statistics.share(row);
                    });
}

core::Check scoreTile(const Head& head, std::span<const Index> row_edges, std::span<const Index> column_edges,
                      Pixels pixels) {
  return fillPixels(head, Unit::kNats, row_edges, column_edges, pixels, kBlocked,
                    [&](Index) { return Range{0, head.shape().sources}; }, [](Index, float*, Index) { return 1.0f; });
}

}  // namespace attn::map
