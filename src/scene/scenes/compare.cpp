// The open example beside what it is compared with, array by array: what changed, where, and what stayed the same bit
// for bit. Knows no edit: only two computations.
#include <algorithm>
#include <cmath>

#include "core/language.h"
#include "core/number.h"
#include "scene/differences.h"
#include "scene/figures.h"

namespace attn::scene {
namespace {

using core::Array;

constexpr Index kMostShown = 128;         // rows and columns of a grid
constexpr Index kMostFramed = 20;         // rows and columns of a grid whose changed cells are framed one by one
constexpr std::size_t kMostNamedRows = 6;     // rows that a sentence names

// The part of an array that is shown: all of it, or a window around the largest change.
struct Window {
  Index row = 0, col = 0, rows = 0, columns = 0;
  bool whole(const Matrix<double>& array) const { return rows == array.rows() && columns == array.cols(); }
};

Index startOf(Index center, Index count) {
  return std::clamp<Index>(center - kMostShown / 2, 0, std::max<Index>(0, count - kMostShown));
}

Window windowOf(const Difference& d, const Matrix<double>& array) {
  return {startOf(d.row, array.rows()), startOf(d.col, array.cols()), std::min(kMostShown, array.rows()),
          std::min(kMostShown, array.cols())};
}

std::vector<std::string> part(const std::vector<std::string>& names, Index start, Index count) {
  return {names.begin() + start, names.begin() + start + count};
}

lesson::Grid look(const lesson::Example& example, const core::Trace<double>& trace, Array array, const Window& w,
                  const std::string& title) {
  lesson::Grid grid = array == Array::kWeights ? mapLook(title, {}, {}) : signedLook(title, {});
  const Index all_columns = w.col + w.columns;
  const auto rows = rowsArePositions(array) ? positionLabels(example, rowsAreSources(array))
                                            : componentLabels(example, w.row + w.rows);
  grid.row_labels = part(rows, w.row, w.rows);
  grid.map = columnsAreSources(array);
  const auto columns = grid.map ? positionLabels(example, true) : componentLabels(example, all_columns);
  grid.column_labels = part(columns, w.col, w.columns);
  if (array != Array::kWeights && array != Array::kMasked) return grid;
  for (Index i = 0; i < w.rows; ++i)
    for (Index j = 0; j < w.columns; ++j)
      grid.blocked.push_back(core::blockReasonText(trace.mask.reasons(w.row + i, w.col + j)));
  return grid;
}

double largestFinite(const Matrix<double>& array) {
  double most = 0;
  for (const double value : array.reshaped())
    if (std::isfinite(value)) most = std::max(most, std::abs(value));
  return most;
}

void showDifference(const OpenExample& open, const Difference& d, const Window& w, Outputs& out) {
  Matrix<double> change(w.rows, w.columns);
  lesson::Grid grid = look(open.example, *open.trace, d.array, w, tr("After − before"));
  grid.scale = lesson::GridScale::kSigned;
  for (Index i = 0; i < w.rows; ++i) {
    for (Index j = 0; j < w.columns; ++j) {
      change(i, j) = changeOf(d.before(w.row + i, w.col + j), d.after(w.row + i, w.col + j));
      if (change(i, j) != 0) grid.marked.emplace_back(i, j);
      // A cell that became blocked or free has changed: its number says so.
      if (!grid.blocked.empty() && change(i, j) != 0) grid.blocked[static_cast<std::size_t>(i * w.columns + j)].clear();
    }
  }
  const bool each = std::max(w.rows, w.columns) <= kMostFramed;
  if (!each && d.changed > 0) grid.marked = {{d.row - w.row, d.col - w.col}};
  out.flag("framed", each);
  out.grid("difference", change, grid);
}

void showSideBySide(const OpenExample& open, const Difference& d, Outputs& out) {
  const Window w = windowOf(d, d.after);
  const Matrix<double> before = d.before.block(w.row, w.col, w.rows, w.columns);
  const Matrix<double> after = d.after.block(w.row, w.col, w.rows, w.columns);
  const double limit = std::max(largestFinite(before), largestFinite(after));
  lesson::Grid first = look(open.other, *open.before, d.array, w, tr("Before"));
  lesson::Grid second = look(open.example, *open.trace, d.array, w, tr("After"));
  first.limit = second.limit = limit;
  out.grid("before", before, first);
  out.grid("after", after, second);
  showDifference(open, d, w, out);
  out.flag("part_shown", !w.whole(d.after));
  out.number("rows_shown", static_cast<double>(w.rows));
  out.number("columns_shown", static_cast<double>(w.columns));
}

std::string shapeText(const Matrix<double>& array) {
  return array.size() == 0 ? tr("not there") : core::shapeText(array.rows(), array.cols());
}

bool everyRow(const Difference& d) { return d.after.rows() > 1 && static_cast<Index>(d.rows.size()) == d.after.rows(); }

std::string rowsText(const OpenExample& open, const Difference& d) {
  if (everyRow(d)) return tr("all {0}", {d.rows.size()});
  std::string text;
  for (std::size_t n = 0; n < std::min(kMostNamedRows, d.rows.size()); ++n)
    text += (n ? ", " : "") + rowText(open, d.array, d.rows[n]);
  const std::size_t more = d.rows.size() - std::min(kMostNamedRows, d.rows.size());
  return more ? tr("{0} and {1} more", {text, more}) : text;
}

std::string rowsInWords(const OpenExample& open, const Difference& d) {
  if (d.rows.empty()) return tr("no row");
  if (everyRow(d)) return tr("all {0} rows", {d.rows.size()});
  return d.rows.size() == 1 ? tr("row {0}", {rowsText(open, d)}) : tr("rows {0}", {rowsText(open, d)});
}

lesson::Table everyArray(const OpenExample& open, Index head_before, Index head, Array chosen) {
  lesson::Table table;
  table.columns = {tr("array"), tr("changed"), tr("rows that changed"), tr("largest change"), tr("where")};
  for (const Array array : comparedArrays(open)) {
    const Difference d = differenceOf(open, array, head_before, head);
    if (array == chosen) table.marked.push_back(static_cast<Index>(table.rows.size()));
    if (!d.comparable) {
      table.rows.push_back({arrayLabel(array), tr("not comparable"), "–", "–",
                            tr("before {0}, after {1}", {shapeText(d.before), shapeText(d.after)})});
    } else if (d.same()) {
      table.rows.push_back({arrayLabel(array), tr("no"), "–", "0", "–"});
    } else {
      table.rows.push_back({arrayLabel(array), tr("yes"), rowsText(open, d), signedText(d.largest),
                            placeText(open, array, d.row, d.col)});
    }
  }
  return table;
}

std::string samenessText(const OpenExample& open, Array array, Index head) {
  const std::string number = ordinal(open.example, head);
  if (array == Array::kY) return tr("The output y is bit for bit the same.");
  if (array == Array::kZ)
    return open.heads() > 1 ? tr("The mixture z of head {0} is bit for bit the same.", {number})
                            : tr("The mixture z is bit for bit the same.");
  return open.heads() > 1 ? tr("The weights of head {0} are bit for bit the same.", {number})
                          : tr("The weights are bit for bit the same.");
}

// One claim for each result that a person may mistake for another: same map, same mixture, same output.
std::vector<lesson::Block> sameness(const OpenExample& open, Index head_before, Index head, Outputs& out) {
  std::vector<lesson::Block> claims;
  const auto arrays = comparedArrays(open);
  const std::pair<Array, const char*> asked[] = {
      {Array::kWeights, "weights_same"}, {Array::kZ, "z_same"}, {Array::kY, "y_same"}};
  for (const auto& [array, name] : asked) {
    const Difference d = differenceOf(open, array, head_before, head);
    out.flag(name, d.same());
    if (!d.comparable || std::find(arrays.begin(), arrays.end(), array) == arrays.end()) continue;
    claims.push_back({lesson::Claim{samenessText(open, array, head), d.same()}});
  }
  return claims;
}

void sayChange(const OpenExample& open, const Difference& d, Outputs& out) {
  out.flag("comparable", d.comparable);
  out.flag("same", d.same());
  out.text("shape_before", shapeText(d.before));
  out.text("shape_after", shapeText(d.after));
  out.number("cells", static_cast<double>(d.after.size()));
  out.number("changed_cells", static_cast<double>(d.changed));
  std::vector<double> rows(d.rows.begin(), d.rows.end());
  out.numbers("changed_rows", rows);
  out.text("rows_changed", rowsInWords(open, d));
  out.number("largest_change", d.largest);
  out.numbers("largest_at", {static_cast<double>(d.row), static_cast<double>(d.col)});
  out.text("largest_said", signedText(d.largest));
  out.text("where", d.comparable && d.changed > 0 ? placeText(open, d.array, d.row, d.col) : tr("nowhere"));
}

// What "before" is, in words.
std::string beforeText(const OpenExample& open) {
  if (!open.pinned) return tr("the example without any edit");
  const std::string& title = open.other.title;
  const bool told = title.empty() || title == open.example.title;
  return told ? tr("what you pinned") : tr("what you pinned, “{0}”", {title});
}

}  // namespace

core::Check compareBeforeAndAfter(const Inputs& in, Outputs& out, const Progress&) {
  auto opened = openExample(in);
  if (!opened) return opened.error();
  const OpenExample& open = opened.value();
  const Index head = chosenIndex(in.text("of_head"), open.heads(), open.head);
  const Index heads_before = static_cast<Index>(open.before->heads.size());
  const Index head_before = chosenIndex(in.text("of_head"), heads_before, open.head_before);
  out.options("of_head", headOptions(open));
  out.standard("of_head", std::to_string(open.head));
  if (open.heads() == 1) out.hide("of_head");

  std::vector<lesson::ParamOption> list;
  for (const Array each : comparedArrays(open)) list.push_back({std::string(core::arrayName(each)), arrayLabel(each)});
  const bool offered = std::any_of(list.begin(), list.end(), [&](const auto& o) { return o.id == in.text("array"); });
  const Array array = offered ? *core::parseArray(in.text("array")) : Array::kWeights;
  out.options("array", list);
  out.standard("array", "weights");

  const Difference d = differenceOf(open, array, head_before, head);
  out.text("what_begins", begun(arrayText(open, array, head)));
  out.text("before_is", beforeText(open));
  out.number("edits_made", static_cast<double>(open.edits.size()));
  out.flag("edited", open.pinned || !open.edits.empty());
  sayChange(open, d, out);
  if (d.comparable) showSideBySide(open, d, out);
  out.blocks("sameness", sameness(open, head_before, head, out));
  out.figure("every_array", everyArray(open, head_before, head, array));
  std::vector<lesson::Block> onwards;
  const bool of_rows = d.comparable && !rowsAreSources(array) && rowsArePositions(array);
  const Index row = of_rows ? d.row : open.trace->problem.T - 1;
  if (const std::string link = walkthroughLink(open, {}, row, head); !link.empty())
    onwards.push_back({lesson::Jump{tr("See the edited example on the stage"), link}});
  out.blocks("onwards", onwards);
  return {};
}

}  // namespace attn::scene
