// Seven kinds of cells that must never be taken for each other, and the numbers in them.
#include "figure/cell_figure.h"

#include <algorithm>
#include <cmath>

namespace attn::figure {
namespace {

// Between a number and the sides of its cell, both together.
constexpr float kLeastMargin = 5, kMarginShare = 0.14f;

// How all numbers of one matrix are printed; none where no form fits.
struct Numbers {
  int form = -1;
  float size = 0;
};

bool hasNumber(const CellFigure& cell) { return cell.look == CellLook::kValue || cell.look == CellLook::kPartial; }

// The size at which every cell's number fits in this form; 0 when one does not.
float commonSize(const MatrixFigure& figure, const std::vector<CellFigure>& cells, int form, float smallest) {
  const float largest = kLargestNumber * figure.metrics.text_scale;
  float size = largest;
  for (const CellFigure& cell : cells) {
    if (!hasNumber(cell)) {
      continue;
    }
    const std::string_view text = figure.print(cell.value, form);
    const float width = figure.metrics.measure(Typeface::kNumber, kLargestNumber, text);
    const float own = text.empty() ? 0 : fittingSize(width, figure.cell, smallest, largest);
    if (own == 0) {
      return 0;
    }
    size = std::min(size, own);
  }
  return size;
}

Numbers numbersOf(const MatrixFigure& figure, const std::vector<CellFigure>& cells) {
  if (figure.cell < kNumberCell || !figure.print) {
    return {};
  }
  // Enlarged text stays as large as any form lets it.
  const float text = figure.metrics.text_scale;
  for (const float scale : {text, (1 + 2 * text) / 3, (2 + text) / 3, std::min(1.0f, text)}) {
    for (int form = 0; form < figure.forms; ++form) {
      if (const float size = commonSize(figure, cells, form, kSmallestNumber * scale); size > 0) {
        return {form, size};
      }
    }
  }
  return {};
}

class CellPainter {
 public:
  CellPainter(Picture& picture, const MatrixFigure& figure, const Inks& inks, Numbers numbers)
      : picture_(picture), figure_(figure), inks_(inks), numbers_(numbers), gap_(figure.cell >= 24 ? 1.0f : figure.cell >= 12 ? 0.5f : 0.0f),
        rounding_(figure.cell >= 24 ? 3.0f : 0.0f) {}

  void add(Index i, Index j, const CellFigure& cell) {
    const Box box = grown(cellBox(figure_.placed, figure_.cell, i, j), -gap_);
    switch (cell.look) {
      case CellLook::kValue: addValue(box, cell); break;
      case CellLook::kPartial: addPartial(box, cell); break;
      case CellLook::kUnknown: addUnknown(box); break;
      case CellLook::kBlocked: addBlocked(box); break;
      case CellLook::kNoSource: addWord(box, inks_.raised, inks_.muted, "–"); break;
      case CellLook::kUnderflow: addUnderflow(box); break;
      case CellLook::kNan: addWord(box, inks_.raised, inks_.warning, "NaN"); addEdge(box, inks_.warning); break;
      case CellLook::kInfinity: addWord(box, figure_.table->back(), readableOn(figure_.table->back()), "∞"); break;
      case CellLook::kMinusInfinity: addWord(box, figure_.table->front(), readableOn(figure_.table->front()), "−∞"); break;
    }
    if (cell.changed) addMark(box);
  }

 private:
  Color ink(Color color) const { return faded(color, figure_.strength); }
  // Dimmed towards the ground, so that a number on it can still be told from it.
  Color ground(Color color) const { return mix(inks_.ground, color, figure_.strength); }
  Color numberOn(Color fill) const { return mix(fill, readableOn(fill), 0.4 + 0.6 * figure_.strength); }

  void addText(const Box& box, Color color, float size, std::string text) {
    picture_.add(Label{box.center(), 0.5f, 0.5f, Typeface::kNumber, size, color, std::move(text)});
  }

  void addNumber(const Box& box, Color color, const CellFigure& cell) {
    if (numbers_.form >= 0) {
      addText(box, color, numbers_.size, std::string(figure_.print(cell.value, numbers_.form)));
    }
  }

  void addValue(const Box& box, const CellFigure& cell) {
    const Color fill = ground(colorOf(figure_.scale, *figure_.table, cell.value));
    picture_.add(Fill{box, fill, rounding_});
    addNumber(box, numberOn(fill), cell);
  }

  // Paler than a finished value, with the part that is done as a line along the bottom.
  void addPartial(const Box& box, const CellFigure& cell) {
    const Color fill = ground(mix(inks_.ground, colorOf(figure_.scale, *figure_.table, cell.value), 0.35));
    picture_.add(Fill{box, fill, rounding_});
    addNumber(box, mix(numberOn(fill), fill, 0.25), cell);
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
      addText(box, mix(ground(fill), color, 0.4 + 0.6 * figure_.strength), std::clamp(figure_.cell * 0.38f, 9.0f, kLargestNumber * figure_.metrics.text_scale), std::move(text));
    }
  }

  // A corner turned over, with an edge that stands out from every colour of a cell.
  void addMark(const Box& box) {
    if (figure_.cell < 10) return;
    const float side = std::clamp(figure_.cell * 0.2f, 4.0f, 11.0f);
    const auto corner = [&](float reach, Color color) {
      picture_.add(Triangle{{box.right(), box.y}, {box.right() - reach, box.y}, {box.right(), box.y + reach}, color});
    };
    corner(side + 2.5f, ink(inks_.ground));
    corner(side, ink(inks_.text));
  }

  void addEdge(const Box& box, Color color) { picture_.add(Frame{grown(box, -0.5f), ink(color), 1, rounding_}); }

  void addUnderflow(const Box& box) {
    const Color fill = figure_.table->front();
    addWord(box, fill, readableOn(fill), "≈ 0");
  }

  Picture& picture_;
  const MatrixFigure& figure_;
  const Inks& inks_;
  Numbers numbers_;
  float gap_, rounding_;
};

}  // namespace

std::uint8_t markOf(CellLook look) {
  switch (look) {
    case CellLook::kBlocked: return 1;
    case CellLook::kUnknown: return 2;
    case CellLook::kNan: return 3;
    case CellLook::kInfinity: return 4;
    case CellLook::kMinusInfinity: return 5;
    default: return 0;
  }
}

float fittingSize(float width, float cell, float smallest, float largest) {
  const float room = cell - std::max(kLeastMargin, cell * kMarginShare);
  const float size = std::min({largest, kLargestNumber * room / std::max(1.0f, width), cell * 0.44f});
  return size >= smallest ? size : 0;
}

float fittingCell(float width, float smallest) {
  const float room = width * smallest / kLargestNumber;
  return std::max({room + kLeastMargin, room / (1 - kMarginShare), smallest / 0.44f});
}

void addCells(Picture& picture, const MatrixFigure& figure, const Inks& inks, const CellRange& range) {
  std::vector<CellFigure> cells;
  cells.reserve(static_cast<std::size_t>(range.count()));
  for (Index i = range.row_begin; i < range.row_end; ++i) {
    for (Index j = range.column_begin; j < range.column_end; ++j) {
      cells.push_back(figure.at(i, j));
    }
  }
  CellPainter painter(picture, figure, inks, numbersOf(figure, cells));
  std::size_t next = 0;
  for (Index i = range.row_begin; i < range.row_end; ++i) {
    for (Index j = range.column_begin; j < range.column_end; ++j) {
      painter.add(i, j, cells[next++]);
    }
  }
}

}  // namespace attn::figure
