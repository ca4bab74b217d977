// Frames as the platforms run them: prepare, draw, apply what was asked for.
#include "ui/harness.h"

#include "ui/screen.h"
#include "ui/theme.h"

namespace attn::test {
namespace {

// What a renderer would do, without pixels.
void takeTextures() {
#ifdef IMGUI_HAS_TEXTURES
  for (ImTextureData* texture : ImGui::GetPlatformIO().Textures) {
    const bool gone = texture->Status == ImTextureStatus_WantDestroy || texture->Status == ImTextureStatus_Destroyed;
    texture->SetTexID(gone ? ImTextureID_Invalid : ImTextureID(1));
    texture->SetStatus(gone ? ImTextureStatus_Destroyed : ImTextureStatus_OK);
  }
#endif
}

}  // namespace

Screen::Screen(float width, float height) : context_(ImGui::CreateContext()) {
  ImGui::SetCurrentContext(context_);
  ImGuiIO& io = ImGui::GetIO();
  io.IniFilename = nullptr;
#ifdef IMGUI_HAS_TEXTURES
  io.BackendFlags |= ImGuiBackendFlags_RendererHasTextures;
#endif
  ui::setUp();
  view.theme = ui::Theme::kLight;
  view.environment.reduced_motion = true;
  recorder.keep_texts = true;
  resize(width, height);
}

Screen::~Screen() {
  ImGui::SetCurrentContext(context_);
#ifdef IMGUI_HAS_TEXTURES
  for (ImTextureData* texture : ImGui::GetPlatformIO().Textures) {
    texture->SetTexID(ImTextureID_Invalid);
    texture->SetStatus(ImTextureStatus_Destroyed);
  }
#endif
  ImGui::DestroyContext(context_);
}

void Screen::frame(int count) {
  ImGui::SetCurrentContext(context_);
  for (int i = 0; i < count; ++i) {
    ImGui::GetIO().DeltaTime = 1.f / 60;
    view.environment.now += 1.0 / 60;
    view.heatmaps.clear();
    view.animating = false;
    ui::prepareFonts(view);
    recorder.beginFrame();
    std::vector<app::Action> asked;
    ImGui::NewFrame();
    ui::drawScreen(session, view, recorder, [&](app::Action action) { asked.push_back(std::move(action)); });
    ImGui::Render();
    takeTextures();
    for (const app::Action& action : asked) session.dispatch(action);
  }
}

void Screen::resize(float width, float height) {
  ImGui::SetCurrentContext(context_);
  ImGui::GetIO().DisplaySize = {width, height};
  frame(2);
}

const ui::Control* Screen::find(std::string_view label_or_id) const {
  const ui::Control* found = recorder.byId(label_or_id);
  return found ? found : recorder.find(label_or_id);
}

bool Screen::press(std::string_view label_or_id) {
  const ui::Control* control = find(label_or_id);
  if (!control || !control->enabled) return false;
  recorder.activate(control->id);
  frame(3);
  return true;
}

void Screen::moveTo(float x, float y) {
  ImGui::SetCurrentContext(context_);
  ImGui::GetIO().AddMousePosEvent(x, y);
  frame(2);
}

void Screen::clickAt(float x, float y) {
  ImGui::SetCurrentContext(context_);
  moveTo(x, y);
  ImGui::GetIO().AddMouseButtonEvent(ImGuiMouseButton_Left, true);
  frame();
  ImGui::GetIO().AddMouseButtonEvent(ImGuiMouseButton_Left, false);
  frame(2);
}

bool Screen::click(std::string_view label) {
  const ui::Control* control = find(label);
  if (!control || !control->visible || !control->enabled) return false;
  clickAt(control->rect.x + control->rect.w / 2, control->rect.y + control->rect.h / 2);
  return true;
}

void Screen::key(ImGuiKey key, bool ctrl, bool shift) {
  ImGui::SetCurrentContext(context_);
  ImGuiIO& io = ImGui::GetIO();
  io.AddKeyEvent(ImGuiMod_Ctrl, ctrl);
  io.AddKeyEvent(ImGuiMod_Shift, shift);
  io.AddKeyEvent(key, true);
  frame(2);
  io.AddKeyEvent(key, false);
  io.AddKeyEvent(ImGuiMod_Ctrl, false);
  io.AddKeyEvent(ImGuiMod_Shift, false);
  frame(2);
}

void Screen::open(const std::string& json) { dispatch(app::action::OpenDocument{json, "test.json"}); }

void Screen::dispatch(const app::Action& action) {
  session.dispatch(action);
  frame(2);
}

std::string Screen::texts() const {
  std::string all;
  for (const ui::Recorder::TextLine& each : recorder.texts) all += each.text + "\n";
  return all;
}

}  // namespace attn::test
