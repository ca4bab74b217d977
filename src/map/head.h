// What maps of attention are made from: the queries and keys of one head, with the rule of its scores. Knows no values,
// no softmax and no pixels.
#pragma once
#include <cstddef>
#include <span>

#include "core/buffer.h"
#include "core/result.h"

namespace attn::map {

// Of positions and of numbers in memory; pairs of positions can be more than it holds.
using Index = std::ptrdiff_t;

// Half-open; empty where end ≤ begin.
struct Range {
  Index begin = 0, end = 0;
  bool empty() const { return end <= begin; }
  Index size() const { return empty() ? 0 : end - begin; }
};

// score(i, j) = scale·(q_i · k_j). Row i stands at source p = i + shift: causal blocks j > p, a window w > 0 blocks
// |p − j| ≥ w. So what a row may read is one range of sources.
struct Rule {
  double scale = 1;
  bool causal = false;
  Index window = 0;  // 0: none
  Index shift = 0;
};

struct Shape {
  Index rows = 0, sources = 0, width = 0;  // T, S and d
};

// How much of a block of pairs the rule lets through.
enum class Coverage { kAll, kSome, kNone };

// Queries are read where they are and must outlive this; keys are packed for the kernel: S·d floats.
class Head {
 public:
  // q is T×d, k S×d, row-major, T, S, d ≥ 1. Refuses numbers that are not finite, products that a float cannot hold, and
  // a shape that the memory does not.
  static core::Result<Head> make(const float* q, const float* k, Shape shape, Rule rule);

  const Shape& shape() const { return shape_; }
  const Rule& rule() const { return rule_; }
  const float* query(Index row) const { return q_ + row * shape_.width; }
  // Panels of kPanel sources, of each the first numbers, then the second ones, …; filled up with zeros.
  const float* panel(Index first_source) const;
  void readKey(Index source, std::span<double> key) const;  // d numbers

  Range allowed(Index row) const;  // within 0 … S
  Coverage coverage(Range rows, Range sources) const;  // neither is empty

 private:
  const float* q_ = nullptr;
  core::Buffer panels_;
  Shape shape_;
  Rule rule_;
};

}  // namespace attn::map
