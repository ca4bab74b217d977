// Fit the whole where its numbers can be read, else what the step is about.
#include "ui/stage_camera.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "figure/cell_figure.h"
#include "figure/matrix_figure.h"
#include "ui/stage.h"
#include "ui/stage_cells.h"

namespace attn::ui {
namespace {

using figure::Box;

// CSS pixels at text scale 1: the whole picture is shown from kWholeCell on, and a step is shown at that size where the
// whole is not, so that more room never gives smaller cells.
constexpr float kLargestFit = 60, kWholeCell = 44, kMostForNumbers = 64, kSmallestTogether = 17;
constexpr float kPhoneWidth = 520, kPhoneHeight = 200;  // of the stage
constexpr float kLargestCell = 120, kSmallestCell = 0.05f;
constexpr float kUsualCell = 40;
constexpr float kMargin = 18, kEdge = 6, kAside = 60;  // around what the step is about; around whole matrices beside it
constexpr float kBeyond = 32;  // of a long title beyond its matrix
constexpr double kEase = 0.25;  // seconds

Box boxOf(const figure::EquationLayout& layout, const Part& part, bool cells_only) {
  const figure::Placed* placed = layout.find(part.array, part.again);
  if (!placed) {
    return {};
  }
  if (!cells_only) {
    return placed->bounds;
  }
  // The rows with their labels; with the first row also the titles above it.
  Box box = figure::partBox(*placed, layout.cell, part.range);
  const float right = box.right();
  box.x = part.range.column_begin == 0 ? placed->bounds.x : box.x;
  box.w = right - box.x;
  if (part.range.row_begin == 0) {
    box.h = box.bottom() - placed->bounds.y;
    box.y = placed->bounds.y;
  }
  return box;
}

class Framing {
 public:
  Framing(StageMemory& memory, const app::Session& session)
      : memory_(memory), session_(session), cells_(memory, session), usual_(figure::layOut(memory.equation, memory.metrics, kUsualCell)) {}

  Pose find() const {
    const float text = memory_.text_scale;
    const float enough = std::clamp(std::ceil(memory_.number_cell), kWholeCell * text, kMostForNumbers * text);
    // 1. The whole picture.
    const float whole = fit([](const figure::EquationLayout& l) { return Box{0, 0, l.width, l.height}; });
    if (whole >= enough) {
      return {snapped(whole), 0.5f, 0.5f};
    }
    // 2. One size for every stage, so that the picture only glides.
    const StepParts parts = current();
    const auto hasRoom = [&](core::Stage stage) { return fitParts(partsOf(memory_.equation, {stage}), false) >= enough; };
    if (parts.result.empty() || std::all_of(memory_.equation.stages.begin(), memory_.equation.stages.end(), hasRoom)) {
      return looking(enough, parts, false);
    }
    // 3. The matrices of this step, or only the rows that it is about.
    if (memory_.lens || isLarge(memory_.equation, parts)) {  // the lens shows the numbers, the picture where they are
      return looking(snapped(std::min(fitParts(parts, false), enough)), parts, false);
    }
    const float legible = legibleCell(parts);
    for (const bool rows_only : {false, true}) {
      const float cell = fitParts(parts, rows_only);
      if (cell >= (rows_only ? std::min(legible, together()) : enough)) {
        return looking(snapped(std::min(cell, enough)), parts, rows_only);
      }
    }
    // 4. Then without the operands that are farthest from the result, and at last as much of the result as has room.
    for (StepParts near = parts; !near.operands.empty();) {
      near.operands.erase(farthest(near));
      const float cell = fitParts(near, true);
      if (cell >= legibleCell(near)) {
        return looking(snapped(std::min(cell, enough)), near, true);
      }
    }
    return lookingInto(std::max(legibleCell({{}, parts.result}), fitParts(parts, true)), parts.result.front());
  }

