// Fingers as what the screen understands: a tap is a click, a drag pans or scrolls, two fingers pan and zoom the stage,
// a long press hovers so that the tooltip tells. Knows no operating system.
#include "platform/touch.h"

#include <cmath>

#include "imgui.h"
#include "imgui_internal.h"
#include "ui/stage.h"

namespace attn::platform {
namespace {

constexpr float kSlop = 8;            // CSS pixels that a resting finger may tremble
constexpr double kLongPress = 0.5;    // seconds
constexpr float kAway = -FLT_MAX;     // where ImGui's pointer is when there is none

float distance(float x1, float y1, float x2, float y2) { return std::hypot(x1 - x2, y1 - y2); }

// The innermost window under the point whose content is taller than itself; null where nothing scrolls.
ImGuiWindow* scrollableAt(float x, float y) {
  const ImGuiContext& g = *ImGui::GetCurrentContext();
  for (int i = g.Windows.Size - 1; i >= 0; --i) {
    ImGuiWindow* window = g.Windows[i];
    if (!window->WasActive || window->Hidden || !window->OuterRectClipped.Contains({x, y})) continue;
    for (; window; window = window->ParentWindow) {
      if (window->ScrollMax.y > 0 && !(window->Flags & ImGuiWindowFlags_NoScrollWithMouse)) return window;
    }
    return nullptr;
  }
  return nullptr;
}

// What a finger takes along instead of scrolling.
bool isDraggedAt(const ui::Recorder& recorder, float x, float y) {
  for (const auto& control : recorder.controls()) {
    const auto& r = control.rect;
    if ((control.role == ui::Role::kSlider || control.handle) && x >= r.x && y >= r.y && x < r.x + r.w && y < r.y + r.h) return true;
  }
  return false;
}

}  // namespace

Touch::Finger* Touch::find(int id) {
  for (auto& finger : fingers_) {
    if (finger.id == id) return &finger;
  }
  return nullptr;
}

void Touch::down(int id, float x, float y, double now) {
  Finger* free = find(-1);
  if (!free || find(id)) return;
  *free = {id, x, y};
  ImGuiIO& io = ImGui::GetIO();
  io.AddMouseSourceEvent(ImGuiMouseSource_TouchScreen);
  if (mode_ == Mode::kIdle) {
    mode_ = Mode::kUndecided;
    start_x_ = x, start_y_ = y, start_time_ = now;
    io.AddMousePosEvent(x, y);
  } else {
    if (mode_ == Mode::kDrag) io.AddMouseButtonEvent(0, false);
    io.AddMousePosEvent(kAway, kAway);
    mode_ = mode_ == Mode::kSpent ? Mode::kSpent : Mode::kTwo;
  }
  application_.poke();
}

// The first finger has moved far enough to mean something.
void Touch::decide() {
  ImGuiWindow* window = isDraggedAt(application_.recorder, start_x_, start_y_) ? nullptr : scrollableAt(start_x_, start_y_);
  if (window) {
    mode_ = Mode::kScroll;
    scrolled_ = window->ID;
    ImGui::GetIO().AddMousePosEvent(kAway, kAway);
    return;
  }
  mode_ = Mode::kDrag;
  ImGui::GetIO().AddMousePosEvent(start_x_, start_y_);
  ImGui::GetIO().AddMouseButtonEvent(0, true);
}

void Touch::dragTo(float x, float y) { ImGui::GetIO().AddMousePosEvent(x, y); }

void Touch::moveTwo(const Finger& before, const Finger& after) {
  const Finger& other = fingers_[0].id == after.id ? fingers_[1] : fingers_[0];
  if (!other.isDown()) return;
  const float was = distance(before.x, before.y, other.x, other.y);
  const float is = distance(after.x, after.y, other.x, other.y);
  ui::panStage(application_.view, (after.x - before.x) / 2, (after.y - before.y) / 2);
  if (was > 1 && is > 1) {
    ui::zoomStage(application_.view, is / was, (after.x + other.x) / 2, (after.y + other.y) / 2);
  }
}

void Touch::move(int id, float x, float y) {
  Finger* finger = find(id);
  if (!finger || id < 0) return;
  const Finger before = *finger;
  finger->x = x, finger->y = y;
  if (mode_ == Mode::kUndecided && distance(x, y, start_x_, start_y_) > kSlop) decide();
  if (mode_ == Mode::kDrag) dragTo(x, y);
  if (mode_ == Mode::kTwo) moveTwo(before, *finger);
  if (mode_ == Mode::kScroll) {
    if (ImGuiWindow* window = ImGui::FindWindowByID(scrolled_)) {
      ImGui::SetScrollY(window, window->Scroll.y - (y - before.y));
    }
  }
  application_.poke();
}

void Touch::up(int id, double now) {
  Finger* finger = find(id);
  if (!finger || id < 0) return;
  ImGuiIO& io = ImGui::GetIO();
  if (mode_ == Mode::kDrag) io.AddMouseButtonEvent(0, false);
  const bool tap = mode_ == Mode::kUndecided && now - start_time_ < kLongPress;
  if (tap) {
    io.AddMouseButtonEvent(0, true);
    io.AddMouseButtonEvent(0, false);
  }
  // After a long press the pointer stays, and so does its tooltip, until the next touch.
  if (mode_ != Mode::kUndecided || tap) io.AddMousePosEvent(kAway, kAway);
  *finger = {};
  const bool all_up = !fingers_[0].isDown() && !fingers_[1].isDown();
  mode_ = all_up ? Mode::kIdle : Mode::kSpent;
  application_.poke();
}

void Touch::cancel() {
  ImGuiIO& io = ImGui::GetIO();
  if (mode_ == Mode::kDrag) io.AddMouseButtonEvent(0, false);
  io.AddMousePosEvent(kAway, kAway);
  fingers_ = {};
  mode_ = Mode::kIdle;
  application_.poke();
}

}  // namespace attn::platform
