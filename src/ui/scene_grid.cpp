// A grid of numbers as cells with their colours and a legend; the pointer over a cell tells its number in full.
#include <algorithm>
#include <cctype>
#include <cmath>
#include <set>

#include "core/number.h"
#include "figure/legend.h"
#include "figure/matrix_figure.h"
#include "ui/presenting.h"
#include "ui/scene_figure.h"
#include "ui/scene_words.h"

namespace attn::ui {
namespace {

using figure::Box;
using lesson::Grid;
using lesson::GridScale;

constexpr float kLabelSize = 13;
constexpr Index kMostNumbered = 20;  // rows or columns of a grid whose numbers can still be read

std::string rowName(const Grid& grid, Index i) {
  return grid.row_labels.empty() ? std::to_string(i) : grid.row_labels[static_cast<std::size_t>(i)];
}
std::string columnName(const Grid& grid, Index j) {
  return grid.column_labels.empty() ? std::to_string(j) : grid.column_labels[static_cast<std::size_t>(j)];
}
// What is left of a label such as "12 sat" or "8–15" where columns are narrow.
std::string columnNumber(const Grid& grid, Index j) {
  const std::string name = columnName(grid, j), digits = name.substr(0, name.find_first_not_of("0123456789"));
  return digits.empty() ? std::to_string(j) : digits;
}

// A label with its place before it, where not all labels of a text can be shown: those that are would read as another text.
std::string placedName(const Grid& grid, Index i) { return std::to_string(i) + " " + rowName(grid, i); }

bool areNumbers(const std::vector<std::string>& labels) {
  return std::all_of(labels.begin(), labels.end(),
                     [](const std::string& each) { return !each.empty() && std::isdigit(static_cast<unsigned char>(each[0])); });
}

std::size_t at(const Grid& grid, Index i, Index j) { return static_cast<std::size_t>(i * grid.columns + j); }

std::string_view blockedAt(const Grid& grid, Index i, Index j) {
  return grid.blocked.empty() ? std::string_view{} : std::string_view(grid.blocked[at(grid, i, j)]);
}

// A blocked cell whose number is something all the same: what a mistake lets through.
bool leaks(const Grid& grid, Index i, Index j) {
  const double value = grid.values[at(grid, i, j)];
  return !blockedAt(grid, i, j).empty() && std::isfinite(value) && value != 0;
}

figure::CellFigure cellOf(const Grid& grid, Index i, Index j) {
  using figure::CellLook;
  const double value = grid.values[at(grid, i, j)];
  if (std::isnan(value)) return {CellLook::kNan, value, 0};
  if (!blockedAt(grid, i, j).empty() && !leaks(grid, i, j)) return {CellLook::kBlocked, 0, 0};
  if (std::isinf(value)) return {value > 0 ? CellLook::kInfinity : CellLook::kMinusInfinity, value, 0};
  return {CellLook::kValue, value, 0};
}

double limitOf(const Grid& grid) {
  if (grid.scale == GridScale::kWeights) return 1;
  if (grid.limit > 0) return grid.limit;
  double most = 0;
  for (Index i = 0; i < grid.rows; ++i)
    for (Index j = 0; j < grid.columns; ++j)
      if (cellOf(grid, i, j).look == figure::CellLook::kValue) most = std::max(most, std::abs(grid.values[at(grid, i, j)]));
  return most > 0 ? most : 1;
}

figure::Scale scaleOf(const Grid& grid) {
  const double limit = limitOf(grid);
  const bool diverging = grid.scale == GridScale::kSigned || grid.scale == GridScale::kPlain;
  return {diverging, diverging ? -limit : 0, limit};
}

const figure::ColorTable& tableOf(const SceneView& view, const Grid& grid) {
  if (grid.scale == GridScale::kSigned) return figure::divergingTable(isDark(view.frame.view));
  if (grid.scale != GridScale::kPlain) return figure::sequentialTable(view.frame.session.state().palette);
  static figure::ColorTable plain;
  plain.fill(view.colors().surface);
  return plain;
}

// Where cells and labels go, from the top left of the figure.
struct Places {
  float left = 0, top = 0, cell = 0;  // rooms of labels; the height of a cell
  float wide = 1;                     // its width ÷ its height
  bool placed = false;                // rows have placedName()s, and columns that are too narrow for labels the numbers of their places
  float legend = 0;
  Extent all;
};

float labelWidth(const SceneView& view, const std::string& text) {
  return view.memory.measure(figure::Typeface::kBody, view.size(kLabelSize), text);
}

float leftRoom(const SceneView& view, const Grid& grid, float room, bool placed) {
  float widest = 0;
  for (Index i = 0; !grid.row_labels.empty() && i < grid.rows; ++i)
    widest = std::max(widest, labelWidth(view, placed ? placedName(grid, i) : rowName(grid, i)));
  widest = std::min(widest, std::min(room * 0.32f, view.size(160)));
  if (grid.map) widest = std::max(widest, labelWidth(view, tr("reads ↓")));
  return widest > 0 ? widest + 1 + view.size(figure::kLabelGap) : 2;
}

bool isNumbered(const Grid& grid) { return std::max(grid.rows, grid.columns) <= kMostNumbered; }

// As many decimals as the grid has; of what is far too small for them, only that it is not 0.
std::string numberText(double value, int decimals) {
  constexpr double kTiny = 1e-9;
  return value != 0 && std::abs(value) < kTiny ? "≈0" : core::fixedText(value, decimals);
}

// The side at which every number is written in this size or larger.
float numberCell(const SceneView& view, const Grid& grid, float size) {
  float widest = 0;
  for (const double value : grid.values)
    if (std::isfinite(value))
      widest = std::max(widest, view.memory.measure(figure::Typeface::kNumber, figure::kLargestNumber,
                                                    numberText(value, grid.decimals)));
  return figure::fittingCell(widest, view.size(size));
}

float labelCell(const SceneView& view, const Grid& grid) {
  float label = 0;
  for (const std::string& each : grid.column_labels) label = std::max(label, labelWidth(view, each) + view.size(8));
  return std::min(label, view.size(84));
}

// The height that holds every number; less where many rows would fill the screen.
float wantedCell(const SceneView& view, const Grid& grid) {
  const auto rows = static_cast<float>(grid.rows), columns = static_cast<float>(grid.columns);
  if (!isNumbered(grid)) return std::max(std::min(view.size(640) / columns, view.size(430) / rows), 1.f);
  const float number = numberCell(view, grid, 14) * 1.18f;  // with some air around it
  const float wanted = std::clamp(std::max(number, labelCell(view, grid)), view.size(44), view.size(84));
  return std::min(wanted, std::max(view.size(440) / rows, numberCell(view, grid, 11)));
}

bool hasLegend(const Grid& grid) { return grid.scale != GridScale::kPlain || !grid.blocked.empty(); }

bool hasBlocked(const Grid& grid) {
  return std::any_of(grid.blocked.begin(), grid.blocked.end(), [](const std::string& each) { return !each.empty(); });
}

// What hatching means here.
std::string hatchText(const Grid& grid) {
  std::set<std::string> reasons;
  bool of_mask = true;
  for (const std::string& each : grid.blocked) {
    if (each.empty()) continue;
    of_mask = of_mask && blockedText(each) != each;
    reasons.insert(each);
  }
  if (of_mask || reasons.size() > 3) return tr("may not be read");
  std::string text;
  for (const std::string& each : reasons) text += (text.empty() ? "" : ", ") + each;
  return text;
}

float layLegend(const SceneView& view, const Grid& grid, const Box& box, figure::Picture* out) {
  if (!hasLegend(grid)) return 0;
  figure::LegendLine line(view.memory.measure, view.colors(), view.frame.scale(), box);
  if (grid.scale != GridScale::kPlain) line.add({"", scaleOf(grid), &tableOf(view, grid), false, 110});
  if (hasBlocked(grid)) line.mark(figure::CellLook::kBlocked, hatchText(grid));
  if (out) *out = std::move(line.picture());
  return line.height();
}

// Rows and columns of one text, of which not every row or not every column has room for its label.
bool needsPlaces(const SceneView& view, const Grid& grid, const Places& places) {
  constexpr float kLine = 1.25f, kSmall = 0.8f, kCut = 2.4f;  // as figure::addMatrix lays labels out
  if (grid.row_labels.empty() || grid.row_labels != grid.column_labels || areNumbers(grid.row_labels)) return false;
  float widest = 0;
  for (const std::string& each : grid.column_labels) widest = std::max(widest, labelWidth(view, each));
  const float size = view.size(kLabelSize), column = places.cell * places.wide;
  return places.cell < size * kLine || column < std::min(std::max(widest + 2, size) * kSmall, size * kSmall * kCut);
}

Places placedWithin(const SceneView& view, const Grid& grid, float room, bool placed) {
  Places places;
  places.placed = placed;
  places.left = leftRoom(view, grid, room, placed);
  const float line = view.size(kLabelSize) * 1.35f;
  places.top = (grid.column_labels.empty() && !grid.map ? 0 : line + 4) + (grid.map ? line : 0) + 1;
  const float columns = static_cast<float>(std::max<Index>(1, grid.columns));
  places.cell = std::max(0.25f, std::min(wantedCell(view, grid), (room - places.left - 4) / columns));
  // Where rows are low, columns are wide enough for their labels all the same, and a map of few columns to be seen.
  const float wanted = isNumbered(grid) ? labelCell(view, grid) : view.size(260) / columns;
  const float widest = std::max(places.cell, std::min(wanted, (room - places.left - 4) / columns));
  places.wide = widest / places.cell;
  const float w = places.left + widest * columns + 4;
  const float words = grid.map ? places.left + labelWidth(view, tr("is read →")) : 0;
  const float legend_width = std::min(room - places.left, std::max(w - places.left, view.size(230)));
  places.legend = layLegend(view, grid, {0, 0, legend_width, 0}, nullptr);
  places.all.w = std::min(room, std::max({w, words, hasLegend(grid) ? places.left + legend_width : 0}));
  places.all.h = places.top + places.cell * static_cast<float>(grid.rows) + 4 +
                 (places.legend > 0 ? places.legend + view.size(6) : 0);
  return places;
}

Places place(const SceneView& view, const Grid& grid, float room) {
  const Places places = placedWithin(view, grid, room, false);
  return needsPlaces(view, grid, places) ? placedWithin(view, grid, room, true) : places;
}

std::shared_ptr<const figure::HeatmapData> textureOf(SceneView& view, const Grid& grid, std::size_t block) {
  auto& slot = view.memory.textures[block];
  if (slot) return slot;
  auto made = std::make_shared<figure::HeatmapData>();
  made->key = newTextureKey();
  made->rows = static_cast<int>(grid.rows);
  made->columns = static_cast<int>(grid.columns);
  for (Index i = 0; i < grid.rows; ++i) {
    for (Index j = 0; j < grid.columns; ++j) {
      const figure::CellFigure cell = cellOf(grid, i, j);
      made->values.push_back(static_cast<float>(cell.value));
      made->marks.push_back(figure::markOf(cell.look));
    }
  }
  slot = std::move(made);
  return slot;
}

figure::MatrixFigure matrixOf(SceneView& view, const Grid& grid, std::size_t block, const Places& places,
                              const Rect& area) {
  figure::MatrixFigure m;
  m.placed.rows = grid.rows;
  m.placed.columns = grid.columns;
  m.placed.map = grid.map;
  m.placed.wide = places.wide;
  m.placed.cells = {area.x + places.left, area.y + places.top,
                    places.cell * places.wide * static_cast<float>(grid.columns), places.cell * static_cast<float>(grid.rows)};
  m.placed.bounds = {area.x, area.y, area.w, area.h};
  m.cell = places.cell;
  m.label_scale = view.frame.scale();
  m.metrics = {.measure = view.memory.measure,
               .row_label = places.left / view.frame.scale() - figure::kLabelGap,
               .text_scale = view.frame.scale(),
               .label_size = kLabelSize};
  m.scale = scaleOf(grid);
  m.table = &tableOf(view, grid);
  m.at = [&grid](Index i, Index j) { return cellOf(grid, i, j); };
  m.forms = grid.decimals + 1;
  const bool hidden = hides(view.frame, app::Part::kNumbers);
  m.print = [&grid, hidden, text = std::string()](double value, int form) mutable -> std::string_view {
    if (hidden) return {};
    return text = numberText(value, grid.decimals - form);
  };
  const bool placed = places.placed;
  if (!grid.row_labels.empty()) m.row_label = [&grid, placed](Index i) { return placed ? placedName(grid, i) : rowName(grid, i); };
  if (!grid.column_labels.empty()) m.column_label = [&grid](Index j) { return columnName(grid, j); };
  m.column_token = m.column_label;
  m.column_number = [&grid, placed](Index j) { return placed ? std::to_string(j) : columnNumber(grid, j); };
  if (figure::needsTexture(m.placed, m.cell, m.placed.cells)) {
    const Box& c = m.placed.cells;
    m.texture.push_back({c.x, c.y, c.w, c.h, c.x, c.y, c.w, c.h, textureOf(view, grid, block), m.scale,
                         view.frame.session.state().palette, isDark(view.frame.view), view.colors().ground,
                         view.colors().hatch, 0});
  }
  return m;
}

// What a mistake lets through is hatched and keeps its number; what the words speak of has a frame.
void addMarks(const SceneView& view, const Grid& grid, const figure::MatrixFigure& matrix, figure::Picture& picture) {
  if (matrix.texture.empty()) {
    for (Index i = 0; i < grid.rows; ++i) {
      for (Index j = 0; j < grid.columns; ++j) {
        if (!leaks(grid, i, j)) continue;
        const Box box = figure::grown(figure::cellBox(matrix.placed, matrix.cell, i, j), -1);
        picture.add(figure::Hatch{box, figure::faded(view.colors().hatch, 0.55), 7});
      }
    }
  }
  for (const auto& [i, j] : grid.marked) {
    const Box box = figure::cellBox(matrix.placed, std::max(matrix.cell, 0.01f), i, j);
    picture.add(figure::Frame{figure::grown(box, 1), view.colors().now, 2.5f, 4});
  }
}

void hover(const SceneView& view, const Grid& grid, const figure::MatrixFigure& matrix, bool placed) {
  const Box& cells = matrix.placed.cells;
  if (!view.hovers({cells.x, cells.y, cells.w, cells.h})) return;
  const ImVec2 mouse = ImGui::GetMousePos();
  const Index i = std::min(static_cast<Index>((mouse.y - cells.y) / matrix.cell), grid.rows - 1);
  const Index j = std::min(static_cast<Index>((mouse.x - cells.x) / (matrix.cell * matrix.placed.wide)), grid.columns - 1);
  if (i < 0 || j < 0) return;
  figure::Picture ring;
  ring.add(figure::Frame{figure::grown(figure::cellBox(matrix.placed, matrix.cell, i, j), 0.75f),
                         figure::faded(view.colors().text, 0.8), 1.5f, 4});
  paintFigure(view.frame, ring, {});
  const std::string_view reason = blockedAt(grid, i, j);
  const double value = grid.values[at(grid, i, j)];
  const std::string row = placed ? placedName(grid, i) : rowName(grid, i), column = placed ? placedName(grid, j) : columnName(grid, j);
  std::string text = grid.map ? tr("{0} reads {1}", {row, column}) : row + ", " + column;
  const bool told = (reason.empty() || leaks(grid, i, j)) && !hides(view.frame, app::Part::kNumbers);
  if (told) text += ": " + core::fullText(value);
  if (!reason.empty()) text += "\n" + blockedText(reason);
  tooltip(view.frame, text);
}

}  // namespace

bool keepsNumbers(const SceneView& view, const Grid& grid, float room) {
  return !isNumbered(grid) || place(view, grid, room).cell >= numberCell(view, grid, 11);
}

Extent extentOf(SceneView& view, const Grid& grid, float room) { return place(view, grid, room).all; }

void drawFigure(SceneView& view, const Grid& grid, std::size_t block, const Rect& area) {
  if ((!view.onScreen(area) && !view.frame.recorder.keep_texts) || grid.rows < 1 || grid.columns < 1) return;
  const Places places = place(view, grid, area.w);
  const figure::MatrixFigure matrix = matrixOf(view, grid, block, places, area);
  figure::Picture picture, legend;
  // Larger than the window's clip: labels are pinned to edges on the stage, where one cannot scroll.
  figure::addMatrix(picture, matrix, view.colors(), figure::grown(matrix.placed.bounds, 4));
  addMarks(view, grid, matrix, picture);
  paintFigure(view.frame, picture, area);
  const float legend_y = matrix.placed.cells.bottom() + 4 + view.size(6);
  layLegend(view, grid, {matrix.placed.cells.x, legend_y, area.x + area.w - matrix.placed.cells.x, 0}, &legend);
  paintFigure(view.frame, legend, area);
  hover(view, grid, matrix, places.placed);
}

}  // namespace attn::ui
