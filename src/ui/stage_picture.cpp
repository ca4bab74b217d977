// Dimmed what the step leaves alone, framed what it reads and writes.
#include "ui/stage_picture.h"

#include <algorithm>
#include <cmath>

#include "app/words.h"
#include "core/language.h"

namespace attn::ui {
namespace {

using core::Array;
using core::Index;
using figure::Box;
using figure::Point;

constexpr float kDimmed = 0.42f;      // strength of what the step leaves alone
constexpr double kTravel = 0.28;      // seconds from operand to result

class PictureMaker {
 public:
  PictureMaker(StageMemory& memory, ViewState& view, const app::Session& session)
      : memory_(memory), view_(view), session_(session), cells_(memory, session), inks_(colors(view)) {
    if (session.state().at) {
      parts_ = partsOf(memory.equation, *session.state().at);
    }
  }

  figure::Picture make() {
    picture_.add(figure::ClipTo{memory_.canvas});
    for (const figure::Placed& placed : memory_.layout.matrices) {
      addOne(onScreen(placed, memory_.origin));
    }
    for (const bool current : {false, true}) {  // the way of the step lies above the others
      for (const figure::Link& link : memory_.layout.links) {
        if (isCurrent(link) == current) {
          addLink(link, current);
        }
      }
    }
    findAnchor();
    addHighlights();
    addTravel();
    addCursor();
    picture_.add(figure::ClipEnd{});
    return std::move(picture_);
  }

 private:
  // The followed row, or the row that the step has reached when all rows are taken.
  Index chosenRow() const {
    const app::State& state = session_.state();
    return state.order == app::Order::kRow ? state.row : state.at ? state.at->row : -1;
  }
  bool stepping() const { return session_.state().at.has_value(); }
  bool involved(const figure::Placed& placed) const { return !stepping() || parts_.involves(placed.array, placed.again); }

  std::string note(const figure::Placed& placed) const {
    constexpr std::string_view kShown[] = {"", trLater("before"), trLater("difference")};
    const app::Edited edited = memory_.edited[static_cast<std::size_t>(placed.array)];
    std::string text = placed.again                              ? tr("again")
                       : memory_.shown != app::Shown::kAfter     ? tr(kShown[static_cast<std::size_t>(memory_.shown)])
                       : edited == app::Edited::kSet             ? tr("edited")
                       : edited == app::Edited::kRecomputed      ? tr("computed anew")
                                                                 : figure::provenance(memory_.equation, placed.array);
    return text + " · " + core::shapeText(placed.rows, placed.columns);
  }

  void addOne(const figure::Placed& placed) {
    if (!figure::overlap(placed.bounds, memory_.canvas)) {
      return;
    }
    const Array array = placed.array;
    const bool dark = isDark(view_);
    figure::MatrixFigure figure;
    figure.placed = placed;
    figure.cell = memory_.layout.cell;
    figure.label_scale = memory_.layout.label_scale;
    figure.metrics = memory_.metrics;
    figure.title = figure::arrayTitle(array);
    figure.formula = placed.again ? figure.title : figure::arrayFormula(memory_.equation, array);
    figure.note = note(placed);
    figure.stored = core::isParameter(array);
    figure.strength = involved(placed) ? 1 : kDimmed;
    figure.scale = cells_.scaleOf(array);
    figure.table = &cells_.tableOf(array, dark);
    figure.at = [this, array](Index i, Index j) { return cells_.cell(array, i, j); };
    figure.print = [this](double value, int form) { return cells_.print(value, form); };
    figure.forms = cells_.forms();
    if (placed.row_axis != figure::Axis::kNone) {
      const bool sources = placed.row_axis == figure::Axis::kSources;
      figure.row_label = labels(sources ? memory_.columns.labels : memory_.row_labels);
      figure.chosen_row = sources ? -1 : chosenRow();
    }
    if (placed.map) {
      figure.column_label = labels(memory_.columns.labels);
      figure.column_token = labels(memory_.columns.tokens);
      figure.column_number = labels(memory_.columns.numbers);
    }
    if (array == Array::kConcat) {
      const figure::EquationPart* z = memory_.equation.find(Array::kZ);
      figure.group = z->columns;
      figure.group_label = [this](Index head) { return app::headText(session_.example(), head); };
    }
    if (figure::needsTexture(placed, figure.cell, memory_.canvas)) {
      figure.texture = cells_.texture(placed, figure.cell, memory_.head, inks_, dark, involved(placed) ? 0 : 1 - kDimmed);
      if (figure.texture.empty()) {
        figure.texture.push_back({});  // nothing known: an empty matrix, not one shape per cell
      }
    }
    figure::addMatrix(picture_, figure, inks_, memory_.canvas);
  }

  static std::function<std::string(Index)> labels(const std::vector<std::string>& list) {
    return [&list](Index i) { return list[static_cast<std::size_t>(i)]; };
  }

  Point moved(Point p) const { return {p.x + memory_.origin.x, p.y + memory_.origin.y}; }

  bool isCurrent(const figure::Link& link) const { return stepping() && session_.state().at->stage == link.stage; }

