// Rooms of the labels, the size of the cells, and the legend below them.
#include "figure/matrix_sheet.h"

#include <algorithm>
#include <cmath>

#include "core/language.h"
#include "figure/axis.h"
#include "figure/cell_figure.h"
#include "figure/legend.h"
#include "figure/text_width.h"

namespace attn::figure {
namespace {

constexpr float kMargin = 18, kTitle = 18, kNote = 13, kLabel = 13.5f, kLine = 1.35f;
constexpr float kLongestLabel = 200;
constexpr float kLargestCell = 84, kSmallestCell = 44;  // with numbers
constexpr Index kMostNumbered = 24;                     // rows or columns whose numbers can still be read
constexpr float kWithout = 640;                         // the longer side of the cells without numbers

// Cells that hold every number in the first form that all of them have; else as large as the picture lets them be.
float cellOf(const MatrixFigure& figure) {
  const Index side = std::max(figure.placed.rows, figure.placed.columns);
  if (side > kMostNumbered) return std::max(1.0f, kWithout / static_cast<float>(side));
  for (int form = 0; form < figure.forms; ++form) {
    float widest = 0;
    bool all = true;
    for (Index i = 0; i < figure.placed.rows; ++i) {
      for (Index j = 0; j < figure.placed.columns; ++j) {
        const CellFigure cell = figure.at(i, j);
        if (cell.look != CellLook::kValue) continue;
        const std::string_view text = figure.print(cell.value, form);
        all = all && !text.empty();
        widest = std::max(widest, figure.metrics.measure(Typeface::kNumber, kLargestNumber, text));
      }
    }
    const float cell = std::max(kSmallestCell, fittingCell(widest, 13));
    if (all && cell <= kLargestCell) return cell;
  }
  return kSmallestCell;
}

class SheetMaker {
 public:
  SheetMaker(MatrixFigure figure, const SheetLook& look) : figure_(std::move(figure)), look_(look), inks_(inks(look.dark, false)) {}

  Sheet make() {
    place();
    if (needsTexture(figure_.placed, figure_.cell, figure_.placed.cells)) addTexture();
    addMatrix(picture_, figure_, inks_, {0, 0, right_ + kMargin, figure_.placed.bounds.bottom() + kMargin});
    const float bottom = addLegend(figure_.placed.cells.bottom() + 16);
    return {std::move(picture_), {0, 0, right_ + kMargin, bottom + kMargin}};
  }

 private:
  float measured(Typeface face, float size, std::string_view text) const { return figure_.metrics.measure(face, size, text); }

  float labelRoom() const {
    float widest = figure_.placed.map ? measured(Typeface::kBody, kLabel, tr("reads ↓")) : 0;
    for (Index i = 0; figure_.row_label && i < figure_.placed.rows; ++i) {
      widest = std::max(widest, measured(Typeface::kBody, kLabel, figure_.row_label(i)));
    }
    return std::min(widest, kLongestLabel);
  }

  void place() {
    figure_.metrics.measure = approximateWidth;
    figure_.metrics.title_size = kTitle;
    figure_.metrics.note_size = kNote;
    figure_.metrics.label_size = kLabel;
    figure_.metrics.row_label = figure_.metrics.source_label = labelRoom();
    figure_.cell = cellOf(figure_);
    Placed& placed = figure_.placed;
    const float lines = (figure_.column_label ? kLine : 0) + (placed.map ? kLine : 0);
    const float left = figure_.metrics.row_label > 0 ? figure_.metrics.row_label + kLabelGap : 0;
    const float top = kTitle * 1.3f + kNote * kLine + 10 + kLabel * lines + labelRise(figure_.metrics, 1, figure_.cell);
    placed.wide = 1;
    placed.cells = {kMargin + left, kMargin + top, figure_.cell * static_cast<float>(placed.columns), figure_.cell * static_cast<float>(placed.rows)};
    const float title = addTitle(nullptr, figure_.metrics.measure, Typeface::kStrong, kTitle, {}, {}, figure_.formula);
    const float words = placed.cells.x + std::max(title, measured(Typeface::kBody, kNote, figure_.note));
    right_ = std::max({placed.cells.right(), words, placed.cells.x + kShortestBar});
    placed.bounds = {kMargin, kMargin, right_ - kMargin, placed.cells.bottom() - kMargin};
  }

