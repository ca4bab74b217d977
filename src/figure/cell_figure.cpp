// Seven kinds of cells that must never be taken for each other, and the numbers in them.
#include "figure/cell_figure.h"

#include <algorithm>
#include <cmath>

namespace attn::figure {
namespace {

// Line heights in pixels; letters are about three quarters of it.
constexpr float kLargestNumber = 17, kSmallestNumber = 11.5f;

class CellPainter {
 public:
  CellPainter(Picture& picture, const MatrixFigure& figure, const Inks& inks)
      : picture_(picture), figure_(figure), inks_(inks), gap_(figure.cell >= 24 ? 1.0f : figure.cell >= 12 ? 0.5f : 0.0f),
        rounding_(figure.cell >= 24 ? 3.0f : 0.0f) {}

  void add(Index i, Index j, const CellFigure& cell, float size) {
    const Box box = grown(cellBox(figure_.placed, figure_.cell, i, j), -gap_);
    switch (cell.look) {
      case CellLook::kValue: addValue(box, cell, size); break;
      case CellLook::kPartial: addPartial(box, cell, size); break;
      case CellLook::kUnknown: addUnknown(box); break;
      case CellLook::kBlocked: addBlocked(box); break;
      case CellLook::kNoSource: addWord(box, inks_.raised, inks_.muted, "–"); break;
      case CellLook::kUnderflow: addUnderflow(box); break;
      case CellLook::kNan: addWord(box, inks_.raised, inks_.warning, "NaN"); addEdge(box, inks_.warning); break;
      case CellLook::kInfinity: addWord(box, figure_.table->back(), readableOn(figure_.table->back()), "∞"); break;
      case CellLook::kMinusInfinity: addWord(box, figure_.table->front(), readableOn(figure_.table->front()), "−∞"); break;
    }
  }

 private:
  Color ink(Color color) const { return faded(color, figure_.strength); }
  // Dimmed towards the ground, so that a number on it can still be told from it.
  Color ground(Color color) const { return mix(inks_.ground, color, figure_.strength); }
  Color numberOn(Color fill) const { return mix(fill, readableOn(fill), 0.4 + 0.6 * figure_.strength); }

  void addText(const Box& box, Color color, float size, std::string text) {
    picture_.add(Label{box.center(), 0.5f, 0.5f, Typeface::kNumber, size, color, std::move(text)});
  }

  void addNumber(const Box& box, Color color, const CellFigure& cell, float size) {
    if (figure_.cell < kNumberCell) {
      return;
    }
    const Measure& measure = figure_.metrics.measure;
    const float own = fittingSize(measure(Typeface::kNumber, kLargestNumber, cell.text), kLargestNumber, figure_.cell);
    if (own > 0) {
      addText(box, color, std::min(own, size), cell.text);
      return;
    }
    const float cut = fittingSize(measure(Typeface::kNumber, kLargestNumber, cell.short_text), kLargestNumber, figure_.cell);
    if (cut > 0) {
      addText(box, color, std::min(cut, size), cell.short_text);
    }
  }

  void addValue(const Box& box, const CellFigure& cell, float size) {
    const Color fill = ground(colorOf(figure_.scale, *figure_.table, cell.value));
    picture_.add(Fill{box, fill, rounding_});
    addNumber(box, numberOn(fill), cell, size);
  }

  // Paler than a finished value, with the part that is done as a line along the bottom.
  void addPartial(const Box& box, const CellFigure& cell, float size) {
    const Color fill = ground(mix(inks_.ground, colorOf(figure_.scale, *figure_.table, cell.value), 0.35));
    picture_.add(Fill{box, fill, rounding_});
    addNumber(box, mix(numberOn(fill), fill, 0.25), cell, size);
    if (figure_.cell >= 12) {
      picture_.add(Frame{grown(box, -0.5f), ink(faded(inks_.now, 0.6)), 1, rounding_});
      picture_.add(Fill{{box.x + 2, box.bottom() - 4, (box.w - 4) * cell.progress, 2.5f}, ink(inks_.now), 1});
    }
  }

  void addUnknown(const Box& box) {
    if (figure_.cell >= 12) {
      picture_.add(Disc{box.center(), std::min(2.0f, figure_.cell * 0.06f), ink(inks_.unknown)});
    }
  }

  void addBlocked(const Box& box) {
    picture_.add(Fill{box, ink(faded(inks_.hatch, 0.14)), rounding_});
    picture_.add(Hatch{box, ink(faded(inks_.hatch, 0.75)), figure_.cell >= 24 ? 7.0f : 4.0f});
  }

  void addWord(const Box& box, Color fill, Color color, std::string text) {
    picture_.add(Fill{box, ground(fill), rounding_});
    if (figure_.cell >= 18) {
      addText(box, mix(ground(fill), color, 0.4 + 0.6 * figure_.strength), std::clamp(figure_.cell * 0.38f, 9.0f, kLargestNumber), std::move(text));
    }
  }

  void addEdge(const Box& box, Color color) { picture_.add(Frame{grown(box, -0.5f), ink(color), 1, rounding_}); }

  void addUnderflow(const Box& box) {
    const Color fill = figure_.table->front();
    addWord(box, fill, readableOn(fill), "≈ 0");
  }

  Picture& picture_;
  const MatrixFigure& figure_;
  const Inks& inks_;
  float gap_, rounding_;
};

}  // namespace

float fittingSize(float width, float measured_size, float cell) {
  const float room = cell - std::max(3.5f, cell * 0.1f);
  const float size = std::min({kLargestNumber, measured_size * room / std::max(1.0f, width), cell * 0.44f});
  return size >= kSmallestNumber ? size : 0;
}

void addCells(Picture& picture, const MatrixFigure& figure, const Inks& inks, const CellRange& range) {
  // 1. All cells, and one size of number for the whole matrix as far as numbers fit.
  std::vector<CellFigure> cells;
  cells.reserve(static_cast<std::size_t>(range.count()));
  float size = kLargestNumber;
  for (Index i = range.row_begin; i < range.row_end; ++i) {
    for (Index j = range.column_begin; j < range.column_end; ++j) {
      cells.push_back(figure.at(i, j));
      if (figure.cell >= kNumberCell && !cells.back().text.empty()) {
        const float width = figure.metrics.measure(Typeface::kNumber, kLargestNumber, cells.back().text);
        const float own = fittingSize(width, kLargestNumber, figure.cell);
        size = own > 0 ? std::min(size, own) : kSmallestNumber;
      }
    }
  }
  // 2. Drawn.
  CellPainter painter(picture, figure, inks);
  std::size_t next = 0;
  for (Index i = range.row_begin; i < range.row_end; ++i) {
    for (Index j = range.column_begin; j < range.column_end; ++j) {
      painter.add(i, j, cells[next++], size);
    }
  }
}

}  // namespace attn::figure
