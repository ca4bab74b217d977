// The program without a window: Session, ViewState and one ImGui context, driven by whoever owns the loop. The desktop,
// the page and the headless renderer are three owners of the same thing. Knows no operating system.
#include "platform/application.h"

#include <algorithm>
#include <utility>
#include <variant>

#include "imgui.h"
#include "imgui_internal.h"
#include "render/heatmap.h"
#include "render/imgui_gl.h"
#include "render/picture.h"
#include "ui/screen.h"
#include "ui/theme.h"

namespace attn::platform {
namespace {

constexpr int kSettleFrames = 3;        // ImGui lays out in one frame, scrolls and hovers in the next
constexpr float kLongestFrame = 0.1f;  // a page that slept must not leap

bool isEmpty(const FrameInfo& info) {
  return info.width < 1 || info.height < 1 || info.pixel_width < 1 || info.pixel_height < 1;
}

}  // namespace

struct Application::Graphics {
  render::ImguiGl imgui;
  render::HeatmapRenderer heatmaps;
  render::Picture picture;
};

Application::Application() {
  IMGUI_CHECKVERSION();
  ImGui::CreateContext();
  ImGuiIO& io = ImGui::GetIO();
  io.IniFilename = nullptr;
  io.LogFilename = nullptr;
  io.ConfigWindowsMoveFromTitleBarOnly = true;
  ui::setUp();
  poke();
}

Application::~Application() {
  loseGraphics();
  ImGui::DestroyContext();
}

bool Application::startGraphics() {
  loseGraphics();
  auto graphics = std::make_unique<Graphics>();
  if (!graphics->imgui.start()) return false;
  if (!graphics->heatmaps.start()) return false;
  graphics_ = std::move(graphics);
  view.draw_heatmap = [this](const figure::HeatmapRequest& request) { graphics_->heatmaps.draw(request); };
  poke();
  return true;
}

void Application::loseGraphics() {
  view.draw_heatmap = nullptr;
  graphics_.reset();
}

void Application::poke() { settle_ = kSettleFrames; }

void Application::prepare(const FrameInfo& info) {
  ImGuiIO& io = ImGui::GetIO();
  io.DisplaySize = {info.width, info.height};
  io.DisplayFramebufferScale = {info.pixel_width / info.width, info.pixel_height / info.height};
  io.DeltaTime = std::clamp(static_cast<float>(info.seconds), 1e-4f, kLongestFrame);
  view.environment.pixel_ratio = io.DisplayFramebufferScale.x;
  view.environment.painted = graphics_ != nullptr;
  view.environment.now += std::max(0.0, info.seconds);
  view.heatmaps.clear();
  view.animating = false;
  if (session.playback().playing) session.dispatch(app::action::Tick{std::max(0.0, info.seconds)});
  const bool new_fonts = ui::prepareFonts(view);
  if (graphics_ && new_fonts) {
    graphics_->imgui.forgetFonts();
    graphics_->picture.forget();
  }
  if (graphics_) graphics_->imgui.newFrame();
  else render::prepareUnpainted();
  recorder.beginFrame();
}

// After the frame, so that everything on the screen shows one State.
void Application::apply() {
  for (auto& action : std::exchange(asked_, {})) session.dispatch(action);
  if (session.revision() == seen_revision_) return;
  seen_revision_ = session.revision();
  if (session.page()) view.visited.insert(session.page()->id);
  else if (session.state().scene.empty() && session.position() > 0) view.visited.insert("walkthrough");
  settle_ = kSettleFrames;
}

Wake Application::nextWake() {
  if (settle_ > 0) --settle_;
  const bool input_waits = ImGui::GetCurrentContext()->InputEventsQueue.Size > 0;
  if (settle_ > 0 || view.animating || input_waits) return {Wake::kNow};
  if (session.playback().playing && !session.computing()) return {Wake::kAfter, session.secondsToNextStep()};
  // Where the pointer comes to rest, a tooltip may be due.
  const double rested = view.environment.now - view.pointer.since;
  if (view.pointer.since >= 0 && rested < ui::kTooltipDelay) return {Wake::kAfter, ui::kTooltipDelay - rested};
  return {};
}

Wake Application::frame(const FrameInfo& info) {
  if (isEmpty(info)) return {};
  prepare(info);
  ImGui::NewFrame();
  ui::drawScreen(session, view, recorder, [this](app::Action action) { asked_.push_back(std::move(action)); });
  ImGui::Render();
  apply();
  ++frames;
  return nextWake();
}

void Application::paint(const FrameInfo& info) {
  if (!graphics_ || isEmpty(info) || !ImGui::GetDrawData()) return;
  if (!info.picture_stays) graphics_->picture.forget();
  const auto ground = ui::colors(view).ground;
  const auto parts = graphics_->picture.changes(*ImGui::GetDrawData(), view.heatmaps, ground);
  if (parts.empty()) return;
  graphics_->heatmaps.beginFrame(info.width, info.height, info.pixel_width, info.pixel_height);
  graphics_->imgui.render(*ImGui::GetDrawData(), parts, ground);
}

core::Check Application::dispatch(const app::Action& action) {
  session.clearNotice();
  const app::State before = session.state();
  session.dispatch(action);
  poke();
  // A link never fails: what is wrong in it becomes its default, and the notice says so on the screen. Neither does
  // stopping, which the notice confirms.
  const bool never_fails = std::holds_alternative<app::action::LoadLink>(action) ||
                           std::holds_alternative<app::action::StopScene>(action);
  if (never_fails || session.notice().empty() || session.state() != before) return std::nullopt;
  return core::Error{session.notice()};
}

core::Check Application::open(std::string text, std::string name, const std::string& link) {
  if (!link.empty()) session.dispatch(app::action::LoadLink{"doc=opened.json&" + link});  // waits for the document
  return dispatch(app::action::OpenDocument{std::move(text), std::move(name)});
}

}  // namespace attn::platform
