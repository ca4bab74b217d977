// Each action as a change of a State. See update.h.
#include "app/update.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <type_traits>

#include "app/computed.h"
#include "core/edit.h"
#include "core/language.h"

namespace attn::app {
namespace {

using core::Error;
using core::Result;

Index destinations(const Context& context) { return static_cast<Index>(context.example.tokens.size()); }
Index headCount(const Context& context) { return static_cast<Index>(context.trace.heads.size()); }

// The person's position plus `by`, without overflow.
Index moved(Index position, int by, Index size) {
  return std::clamp<Index>(position + static_cast<Index>(by), 0, size);
}

// What an edit gives a value to: two edits of one target, the later one in the place of the earlier. Nothing for those
// that add up.
std::optional<core::Edit> targetOf(const std::string& text) {
  auto parsed = core::parseEdit(text);
  if (!parsed) return std::nullopt;
  core::Edit edit = parsed.take();
  using core::EditKind;
  const bool sets = edit.kind == EditKind::kSet || edit.kind == EditKind::kScale || edit.kind == EditKind::kTemperature ||
                    edit.kind == EditKind::kSoftcap || edit.kind == EditKind::kSink || edit.kind == EditKind::kAlibi ||
                    edit.kind == EditKind::kMask || edit.kind == EditKind::kToken;
  if (!sets) return std::nullopt;
  edit.values.clear();
  edit.slopes.clear();
  edit.text.clear();
  edit.causal = false;
  return edit;
}

// Later edits count positions and heads as this one leaves them.
std::string neededLater(const std::vector<std::string>& edits, std::size_t at) {
  using core::EditKind;
  const auto kindOf = [&](std::size_t n) {
    const auto edit = core::parseEdit(edits[n]);
    return edit ? edit.value() : core::Edit{};
  };
  const core::Edit removed = kindOf(at);
  const bool tokens = removed.kind == EditKind::kInsert || removed.kind == EditKind::kDelete || removed.kind == EditKind::kMove;
  const bool heads = removed.kind == EditKind::kAddHead || removed.kind == EditKind::kRemoveHead;
  for (std::size_t n = at + 1; n < edits.size(); ++n) {
    const core::Edit later = kindOf(n);
    const bool counts = (tokens && (later.row || later.col)) || (heads && (later.head || !later.slopes.empty()));
    if (!counts) continue;
    return tokens ? tr("“{0}” stays: the later edit “{1}” counts positions with it; remove that one first, or undo.",
                       {edits[at], edits[n]})
                  : tr("“{0}” stays: the later edit “{1}” counts heads with it; remove that one first, or undo.",
                       {edits[at], edits[n]});
  }
  return "";
}

// The followed position stays with its token.
Index rowAfter(const core::Edit& edit, Index row) {
  const Index at = edit.row.value_or(0);
  if (edit.kind == core::EditKind::kInsert) return at <= row ? row + 1 : row;
  if (edit.kind == core::EditKind::kDelete) return at < row ? row - 1 : row;
  if (edit.kind != core::EditKind::kMove) return row;
  if (at == row) return edit.count;
  return at < row && edit.count >= row ? row - 1 : at > row && edit.count <= row ? row + 1 : row;
}

struct Update {
  State state;
  const Context& context;

  Result<State> seek(Index position) {
    state.at = context.timeline.at(position);
    return state;
  }
  Index position() const { return context.timeline.positionOf(state.at); }

  Result<State> operator()(const action::StepBy& a) { return seek(moved(position(), a.by, context.timeline.size())); }
  Result<State> operator()(const action::StageBy& a) {
    Index to = position();
    const Index limit = static_cast<Index>(context.timeline.stages().size());
    for (Index n = std::min<Index>(std::abs(static_cast<Index>(a.by)), limit); n > 0; --n)
      to = a.by > 0 ? context.timeline.nextStage(to) : context.timeline.previousStage(to);
    return seek(to);
  }
  Result<State> operator()(const action::First&) { return seek(0); }
  Result<State> operator()(const action::Last&) { return seek(context.timeline.size()); }
  Result<State> operator()(const action::Seek& a) {
    const Index last = context.timeline.size();
    if (a.position < 0 || a.position > last)
      return Error{tr("There is no step {0} at this order and grain; choose 0, the opening state, to {1}.",
                      {a.position, last})};
    return seek(a.position);
  }