  void addTexture() {
    auto data = std::make_shared<HeatmapData>();
    data->rows = static_cast<int>(figure_.placed.rows), data->columns = static_cast<int>(figure_.placed.columns);
    for (Index i = 0; i < figure_.placed.rows; ++i) {
      for (Index j = 0; j < figure_.placed.columns; ++j) {
        const CellFigure cell = figure_.at(i, j);
        data->values.push_back(static_cast<float>(partOf(figure_.scale, cell.value)));  // a float holds no 1e300
        data->marks.push_back(markOf(cell.look));
      }
    }
    const Box& c = figure_.placed.cells;
    figure_.texture = {{c.x, c.y, c.w, c.h, c.x, c.y, c.w, c.h, std::move(data), {figure_.scale.diverging, 0, 1}, look_.palette,
                        look_.dark, inks_.ground, inks_.hatch, 0}};
  }

  // The range of colours with round numbers along it, then what hatching means; the lower end.
  float addLegend(float y) {
    const Scale& scale = figure_.scale;
    const Box bar = {figure_.placed.cells.x, y, std::clamp(figure_.placed.cells.w, kShortestBar, 280.0f), 10};
    const bool ordinary = !look_.clipped && scale.high >= 1e-9 && scale.high <= 1e9;  // round numbers of others are long
    LegendLine line(figure_.metrics.measure, inks_, 1, {bar.x, y - 5, right_ - bar.x, 0});
    if (ordinary) {
      addRamp(picture_, bar, *figure_.table, inks_);
      addTicks(bar);
    } else {
      line.add({"", scale, figure_.table, look_.clipped, bar.w});
    }
    float bottom = ordinary ? bar.bottom() + 22 : y - 5 + line.height();
    if (hasBlocked()) {
      LegendLine words(figure_.metrics.measure, inks_, 1, {bar.x, bottom + 4, right_ - bar.x, 0});
      words.mark(CellLook::kBlocked, tr("may not be read"));
      add(words);
      bottom += 4 + words.height();
    }
    add(line);
    return bottom;
  }

  void addTicks(const Box& bar) {
    const PlotAxis axis{figure_.scale.low, figure_.scale.high};
    for (const Tick& tick : ticksOf(axis, std::max(2, static_cast<int>(bar.w / 32)))) {
      const float x = bar.x + bar.w * static_cast<float>(axis.place(tick.value));
      picture_.add(Stroke{{x, bar.bottom()}, {x, bar.bottom() + 4}, inks_.muted, 1});
      picture_.add(Label{{x, bar.bottom() + 6}, 0.5f, 0, Typeface::kNumber, 12, inks_.text, tick.text});
    }
  }

  bool hasBlocked() const {
    for (Index i = 0; i < figure_.placed.rows; ++i) {
      for (Index j = 0; j < figure_.placed.columns; ++j) {
        if (figure_.at(i, j).look == CellLook::kBlocked) return true;
      }
    }
    return false;
  }

  void add(LegendLine& line) {
    for (Shape& shape : line.picture().shapes) picture_.add(std::move(shape));
  }

  static constexpr float kShortestBar = 160;

  MatrixFigure figure_;
  const SheetLook& look_;
  const Inks& inks_;
  Picture picture_;
  float right_ = 0;
};

}  // namespace

Sheet matrixSheet(MatrixFigure figure, const SheetLook& look) { return SheetMaker(std::move(figure), look).make(); }

}  // namespace attn::figure
