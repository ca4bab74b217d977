// See row.h.
#include "map/row.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>

#include "map/kernel.h"

namespace attn::map {
namespace {

// scores[j] of the sources of `range`, those of a panel together.
void exactScores(const Head& head, Index row, Range range, std::span<double> scores) {
  const float* query = head.query(row);
  for (Index first = range.begin / kPanel * kPanel; first < range.end; first += kPanel) {
    double sums[kPanel] = {};
    const float* keys = head.panel(first);
    for (Index c = 0; c < head.shape().width; ++c, keys += kPanel)
      for (Index lane = 0; lane < kPanel; ++lane)
        sums[lane] += static_cast<double>(query[c]) * static_cast<double>(keys[lane]);
    for (Index source = std::max(first, range.begin); source < std::min(first + kPanel, range.end); ++source)
      scores[static_cast<std::size_t>(source)] = head.rule().scale * sums[source - first];
  }
}

}  // namespace

core::Result<RowProfile> RowProfile::make(const Head& head, Index row) {
  assert(0 <= row && row < head.shape().rows);
  auto memory = core::Buffer::allocate(static_cast<std::size_t>(head.shape().sources) * sizeof(double));
  if (!memory) return memory.error();
  RowProfile profile;
  profile.memory_ = memory.take();
  profile.allowed_ = head.allowed(row);
  const std::span<double> all = profile.memory_.as<double>();
  std::fill(all.begin(), all.end(), 0.0);
  exactScores(head, row, profile.allowed_, all);
  const std::span<double> read = all.subspan(static_cast<std::size_t>(profile.allowed_.begin),
                                             static_cast<std::size_t>(profile.allowed_.size()));
  profile.top_ = -std::numeric_limits<double>::infinity();
  for (const double score : read) profile.top_ = std::max(profile.top_, score);
  // With x = score − top, the entropy is ln Σ e^x − Σ x·e^x ÷ Σ e^x.
  double sum = 0, weighted = 0;
  for (double& value : read) {
    const double x = value - profile.top_;
    value = std::exp(x);
    sum += value;
    weighted += value > 0 ? x * value : 0;
  }
  for (double& value : read) value /= sum;
  if (sum > 0) profile.entropy_ = std::max(0.0, std::log(sum) - weighted / sum);
  return profile;
}

std::vector<Ranked> RowProfile::largest(Index count) const {
  assert(count >= 1);
  const std::span<const double> all = weights();
  const auto before = [](const Ranked& a, const Ranked& b) {
    return a.weight > b.weight || (a.weight == b.weight && a.source < b.source);
  };
  // A heap of the best so far, the least of them on top: no memory but for those.
  std::vector<Ranked> best;
  for (Index source = allowed_.begin; source < allowed_.end; ++source) {
    const Ranked next{source, all[static_cast<std::size_t>(source)], 0};
    const bool full = static_cast<Index>(best.size()) == count;
    if (full && !before(next, best.front())) continue;
    if (full) std::pop_heap(best.begin(), best.end(), before), best.pop_back();
    best.push_back(next);
    std::push_heap(best.begin(), best.end(), before);
  }
  std::sort_heap(best.begin(), best.end(), before);
  for (std::size_t n = 0; n < best.size(); ++n) best[n].rank = static_cast<Index>(n) + 1;
  return best;
}

Ranked RowProfile::ranked(Index source) const {
  assert(allowed_.begin <= source && source < allowed_.end);
  const std::span<const double> all = weights();
  Ranked ranked{source, all[static_cast<std::size_t>(source)], 1};
  for (Index other = allowed_.begin; other < allowed_.end; ++other) {
    const double weight = all[static_cast<std::size_t>(other)];
    if (weight > ranked.weight || (weight == ranked.weight && other < source)) ++ranked.rank;
  }
  return ranked;
}

}  // namespace attn::map
