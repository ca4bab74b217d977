// An example with its edits carried out and everything computed from it. Knows no history.
#pragma once
#include <memory>

#include "app/state.h"
#include "core/result.h"
#include "core/trace.h"
#include "lesson/example.h"

namespace attn::app {

class Library;

struct Computed {
  Snapshot of;  // its head means nothing here
  std::shared_ptr<const lesson::Example> example;  // as edited
  std::shared_ptr<const core::Trace<double>> trace;

  bool is(const Snapshot& snapshot) const {
    return of.example == snapshot.example && of.mask == snapshot.mask && of.edits == snapshot.edits;
  }
};

// Refuses an example that the library has not, edits that cannot be carried out and what core::computeTrace refuses.
core::Result<Computed> compute(const Library& library, const Snapshot& snapshot);

// What the State stands on.
Snapshot snapshotOf(const State& state);
// What it is compared with: what is pinned, or the example without any edit.
Snapshot comparedWith(const State& state);

}  // namespace attn::app
