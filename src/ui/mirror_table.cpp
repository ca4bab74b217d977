// Words for cells from the Trace and how far the walk has come. Knows no JSON.
#include "ui/mirror_table.h"

#include <algorithm>
#include <optional>

#include "app/explain.h"
#include "app/words.h"
#include "ui/stage_memory.h"

namespace attn::ui {
namespace {

using core::Array;
using core::Index;
using core::Stage;

constexpr Index kMostMirrored = 64;

enum class Axis { kDestinations, kSources, kNumbers };

bool isMap(Array array) {
  return array == Array::kScores || array == Array::kScaled || array == Array::kSoftcapped || array == Array::kBias ||
         array == Array::kBiased || array == Array::kMasked || array == Array::kWeights;
}

Axis rowAxis(Array array) {
  if (array == Array::kK || array == Array::kV || array == Array::kXSources) return Axis::kSources;
  return core::isParameter(array) ? Axis::kNumbers : Axis::kDestinations;
}

std::string headText(const app::Session& session, Axis axis, Index at) {
  if (axis == Axis::kNumbers) return std::to_string(at + session.example().first_index);
  return app::positionText(session.example(), at, axis == Axis::kSources, session.state().show_spaces);
}

std::optional<Stage> writerOf(const app::Session& session, Array array) {
  for (const Stage stage : session.timeline().stages())
    if (core::resultOf(stage) == array) return stage;
  return std::nullopt;
}

// Rows or columns first … first + count − 1 of `all`, around `middle`.
struct Span {
  Index first = 0, count = 0;
};
Span around(Index middle, Index all) {
  const Index count = std::min(all, kMostMirrored);
  return {std::clamp<Index>(middle - count / 2, 0, all - count), count};
}

// "causal and padding"
std::string reasonWords(std::uint8_t reasons) {
  constexpr std::pair<core::BlockReason, std::string_view> kWords[] = {{core::kBlockedByCausal, trLater("causal")},
                                                                       {core::kBlockedByWindow, trLater("outside the window")},
                                                                       {core::kBlockedByPadding, trLater("padding")},
                                                                       {core::kBlockedByAllowed, trLater("not allowed")},
                                                                       {core::kBlockedByEdit, trLater("forbidden by you")}};
  std::string text;
  for (const auto& [reason, words] : kWords)
    if (reasons & reason) text = text.empty() ? tr(words) : tr("{0} and {1}", {text, tr(words)});
  return text;
}

// Which numbers are told: those of the example as it is edited, as it was before, or how far they differ.
struct Told {
  const core::Trace<double>& trace;
  Index head;
  app::Shown shown;
};
Told toldOf(const app::Session& session, const StageMemory* stage) {
  if (stage && stage->trace && stage->shown != app::Shown::kAfter) return {*stage->trace, stage->head, stage->shown};
  return {session.trace(), session.state().head, app::Shown::kAfter};
}

std::string captionOf(const app::Session& session, Array array, const core::ArrayView& view, Span rows, Span columns,
                      app::Shown shown) {
  std::string caption = std::string(core::arrayName(array)) + ", " + core::shapeText(view.rows, view.columns);
  if (session.trace().heads.size() > 1) caption += ", " + app::headText(session.example(), session.state().head);
  if (shown == app::Shown::kBefore) caption += "; " + tr("before");
  if (shown == app::Shown::kDifference) caption += "; " + tr("difference, after − before");
  if (isMap(array)) caption += "; " + tr("each row reads, each column is read");
  if (core::isParameter(array)) caption += "; " + tr("stored");
  const Index from = session.example().first_index;
  const auto last = [from](Span span) { return span.first + span.count - 1 + from; };
  if (rows.count < view.rows) caption += "; " + tr("rows {0} to {1}", {rows.first + from, last(rows)});
  if (columns.count < view.columns) caption += "; " + tr("columns {0} to {1}", {columns.first + from, last(columns)});
  return caption;
}

}  // namespace

std::string cellWords(const app::Session& session, Array array, Index row, Index column, const StageMemory* shown) {
  const Told told = toldOf(session, shown);
  const core::Trace<double>& trace = told.trace;
  const auto& softmax = trace.heads[static_cast<std::size_t>(told.head)].softmax;
  if (const auto stage = writerOf(session, array)) {
    const app::CellReach reach = session.timeline().reach(session.position(), *stage, row, column);
    if (reach.reach == app::Reach::kUnknown) return tr("not yet known");
    if (reach.reach == app::Reach::kPartial && told.shown != app::Shown::kDifference) return tr("being computed");
  }
  const bool of_row = array == Array::kWeights || array == Array::kZ;
  const double value = core::arrayOf(trace, told.head, array)(row, column);
  if (told.shown != app::Shown::kDifference && of_row && value == 0 && softmax.row_status[static_cast<std::size_t>(row)] == core::RowStatus::kNoSource)
    return tr("no source allowed");
  const bool masks = array == Array::kMasked || array == Array::kWeights;
  if (masks && !trace.mask.allowed(row, column) && !(array == Array::kWeights && value != 0))
    return tr("blocked: {0}", {reasonWords(trace.mask.reasons(row, column))});
  if (session.presentation().hides(app::Part::kNumbers)) return tr("hidden");
  return app::valueText(session.state(), value);
}

MatrixTable tableOf(const app::Session& session, Array array, const StageMemory* stage) {
  const app::State& state = session.state();
  const Told told = toldOf(session, stage);
  const core::ArrayView view = core::arrayOf(told.trace, told.head, array);
  MatrixTable table;
  if (!view) return table;
  Index row = rowAxis(array) == Axis::kDestinations ? state.row : 0, column = 0;
  if (state.at && core::resultOf(state.at->stage) == array) {
    if (state.at->row >= 0) row = state.at->row;
    if (state.at->col >= 0) column = state.at->col;
  }
  const bool pointed = state.cursor && state.cursor->array == array;
  if (pointed) row = state.cursor->row, column = state.cursor->col;
  const Span rows = around(row, view.rows), columns = around(column, view.columns);
  table.caption = captionOf(session, array, view, rows, columns, told.shown);
  for (Index j = 0; j < columns.count; ++j)
    table.columns.push_back(headText(session, isMap(array) ? Axis::kSources : Axis::kNumbers, columns.first + j));
  for (Index i = 0; i < rows.count; ++i) {
    TableRow line{headText(session, rowAxis(array), rows.first + i), {}};
    for (Index j = 0; j < columns.count; ++j)
      line.cells.push_back(cellWords(session, array, rows.first + i, columns.first + j, stage));
    table.rows.push_back(std::move(line));
  }
  if (pointed) {
    table.cursor_row = static_cast<int>(row - rows.first);
    table.cursor_column = static_cast<int>(column - columns.first);
  }
  return table;
}

std::vector<MatrixTable> givenTables(const app::Session& session, const StageMemory* stage) {
  std::vector<MatrixTable> all;
  for (int n = 0; n < core::kArrayCount; ++n) {
    const auto array = static_cast<Array>(n);
    const bool input = array == Array::kState || array == Array::kX || array == Array::kXSources || array == Array::kBias;
    if (!(input || core::isParameter(array)) || (array == Array::kX && writerOf(session, array))) continue;
    MatrixTable table = tableOf(session, array, stage);
    if (!table.rows.empty()) all.push_back(std::move(table));
  }
  return all;
}

}  // namespace attn::ui
