// What each choice does to a State, as pure functions. Knows no history, no clock and no trace cache: Session adds
// them.
#pragma once
#include "app/action.h"
#include "app/state.h"
#include "app/timeline.h"
#include "core/result.h"
#include "core/trace.h"
#include "lesson/example.h"

namespace attn::app {

// What a State stands on: the example, its computation and the walk that the State's choices give.
struct Context {
  const lesson::Example& example;
  const core::Trace<double>& trace;
  const Timeline& timeline;
};

// The State in which an example opens: last destination, head 0, nothing done, followed row by row. How numbers look is
// the person's own choice and stays as it is in `before`.
State openingState(const lesson::Example& example, const State& before = {});

// The State after a step or a choice; an error says why the request makes no sense here. Handles every action that
// concerns only the State: opening, links, playback and history belong to Session and leave it unchanged.
core::Result<State> update(const State& state, const Action& action, const Context& context);

// The State with everything inside its ranges: row, head, decimals, cursor, and `at` as the step of `context.timeline`
// that contains it. Called whenever example, mask, order, grain or row has changed, with the new timeline.
State settle(State state, const Context& context);

// Whether the action is a choice that undo takes back. Steps, the cell cursor and playback are not.
bool isChoice(const Action& action);

// Whether it comes from whoever computes scenes rather than from a person.
bool isFromComputing(const Action& action);

// The choice that is in force: the last edit of the whole mask, else the State's own.
MaskChoice maskInForce(const State& state);

// The mask specification that the State's choice stands for.
core::MaskSpec chosenMask(const lesson::Example& example, MaskChoice choice);

}  // namespace attn::app