  void addLink(const figure::Link& link, bool now) {
    const float strength = now || !stepping() ? 1 : 0.6f;
    // Mixed, not transparent: ways that share a stretch must not darken it.
    const figure::Color color = now ? inks_.now : mix(inks_.ground, inks_.muted, stepping() ? 0.4 : 0.6);
    if (!link.path.empty()) {
      addLine(link, color, now ? 2 : 1.2f);
    }
    const float size = memory_.layout.label_scale * (link.path.empty() ? memory_.metrics.title_size * 1.4f : memory_.metrics.note_size + 1);
    if (!link.text.empty() && size >= 8) {
      addOperator(link, size, faded(now ? inks_.now : inks_.text, strength));
    }
  }

  void addLine(const figure::Link& link, figure::Color color, float width) {
    figure::Path path{link.path, 12 * memory_.layout.label_scale, color, width};
    for (Point& point : path.points) {
      point = moved(point);
    }
    if (link.head) {
      figure::addArrow(picture_, std::move(path));
    } else {
      picture_.add(std::move(path));
    }
  }

  void addOperator(const figure::Link& link, float size, figure::Color color) {
    const float width = figure::addTitle(nullptr, memory_.metrics.measure, figure::Typeface::kStrong, size, {}, color, link.text);
    const Point at = moved(link.text_at);
    const float up = link.path.empty() ? size * 0.62f : size * 1.25f;
    figure::addTitle(&picture_, memory_.metrics.measure, figure::Typeface::kStrong, size,
                     {at.x - width * link.text_anchor_x, at.y - up}, color, link.text);
  }

  std::optional<Box> boxOf(const Part& part) const {
    const figure::Placed* placed = memory_.layout.find(part.array, part.again);
    if (!placed) {
      return std::nullopt;
    }
    return figure::partBox(onScreen(*placed, memory_.origin), memory_.layout.cell, part.range);
  }

  // The cell that the person or the step is at; within a whole row of a map, the position's own column.
  void findAnchor() {
    Part part;
    if (session_.state().cursor) {
      const app::CellCursor& at = *session_.state().cursor;
      part = {at.array, false, {at.row, at.row + 1, at.col, at.col + 1}};
    } else if (!parts_.result.empty()) {
      part = parts_.result.front();
      const figure::EquationPart* matrix = memory_.equation.find(part.array);
      if (matrix && matrix->map && part.range.column_end - part.range.column_begin > 1) {
        part.range.column_begin = std::min(part.range.row_begin, matrix->columns - 1);
        part.range.column_end = part.range.column_begin + 1;
      }
    }
    memory_.anchor.reset();
    const auto box = part.range.count() > 0 ? boxOf(part) : std::nullopt;
    if (box && memory_.canvas.contains(box->center())) {
      memory_.anchor = box->center();
    }
  }

  void addHighlights() {
    for (const Part& part : parts_.operands) {
      if (const auto box = boxOf(part)) {
        picture_.add(figure::Frame{figure::grown(*box, 1.5f), faded(inks_.now, 0.8), 1.6f, 4});
      }
    }
    for (const Part& part : parts_.result) {
      if (const auto box = boxOf(part)) {
        if (std::min(box->w, box->h) >= 10) {
          picture_.add(figure::Frame{figure::grown(*box, 4), faded(inks_.now, 0.28), 5, 6});
        }
        picture_.add(figure::Frame{figure::grown(*box, 2), inks_.now, 2.4f, 5});
      }
    }
  }

  // Ghosts of the operands glide into the result when the walk goes one step on.
  void addTravel() {
    const double t = (view_.environment.now - memory_.step_at) / kTravel;
    if (t < 0 || t >= 1 || parts_.result.empty() || view_.environment.reduced_motion) {
      return;
    }
    view_.animating = true;
    const auto to = boxOf(parts_.result.front());
    const auto s = static_cast<float>(t * t * (3 - 2 * t));
    for (const Part& part : parts_.operands) {
      const auto from = boxOf(part);
      if (!from || !to) {
        continue;
      }
      const Box box = {from->x + (to->x - from->x) * s, from->y + (to->y - from->y) * s,
                       from->w + (to->w - from->w) * s, from->h + (to->h - from->h) * s};
      picture_.add(figure::Fill{box, faded(inks_.now, 0.30 * (1 - 0.6 * s)), 4});
      picture_.add(figure::Frame{box, faded(inks_.now, 0.9 * (1 - 0.6 * s)), 1.5f, 4});
    }
  }

  void addCursor() {
    const auto ring = [&](const app::CellCursor& cell, figure::Color color, float width) {
      if (const figure::Placed* placed = memory_.layout.find(cell.array)) {
        const Box box = figure::cellBox(onScreen(*placed, memory_.origin), memory_.layout.cell, cell.row, cell.col);
        picture_.add(figure::Frame{figure::grown(box, width / 2), color, width, 4});
      }
    };
    if (view_.hover) {
      ring(*view_.hover, faded(inks_.text, 0.8), 1.5f);
    }
    if (session_.state().cursor) {
      ring(*session_.state().cursor, inks_.focus, 2.5f);
    }
  }

  StageMemory& memory_;
  ViewState& view_;
  const app::Session& session_;
  StageCells cells_;
  const Colors& inks_;
  StepParts parts_;
  figure::Picture picture_;
};

}  // namespace

figure::Placed onScreen(const figure::Placed& placed, Point origin) {
  figure::Placed moved = placed;
  for (Box* box : {&moved.cells, &moved.bounds}) {
    box->x += origin.x;
    box->y += origin.y;
  }
  return moved;
}

figure::Picture stagePicture(StageMemory& memory, ViewState& view, const app::Session& session) {
  return PictureMaker(memory, view, session).make();
}

}  // namespace attn::ui
