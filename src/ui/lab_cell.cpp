// The chosen cell: its number, its row, and what can be done to it. See lab.h.
#include <algorithm>
#include <cmath>
#include <optional>

#include "app/edit_words.h"
#include "app/explain.h"
#include "app/words.h"
#include "core/number.h"
#include "figure/equation.h"
#include "io/pasted.h"
#include "ui/lab.h"
#include "ui/panels.h"
#include "ui/widgets.h"

namespace attn::ui {
namespace {

using core::Array;
using core::Index;

bool isSettable(Array array) {
  switch (array) {
    case Array::kX: case Array::kXSources: case Array::kWq: case Array::kWk: case Array::kWv: case Array::kWo:
    case Array::kQ: case Array::kK: case Array::kV: case Array::kScores: case Array::kWeights: case Array::kBias:
      return true;
    default: return false;
  }
}

bool isPerHead(Array array) { return array != Array::kX && array != Array::kXSources && array != Array::kWo; }

bool isOverPairs(Array array) {
  switch (array) {
    case Array::kScores: case Array::kScaled: case Array::kSoftcapped: case Array::kBias: case Array::kBiased:
    case Array::kMasked: case Array::kWeights:
      return true;
    default: return false;
  }
}

// "v[1]", of one head where there are several.
std::string rowOf(const app::Session& session, const app::CellCursor& cell) {
  const bool several = session.trace().heads.size() > 1 && isPerHead(cell.array);
  return (several ? "h" + std::to_string(session.state().head) + "." : "") + std::string(core::arrayName(cell.array)) +
         "[" + std::to_string(cell.row) + "]";
}

// As it is written where the parts between commas are numbers of the grammar, else the numbers of what was pasted.
std::string withCommas(const std::string& text) {
  bool written = true;
  for (std::size_t start = 0, end = 0; end != text.npos; start = end + 1) {
    end = text.find(',', start);
    written = written && core::parseNumber(text.substr(start, end == text.npos ? end : end - start));
  }
  const auto pasted = io::readPasted(text);
  if (written || !pasted) return text;
  std::string out;
  for (const auto& row : pasted.value().rows)
    for (const double value : row) out += (out.empty() ? "" : ",") + core::fullText(value);
  return out;
}

std::string rowText(const core::ArrayView& view, Index row) {
  constexpr Index kMost = 64;
  std::string text;
  for (Index j = 0; j < std::min(view.columns, kMost); ++j) text += (j ? ", " : "") + core::fullText(view(row, j));
  return text;
}

// The reach of the slider: twice the largest number of the array as it is compared with, so that it stays while it moves.
double reachOf(const app::Session& session, Array array) {
  const bool compares = session.before().trace != nullptr;
  const core::ArrayView view = compares ? core::arrayOf(*session.before().trace, session.headBefore(), array)
                                        : core::arrayOf(session.trace(), session.state().head, array);
  double largest = 0;
  for (Index n = 0; n < view.rows * view.columns; ++n)
    if (std::isfinite(view.data[n])) largest = std::max(largest, std::abs(view.data[n]));
  return std::max(1.0, 2 * std::ceil(largest));
}

// To whoever edits: what the walkthrough has come to, and what an edit has set.
bool standsThere(const app::Session& session, const app::CellCursor& cell) {
  return app::isKnown(session, cell) ||
         core::intervened(session.trace().problem, cell.array, session.state().head, cell.row, cell.col);
}

bool isRowKnown(const app::Session& session, const app::CellCursor& cell, const core::ArrayView& view) {
  for (Index j = 0; j < view.columns; ++j)
    if (!standsThere(session, {cell.array, cell.row, j})) return false;
  return true;
}

void drag(Frame& frame, Panel& panel, const app::CellCursor& cell, std::optional<double> value, const std::string& target) {
  const bool weights = cell.array == Array::kWeights;
  const double reach = reachOf(frame.session, cell.array);
  const double low = weights ? 0 : -reach, high = weights ? 1 : reach;
  double dragged = value && std::isfinite(*value) ? std::clamp(*value, low, high) : 0;
  const double step = (high - low) / 200;
  const std::string words = value ? core::fullText(*value) : tr("not yet known");
  if (slider(frame, "lab/drag", tr("Drag its number"), dragged, {panel.x(), panel.y, panel.width(), frame.controlHeight()},
             {.minimum = low, .maximum = high, .step = step, .value_text = words, .group = panel.group}))
    edit(frame, target + core::fullText(std::round(dragged / step) * step), true);
  panel.y += frame.controlHeight() + kUnit / 2;
}

void number(Frame& frame, Panel& panel, const app::CellCursor& cell, const core::ArrayView& view) {
  const std::string row = rowOf(frame.session, cell), target = row + "[" + std::to_string(cell.col) + "]=";
  const double value = view(cell.row, cell.col);
  const bool known = standsThere(frame.session, cell);
  if (const auto written = labField(frame, panel, kCellField, tr("Its number"), known ? core::fullText(value) : "",
                                    tr("A decimal, p/q, sqrt(n), ln(n) or a product of these."), tr("not yet known"));
      written && !written->empty()) {
    edit(frame, target + *written);
    if (frame.view.in_matrix) frame.view.focus_next = "";  // on to the next cell
  }
  drag(frame, panel, cell, known ? std::optional(value) : std::nullopt, target);
  const std::string numbers = isRowKnown(frame.session, cell, view) ? rowText(view, cell.row) : "";
  if (const auto written = labField(frame, panel, "lab/row", tr("Its whole row"), numbers,
                                    tr("Numbers with anything between them, as NumPy or PyTorch print them."), tr("not yet known"));
      written && !written->empty())
    edit(frame, row + "=" + withCommas(*written));
  if (cell.array == Array::kK || cell.array == Array::kV || cell.array == Array::kWk || cell.array == Array::kWv)
    if (const std::string shared = app::sharedHeadsText(frame.session, frame.session.state().head); !shared.empty())
      note(frame, panel, shared);
}

void mapActs(Frame& frame, Panel& panel, const app::CellCursor& cell) {
  const app::Session& session = frame.session;
  const std::string i = std::to_string(cell.row), j = std::to_string(cell.col), h = std::to_string(session.state().head);
  const bool allowed = session.trace().mask.allowed(cell.row, cell.col);
  Acts acts(frame, panel);
  if (allowed && acts.press("lab/forbid", tr("Forbid this"), tr("The row may not read this source; the others share its weight.")))
    edit(frame, "forbid=" + i + "," + j);
  if (!allowed && acts.press("lab/allow", tr("Allow this"))) edit(frame, "allow=" + i + "," + j);
  if (!allowed && acts.press("lab/allow-column", tr("Allow the column"), tr("Every row may read this source.")))
    edit(frame, "allow=*," + j);
  if (!allowed && acts.press("lab/allow-row", tr("Allow the row"), tr("The row may read every source.")))
    edit(frame, "allow=" + i + ",*");
  if (allowed && acts.press("lab/forbid-column", tr("Forbid the column"), tr("No row may read this source.")))
    edit(frame, "forbid=*," + j);
  if (allowed && acts.press("lab/forbid-row", tr("Forbid the row"), tr("The row may read nothing.")))
    edit(frame, "forbid=" + i + ",*");
  if (acts.press("lab/zero-weight", tr("Zero the weight"), tr("Nothing makes up for it: the row then sums to less.")))
    edit(frame, "zero-weight=" + i + "," + j);
  if (acts.press("lab/zero-value", tr("Zero the value"), tr("The source's value vector becomes 0; no weight changes."))) {
    const Index columns = core::arrayOf(session.trace(), session.state().head, Array::kV).columns;
    std::string zeros;
    for (Index n = 0; n < columns; ++n) zeros += n ? ",0" : "0";
    edit(frame, rowOf(session, {Array::kV, cell.col, 0}) + "=" + zeros);
  }
  if (acts.press("lab/uniform", tr("Make the row uniform"))) edit(frame, "uniform=h" + h + "," + i);
  if (acts.press("lab/permute", tr("Deal the row out anew"), tr("Its weights change places among the sources it may read.")))
    edit(frame, "permute=h" + h + "," + i + "," + std::to_string(session.state().edits.size() + 1));
  if (acts.press("lab/compare-acts", tr("Compare three acts"), tr("Zeroing the value, zeroing the weight and forbidding look alike.")))
    openPage(frame, "look-alikes", {{"row", i}, {"source", j}});
}

}  // namespace

void drawChosenCell(Frame& frame, Panel& panel) {
  heading(frame, panel, tr("The chosen cell"));
  const app::Session& session = frame.session;
  if (!session.state().cursor) {
    note(frame, panel, tr("None. Click a cell of the picture, or press Enter and go there with the arrows."));
    return;
  }
  const app::CellCursor cell = *session.state().cursor;
  const core::ArrayView view = core::arrayOf(session.trace(), session.state().head, cell.array);
  body(frame, panel, app::cellText(session, cell));
  if (isSettable(cell.array)) number(frame, panel, cell, view);
  else
    note(frame, panel, tr("{0} is computed: change what it is made from.", {figure::arrayTitle(cell.array)}));
  if (isOverPairs(cell.array)) mapActs(frame, panel, cell);
  if (cell.array == Array::kV) {
    Acts acts(frame, panel);
    if (acts.press("lab/zero-value", tr("Zero the value"))) {
      std::string zeros;
      for (Index n = 0; n < view.columns; ++n) zeros += n ? ",0" : "0";
      edit(frame, rowOf(session, cell) + "=" + zeros);
    }
  }
  panel.y += kUnit;
}

}  // namespace attn::ui
