// The whole screen without a window: frames run by hand, controls found by their label, keys typed. Knows no GL.
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "app/session.h"
#include "imgui.h"
#include "ui/recorder.h"
#include "ui/view_state.h"

namespace attn::test {

class Screen {
 public:
  explicit Screen(float width = 1280, float height = 800);
  ~Screen();
  Screen(const Screen&) = delete;
  Screen& operator=(const Screen&) = delete;

  void frame(int count = 1);
  void resize(float width, float height);

  // Presses and releases the mouse on the middle of the control or cell; false when there is none of that label or id
  // that could be pressed.
  bool click(std::string_view label);
  void clickAt(float x, float y);
  void moveTo(float x, float y);
  // Presses and releases a key, modifiers held.
  void key(ImGuiKey key, bool ctrl = false, bool shift = false);
  // A document, which must be one.
  void open(const std::string& json);
  void dispatch(const app::Action& action);

  // The printed lines of the panels, one after the other.
  std::string texts() const;
  bool shows(std::string_view text) const { return texts().find(text) != std::string::npos; }
  const ui::Control* find(std::string_view label_or_id) const;
  // As the mirror presses a control, wherever the panel has scrolled to; false when there is none that can be pressed.
  bool press(std::string_view label_or_id);

  app::Session session;
  ui::ViewState view;
  ui::Recorder recorder;

 private:
  ImGuiContext* context_;
};

}  // namespace attn::test
