// One matrix as shapes: title, axes with tokens, cells with value and colour. Knows neither attention nor the screen.
#pragma once
#include <functional>
#include <string>
#include <vector>

#include "figure/equation_layout.h"
#include "figure/inks.h"
#include "figure/picture.h"

namespace attn::figure {

// Cells of at least this many pixels hold numbers; below the second figure they are no longer told apart one by one.
inline constexpr float kNumberCell = 26;
inline constexpr float kTextureCell = 6;
inline constexpr Index kMostCellsPerSide = 64;

enum class CellLook : std::uint8_t {
  kValue,
  kPartial,        // some of its terms are in
  kUnknown,        // not yet known: never a number
  kBlocked,        // hatched
  kNoSource,       // the row has no distribution: "–"
  kUnderflow,      // an allowed weight too small for the number format
  kNan,
  kInfinity,
  kMinusInfinity,
};

struct CellFigure {
  CellLook look = CellLook::kValue;
  double value = 0;    // 0 for unknown and blocked cells
  float progress = 0;  // kPartial: terms done ÷ all
  bool changed = false;  // not what it is compared with: a mark in its corner
};

struct MatrixFigure {
  Placed placed;  // in the picture's pixels
  float cell = 0, label_scale = 1;  // the height of a cell
  LayoutMetrics metrics;
  std::string title, formula;  // the formula stands for the title where there is room
  std::string note;            // "computed · 3×2"
  bool stored = false;
  float strength = 1;          // 1 = full, less = dimmed
  Scale scale;
  const ColorTable* table = nullptr;
  std::function<CellFigure(Index, Index)> at;
  // A value in one of `forms` forms, from the one asked for to the shortest; "" when it has none of that form. All cells
  // show the first form in which every one fits, or no number at all.
  std::function<std::string_view(double, int)> print;
  int forms = 0;
  std::function<std::string(Index)> row_label, column_label;  // null: none
  std::function<std::string(Index)> column_token, column_number;  // parts of the label, for cells that are too small
  std::function<std::string(Index)> group_label;  // of every run of `group` columns
  Index group = 0;
  Index chosen_row = -1, chosen_column = -1;
  std::vector<HeatmapRequest> texture;  // instead of cells
};

// Rows and columns of the matrix that meet `visible`, half-open.
struct CellRange {
  Index row_begin = 0, row_end = 0, column_begin = 0, column_end = 0;
  Index count() const { return (row_end - row_begin) * (column_end - column_begin); }
};
CellRange visibleCells(const Placed& placed, float cell, const Box& visible);
// Too fine or too many for one shape per cell.
bool needsTexture(const Placed& placed, float cell, const Box& visible);

Box cellBox(const Placed& placed, float cell, Index row, Index column);
// Rows and columns [begin, end) of the cells.
Box partBox(const Placed& placed, float cell, const CellRange& range);

void addMatrix(Picture& picture, const MatrixFigure& figure, const Inks& inks, const Box& visible);

// A name with what follows an underscore as an index, from the left baseline box at `at`; the width that it takes.
float addTitle(Picture* picture, const Measure& measure, Typeface face, float size, Point at, Color color, std::string_view title);

}  // namespace attn::figure
