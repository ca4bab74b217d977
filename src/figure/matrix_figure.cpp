// Titles, tokens and axis words of one matrix; what its cells look like is in cell_figure.cpp.
#include "figure/matrix_figure.h"

#include <algorithm>
#include <cctype>
#include <cmath>

#include "core/language.h"
#include "figure/cell_figure.h"

namespace attn::figure {
namespace {

constexpr float kLeastText = 7.5f;  // smaller text is left out
constexpr float kSmallLabel = 0.8f;  // of a label's size: columns that are too narrow for more
constexpr float kPinned = 20;       // from the edge of the view, where the picture fades

class MatrixPainter {
 public:
  MatrixPainter(Picture& picture, const MatrixFigure& figure, const Inks& inks, const Box& visible)
      : picture_(picture), figure_(figure), inks_(inks), visible_(visible),
        range_(visibleCells(figure.placed, figure.cell, visible)) {}

  void paint() {
    addTitleLines();
    addAxisWords();
    if (range_.count() > 0) {
      figure_.texture.empty() ? addCells(picture_, figure_, inks_, range_) : addTexture();
    }
    addOutline();
    addRowLabels();
    addColumnLabels();
    addGroups();
  }

 private:
  // Within a matrix larger than the view, its tokens stay at the edge of the view, on a strip of their own.
  bool rowsPinned() const {
    const Box& cells = figure_.placed.cells;
    return cells.x < visible_.x && cells.right() > visible_.x + visible_.w / 2 && visible_.w > 4 * rowRoom();
  }
  bool columnsPinned() const {
    const Box& cells = figure_.placed.cells;
    return cells.y < visible_.y && cells.bottom() > visible_.y + visible_.h / 2 && visible_.h > 10 * labelSize();
  }
  float rowRoom() const {
    return px(figure_.placed.row_axis == Axis::kSources ? figure_.metrics.source_label : figure_.metrics.row_label);
  }
  // Where labels of the other axis may begin.
  float firstColumn() const { return rowsPinned() ? visible_.x + kPinned + rowRoom() + px(kLabelGap) : visible_.x - columnWidth(); }
  float firstRow() const { return columnsPinned() ? visible_.y + kPinned + labelSize() * 1.3f + 4 : visible_.y - figure_.cell; }
  void addStrip(const Box& box) { picture_.add(Fill{intersected(box, visible_), faded(inks_.ground, 0.88)}); }

  float columnWidth() const { return figure_.cell * figure_.placed.wide; }
  float px(float pixels) const { return pixels * figure_.label_scale; }
  Color ink(Color color) const { return faded(color, figure_.strength); }
  float rise() const { return labelRise(figure_.metrics, figure_.label_scale, figure_.cell); }
  float labelSize() const { return px(figure_.metrics.label_size); }
  float measured(Typeface face, float size, std::string_view text) const { return figure_.metrics.measure(face, size, text); }

  void addTitleLines() {
    const float size = px(figure_.metrics.title_size);
    if (size < kLeastText) {
      return;
    }
    const Color color = figure_.stored ? inks_.parameter : inks_.text;
    const Box& bounds = figure_.placed.bounds;
    const float gap = bounds.right() <= visible_.right() ? visible_.right() - bounds.right() - px(6) : px(16);
    const float room = bounds.right() - figure_.placed.cells.x + std::min(px(16), gap);
    const bool fits = addTitle(nullptr, figure_.metrics.measure, Typeface::kStrong, size, {}, color, figure_.formula) <= room;
    addTitle(&picture_, figure_.metrics.measure, Typeface::kStrong, size, {figure_.placed.cells.x, bounds.y}, ink(color),
             fits ? figure_.formula : figure_.title);
    const float note = px(figure_.metrics.note_size);
    if (note >= kLeastText) {
      picture_.add(Label{{figure_.placed.cells.x, bounds.y + size * 1.3f}, 0, 0, Typeface::kBody, note, ink(inks_.muted), figure_.note});
    }
  }

  // Every n-th label, n in 1, 2, 5, 10, 20, …, so that those of cells this large stand at least `room` pixels apart.
  static Index stride(float room, float cell) {
    Index n = 1;
    for (Index power = 1;; power *= 10) {
      for (const Index factor : {1, 2, 5}) {
        n = power * factor;
        if (static_cast<float>(n) * cell >= room) {
          return n;
        }
      }
    }
  }

