// Fit the whole where its numbers can be read, else what the step is about.
#include "ui/stage_camera.h"

#include <algorithm>
#include <cmath>

#include "ui/stage.h"

namespace attn::ui {
namespace {

using figure::Box;

constexpr float kLargestFit = 60, kSmallestWhole = 36, kSmallestCommon = 36, kSmallestNumbers = 27, kSmallestTogether = 17;
constexpr float kLargestCell = 120, kSmallestCell = 0.05f;
constexpr float kUsualCell = 40;
constexpr float kMargin = 18;
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
  Framing(const StageMemory& memory, const app::Session& session)
      : memory_(memory), session_(session), usual_(figure::layOut(memory.equation, memory.metrics, kUsualCell)) {}

  Pose find() const {
    // 1. The whole picture.
    const float whole = fit([](const figure::EquationLayout& l) { return Box{0, 0, l.width, l.height}; });
    if (whole >= kSmallestWhole) {
      return {snapped(whole), 0.5f, 0.5f};
    }
    // 2. One size for every stage, so that the picture only glides.
    const StepParts parts = current();
    float common = kLargestFit;
    for (const core::Stage stage : memory_.equation.stages) {
      common = std::min(common, fitParts(partsOf(memory_.equation, {stage}), false));
    }
    if (common >= kSmallestCommon) {
      return looking(snapped(common), parts, false);
    }
    // 3. The matrices of this step, or only the rows that it is about.
    if (parts.result.empty()) {
      return {snapped(common), 0.5f, 0.5f};
    }
    if (isLarge(memory_.equation, parts)) {  // the lens shows the numbers, the picture shows where they are
      return looking(fitParts(parts, false), parts, false);
    }
    for (const float smallest : {kSmallestNumbers, kSmallestTogether}) {
      for (const bool rows_only : {false, true}) {
        const float cell = fitParts(parts, rows_only);
        if (cell >= smallest) {
          return looking(snapped(cell), parts, rows_only);
        }
      }
    }
    // Then without the operands that are farthest from the result, while there are any.
    for (StepParts near = parts; !near.operands.empty();) {
      near.operands.erase(farthest(near));
      const float cell = fitParts(near, true);
      if (cell >= kSmallestNumbers) {
        return looking(snapped(cell), near, true);
      }
    }
    return looking(fitParts(parts, false), parts, false);
  }

 private:
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
    return box;
  }

  // The largest cell at which the box is within the canvas.
  template <class BoxOf>
  float fit(BoxOf box_of) const {
    float low = kSmallestCell, high = kLargestFit;
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
    const figure::Point middle = focus(layout, parts, cells_only).center();
    return {cell, bounded(middle.x, layout.width, memory_.canvas.w) / layout.width,
            bounded(middle.y, layout.height, memory_.canvas.h) / layout.height};
  }

  // No empty space beyond the edge of the picture while there is picture to show.
  static float bounded(float middle, float extent, float room) {
    const float half = room / 2 - kMargin;
    return extent <= 2 * half ? extent / 2 : std::clamp(middle, half, extent - half);
  }

  const StageMemory& memory_;
  const app::Session& session_;
  figure::EquationLayout usual_;  // to compare distances in
};

Pose between(const Pose& from, const Pose& to, float t) {
  const float s = t * t * (3 - 2 * t);
  return {from.cell * std::pow(to.cell / from.cell, s), from.x + (to.x - from.x) * s, from.y + (to.y - from.y) * s};
}

Pose poseOf(const Camera& camera) { return {camera.cell, camera.x, camera.y}; }
void setPose(Camera& camera, const Pose& pose) { camera.cell = pose.cell, camera.x = pose.x, camera.y = pose.y; }

void follow(StageMemory& memory, ViewState& view, const app::Session& session) {
  const StageMemory::TargetKey key{memory.trace.get(), memory.head, session.state().at, memory.canvas.w, memory.canvas.h, memory.text_scale};
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

}  // namespace

void moveCamera(StageMemory& memory, ViewState& view, const app::Session& session) {
  if (view.camera.automatic) {
    follow(memory, view, session);
  } else {
    memory.from = memory.to = memory.target = poseOf(view.camera);
    memory.target_key.head = -1;
    memory.placed = true;
  }
  place(memory, view.camera, view.environment.pixel_ratio);
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