  Result<State> operator()(const action::ChooseRow& a) {
    if (a.row < 0 || a.row >= destinations(context))
      return Error{tr("There is no row {0}: this example has {1}, counted from 0; choose one of those.",
                      {a.row, destinations(context)})};
    state.row = a.row;  // settle() takes the step to this row
    return state;
  }
  Result<State> operator()(const action::ChooseHead& a) {
    if (a.head < 0 || a.head >= headCount(context))
      return Error{tr("There is no head {0}: this example has {1}, counted from 0; choose one of those.",
                      {a.head, headCount(context)})};
    state.head = a.head;
    return state;
  }
  Result<State> operator()(const action::ChooseCell& a) {
    const auto array = core::arrayOf(context.trace, state.head, a.cell.array);
    const std::string name(core::arrayName(a.cell.array));
    if (!array) return Error{tr("This example has no array “{0}”; choose a cell of an array on the screen.", {name})};
    if (a.cell.row < 0 || a.cell.row >= array.rows || a.cell.col < 0 || a.cell.col >= array.columns)
      return Error{tr("There is no cell {0}[{1}][{2}]: {0} is {3} and counts from 0; choose a cell inside it.",
                      {name, a.cell.row, a.cell.col, core::shapeText(array.rows, array.columns)})};
    state.cursor = a.cell;
    return state;
  }
  Result<State> operator()(const action::LeaveCell&) {
    state.cursor.reset();
    return state;
  }
  // Following one row goes on with the row that the current step is about, so that the moment stays.
  Result<State> operator()(const action::SetOrder& a) {
    const bool about_one_row = state.at && state.at->row >= 0 && core::resultOf(state.at->stage) != core::Array::kX &&
                               state.at->stage != core::Stage::kK && state.at->stage != core::Stage::kV;
    if (a.order == Order::kRow && state.order != Order::kRow && about_one_row) state.row = state.at->row;
    state.order = a.order;
    return state;
  }
  Result<State> operator()(const action::SetGrain& a) {
    state.grain = a.grain;
    return state;
  }
  // Edits of the mask would hide the choice.
  Result<State> operator()(const action::SetMask& a) {
    std::erase_if(state.edits, [](const std::string& edit) {
      const auto parsed = core::parseEdit(edit);
      return parsed && parsed.value().kind == core::EditKind::kMask;
    });
    state.mask = a.mask;
    return state;
  }
  Result<State> operator()(const action::AddEdit& a) {
    auto edit = core::parseEdit(a.edit);
    if (!edit) return edit.error();
    const auto target = targetOf(a.edit);
    if (target && !state.edits.empty() && targetOf(state.edits.back()) == target) state.edits.pop_back();
    state.edits.push_back(a.edit);
    state.row = rowAfter(edit.value(), state.row);
    return state;
  }
  Result<State> operator()(const action::RemoveEdit& a) {
    const auto count = static_cast<Index>(state.edits.size());
    if (a.index < 0 || a.index >= count)
      return Error{tr("There is no edit {0}: the list has {1}, counted from 0.", {a.index, count})};
    if (const std::string why_not = neededLater(state.edits, static_cast<std::size_t>(a.index)); !why_not.empty())
      return Error{why_not};
    state.edits.erase(state.edits.begin() + a.index);
    return state;
  }
  Result<State> operator()(const action::SetEdits& a) {
    state.edits = a.edits;
    return state;
  }
  Result<State> operator()(const action::SetShown& a) {
    state.shown = a.shown;
    return state;
  }
  Result<State> operator()(const action::Pin&) {
    state.pinned = snapshotOf(state);
    return state;
  }
  Result<State> operator()(const action::Unpin&) {
    state.pinned.reset();
    return state;
  }
  Result<State> operator()(const action::SetExact& a) {
    state.exact = a.on;
    return state;
  }
  Result<State> operator()(const action::SetDecimals& a) {
    if (a.decimals < 2 || a.decimals > 6)
      return Error{tr("Numbers cannot be shown with {0} decimals; choose 2 to 6.", {a.decimals})};
    state.decimals = a.decimals;
    return state;
  }
  Result<State> operator()(const action::SetPalette& a) {
    state.palette = a.palette;
    return state;
  }
  Result<State> operator()(const action::SetShowSpaces& a) {
    state.show_spaces = a.on;
    return state;
  }
  template <class Other>
  Result<State> operator()(const Other&) {
    return state;
  }
};

}  // namespace

State openingState(const lesson::Example& example, const State& before) {
  State state;
  state.example = example.id;
  state.edits = example.edits;
  state.pinned = before.pinned;
  state.row = static_cast<Index>(example.tokens.size()) - 1;
  state.exact = before.exact;
  state.decimals = before.decimals;
  state.palette = before.palette;
  state.show_spaces = before.show_spaces;
  return state;
}

Result<State> update(const State& state, const Action& action, const Context& context) {
  return std::visit(Update{state, context}, action);
}

State settle(State state, const Context& context) {
  state.row = std::clamp<Index>(state.row, 0, destinations(context) - 1);
  state.head = std::clamp<Index>(state.head, 0, headCount(context) - 1);
  state.decimals = std::clamp(state.decimals, 2, 6);
  // A row that is not followed has no step: the one that is takes its place, in the same stage.
  if (state.at && state.at->row >= 0 && state.order == Order::kRow &&
      !context.timeline.walks(state.at->stage, state.at->row))
    state.at->row = state.row;
  state.at = context.timeline.at(context.timeline.positionOf(state.at));
  if (state.cursor) {
    const auto array = core::arrayOf(context.trace, state.head, state.cursor->array);
    const bool inside = array && state.cursor->row >= 0 && state.cursor->row < array.rows && state.cursor->col >= 0 &&
                        state.cursor->col < array.columns;
    if (!inside) state.cursor.reset();
  }
  return state;
}

bool isChoice(const Action& action) {
  return std::visit(
      [](const auto& a) {
        using A = std::decay_t<decltype(a)>;
        return std::is_same_v<A, action::ChooseRow> || std::is_same_v<A, action::ChooseHead> ||
               std::is_same_v<A, action::SetOrder> || std::is_same_v<A, action::SetGrain> ||
               std::is_same_v<A, action::SetMask> || std::is_same_v<A, action::AddEdit> ||
               std::is_same_v<A, action::RemoveEdit> || std::is_same_v<A, action::SetEdits> ||
               std::is_same_v<A, action::ResetEdits> || std::is_same_v<A, action::SetShown> ||
               std::is_same_v<A, action::Pin> || std::is_same_v<A, action::Unpin> ||
               std::is_same_v<A, action::OpenExample> ||
               std::is_same_v<A, action::OpenDocument> || std::is_same_v<A, action::LoadLink> ||
               std::is_same_v<A, action::SetExact> || std::is_same_v<A, action::SetDecimals> ||
               std::is_same_v<A, action::SetPalette> || std::is_same_v<A, action::SetShowSpaces>;
      },
      action);
}

bool isFromComputing(const Action& action) {
  return std::holds_alternative<action::ScenePage>(action) || std::holds_alternative<action::SceneFailed>(action) ||
         std::holds_alternative<action::SceneProgress>(action);
}

MaskChoice maskInForce(const State& state) {
  MaskChoice choice = state.mask;
  for (const std::string& text : state.edits) {
    const auto edit = core::parseEdit(text);
    if (edit && edit.value().kind == core::EditKind::kMask)
      choice = edit.value().causal ? MaskChoice::kCausal : MaskChoice::kNone;
  }
  return choice;
}

core::MaskSpec chosenMask(const lesson::Example& example, MaskChoice choice) {
  if (choice == MaskChoice::kDocument) return example.problem.mask;
  return core::plainMask(choice == MaskChoice::kCausal);
}

}  // namespace attn::app