  // The step is in view with all its numbers.
  bool showsNumbers() const {
    const StepParts parts = current();
    const float enough = kWholeCell * memory_.text_scale;
    return parts.result.empty() || fitParts(parts, false) >= enough || fitParts(parts, true) >= legibleCell(parts);
  }

 private:
  // On a phone operands and result at once are worth more than their numbers, which the panel has; not to someone who
  // has enlarged the text or the page.
  float together() const {
    const Box& canvas = memory_.canvas;
    const bool phone = memory_.text_scale <= 1 && canvas.w < kPhoneWidth && canvas.h >= kPhoneHeight;
    return phone ? kSmallestTogether : 1e6f;
  }

  // The smallest cell in which every number of these matrices can be read, in whatever form.
  float legibleCell(const StepParts& parts) const {
    float cell = figure::kNumberCell;
    for (const std::vector<Part>* list : {&parts.operands, &parts.result}) {
      for (const Part& part : *list) {
        cell = std::max(cell, cells_.legibleCell(part.array));
      }
    }
    return cell;
  }

  core::Index largestColumn(core::Array array, const figure::CellRange& range) const {
    core::Index largest = range.column_begin;
    double most = 0;
    for (core::Index j = range.column_begin; j < range.column_end; ++j) {
      const figure::CellFigure cell = cells_.cell(array, range.row_begin, j);
      if (cell.look == figure::CellLook::kValue && cell.value > most) {
        largest = j;
        most = cell.value;
      }
    }
    return largest;
  }

  // The cell that the step is about in the middle, or the largest number of its row, or the first ones of its row.
  Pose lookingInto(float cell, Part part) const {
    const auto fitting = [&](float room) { return std::max<core::Index>(1, static_cast<core::Index>(room / cell)); };
    const core::Index columns = fitting(memory_.canvas.w - 2 * kMargin - memory_.metrics.row_label);
    const core::Index rows = fitting(memory_.canvas.h - 2 * kMargin - 4 * memory_.metrics.label_size);
    const figure::EquationPart* matrix = memory_.equation.find(part.array);
    figure::CellRange& range = part.range;
    const core::Index more = range.column_end - range.column_begin - columns;
    if (more > 0) {
      const core::Index focus = matrix->map ? largestColumn(part.array, range) : 0;
      range.column_begin += std::clamp<core::Index>(focus - columns / 2, 0, more);
      range.column_end = range.column_begin + columns;
    }
    range.row_end = std::min(range.row_end, range.row_begin + rows);
    const float whole = snapped(cell);
    const figure::EquationLayout layout = figure::layOut(memory_.equation, memory_.metrics, whole);
    const figure::Placed& placed = *layout.find(part.array, part.again);
    Box box = figure::partBox(placed, whole, range);
    const float names = placed.cells.x - placed.bounds.x;  // stand at the left edge wherever the row is cut
    box.x -= names;
    box.w += names;
    return {whole, box.center().x / layout.width, box.center().y / layout.height};
  }

  static float snapped(float cell) { return cell > 12 ? std::floor(cell) : cell; }

  StepParts current() const {
    const auto step = session_.state().at ? session_.state().at : session_.timeline().at(1);
    return step ? partsOf(memory_.equation, *step) : StepParts{};
  }

  std::vector<Part>::iterator farthest(StepParts& parts) const {
    const auto distance = [&](const Part& part) {
      const figure::Point a = boxOf(usual_, part, true).center();
      const figure::Point b = boxOf(usual_, parts.result.front(), true).center();
      return std::hypot(a.x - b.x, a.y - b.y);
    };
    return std::max_element(parts.operands.begin(), parts.operands.end(),
                            [&](const Part& a, const Part& b) { return distance(a) < distance(b); });
  }

