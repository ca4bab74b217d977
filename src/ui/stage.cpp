// One frame of the stage: layout, input, picture, record.
#include "ui/stage.h"

#include <algorithm>
#include <cmath>

#include "app/explain.h"
#include "ui/paint.h"
#include "ui/stage_camera.h"
#include "ui/stage_chrome.h"
#include "ui/stage_lens.h"
#include "ui/stage_picture.h"
#include "ui/text.h"

namespace attn::ui {
namespace {

using core::Index;
using figure::Box;
using figure::Point;

constexpr float kDragStart = 5;         // CSS pixels before a press becomes a drag
constexpr float kWheelPixels = 48;      // per notch
constexpr float kRecordedCell = 10;     // smaller cells are not listed one by one
constexpr std::size_t kMostRecorded = 4096;

struct Hit {
  std::optional<app::CellCursor> cell;
  std::optional<Index> row;  // a destination's label
};

Hit hitAt(const StageMemory& memory, Point point) {
  for (const figure::Placed& each : memory.layout.matrices) {
    const figure::Placed placed = onScreen(each, memory.origin);
    if (placed.cells.contains(point)) {
      const auto row = static_cast<Index>((point.y - placed.cells.y) / memory.layout.cell);
      const auto column = static_cast<Index>((point.x - placed.cells.x) / memory.layout.cell);
      return {app::CellCursor{placed.array, std::min(row, placed.rows - 1), std::min(column, placed.columns - 1)}, {}};
    }
    const Box labels = {placed.bounds.x, placed.cells.y, placed.cells.x - placed.bounds.x, placed.cells.h};
    if (placed.row_axis == figure::Axis::kDestinations && labels.contains(point)) {
      return {{}, std::min(static_cast<Index>((point.y - placed.cells.y) / memory.layout.cell), placed.rows - 1)};
    }
  }
  return {};
}

class StageInput {
 public:
  StageInput(StageMemory& memory, ViewState& view, const app::Session& session, const Dispatch& dispatch)
      : memory_(memory), view_(view), session_(session), dispatch_(dispatch) {}

  void handle(bool hovered) {
    const ImGuiIO& io = ImGui::GetIO();
    const Point mouse = {io.MousePos.x, io.MousePos.y};
    const bool inside = hovered && memory_.canvas.contains(mouse);
    view_.hover.reset();
    if (inside) {
      wheel(io, mouse);
    }
    if (inside && ImGui::IsMouseClicked(ImGuiMouseButton_Left)) {
      memory_.pressed = true;
      memory_.dragging = false;
      memory_.press = mouse;
    }
    if (memory_.pressed) {
      drag(io, mouse, inside);
    }
    if (inside && !memory_.dragging) {
      point(mouse);
    }
  }

 private:
  void wheel(const ImGuiIO& io, Point mouse) {
    if (io.MouseWheel == 0 && io.MouseWheelH == 0) {
      return;
    }
    if (io.KeyCtrl || io.KeySuper) {
      zoomStage(view_, std::pow(1.15f, io.MouseWheel), mouse.x, mouse.y);
    } else if (!view_.stage_scrolls) {
      panStage(view_, io.MouseWheelH * kWheelPixels, io.MouseWheel * kWheelPixels);
    }
  }

  void drag(const ImGuiIO& io, Point mouse, bool inside) {
    if (std::hypot(mouse.x - memory_.press.x, mouse.y - memory_.press.y) > kDragStart) {
      memory_.dragging = true;
    }
    if (ImGui::IsMouseDown(ImGuiMouseButton_Left)) {
      if (memory_.dragging) {
        panStage(view_, io.MouseDelta.x, io.MouseDelta.y);
        ImGui::SetMouseCursor(ImGuiMouseCursor_ResizeAll);
      }
      return;
    }
    memory_.pressed = false;
    if (!memory_.dragging && inside) {
      choose(hitAt(memory_, mouse));
    }
    memory_.dragging = false;
  }

  void choose(const Hit& hit) {
    if (hit.cell) {
      view_.cell_speaks = true;  // also when it is the chosen one already
      dispatch_(app::action::ChooseCell{*hit.cell});
    } else if (hit.row) {
      dispatch_(app::action::ChooseRow{*hit.row});
    } else if (session_.state().cursor) {
      dispatch_(app::action::LeaveCell{});
    }
  }

  void point(Point mouse) {
    const Hit hit = hitAt(memory_, mouse);
    view_.hover = hit.cell;
    if (hit.row) {
      ImGui::SetMouseCursor(ImGuiMouseCursor_Hand);
    }
  }