  void addRowLabels() {
    if (!figure_.row_label || labelSize() < kLeastText) {
      return;
    }
    const Box& cells = figure_.placed.cells;
    const float room = rowRoom();
    const float height = labelSize() * 1.25f;
    const Index step = stride(height, figure_.cell);
    const Index half = static_cast<Index>(std::ceil(height / std::max(figure_.cell, 0.01f)));
    const float right = rowsPinned() ? visible_.x + kPinned + room : cells.x - px(kLabelGap);
    if (rowsPinned()) {
      addStrip({visible_.x, cells.y, kPinned + room + px(kLabelGap), cells.h});
    }
    for (Index i = range_.row_begin / step * step; i < range_.row_end; i += step) {
      if (i >= range_.row_begin && (figure_.chosen_row < 0 || i == figure_.chosen_row || std::abs(i - figure_.chosen_row) >= half)) {
        addRowLabel(i, right, room);
      }
    }
    if (figure_.chosen_row >= range_.row_begin && figure_.chosen_row < range_.row_end && figure_.chosen_row % step != 0) {
      addRowLabel(figure_.chosen_row, right, room);
    }
  }

  void addRowLabel(Index i, float right, float room) {
    const bool chosen = i == figure_.chosen_row;
    const Typeface face = chosen ? Typeface::kStrong : Typeface::kBody;
    const float y = figure_.placed.cells.y + (static_cast<float>(i) + 0.5f) * figure_.cell;
    if (figure_.column_label && y - labelSize() * 0.6f < firstRow()) {
      return;
    }
    std::string text = elided(figure_.metrics.measure, face, labelSize(), figure_.row_label(i), room);
    if (chosen) {
      const float tall = std::max(3.0f, std::min(figure_.cell * 0.7f, px(26)));
      picture_.add(Fill{{right + px(3.5f), y - tall / 2, px(3), tall}, ink(inks_.row), px(1.5f)});
    }
    picture_.add(Label{{right, y}, 1, 0.5f, face, labelSize(), ink(chosen ? inks_.row : inks_.muted), std::move(text)});
  }

  // How the columns are named: all alike, as fully as their width allows.
  struct Names {
    const std::function<std::string(Index)>* text;
    float size;
    Index step;
  };

  bool allFit(const std::function<std::string(Index)>& text, float size) const {
    for (Index j = range_.column_begin; j < range_.column_end; ++j) {
      if (measured(j == figure_.chosen_column ? Typeface::kStrong : Typeface::kBody, size, text(j)) > columnWidth() - 2) {
        return false;
      }
    }
    return true;
  }

  // Position and token, smaller where they must be, then the token alone, its beginning, or every n-th number.
  Names columnNames() const {
    const float full = labelSize();
    const float small = std::max(kLeastText, full * kSmallLabel);
    const auto& token = figure_.column_token ? figure_.column_token : figure_.column_label;
    if (columnWidth() >= small) {  // narrower columns hold no words
      for (const auto* text : {&figure_.column_label, &token}) {
        for (const float size : {full, small}) {
          if (allFit(*text, size)) {
            return {text, size, 1};
          }
        }
      }
    }
    if (columnWidth() >= small * 2.4f) {
      return {&token, small, 1};
    }
    const float widest = measured(Typeface::kBody, full, figure_.column_number(figure_.placed.columns - 1)) + px(8);
    return {&figure_.column_number, full, stride(widest, columnWidth())};
  }

  void addColumnLabels() {
    if (!figure_.column_label || labelSize() < kLeastText) {
      return;
    }
    const Names names = columnNames();
    const Box& cells = figure_.placed.cells;
    const float bottom = columnsPinned() ? visible_.y + kPinned + labelSize() * 1.3f : cells.y - px(4) - rise();
    if (columnsPinned()) {
      addStrip({cells.x, visible_.y, cells.w, kPinned + labelSize() * 1.3f + 4});
    }
    for (Index j = range_.column_begin / names.step * names.step; j < range_.column_end; j += names.step) {
      if (j >= range_.column_begin) {
        addColumnLabel(j, bottom, names);
      }
    }
  }

  void addColumnLabel(Index j, float bottom, const Names& names) {
    const bool chosen = j == figure_.chosen_column;
    const Typeface face = chosen ? Typeface::kStrong : Typeface::kBody;
    const float x = figure_.placed.cells.x + (static_cast<float>(j) + 0.5f) * columnWidth();
    const float room = static_cast<float>(names.step) * columnWidth() - 2;
    std::string text = elided(figure_.metrics.measure, face, names.size, (*names.text)(j), room);
    if (figure_.row_label && x - measured(face, names.size, text) / 2 < firstColumn()) {
      return;
    }
    picture_.add(Label{{x, bottom}, 0.5f, 1, face, names.size, ink(chosen ? inks_.text : inks_.muted), std::move(text)});
  }

  // What every run of columns belongs to, with a line between the runs.
  void addGroups() {
    if (!figure_.group_label || figure_.group < 1 || labelSize() < kLeastText) {
      return;
    }
    const Box& cells = figure_.placed.cells;
    const float width = columnWidth() * static_cast<float>(figure_.group);
    for (Index k = 0; k * figure_.group < figure_.placed.columns; ++k) {
      const float x = cells.x + width * static_cast<float>(k);
      picture_.add(Label{{x + width / 2, cells.y - px(4) - rise()}, 0.5f, 1, Typeface::kBody, labelSize(), ink(inks_.muted),
                         elided(figure_.metrics.measure, Typeface::kBody, labelSize(), figure_.group_label(k), width - 2)});
      if (k > 0) {
        picture_.add(Stroke{{x, cells.y - px(8)}, {x, cells.bottom()}, ink(inks_.muted), 1.5f});
      }
    }
  }

