// What walking over blocks needs besides the walk. See blocks.h.
#include "map/blocks.h"

#include <algorithm>

namespace attn::map {

core::Result<Workspace> Workspace::make(Index width) {
  auto memory = core::Buffer::allocate(static_cast<std::size_t>(kRows * kBlock + kGroup * width) * sizeof(float));
  if (!memory) return memory.error();
  Workspace workspace;
  workspace.memory_ = memory.take();
  return workspace;
}

void gatherQueries(const Head& head, std::span<const Index> rows, Unit unit, float* queries) {
  const Index width = head.shape().width;
  const double factor = head.rule().scale * (unit == Unit::kLog2 ? kLog2E : 1);
  for (const Index row : rows) {
    const float* from = head.query(row);
    for (Index c = 0; c < width; ++c) *queries++ = static_cast<float>(factor * static_cast<double>(from[c]));
  }
  const Index missing = (kRows - static_cast<Index>(rows.size()) % kRows) % kRows;
  std::fill(queries, queries + missing * width, 0.0f);
}

void blockScores(float* scores, Index first, Index n, Range allowed) {
  const Index begin = std::clamp(allowed.begin - first, Index{0}, n), end = std::clamp(allowed.end - first, begin, n);
  std::fill(scores, scores + begin, kBlocked);
  std::fill(scores + end, scores + n, kBlocked);
}

}  // namespace attn::map