  StageMemory& memory_;
  ViewState& view_;
  const app::Session& session_;
  const Dispatch& dispatch_;
};

// A single step forward sends ghosts on their way; anything else stands at once.
void noticeStep(StageMemory& memory, const ViewState& view, const app::Session& session) {
  const Index position = session.position();
  if (session.state().at != memory.shown_step) {
    const bool forward = position == memory.shown_position + 1;
    memory.step_at = forward ? view.environment.now : -10;
  }
  memory.shown_step = session.state().at;
  memory.shown_position = position;
}

bool inView(const StageMemory& memory, const figure::Placed& placed) {
  return figure::overlap(onScreen(placed, memory.origin).cells, memory.canvas);
}

void recordCells(const StageMemory& memory, Recorder& recorder) {
  if (memory.layout.cell < kRecordedCell) {
    return;
  }
  std::size_t count = 0;
  for (const figure::Placed& each : memory.layout.matrices) {
    const figure::Placed placed = onScreen(each, memory.origin);
    const figure::CellRange range = figure::visibleCells(placed, memory.layout.cell, memory.canvas);
    if (placed.again && inView(memory, *memory.layout.find(placed.array))) {
      continue;  // a cell is reported once
    }
    for (Index i = range.row_begin; i < range.row_end; ++i) {
      for (Index j = range.column_begin; j < range.column_end && count < kMostRecorded; ++j, ++count) {
        const Box box = figure::cellBox(placed, memory.layout.cell, i, j);
        Control control;
        control.label = std::string(core::arrayName(placed.array)) + "[" + std::to_string(i) + "][" + std::to_string(j) + "]";
        control.id = "cell/" + control.label;
        control.role = Role::kCell;
        control.rect = {box.x, box.y, box.w, box.h};
        recorder.add(std::move(control));
      }
    }
  }
}

// An edge that cuts through a matrix fades out.
void fadeEdges(const StageMemory& memory, ImDrawList& list, figure::Color ground) {
  constexpr float kFade = 22;
  const Box& c = memory.canvas;
  const ImU32 full = packed(ground);
  const ImU32 none = packed(ground, 0);
  const auto cuts = [&](auto beyond) {
    return std::any_of(memory.layout.matrices.begin(), memory.layout.matrices.end(), [&](const figure::Placed& each) {
      const Box bounds = onScreen(each, memory.origin).bounds;
      return figure::overlap(bounds, c) && beyond(bounds);
    });
  };
  if (cuts([&](const Box& b) { return b.y < c.y; })) {
    list.AddRectFilledMultiColor({c.x, c.y}, {c.right(), c.y + kFade}, full, full, none, none);
  }
  if (cuts([&](const Box& b) { return b.bottom() > c.bottom(); })) {
    list.AddRectFilledMultiColor({c.x, c.bottom() - kFade}, {c.right(), c.bottom()}, none, none, full, full);
  }
  if (cuts([&](const Box& b) { return b.x < c.x; })) {
    list.AddRectFilledMultiColor({c.x, c.y}, {c.x + kFade, c.bottom()}, full, none, none, full);
  }
  if (cuts([&](const Box& b) { return b.right() > c.right(); })) {
    list.AddRectFilledMultiColor({c.right() - kFade, c.y}, {c.right(), c.bottom()}, none, full, full, none);
  }
}

// The chosen cell in full, for whoever cannot hover.
void tellCell(Frame& frame, const StageMemory& memory, const app::CellCursor& cell) {
  const figure::Placed* placed = memory.layout.find(cell.array);
  if (!placed || memory.canvas.h < 8) {
    return;
  }
  const Box box = figure::cellBox(onScreen(*placed, memory.origin), memory.layout.cell, cell.row, cell.col);
  const Box& c = memory.canvas;
  callout(frame, app::cellText(frame.session, cell), {box.x, box.y, box.w, box.h}, {c.x + 4, c.y + 4, c.w - 8, c.h - 8});
}

}  // namespace

void drawStage(const app::Session& session, ViewState& view, Recorder& recorder, const Dispatch& dispatch,
               const Rect& area) {
  if (!view.stage) {
    view.stage = std::make_shared<StageMemory>();
  }
  StageMemory& memory = *view.stage;
  view.heatmaps.clear();
  refresh(memory, session, view.scale);
  Frame frame{session, view, recorder, dispatch, colors(view)};
  ImDrawList& list = *ImGui::GetWindowDrawList();
  list.ChannelsSplit(2);  // controls are asked first, and lie above the picture
  list.ChannelsSetCurrent(1);
  memory.canvas = drawChrome(frame, memory, area);
  memory.canvas.h -= drawLens(frame, memory, memory.canvas);
  list.ChannelsSetCurrent(0);
  if (memory.canvas.w >= 8 && memory.canvas.h >= 8) {
    noticeStep(memory, view, session);
    moveCamera(memory, view, session);
    StageInput(memory, view, session, dispatch).handle(ImGui::IsWindowHovered() && !ImGui::IsAnyItemHovered());
    paint(stagePicture(memory, view, session), list, view);
    fadeEdges(memory, list, frame.colors.ground);
  }
  list.ChannelsMerge();
  recordCells(memory, recorder);
  if (view.hover) {
    tooltip(frame, app::cellText(session, *view.hover));
  } else if (view.cell_speaks && session.state().cursor) {
    tellCell(frame, memory, *session.state().cursor);
  }
}

}  // namespace attn::ui
