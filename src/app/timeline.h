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
};

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
  // Nothing (position 0) for no step; a stage that this computation has not maps to the last stage before it.
  Index positionOf(const std::optional<Step>& step) const;

  // The position at the end of the stage before / after.
  Index previousStage(Index position) const;
  Index nextStage(Index position) const;

  // Whether `position` ends a stage: where playback pauses.
  bool endsStage(Index position) const;

  const std::vector<core::Stage>& stages() const { return stages_; }

  // How far cell [row][col] of the array that `stage` writes has come at `position`.
  CellReach reach(Index position, core::Stage stage, Index row, Index col) const;

  // What the step does not cover is unknown: with Order::kRow, the other rows of all but K and V (and norm).
  bool walks(core::Stage stage, Index row) const;

 private:
  std::vector<core::Stage> stages_;
};

}  // namespace attn::app
