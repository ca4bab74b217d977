// Arithmetic on the cursor; the Session keeps it. Knows no key.
#include "ui/matrix_cursor.h"

#include <algorithm>
#include <vector>

#include "figure/equation.h"
#include "ui/keys.h"

namespace attn::ui {
namespace {

using core::Array;
using core::Index;

core::ArrayView shapeOf(const app::Session& session, Array array) {
  return core::arrayOf(session.trace(), session.state().head, array);
}

app::CellCursor inside(const app::Session& session, app::CellCursor cell) {
  const core::ArrayView shape = shapeOf(session, cell.array);
  cell.row = std::clamp<Index>(cell.row, 0, std::max<Index>(0, shape.rows - 1));
  cell.col = std::clamp<Index>(cell.col, 0, std::max<Index>(0, shape.columns - 1));
  return cell;
}

}  // namespace

Array currentArray(const app::Session& session) {
  const app::State& state = session.state();
  if (state.cursor && shapeOf(session, state.cursor->array)) return state.cursor->array;
  if (state.at) return core::resultOf(state.at->stage);
  for (const Array array : {Array::kState, Array::kX})
    if (shapeOf(session, array)) return array;
  return Array::kQ;
}

void enterMatrix(Frame& frame) {
  const app::State& state = frame.session.state();
  app::CellCursor cell{currentArray(frame.session), state.row, 0};
  if (state.at && state.at->row >= 0) cell.row = state.at->row;
  if (state.at && state.at->col >= 0) cell.col = state.at->col;
  if (state.cursor && state.cursor->array == cell.array) cell = *state.cursor;
  frame.view.in_matrix = true;
  frame.dispatch(app::action::ChooseCell{inside(frame.session, cell)});
}

void leaveMatrix(Frame& frame) {
  frame.view.in_matrix = false;
  if (frame.session.state().cursor) frame.dispatch(app::action::LeaveCell{});
}

void moveCursor(Frame& frame, Index rows, Index columns) {
  if (!frame.session.state().cursor) return;
  app::CellCursor cell = *frame.session.state().cursor;
  cell.row += rows;
  cell.col += columns;
  frame.dispatch(app::action::ChooseCell{inside(frame.session, cell)});
}

void changeMatrix(Frame& frame, int by) {
  const app::State& state = frame.session.state();
  if (!state.cursor) return;
  std::vector<Array> there;  // what the picture shows
  for (const figure::EquationPart& part : figure::equationOf(frame.session.trace(), state.head).parts)
    there.push_back(part.array);
  if (there.empty()) return;
  const auto at = std::find(there.begin(), there.end(), state.cursor->array);
  const auto next =
      std::clamp<std::ptrdiff_t>(at - there.begin() + by, 0, static_cast<std::ptrdiff_t>(there.size()) - 1);
  app::CellCursor cell = *state.cursor;
  cell.array = there[static_cast<std::size_t>(next)];
  frame.dispatch(app::action::ChooseCell{inside(frame.session, cell)});
}

void chooseRowBy(Frame& frame, Index by) {
  const Index rows = frame.session.trace().problem.T;
  const Index row = std::clamp<Index>(frame.session.state().row + by, 0, rows - 1);
  if (row != frame.session.state().row) frame.dispatch(app::action::ChooseRow{row});
}

void chooseHeadBy(Frame& frame, Index by) {
  const Index heads = static_cast<Index>(frame.session.trace().heads.size());
  const Index head = std::clamp<Index>(frame.session.state().head + by, 0, heads - 1);
  if (head != frame.session.state().head) frame.dispatch(app::action::ChooseHead{head});
}

}  // namespace attn::ui
