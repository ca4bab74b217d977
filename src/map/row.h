// One row of a head in full: the weight of every source, which are the largest, and how spread out they are. Knows no
// other row.
#pragma once
#include <span>
#include <vector>

#include "map/head.h"

namespace attn::map {

struct Ranked {
  Index source = 0;
  double weight = 0;
  Index rank = 0;  // 1: the largest; of equal weights the earlier source comes first
};

// Computed in double throughout. Memory: 8 bytes for each source.
class RowProfile {
 public:
  // Refuses when there is no memory for it.
  static core::Result<RowProfile> make(const Head& head, Index row);

  Range allowed() const { return allowed_; }
  std::span<const double> weights() const { return memory_.as<double>(); }  // of all S sources; 0 where blocked
  double largestScore() const { return top_; }  // scaled, in nats; −∞ when the row may read nothing
  double entropy() const { return entropy_; }   // −Σ w ln w in nats
  std::vector<Ranked> largest(Index count) const;  // of the sources that may be read, the largest weight first; 1 ≤ count
  Ranked ranked(Index source) const;               // only of a source that may be read

 private:
  core::Buffer memory_;
  Range allowed_;
  double top_ = 0, entropy_ = 0;
};

}  // namespace attn::map
