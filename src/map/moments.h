// Exact mean and standard deviation of the scores of every block of n×n pairs, from the moments of its queries and of its
// keys: no pair is computed. Knows no softmax, and no mask: scores are those before it, of all pairs of a block, also of
// those that the rule blocks; Head::coverage says of which blocks that is so.
#pragma once
#include <cstdint>
#include <span>
#include <vector>

#include "map/head.h"

namespace attn::map {

// Blocks of q_i = q̄ + a and k_j = k̄ + b, with covariances A and B: the mean of q·k is q̄·k̄ and its variance
// q̄ᵀBq̄ + k̄ᵀAk̄ + ⟨A, B⟩, a sum without a difference, so that nothing is lost where the scores vary little.
class Moments {
 public:
  // The bytes of all levels whose finest block is `block`: about (T + S)/block · d² · 8.
  static std::uint64_t bytes(Shape shape, Index block);
  // The smallest block, a power of two, that needs at most `memory` bytes. Refuses when one block of everything needs more.
  static core::Result<Index> plan(Shape shape, std::uint64_t memory);
  // Level 0 has the given block; each further one twice that, up to one block. Refuses when there is no memory.
  static core::Result<Moments> make(const Head& head, Index block);

  int levels() const { return static_cast<int>(levels_.size()); }
  Index blockSize(int level) const { return levels_[static_cast<std::size_t>(level)].block; }
  Shape blocks(int level) const;  // rows and sources of blocks

  // Of the blocks of `rows` × `sources` (counted in blocks, neither empty), row-major. Scores have their scale, in nats.
  // Refuses when there is no memory for 8·d·(d + 2) numbers.
  core::Check evaluate(int level, Range rows, Range sources, std::span<double> mean, std::span<double> deviation) const;

 private:
  // Of one side: for each block its mean, d numbers, and its covariance, the upper triangle by rows.
  struct Side {
    double* numbers;
    Index positions;
  };
  struct Level {
    Index block;
    Side queries, keys;
  };

  void merge(const Side& fine, const Side& coarse, Index block) const;
  void pack(const Side& keys, Index first, Index count, double* panel) const;
  void pairUp(const double* query, const double* panel, double* mean, double* deviation) const;

  core::Buffer memory_;
  std::vector<Level> levels_;
  Index width_ = 0, stride_ = 0;
  double scale_ = 1;
};

}  // namespace attn::map
