// What is shown of a scene until its page is there, and what is kept of it from frame to frame.
#include "ui/open_scene.h"

#include <algorithm>
#include <utility>

#include "lesson/catalogue.h"
#include "ui/layout.h"
#include "ui/paint.h"
#include "ui/panels.h"
#include "ui/presenting.h"
#include "ui/scene_page.h"
#include "ui/widgets.h"

namespace attn::ui {
namespace {

constexpr double kPatience = 0.5, kFading = 0.4;  // s until waiting shows, and from there until what is shown has faded
constexpr double kFaded = 0.6;

// No page yet: why, and what can be done.
void drawAbsent(Frame& frame, Panel& panel) {
  const lesson::CatalogueEntry* entry = lesson::findScene(frame.session.state().scene);
  const TextStyle title{.face = Face::kStrong, .size = 27, .color = frame.colors.text, .leading = 1.2f};
  if (entry) panel.y += paragraph(frame, title, entry->title, panel.x(), panel.y, panel.width()) + frame.size(12);
  const std::string& failure = frame.session.sceneFailure();
  if (failure.empty() && waitsLong(frame)) body(frame, panel, tr("The numbers of this scene are being computed…"));
  if (failure.empty()) return;
  body(frame, panel, failure);
  const Rect rect{panel.x(), panel.y, buttonWidth(frame, tr("Try again")), frame.controlHeight()};
  if (button(frame, "page/retry", tr("Try again"), rect)) frame.dispatch(app::action::RetryScene{});
  panel.y += rect.h;
}

// What is shown may not be what is set any more: it fades, and a line along the top fills.
void drawWaiting(Frame& frame, const Rect& area) {
  if (!waitsLong(frame)) return;
  const auto done = static_cast<float>(std::max(0.0, frame.session.sceneProgress()));
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const figure::Color veil = figure::faded(frame.colors.ground, fading(frame.view));
  list.AddRectFilled({area.x, area.y}, {area.x + area.w, area.y + area.h}, packed(veil));
  list.AddRectFilled({area.x, area.y}, {area.x + area.w, area.y + 3}, packed(frame.colors.line));
  list.AddRectFilled({area.x, area.y}, {area.x + area.w * done, area.y + 3}, packed(frame.colors.now));
}

const lesson::Verdict* verdictOf(const lesson::Page& page) {
  for (const lesson::Block& block : page.blocks)
    if (const auto* verdict = std::get_if<lesson::Verdict>(&block.content)) return verdict;
  return nullptr;
}

bool turned(const lesson::Page& before, const lesson::Page& next) {
  return std::any_of(next.params.begin(), next.params.end(), [&](const lesson::Param& param) {
    const auto another = [&](const lesson::Param& other) { return other.key == param.key && other.shown && other.value != param.value; };
    return param.turns && param.shown && std::any_of(before.params.begin(), before.params.end(), another);
  });
}

// What one looks for in the next page: its beginning where it is about something else, a new verdict.
void follow(SceneMemory& memory, const lesson::Page& before, const lesson::Page& next) {
  const auto subject = [](const lesson::Page& page) -> std::string {
    for (const lesson::Param& param : page.params)
      if (param.clears) return param.value;
    return "";
  };
  if (subject(before) != subject(next)) {
    memory.scroll_by = -1e9f;
    memory.show_figure = false;
    memory.controls_to_top = true;
    return;
  }
  if (turned(before, next)) {
    memory.scroll_by = -1e9f;
    memory.show_figure = false;
    return;
  }
  const lesson::Verdict* was = verdictOf(before);
  const lesson::Verdict* now = verdictOf(next);
  if (now && (!was || was->words != now->words || was->prediction != now->prediction)) memory.show_verdict = true;
  // Why nothing could be judged stands at the top.
  if (!now && !subject(next).empty() && before.look != next.look) memory.scroll_by = -1e9f;
}

}  // namespace

SceneMemory& sceneMemory(Frame& frame) {
  if (!frame.view.scene) {
    frame.view.scene = std::make_shared<SceneMemory>();
    frame.view.scene->measure = cachedMeasure();
  }
  return *frame.view.scene;
}

bool inScene(const Frame& frame) { return !frame.session.state().scene.empty(); }

void beginScene(Frame& frame) {
  SceneMemory& memory = sceneMemory(frame);
  const app::Session& session = frame.session;
  if (memory.scene != session.state().scene) {
    const figure::Measure measure = std::move(memory.measure);
    memory = {};
    memory.measure = measure;
    memory.scene = session.state().scene;
    memory.scroll_by = -1e9f;
    frame.view.edited.clear();
  }
  if (memory.page != session.page()) {
    if (memory.page && session.page()) follow(memory, *memory.page, *session.page());
    memory.page = session.page();
    memory.lines.clear();
    memory.mirror.clear();
    memory.textures.clear();
    memory.tables.clear();
  }
  if (memory.presentation != session.presentation()) {
    memory.presentation = session.presentation();
    memory.mirror.clear();
  }
  if (!session.computing()) memory.waiting_since = -1;
  else if (memory.waiting_since < 0) memory.waiting_since = frame.view.environment.now;
  const bool waits = memory.waiting_since >= 0;
  if (waits && frame.view.environment.now - memory.waiting_since < kPatience + kFading + 0.1) frame.view.animating = true;
}

bool waitsLong(const Frame& frame) {
  const SceneMemory* memory = frame.view.scene.get();
  return memory && memory->waiting_since >= 0 && frame.view.environment.now - memory->waiting_since > kPatience;
}

double fading(const ViewState& view) {
  if (!view.scene || view.scene->waiting_since < 0) return 0;
  const double waited = view.environment.now - view.scene->waiting_since;
  return kFaded * std::clamp((waited - kPatience) / kFading, 0.0, 1.0);
}

void drawOpenScene(Frame& frame, const Rect& area) {
  SceneMemory& memory = sceneMemory(frame);
  const float padding = presents(frame) ? 2 * kUnit : std::clamp(area.w * 0.05f, 2 * kUnit, 6 * kUnit);
  Panel panel(frame, "scene", area, frame.colors.ground, padding);
  panel.scroll(std::exchange(memory.scroll_by, 0.f));
  if (memory.page) {
    SceneView view{frame, *memory.page, memory};
    drawScenePage(view, panel, area);
  } else {
    drawAbsent(frame, panel);
  }
  drawWaiting(frame, area);
}

}  // namespace attn::ui
