// Walks the pairs of some rows block by block of sources, so that the keys of a block serve all rows while they are in
// the cache. Knows what each row may read; what becomes of the scores is the caller's business.
#pragma once
#include <algorithm>
#include <cassert>
#include <span>

#include "map/head.h"
#include "map/kernel.h"

namespace attn::map {

// Rows that share a block of keys: with 32 of them, fetching keys takes a fifth of the time at 131,072 sources.
inline constexpr Index kGroup = 128;

// The memory of walkBlocks, taken once: queries of a group, and the scores of kRows rows.
class Workspace {
 public:
  static core::Result<Workspace> make(Index width);
  float* queries() { return memory_.as<float>().data() + kRows * kBlock; }
  float* scores() { return memory_.as<float>().data(); }

 private:
  core::Buffer memory_;
};

// The unit of the scores, as a factor of the rule's own: nats as they are read, log 2 for exponentials.
enum class Unit { kNats, kLog2 };

// The queries of the rows, times scale and unit, one after another, as many as there are rows rounded up to kRows.
void gatherQueries(const Head& head, std::span<const Index> rows, Unit unit, float* queries);

// Scores outside of `allowed` become kBlocked; the first of the n is of source `first`.
void blockScores(float* scores, Index first, Index n, Range allowed);

// Calls use(r, first, n, scores) for each of up to kGroup rows (r counts in `rows`) and each block of `sources` that
// holds a source which reach(row) lets through: n scores from source `first` on, both multiples of kPanel, kBlocked where
// reach() ends (so beyond S too). Rows in ascending order do least in vain.
template <class Reach, class Use>
void walkBlocks(const Head& head, std::span<const Index> rows, Range sources, Unit unit, Workspace& workspace, Reach reach,
                Use use) {
  assert(static_cast<Index>(rows.size()) <= kGroup);
  if (sources.empty()) return;
  gatherQueries(head, rows, unit, workspace.queries());
  const Index count = static_cast<Index>(rows.size()), width = head.shape().width;
  Range ranges[kGroup];
  for (Index r = 0; r < count; ++r) {
    const Range range = reach(rows[static_cast<std::size_t>(r)]);
    ranges[r] = {std::max(range.begin, sources.begin), std::min(range.end, sources.end)};
  }
  for (Index first = sources.begin / kPanel * kPanel; first < sources.end; first += kBlock) {
    const Index panels = (std::min(kBlock, sources.end - first) + kPanel - 1) / kPanel, n = panels * kPanel;
    const auto meets = [&](Index r) { return !ranges[r].empty() && ranges[r].begin < first + n && ranges[r].end > first; };
    for (Index group = 0; group < count; group += kRows) {
      const Index end = std::min(group + kRows, count);
      bool any = false;
      for (Index r = group; r < end; ++r) any = any || meets(r);
      if (!any) continue;
      scoreBlock(workspace.queries() + group * width, head.panel(first), width, panels, workspace.scores());
      for (Index r = group; r < end; ++r) {
        if (!meets(r)) continue;
        float* scores = workspace.scores() + (r - group) * kBlock;
        blockScores(scores, first, n, ranges[r]);
        use(r, first, n, scores);
      }
    }
  }
}

}  // namespace attn::map
