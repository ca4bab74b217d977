// Attention over sequences of any length, in memory that grows with their length and not with its square: scores come and
// go in tiles, as in core/tiles.h, in single precision and as fast as the machine can. Knows no grid of weights and no
// file; weights are computed again, where somebody wants to see them, from row_max and row_sum.
#pragma once
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>

#include "core/align.h"
#include "core/buffer.h"
#include "core/result.h"
#include "core/row_status.h"
#include "core/streaming/instruction_set.h"

namespace attn::core::streaming {

using Index = std::ptrdiff_t;

inline constexpr Index kWidestHead = 256;

// Numbers of the caller: row r of head h begins at data + h·head + r·row.
struct Rows {
  const float* data = nullptr;
  Index row = 0, head = 0;
};

// A pattern of blocks of cells. Cell (i, j) may be read where allowed[⌊i ÷ rows⌋·⌈S ÷ columns⌉ + ⌊j ÷ columns⌋] ≠ 0. With
// blocks of one cell, any mask.
struct Pattern {
  Index rows = 1, columns = 1;  // ≥ 1
  const std::uint8_t* allowed = nullptr;
};

// The words are those of core/problem.h and core/mask.h; what is not given is no rule. All parts of the mask are combined
// with "and". A row costs what lies between the first and the last source that it may read of each tile (some hundred
// sources), so that a window costs its width and a pattern of large blocks what it allows.
struct Rules {
  bool causal = false;
  Align align = Align::kTopLeft;
  std::optional<Index> window;             // ≥ 1
  const std::uint8_t* padding = nullptr;   // S, not 0 = a real token
  std::optional<Pattern> allowed;
  std::optional<float> scale;              // default 1/√d_k
  std::optional<float> softcap;            // > 0
  const float* alibi = nullptr;            // H slopes
  const float* sink = nullptr;             // H
};

// Query head h uses key/value head ⌊h·G/H⌋. With cross-attention S and the rows of k and v are those of the other sequence.
struct Inputs {
  Index T = 0, S = 0;                       // ≥ 1
  Index d_k = 0, d_v = 0;                   // 1 … kWidestHead
  Index heads = 1, key_value_heads = 1;     // H, G; G divides H
  Rows q, k, v;                             // H of T×d_k, G of S×d_k, G of S×d_v
  Rules rules;
};

// Memory of the caller for what is computed, none of it left out. A row that is not computed yet is as it was.
//
// row_max, row_sum and row_status are those of core/softmax.h, scores in natural units: the weight of a score that may be
// read is e^(score − row_max) ÷ (row_sum + e^(sink − row_max)). row_max is rounded to a float, and row_sum is relative to
// the rounded number, so that weights do not suffer by it (as long as |row_max| < 10⁷, beyond which neighbouring floats lie
// more than 1 apart). Cells that may not be read have no part in z, whatever k and v hold there. A row that may read
// nothing, or only scores of −∞, has z and row_sum 0, row_max −∞ and the status kNoSource.
//
// Otherwise numbers are those of single precision: weights below 2^−126 of the row's largest count as 0; products, and
// q·scale·log₂ e, that are too large for a float are ±∞. A row with a score that is no number has z and row_sum NaN, and so
// has one with a score of +∞; row_max is then +∞ where a score is, otherwise NaN.
struct Outputs {
  float* z = nullptr;                       // H of T×d_v
  Index z_row = 0, z_head = 0;              // as in Rows
  float* row_max = nullptr;                 // H of T, one after the other; likewise
  float* row_sum = nullptr;
  RowStatus* row_status = nullptr;
};

struct Progress {
  Index rows = 0, all_rows = 0;             // of all query heads
  double seconds_left = 0;                  // as measured so far, by the cells that are left; NaN before the first block
};

// What one thread works in. Moves, never copies.
class Scratch {
 private:
  friend class Attention;
  Buffer memory_;
};

// One computation. Rows are computed in blocks, numbered from 0, in any order and by any number of threads, each with a
// Scratch of its own. What inputs and outputs point to must stay until the last of them is done; several threads may call
// all that is const, cancel, compute and work at once.
class Attention {
 public:
  // Refuses what the comments above do not allow, and when there is no memory; packs keys and values, which takes
  // 4·(d_k + d_v) bytes per source and key/value head, d_v rounded up to whole vectors.
  static Result<Attention> prepare(const Inputs& inputs, const Outputs& outputs, const Kernel& kernel = bestKernel());

  Attention(Attention&&) noexcept;
  ~Attention();

  Result<Scratch> scratch() const;

  Index blocks() const;
  // Blocks begin … end − 1. Stops early when cancelled.
  void compute(Index begin, Index end, Scratch& scratch);
  // Blocks that nobody has taken yet, one after the other, until none is left or all is cancelled.
  void work(Scratch& scratch);

  void cancel();
  bool cancelled() const;
  Progress progress() const;

 private:
  struct State;
  explicit Attention(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

}  // namespace attn::core::streaming
