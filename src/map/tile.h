// Exact pictures of any rectangle of a head at any zoom: for each pixel the largest and the mean weight or score of its
// pairs. Knows no colours; how long it takes is the number of pairs.
#pragma once
#include <span>
#include <vector>

#include "map/statistics.h"

namespace attn::map {

// Where pixels begin along one side, and where the last one ends. Of `count` pixels as even as they come: pixel n begins at
// begin + ⌊n·size/count⌋; 1 ≤ count ≤ size.
std::vector<Index> evenEdges(Range range, Index count);
// Of pixels of `cell` positions each; the last may be smaller. cell ≥ 1.
std::vector<Index> cellEdges(Range range, Index cell);

// Row-major: (row edges − 1) × (column edges − 1) numbers each. Edges ascend strictly within the head; to do a part at a
// time, give a part of the row edges. Refused when there is no memory for 8 bytes per pixel.
struct Pixels {
  std::span<float> max, mean;
};

// Right to 1e-6, and to 1e-5 of itself: as a float, a score of 20 is rounded to 2e-6. Blocked weights count as 0. The
// statistics of all these rows must be known.
core::Check weightTile(const Head& head, const RowStatistics& statistics, std::span<const Index> row_edges,
                       std::span<const Index> column_edges, Pixels pixels);
// Scores with their scale, in nats, before any mask: blocked pairs count like the others.
core::Check scoreTile(const Head& head, std::span<const Index> row_edges, std::span<const Index> column_edges,
                      Pixels pixels);

}  // namespace attn::map
