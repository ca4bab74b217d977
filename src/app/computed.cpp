// See computed.h.
#include "app/computed.h"

#include <utility>

#include "app/session.h"
#include "core/language.h"
#include "lesson/edits.h"

namespace attn::app {

core::Result<Computed> compute(const Library& library, const Snapshot& snapshot) {
  const lesson::Example* base = library.find(snapshot.example);
  if (!base) return core::Error{tr("There is no example “{0}”; choose one from the list.", {snapshot.example})};
  lesson::Example example = *base;
  example.problem.mask = chosenMask(*base, snapshot.mask);
  auto edited = lesson::editExample(std::move(example), snapshot.edits);
  if (!edited) return edited.error();
  auto trace = core::computeTrace(edited.value().problem);
  if (!trace) return trace.error();
  return Computed{snapshot, std::make_shared<const lesson::Example>(edited.take()),
                  std::make_shared<const core::Trace<double>>(trace.take())};
}

Snapshot snapshotOf(const State& state) { return {state.example, state.mask, state.edits, state.head}; }

Snapshot comparedWith(const State& state) {
  return state.pinned.value_or(Snapshot{state.example, state.mask, {}, state.head});
}

}  // namespace attn::app
