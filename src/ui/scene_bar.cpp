// The bar at the bottom while a scene is open: the way to its neighbours, its main param, and how far a long computation is.
#include <algorithm>
#include <cmath>

#include "ui/scene_controls.h"
#include "ui/scene_words.h"
#include "ui/widgets.h"

namespace attn::ui {
namespace {

using lesson::CatalogueEntry;
using lesson::CatalogueOrder;

const std::string kWalkthrough = "walkthrough";

bool late(const Frame& frame) {
  const SceneMemory* memory = frame.view.scene.get();
  return memory && memory->waiting_since >= 0 && frame.view.environment.now - memory->waiting_since > 0.5;
}

void go(Frame& frame, const CatalogueEntry* entry, const char* id, std::string_view label, Icon icon, const Rect& rect,
        bool words) {
  const ButtonOptions options{.icon = icon, .icon_only = !words,
                              .look = icon == Icon::kNextStage ? Look::kAccent : Look::kRaised, .enabled = entry != nullptr,
                              .shown = icon == Icon::kNextStage ? "Next" : "Back",
                              .tip = entry ? std::string_view(entry->title) : std::string_view{}};
  if (button(frame, id, label, rect, options) && entry) openEntry(frame, *entry);
}

std::string placeText(const Frame& frame, const Neighbours& all, bool title) {
  // In the teaching order the walkthrough comes before the scenes and is none of them.
  const bool scenes = all.teaching;
  std::string text = scenes ? "Scene " : "";
  text += std::to_string(all.place + (scenes ? 0 : 1)) + " of " + std::to_string(all.count - (scenes ? 1 : 0));
  const std::string name = frame.view.scene && frame.view.scene->page ? frame.view.scene->page->title
                           : all.current                               ? all.current->title
                                                                       : "";
  return title && !name.empty() ? text + " · " + name : text;
}

// How far it is, and a way out.
void progress(Frame& frame, const Rect& r) {
  const double done = frame.session.sceneProgress();
  const std::string text = done >= 0 ? "computing, " + std::to_string(static_cast<int>(std::floor(done * 100))) + " %" : "computing…";
  const float wide = std::min(r.w * 0.5f, buttonWidth(frame, "Stop"));
  if (button(frame, "scenes/stop", "Stop", {r.x + r.w - wide, r.y, wide, r.h})) frame.dispatch(app::action::StopScene{});
  const Rect bar{r.x, r.y + r.h - 8, r.w - wide - kUnit, 4};
  line(frame, {.size = kSmall, .color = frame.colors.muted}, text, {bar.x, r.y, bar.w, r.h - 10});
  ImDrawList& list = *ImGui::GetWindowDrawList();
  list.AddRectFilled({bar.x, bar.y}, {bar.x + bar.w, bar.y + bar.h}, packed(frame.colors.line), 2);
  list.AddRectFilled({bar.x, bar.y}, {bar.x + bar.w * static_cast<float>(std::max(0.0, done)), bar.y + bar.h},
                     packed(frame.colors.now), 2);
  frame.recorder.add({.id = "scenes/progress", .label = text, .role = Role::kText, .rect = bar});
}

void stepButton(SceneView& view, const lesson::Param& param, int by, const Rect& rect) {
  const ButtonOptions options{.icon = by > 0 ? Icon::kPlus : Icon::kMinus, .icon_only = true,
                              .enabled = canStep(view, param, by)};
  if (button(view.frame, by > 0 ? "scenes/more" : "scenes/less", (by > 0 ? "Next: " : "Previous: ") + param.label, rect, options))
    stepParam(view, param, by);
}

// − label: value +
void mainSteps(SceneView& view, const lesson::Param& param, const Rect& r) {
  const float side = r.h;
  stepButton(view, param, -1, {r.x, r.y, side, side});
  const Rect words{r.x + side + kUnit, r.y, r.w - 2 * (side + kUnit), r.h};
  const TextStyle style{.size = kBody, .color = view.colors().text};
  const std::string value = valueText(view, param), whole = param.label + ": " + value;
  const bool fits = richWidth(view.frame, style, whole) <= words.w;  // else the value matters more than its name
  const std::string text = elided(view.frame, style, fits ? whole : value, words.w);
  if (!fits && resting(view.frame, words)) tooltip(view.frame, whole);
  const float wide = richWidth(view.frame, style, text), tall = lineHeight(view.frame, style);
  richLine(view.frame, style, text, words.x + std::max(0.f, (words.w - wide) / 2), words.y + (words.h - tall) / 2, words);
  stepButton(view, param, 1, {r.x + r.w - side, r.y, side, side});
}

void drawWide(Frame& frame, const Rect& line_area, const Neighbours& all) {
  const float h = line_area.h, gap = 1.5f * kUnit;
  const float side = std::max(buttonWidth(frame, "Back", {.icon = Icon::kPreviousStage}),
                              buttonWidth(frame, "Next", {.icon = Icon::kNextStage}));
  go(frame, all.previous, "scenes/previous", "Previous scene", Icon::kPreviousStage, {line_area.x, line_area.y, side, h}, true);
  const float right = line_area.x + line_area.w;
  go(frame, all.next, "scenes/next", "Next scene", Icon::kNextStage, {right - side, line_area.y, side, h}, true);
  float x = line_area.x + side + gap;
  const float rest = right - side - gap - x;
  SceneMemory& memory = sceneMemory(frame);
  const bool page = memory.page != nullptr;
  SceneView view{frame, page ? *memory.page : lesson::Page{}, memory};
  const lesson::Param* param = page ? mainParam(view) : nullptr;
  const bool both = param != nullptr || late(frame);
  const float words = both ? rest * 0.45f : rest;
  line(frame, {.size = kBody, .color = frame.colors.muted}, placeText(frame, all, true), {x, line_area.y, words - gap, h});
  const Rect place{x + words, line_area.y, rest - words, h};
  if (late(frame)) return progress(frame, place);
  if (!param) return;
  const float wide = std::min(place.w, frame.size(340));
  mainSteps(view, *param, {place.x + place.w - wide, place.y, wide, h});
}

void drawNarrow(Frame& frame, const Rect& line_area, const Neighbours& all) {
  const float h = line_area.h, gap = kUnit;
  go(frame, all.previous, "scenes/previous", "Previous scene", Icon::kPreviousStage, {line_area.x, line_area.y, h, h}, false);
  go(frame, all.next, "scenes/next", "Next scene", Icon::kNextStage, {line_area.x + line_area.w - h, line_area.y, h, h}, false);
  const Rect middle{line_area.x + h + gap, line_area.y, line_area.w - 2 * (h + gap), h};
  SceneMemory& memory = sceneMemory(frame);
  if (late(frame)) return progress(frame, middle);
  if (memory.page) {
    SceneView view{frame, *memory.page, memory};
    if (const lesson::Param* param = mainParam(view)) return mainSteps(view, *param, middle);
  }
  line(frame, {.size = kBody, .color = frame.colors.muted}, placeText(frame, all, true), middle);
}

Neighbours neighboursIn(const Frame& frame, const std::vector<CatalogueEntry>& entries) {
  const std::string& scene = frame.session.state().scene;
  const std::string& id = scene.empty() ? kWalkthrough : scene;
  auto at = std::find_if(entries.begin(), entries.end(), [&](const CatalogueEntry& e) { return e.id == id && e.link == frame.view.entry; });
  if (at == entries.end()) at = std::find_if(entries.begin(), entries.end(), [&](const CatalogueEntry& e) { return e.id == id; });
  Neighbours out;
  if (at == entries.end()) return out;
  out.count = entries.size();
  out.place = static_cast<std::size_t>(at - entries.begin());
  out.current = &*at;
  if (at != entries.begin()) out.previous = &*(at - 1);
  if (at + 1 != entries.end()) out.next = &*(at + 1);
  return out;
}

}  // namespace

const CatalogueOrder& chosenOrder(const Frame& frame) {
  const auto& all = lesson::catalogue();
  const auto at = std::find_if(all.begin(), all.end(), [&](const CatalogueOrder& o) { return o.id == frame.view.order; });
  return at == all.end() ? all.front() : *at;
}

// A lesson does not lead to every scene: from the others the teaching order leads on.
Neighbours neighbours(const Frame& frame) {
  const CatalogueOrder& order = chosenOrder(frame);
  Neighbours all = neighboursIn(frame, order.entries);
  all.teaching = order.id == "teaching";
  if (all.current || all.teaching) return all;
  all = neighboursIn(frame, lesson::catalogue().front().entries);
  all.teaching = true;
  return all;
}

void openEntry(Frame& frame, const CatalogueEntry& entry) {
  frame.view.entry = entry.link;
  follow(frame, entry.link);
}

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
