// The bar at the bottom while a scene is open: the way to its neighbours, its main param, and how far a long computation is.
#include <algorithm>
#include <cmath>

#include "ui/contents_order.h"
#include "ui/open_scene.h"
#include "ui/scene_controls.h"
#include "ui/widgets.h"

namespace attn::ui {
namespace {

using lesson::CatalogueEntry;

void go(Frame& frame, const CatalogueEntry* entry, const char* id, std::string_view label, Icon icon, const Rect& rect,
        bool words) {
  const std::string shown = icon == Icon::kNextStage ? tr("Next") : tr("Back");
  const ButtonOptions options{.icon = icon, .icon_only = !words,
                              .look = icon == Icon::kNextStage ? Look::kAccent : Look::kRaised, .enabled = entry != nullptr,
                              .shown = shown,
                              .tip = entry ? std::string_view(entry->title) : std::string_view{}};
  if (button(frame, id, label, rect, options) && entry) openEntry(frame, *entry);
}

std::string placeText(const Frame& frame, const Neighbours& all, bool title) {
  const std::string name = frame.view.scene && frame.view.scene->page ? frame.view.scene->page->title
                           : all.current                               ? all.current->title
                                                                       : "";
  if (!all.current) return name;  // the page of opened files stands in no order
  // In the teaching order the walkthrough comes before the scenes and is none of them.
  const std::string text = all.teaching ? tr("Scene {0} of {1}", {all.place, all.count - 1})
                                        : tr("{0} of {1}", {all.place + 1, all.count});
  return title && !name.empty() ? text + " · " + name : text;
}

// How far it is, and a way out.
void progress(Frame& frame, const Rect& r) {
  const double done = frame.session.sceneProgress();
  const std::string text = done >= 0 ? tr("computing, {0} %", {static_cast<int>(std::floor(done * 100))}) : tr("computing…");
  const float wide = std::min(r.w * 0.5f, buttonWidth(frame, tr("Stop")));
  if (button(frame, "scenes/stop", tr("Stop"), {r.x + r.w - wide, r.y, wide, r.h})) frame.dispatch(app::action::StopScene{});
  const Rect bar{r.x, r.y + r.h - 8, r.w - wide - kUnit, 4};
  line(frame, {.size = kSmall, .color = frame.colors.muted}, text, {bar.x, r.y, bar.w, r.h - 10});
  ImDrawList& list = *ImGui::GetWindowDrawList();
  list.AddRectFilled({bar.x, bar.y}, {bar.x + bar.w, bar.y + bar.h}, packed(frame.colors.line), 2);
  list.AddRectFilled({bar.x, bar.y}, {bar.x + bar.w * static_cast<float>(std::max(0.0, done)), bar.y + bar.h},
                     packed(frame.colors.now), 2);
  frame.recorder.add({.id = "scenes/progress", .label = text, .role = Role::kText, .rect = bar});
}

bool hasSteps(Frame& frame) {
  SceneMemory& memory = sceneMemory(frame);
  return memory.page && hasMainParam({frame, *memory.page, memory});
}

void drawSteps(Frame& frame, const Rect& area) {
  SceneMemory& memory = sceneMemory(frame);
  SceneView view{frame, *memory.page, memory};
  drawMainSteps(view, area);
}

void drawWide(Frame& frame, const Rect& line_area, const Neighbours& all) {
  const float h = line_area.h, gap = 1.5f * kUnit;
  const float wide_enough = std::max(buttonWidth(frame, tr("Back"), {.icon = Icon::kPreviousStage}),
                                     buttonWidth(frame, tr("Next"), {.icon = Icon::kNextStage}));
  const float side = all.current ? wide_enough : 0, right = line_area.x + line_area.w;
  if (all.current) {
    go(frame, all.previous, "scenes/previous", tr("Previous scene"), Icon::kPreviousStage, {line_area.x, line_area.y, side, h}, true);
    go(frame, all.next, "scenes/next", tr("Next scene"), Icon::kNextStage, {right - side, line_area.y, side, h}, true);
  }
  const float x = line_area.x + side + gap, rest = right - side - gap - x;
  const bool steps = hasSteps(frame);
  const bool both = steps || waitsLong(frame);
  const float words = both ? rest * 0.45f : rest;
  line(frame, {.size = kBody, .color = frame.colors.muted}, placeText(frame, all, true), {x, line_area.y, words - gap, h});
  const Rect place{x + words, line_area.y, rest - words, h};
  if (waitsLong(frame)) return progress(frame, place);
  const float wide = std::min(place.w, frame.size(340));
  if (steps) drawSteps(frame, {place.x + place.w - wide, place.y, wide, h});
}

void drawNarrow(Frame& frame, const Rect& line_area, const Neighbours& all) {
  const float h = line_area.h, gap = kUnit;
  const float side = all.current ? h + gap : 0;
  if (all.current) {
    go(frame, all.previous, "scenes/previous", tr("Previous scene"), Icon::kPreviousStage, {line_area.x, line_area.y, h, h}, false);
    go(frame, all.next, "scenes/next", tr("Next scene"), Icon::kNextStage, {line_area.x + line_area.w - h, line_area.y, h, h}, false);
  }
  const Rect middle{line_area.x + side, line_area.y, line_area.w - 2 * side, h};
  if (waitsLong(frame)) return progress(frame, middle);
  if (hasSteps(frame)) return drawSteps(frame, middle);
  line(frame, {.size = kBody, .color = frame.colors.muted}, placeText(frame, all, true), middle);
}

}  // namespace

float sceneBarHeight(Frame& frame, float, bool compact) { return frame.controlHeight() + (compact ? kUnit : 2 * kUnit); }

void drawSceneBar(Frame& frame, const Rect& area, bool compact) {
  Panel panel(frame, "transport", area, frame.colors.surface, 0, false);
  ImGui::GetWindowDrawList()->AddLine({area.x, area.y}, {area.x + area.w, area.y}, packed(frame.colors.line));
  const float inset = compact ? kUnit : 1.5f * kUnit, h = frame.controlHeight();
  const Rect line_area{area.x + inset, area.y + (area.h - h) / 2, area.w - 2 * inset, h};
  const Neighbours all = neighbours(frame);
  if (compact) drawNarrow(frame, line_area, all);
  else drawWide(frame, line_area, all);
}

}  // namespace attn::ui