  void addAxisWords() {
    if (!figure_.placed.map || labelSize() < kLeastText) {
      return;
    }
    const Box& cells = figure_.placed.cells;
    const float tokens = labelSize() * 1.35f;
    picture_.add(Label{{cells.x - px(kLabelGap), cells.y - px(4) - rise()}, 1, 1, Typeface::kBody, labelSize(), ink(inks_.muted),
                       tr("reads ↓")});
    picture_.add(Label{{cells.x, cells.y - px(4) - rise() - tokens}, 0, 1, Typeface::kBody, labelSize(), ink(inks_.muted),
                       tr("is read →")});
  }

  void addTexture() {
    for (const HeatmapRequest& request : figure_.texture) {
      HeatmapRequest clipped = request;
      const Box box = intersected({request.clip_x, request.clip_y, request.clip_width, request.clip_height}, visible_);
      clipped.clip_x = box.x, clipped.clip_y = box.y, clipped.clip_width = box.w, clipped.clip_height = box.h;
      picture_.add(std::move(clipped));
    }
  }

  // Stored parameters stand in a double frame, everything else in a hairline.
  void addOutline() {
    const Box& cells = figure_.placed.cells;
    if (figure_.stored) {
      picture_.add(Frame{grown(cells, 2.5f), ink(faded(inks_.parameter, 0.85)), 1.5f, 4});
    } else {
      picture_.add(Frame{grown(cells, 1), ink(inks_.line), 1, 3});
    }
  }

  Picture& picture_;
  const MatrixFigure& figure_;
  const Inks& inks_;
  const Box& visible_;
  CellRange range_;
};

Index bounded(float value, Index most) {
  return static_cast<Index>(std::clamp(value, 0.0f, static_cast<float>(most)));
}

}  // namespace

CellRange visibleCells(const Placed& placed, float cell, const Box& visible) {
  if (!overlap(placed.cells, visible)) {
    return {};
  }
  CellRange range;
  range.row_begin = bounded(std::floor((visible.y - placed.cells.y) / cell), placed.rows);
  range.row_end = bounded(std::ceil((visible.bottom() - placed.cells.y) / cell), placed.rows);
  const float width = cell * placed.wide;
  range.column_begin = bounded(std::floor((visible.x - placed.cells.x) / width), placed.columns);
  range.column_end = bounded(std::ceil((visible.right() - placed.cells.x) / width), placed.columns);
  return range;
}

bool needsTexture(const Placed& placed, float cell, const Box& visible) {
  const Index count = visibleCells(placed, cell, visible).count();
  // Small cells have neither gaps nor marks of their own: many of them look the same as a texture, and cost less.
  const Index most = kMostCellsPerSide * kMostCellsPerSide;
  return cell < kTextureCell || count > most || (cell < 2 * kTextureCell && count > most / 4);
}

Box cellBox(const Placed& placed, float cell, Index row, Index column) {
  return partBox(placed, cell, {row, row + 1, column, column + 1});
}

Box partBox(const Placed& placed, float cell, const CellRange& range) {
  const float width = cell * placed.wide;
  return {placed.cells.x + static_cast<float>(range.column_begin) * width,
          placed.cells.y + static_cast<float>(range.row_begin) * cell,
          static_cast<float>(range.column_end - range.column_begin) * width,
          static_cast<float>(range.row_end - range.row_begin) * cell};
}

float addTitle(Picture* picture, const Measure& measure, Typeface face, float size, Point at, Color color, std::string_view title) {
  float x = at.x;
  std::size_t begin = 0;
  bool index = false;
  const auto put = [&](std::string_view text) {
    if (text.empty()) {
      return;
    }
    const float run = index ? size * 0.74f : size;
    if (picture) {
      picture->add(Label{{x, at.y + (index ? size * 0.42f : 0)}, 0, 0, face, run, color, std::string(text)});
    }
    x += measure(face, run, text);
  };
  for (std::size_t i = 0; i <= title.size(); ++i) {
    const bool end = i == title.size();
    const bool turns = !end && (index ? std::isalnum(static_cast<unsigned char>(title[i])) == 0 : title[i] == '_');
    if (end || turns) {
      put(title.substr(begin, i - begin));
      begin = !end && title[i] == '_' ? i + 1 : i;
      index = !end && title[i] == '_';
    }
  }
  return x - at.x;
}

void addMatrix(Picture& picture, const MatrixFigure& figure, const Inks& inks, const Box& visible) {
  if (overlap(figure.placed.bounds, visible)) {
    MatrixPainter(picture, figure, inks, visible).paint();
  }
}

}  // namespace attn::figure
