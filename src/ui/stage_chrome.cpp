// Legends for every colour scale in use, small maps of every head, and the controls of the camera.
#include "ui/stage_chrome.h"

#include <algorithm>
#include <vector>

#include "app/words.h"
#include "figure/legend.h"
#include "ui/paint.h"
#include "ui/stage.h"
#include "ui/stage_cells.h"
#include "ui/widgets.h"

namespace attn::ui {
namespace {

using core::Array;
using core::Index;
using figure::Box;

constexpr float kInset = 10;
constexpr float kMostLegend = 0.25f;  // of the height of the stage

// Every colour scale of the picture, in the order of the equation.
std::vector<figure::Legend> legendsOf(const Frame& frame, const StageMemory& memory) {
  const ScaleSet& scales = memory.scales;
  const auto& diverging = figure::divergingTable(isDark(frame.view));
  std::vector<figure::Legend> legends = {{tr("vectors"), scales.vectors, &diverging}};
  if (memory.equation.has(Array::kWq) && scales.parameters.high != scales.vectors.high) {
    legends.push_back({tr("stored"), scales.parameters, &diverging});
  }
  legends.push_back({tr("scores"), scales.scores, &diverging});
  if (scales.scaled.high != scales.scores.high) {
    legends.push_back({tr("scaled scores"), scales.scaled, &diverging});
  }
  const auto& of_weights = scales.weights.diverging ? diverging : figure::sequentialTable(frame.session.state().palette);
  legends.push_back({tr("weights"), scales.weights, &of_weights, scales.weights_clipped});
  return legends;
}

// Only the scale of the step's result, where there is no room for more.
figure::Legend currentLegend(const Frame& frame, StageMemory& memory) {
  const auto& at = frame.session.state().at;
  const Array array = at ? core::resultOf(at->stage) : Array::kX;
  const StageCells cells(memory, frame.session);
  return {figure::arrayTitle(array), cells.scaleOf(array), &cells.tableOf(array, isDark(frame.view)),
          array == Array::kWeights && memory.scales.weights_clipped};
}

// All legends, or the current one, in lines of the box; their height.
float layLegends(Frame& frame, StageMemory& memory, const Box& box, bool all, figure::Picture* out) {
  figure::LegendLine line(memory.metrics.measure, frame.colors, frame.scale(), box);
  if (all) {
    for (const figure::Legend& legend : legendsOf(frame, memory)) {
      line.add(legend);
    }
    if (memory.equation.has(Array::kMasked)) {
      line.mark(figure::CellLook::kBlocked, tr("blocked"));
    }
    line.mark(figure::CellLook::kUnknown, tr("not yet known"));
    if (memory.comparable) line.changed(tr("changed"));
  } else {
    line.add(currentLegend(frame, memory));
  }
  if (out) {
    *out = std::move(line.picture());
  }
  return line.height();
}

// On a narrow stage two fingers zoom, and only what they cannot do has a control.
void drawCamera(Frame& frame, bool narrow, const Box& box) {
  if (narrow && frame.view.camera.automatic) {
    return;
  }
  const float side = box.h;
  float x = box.right();
  const auto put = [&](std::string_view id, std::string_view label, std::string_view face, std::string_view keys, bool enabled) {
    const float words = measure(Face::kBody, frame.size(kBody), face).x;
    const float width = std::max({side, words + 16, words * 4 / 3 + 4});  // a button leaves an eighth free on either side
    x -= width;
    if (narrow) {  // above the picture
      figure::Picture ground;
      ground.add(figure::Fill{figure::grown({x, box.y, width - 2, side}, 4), frame.colors.ground, 6});
      paint(ground, *ImGui::GetWindowDrawList(), frame.view);
    }
    return button(frame, id, label, {x, box.y, width - 2, side},
                  {.look = Look::kRaised, .enabled = enabled, .shown = face, .keys = keys});
  };
  if (put("stage/fit", tr("Follow the step"), tr("Fit"), "0", !frame.view.camera.automatic)) {
    fitStage(frame.view);
  }
  if (narrow) {
    return;
  }
  if (put("stage/zoom-in", tr("Zoom in"), "+", "+", true)) {
    zoomStage(frame.view, 1.25f);
  }
  if (put("stage/zoom-out", tr("Zoom out"), "−", "−", true)) {
    zoomStage(frame.view, 0.8f);
  }
}

// Every head's weights, as far as the step has come; a press brings the head into view.
float drawHeads(Frame& frame, StageMemory& memory, const Box& box) {
  const app::Session& session = frame.session;
  const Index heads = memory.equation.heads;
  if (heads < 2) {
    return 0;
  }
  const float label = frame.size(16);
  const float side = frame.size(46);
  const float step = std::max(side + 10, std::min(side + 18, (box.w - kInset) / static_cast<float>(heads)));
  const Index shown = std::max<Index>(1, std::min(heads, static_cast<Index>((box.w - kInset) / step)));
  const Index first = std::clamp<Index>(session.state().head - shown / 2, 0, heads - shown);
  const StageCells cells(memory, session);
  const bool dark = isDark(frame.view);
  figure::Picture picture;
  for (Index h = first; h < first + shown; ++h) {
    const float x = box.x + kInset + step * static_cast<float>(h - first);
    const bool chosen = h == session.state().head;
    const std::string number = app::ordinal(session.example(), h);
    const std::string name = tr("Head {0}", {number});
    const Rect rect = {x - 4, box.y + 2, side + 8, side + label + 6};
    if (button(frame, "stage/head/" + std::to_string(h), name, rect, {.icon_only = true, .look = Look::kQuiet, .checked = chosen})) {
      frame.dispatch(app::action::ChooseHead{h});
    }
    const figure::EquationPart& weights = *memory.equation.find(Array::kWeights);
    const float cell = side / static_cast<float>(std::max(weights.rows, weights.columns));
    figure::Placed placed{Array::kWeights, false, weights.rows, weights.columns, figure::Axis::kNone, true, 1, {}, {}};
    placed.cells = {x, box.y + 5, cell * static_cast<float>(weights.columns), cell * static_cast<float>(weights.rows)};
    for (figure::HeatmapRequest& request : cells.texture(placed, cell, h, frame.colors, dark, chosen ? 0 : 0.25f)) {
      picture.add(std::move(request));
    }
    picture.add(figure::Frame{figure::grown(placed.cells, 1), chosen ? frame.colors.now : frame.colors.line, chosen ? 1.5f : 1, 2});
    picture.add(figure::Label{{x + side / 2, box.y + 8 + side}, 0.5f, 0, chosen ? figure::Typeface::kStrong : figure::Typeface::kBody,
                              frame.size(13), chosen ? frame.colors.text : frame.colors.muted, number});
  }
  paint(picture, *ImGui::GetWindowDrawList(), frame.view);
  return side + label + 12;
}

}  // namespace

Box drawChrome(Frame& frame, StageMemory& memory, const Rect& area) {
  const Box box = {area.x, area.y, area.w, area.h};
  const float top = drawHeads(frame, memory, box);
  const float side = frame.view.environment.coarse_pointer ? 44 : frame.size(26);
  const bool narrow = area.w < frame.size(520);  // then the controls stand above the picture's corner
  const float controls = narrow ? 0 : frame.size(130);
  Box legends = {box.x + kInset, 0, box.w - 2 * kInset - controls, 0};
  const bool all = layLegends(frame, memory, legends, true, nullptr) <= kMostLegend * area.h;
  const float words = layLegends(frame, memory, legends, all, nullptr);
  const bool none = words > kMostLegend * area.h;  // the picture comes first
  const float height = std::max(none ? 0 : words, narrow ? 0 : side);
  legends.y = box.bottom() - height - 6;
  figure::Picture picture;
  if (!none) {
    layLegends(frame, memory, legends, all, &picture);
  }
  paint(picture, *ImGui::GetWindowDrawList(), frame.view);
  const Box canvas = {box.x, box.y + top, box.w, box.h - top - height - 12};
  drawCamera(frame, narrow, {box.x, (narrow ? canvas.bottom() : box.bottom()) - side - 6, box.w - kInset, side});
  return canvas;
}

}  // namespace attn::ui
