// Row statistics by one pass over the keys. See statistics.h.
#include "map/statistics.h"

#include <algorithm>
#include <cmath>

#include "map/blocks.h"
#include "map/kernel.h"

namespace attn::map {

core::Result<RowStatistics> RowStatistics::make(Index rows) {
  auto memory = core::Buffer::allocate(static_cast<std::size_t>(rows) * sizeof(Row));
  if (!memory) return memory.error();
  RowStatistics statistics;
  statistics.memory_ = memory.take();
  const std::span<Row> all = statistics.memory_.as<Row>();
  std::fill(all.begin(), all.end(), Row{0, -1});
  return statistics;
}

void RowStatistics::set(Index row, float top, double sum) {
  memory_.as<Row>()[static_cast<std::size_t>(row)] = {top, sum > 0 ? static_cast<float>(1 / sum) : 0};
}

void RunningRow::take(float* scores, Index n) {
  const float block_top = largest(scores, n);
  if (!begun) top = block_top, begun = true;
  if (block_top > top) sum *= std::exp2(static_cast<double>(top) - static_cast<double>(block_top)), top = block_top;
  exponentials(scores, n, top);
}

core::Check findStatistics(const Head& head, Range rows, RowStatistics& statistics) {
  auto workspace = Workspace::make(head.shape().width);
  if (!workspace) return workspace.error();
  for (Index row = rows.begin; row < rows.end;) {
    Index group[kGroup], count = 0;
    for (; row < rows.end && count < kGroup; ++row)
      if (!statistics.known(row)) group[count++] = row;
    RunningRow running[kGroup];
    walkBlocks(head, {group, static_cast<std::size_t>(count)}, {0, head.shape().sources}, Unit::kLog2, workspace.value(),
               [&](Index r) { return head.allowed(r); },
               [&](Index r, Index, Index n, float* scores) {
                 running[r].take(scores, n);
                 float most, sum;
                 poolCells(scores, n, n, &most, &sum);
                 running[r].sum += static_cast<double>(sum);
               });
    for (Index r = 0; r < count; ++r) statistics.set(group[r], running[r].top, running[r].sum);
  }
  return {};
}

}  // namespace attn::map
