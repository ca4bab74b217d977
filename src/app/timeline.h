// The steps of a computation at a grain and in an order, as arithmetic: nothing is stored per step, so a walk of
// millions of multiply-adds costs no memory. Knows shapes and the mask, no numbers.
#pragma once
#include <cstdint>
#include <optional>
#include <vector>

#include "app/state.h"
#include "core/trace.h"

namespace attn::app {

// How far one result cell has come at a moment.
enum class Reach : std::uint8_t {
  kUnknown,  // drawn as not yet known, never as a number
  kPartial,  // some of its terms are in: `terms` of them
  kKnown,
};
struct CellReach {
  Reach reach = Reach::kUnknown;
  Index terms = 0;    // with kPartial: terms done; in the softmax: 1 = its exponential is known
  bool now = false;   // the current step is about this cell
  bool operator==(const CellReach&) const = default;
};

// The walk, stage after stage. With Order::kRow, K, V and the normalisation still take all rows, because the followed
// row reads them all: they are one step at the grains stage and row. With Order::kStage every stage takes all rows.
// A row that may read no source is one step in `weights` and one in `z` at every grain: there is nothing to divide and
// nothing to mix. At the grain `term` a cell takes: q, k, v: D products, then the bias if there is one; scores: d_k
// products; scaled to masked: one; norm: the row's mean, its variance, then one per cell; weights: the row's maximum,
// one exponential per cell (or "blocked"), the sum, one division per allowed cell; z: S products; concat: one copy;
// y: Σd_v products (one copy without W_O), then the bias if there is one; residual: one addition.
class Timeline {
 public:
  Timeline() = default;
  // `row` is the destination to follow with Order::kRow and unused otherwise; `head` gives d_v and d_k.
  Timeline(const core::Trace<double>& trace, Order order, Grain grain, Index row, Index head);

  // Steps from the opening state to the last number.
  Index size() const;

  // The step number `position` − 1, that is the last one done at that position; nothing at position 0.
  std::optional<Step> at(Index position) const;

  // The position at which `step` is done: a coarser or finer step maps to the first position that includes it.
  // Nothing (position 0) for no step; a stage that this computation has not maps to the last stage before it; a row
  // that is not walked to the start of its stage when it lies before the followed one, else to its end.
  Index positionOf(const std::optional<Step>& step) const;

  // The position at the end of the stage before / after.
  Index previousStage(Index position) const;
  Index nextStage(Index position) const;

  // Whether `position` ends a stage: where playback pauses.
  bool endsStage(Index position) const;

  const std::vector<core::Stage>& stages() const { return stages_; }

  // How far cell [row][col] of the array that `stage` writes has come at `position`. Known when this computation has
  // no such stage: then the array is given.
  CellReach reach(Index position, core::Stage stage, Index row, Index col) const;

  // What the step does not cover is unknown: with Order::kRow, the other rows of all but K and V (and norm).
  bool walks(core::Stage stage, Index row) const;

  // Steps that a cell of this stage takes at the grain `term` (the softmax and norm, which go in phases, give 1).
  Index termsOf(core::Stage stage) const;

 private:
  // One stage of the walk. Rows first_row … first_row + rows − 1; whole = a single step for all of them.
  struct Segment {
    core::Stage stage;
    Index first_row = 0, rows = 0, columns = 0, terms = 1;
    Index start = 0, size = 0;
    bool whole = false;
    Index per_row = 1;
    std::vector<Index> row_starts;  // where rows differ in length: rows + 1 prefix sums; else empty
  };

  void addSegment(core::Stage stage, Index all_rows, Index columns, Index terms);
  Index rowLength(const Segment& segment, Index row) const;
  Index rowStart(const Segment& segment, Index row) const;
  Index rowEnd(const Segment& segment, Index row) const;
  bool silent(const Segment& segment, Index row) const;
  Step stepInRow(const Segment& segment, Index row, Index offset) const;
  Index doneInRow(const Segment& segment, const Step& step) const;
  Index phaseDone(const Segment& segment, const Step& step) const;
  Index cellDone(const Segment& segment, Index row, Index col) const;
  const Segment* find(core::Stage stage) const;
  bool allowed(Index row, Index col) const;
  Index allowedBefore(Index row, Index col) const;

  Order order_ = Order::kRow;
  Grain grain_ = Grain::kRow;
  Index row_ = 0;
  std::vector<core::Stage> stages_;
  std::vector<Segment> segments_;
  Index sources_ = 0, first_masked_row_ = 0;
  std::vector<std::uint8_t> allowed_;     // walked rows × S
  std::vector<Index> allowed_in_row_;     // per walked row
};

}  // namespace attn::app