  Box focus(const figure::EquationLayout& layout, const StepParts& parts, bool cells_only) const {
    Box box;
    for (const std::vector<Part>* list : {&parts.operands, &parts.result}) {
      for (const Part& part : *list) {
        box = figure::united(box, boxOf(layout, part, cells_only));
      }
    }
    for (const figure::Link& link : layout.links) {
      if (!link.text.empty() && !parts.result.empty() && core::resultOf(link.stage) == parts.result.front().array) {
        box = figure::united(box, wordsOf(layout, link));
      }
    }
    return box;
  }

  // About where the operator is written.
  Box wordsOf(const figure::EquationLayout& layout, const figure::Link& link) const {
    const float size = (memory_.metrics.note_size + 1) * layout.label_scale;
    const float width = memory_.metrics.measure(figure::Typeface::kStrong, size, link.text);
    return {link.text_at.x - width * link.text_anchor_x, link.text_at.y - size * 1.25f, width, size * 1.25f};
  }

  // The box with the whole matrices around it, the nearest first, as far as they fit.
  Box widened(const figure::EquationLayout& layout, Box box) const {
    const auto distance = [&](const Box& other) {
      const float dx = std::max({other.x - box.right(), box.x - other.right(), 0.0f});
      const float dy = std::max({other.y - box.bottom(), box.y - other.bottom(), 0.0f});
      return dx + dy;
    };
    std::vector<std::pair<float, Box>> others;
    for (const figure::Placed& placed : layout.matrices) {
      others.push_back({distance(placed.bounds), placed.bounds});
    }
    std::stable_sort(others.begin(), others.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
    for (const auto& other : others) {
      const Box both = figure::united(box, other.second);
      if (both.w <= memory_.canvas.w - 2 * kEdge && both.h <= memory_.canvas.h - 2 * kEdge) {
        box = both;
      }
    }
    return box;
  }

  // The largest cell at which the box is within the canvas.
  template <class BoxOf>
  float fit(BoxOf box_of) const {
    float low = kSmallestCell, high = std::max(kLargestFit, kMostForNumbers) * memory_.text_scale;
    for (int i = 0; i < 14; ++i) {
      const float cell = i == 0 ? high : std::sqrt(low * high);
      const Box box = box_of(figure::layOut(memory_.equation, memory_.metrics, cell));
      const bool fits = box.w <= memory_.canvas.w - 2 * kMargin && box.h <= memory_.canvas.h - 2 * kMargin;
      if (fits && i == 0) {
        return high;
      }
      (fits ? low : high) = cell;
    }
    return low;
  }
  float fitParts(const StepParts& parts, bool cells_only) const {
    return fit([&](const figure::EquationLayout& layout) { return focus(layout, parts, cells_only); });
  }

  Pose looking(float cell, const StepParts& parts, bool cells_only) const {
    const figure::EquationLayout layout = figure::layOut(memory_.equation, memory_.metrics, cell);
    const Box box = widened(layout, focus(layout, parts, cells_only));
    // A little aside where fewer matrices are cut that way.
    const float aside = std::min(kAside, (memory_.canvas.w - box.w) / 2 - kEdge);
    const float above = std::min(kAside, (memory_.canvas.h - box.h) / 2 - kEdge);
    figure::Point best = box.center();
    std::size_t fewest = cut(layout, best);
    for (const auto& [dx, dy] : {std::pair{0.0f, above}, {0.0f, -above}, {aside, 0.0f}, {-aside, 0.0f},
                                 {aside, above}, {aside, -above}, {-aside, above}, {-aside, -above}}) {
      const figure::Point middle = {box.center().x + dx, box.center().y + dy};
      if (const std::size_t count = cut(layout, middle); count < fewest) {
        fewest = count;
        best = middle;
      }
    }
    best = {inside(best.x, memory_.canvas.w, layout.width), inside(best.y, memory_.canvas.h, layout.height)};
    return {cell, best.x / layout.width, best.y / layout.height};
  }

  // The middle of a view of this extent that shows as little as possible of what is beyond the picture.
  static float inside(float middle, float view, float picture) {
    const float first = view / 2 - kBeyond, last = picture - view / 2 + kBeyond;
    return first > last ? picture / 2 : std::clamp(middle, first, last);
  }

  // Matrices that the edge of the view runs through.
  std::size_t cut(const figure::EquationLayout& layout, figure::Point middle) const {
    const Box view = {middle.x - memory_.canvas.w / 2, middle.y - memory_.canvas.h / 2, memory_.canvas.w, memory_.canvas.h};
    return static_cast<std::size_t>(std::count_if(layout.matrices.begin(), layout.matrices.end(), [&](const figure::Placed& placed) {
      const Box seen = figure::intersected(placed.bounds, view);
      return figure::overlap(placed.bounds, view) && (seen.w < placed.bounds.w - 1 || seen.h < placed.bounds.h - 1);
    }));
  }

  const StageMemory& memory_;
  const app::Session& session_;
  StageCells cells_;
  figure::EquationLayout usual_;  // to compare distances in
};

Pose between(const Pose& from, const Pose& to, float t) {
  const float s = t * t * (3 - 2 * t);
  return {from.cell * std::pow(to.cell / from.cell, s), from.x + (to.x - from.x) * s, from.y + (to.y - from.y) * s};
}

Pose poseOf(const Camera& camera) { return {camera.cell, camera.x, camera.y}; }
void setPose(Camera& camera, const Pose& pose) { camera.cell = pose.cell, camera.x = pose.x, camera.y = pose.y; }

StageMemory::TargetKey keyOf(const StageMemory& memory, const app::Session& session) {
  return {memory.trace.get(), memory.head,       session.state().at, memory.canvas.w,
          memory.canvas.h,    memory.text_scale, memory.number_cell};
}

void follow(StageMemory& memory, ViewState& view, const app::Session& session) {
  const StageMemory::TargetKey key = keyOf(memory, session);
  const bool resized = key.width != memory.target_key.width || key.height != memory.target_key.height ||
                       key.text_scale != memory.target_key.text_scale || key.trace != memory.target_key.trace;
  if (!memory.placed || key != memory.target_key) {
    memory.target_key = key;
    memory.target = Framing(memory, session).find();
  }
  if (!memory.placed || resized || view.environment.reduced_motion) {
    memory.from = memory.to = memory.target;
  } else if (memory.target != memory.to) {
    memory.from = poseOf(view.camera);
    memory.to = memory.target;
    memory.moved_at = view.environment.now;
  }
  memory.placed = true;
  const double t = std::clamp((view.environment.now - memory.moved_at) / kEase, 0.0, 1.0);
  const bool moving = t < 1 && memory.from != memory.to;
  view.animating = view.animating || moving;
  setPose(view.camera, moving ? between(memory.from, memory.to, static_cast<float>(t)) : memory.to);
}

void place(StageMemory& memory, const Camera& camera, float ratio) {
  memory.layout = figure::layOut(memory.equation, memory.metrics, camera.cell);
  const figure::Point middle = memory.canvas.center();
  const auto whole = [ratio](float v) { return std::round(v * ratio) / ratio; };
  memory.origin = {whole(middle.x - camera.x * memory.layout.width), whole(middle.y - camera.y * memory.layout.height)};
}

// Where a point of one layout is in another: the same cell of the nearest matrix.
figure::Point carried(const figure::EquationLayout& from, const figure::EquationLayout& to, figure::Point point) {
  std::size_t nearest = 0;
  float least = 1e30f;
  for (std::size_t i = 0; i < from.matrices.size(); ++i) {
    const Box& cells = from.matrices[i].cells;
    const float dx = std::max({cells.x - point.x, 0.0f, point.x - cells.right()});
    const float dy = std::max({cells.y - point.y, 0.0f, point.y - cells.bottom()});
    if (dx * dx + dy * dy < least) {
      least = dx * dx + dy * dy;
      nearest = i;
    }
  }
  const Box& a = from.matrices[nearest].cells;
  const Box& b = to.matrices[nearest].cells;
  return {b.x + (point.x - a.x) * to.cell / from.cell, b.y + (point.y - a.y) * to.cell / from.cell};
}

// The cell that the keys have reached is in view, by as little way as that takes.
void showCursor(StageMemory& memory, ViewState& view, const app::CellCursor& cell) {
  const figure::Placed* placed = memory.layout.find(cell.array);
  if (!placed || memory.layout.width <= 0 || memory.layout.height <= 0) return;
  Box box = figure::grown(figure::cellBox(*placed, memory.layout.cell, cell.row, cell.col), kEdge);
  box.x += memory.origin.x, box.y += memory.origin.y;
  const Box& room = memory.canvas;
  const auto beyond = [](float low, float high, float from, float to) {
    return low < from ? low - from : high > to ? std::min(high - to, low - from) : 0.0f;
  };
  const float dx = beyond(box.x, box.right(), room.x, room.right());
  const float dy = beyond(box.y, box.bottom(), room.y, room.bottom());
  if (dx == 0 && dy == 0) return;
  Camera moved = view.camera;
  moved.x += dx / memory.layout.width;
  moved.y += dy / memory.layout.height;
  place(memory, moved, view.environment.pixel_ratio);
}

}  // namespace

bool numbersFit(StageMemory& memory, const app::Session& session) {
  const StageMemory::TargetKey key = keyOf(memory, session);
  if (!(key == memory.numbers_key)) {
    memory.numbers_key = key;
    memory.numbers_fit = Framing(memory, session).showsNumbers();
  }
  return memory.numbers_fit;
}

void moveCamera(StageMemory& memory, ViewState& view, const app::Session& session) {
  if (view.camera.automatic) {
    follow(memory, view, session);
  } else {
    memory.from = memory.to = memory.target = poseOf(view.camera);
    memory.target_key.head = -1;
    memory.placed = true;
  }
  place(memory, view.camera, view.environment.pixel_ratio);
  if (view.in_matrix && session.state().cursor) showCursor(memory, view, *session.state().cursor);
}

void panStage(ViewState& view, float dx, float dy) {
  if (!view.stage || view.stage->layout.matrices.empty()) {
    return;
  }
  view.camera.automatic = false;
  view.camera.x = std::clamp(view.camera.x - dx / view.stage->layout.width, 0.0f, 1.0f);
  view.camera.y = std::clamp(view.camera.y - dy / view.stage->layout.height, 0.0f, 1.0f);
  place(*view.stage, view.camera, view.environment.pixel_ratio);
}

void zoomStage(ViewState& view, float factor, float x, float y) {
  if (!view.stage || view.stage->layout.matrices.empty()) {
    return;
  }
  StageMemory& memory = *view.stage;
  view.camera.automatic = false;
  const figure::Point point = {x - memory.origin.x, y - memory.origin.y};
  view.camera.cell = std::clamp(view.camera.cell * factor, kSmallestCell, kLargestCell);
  const figure::EquationLayout layout = figure::layOut(memory.equation, memory.metrics, view.camera.cell);
  const figure::Point now = carried(memory.layout, layout, point);
  const figure::Point middle = memory.canvas.center();
  view.camera.x = std::clamp((now.x + middle.x - x) / layout.width, 0.0f, 1.0f);
  view.camera.y = std::clamp((now.y + middle.y - y) / layout.height, 0.0f, 1.0f);
  place(memory, view.camera, view.environment.pixel_ratio);
}

void zoomStage(ViewState& view, float factor) {
  if (view.stage) {
    const figure::Point point = view.stage->anchor.value_or(view.stage->canvas.center());
    zoomStage(view, factor, point.x, point.y);
  }
}

void fitStage(ViewState& view) { view.camera.automatic = true; }

}  // namespace attn::ui
