// The program without a window: Session, ViewState and one ImGui context, driven by whoever owns the loop. The desktop,
// the page and the headless renderer are three owners of the same thing.
#pragma once
#include <memory>
#include <string>

#include "app/session.h"
#include "ui/recorder.h"
#include "ui/view_state.h"

namespace attn::platform {

struct FrameInfo {
  float width = 0, height = 0;              // CSS pixels
  int pixel_width = 0, pixel_height = 0;    // framebuffer
  double seconds = 0;                       // since the last frame, clamped by the callee
};

// When the owner should draw again.
struct Wake {
  enum Kind { kOnEvent, kNow, kAfter } kind = kOnEvent;
  double seconds = 0;  // with kAfter
};

class Application {
 public:
  Application();
  ~Application();
  Application(const Application&) = delete;

  // Creates or recreates every GL object; false when the context cannot be used. Without it, frames still run and feed
  // the mirror, but nothing is painted.
  bool startGraphics();
  void loseGraphics();

  Wake frame(const FrameInfo& info);

  app::Session session;
  ui::ViewState view;
  ui::Recorder recorder;
  unsigned long frames = 0;

 private:
  struct Graphics;
  std::unique_ptr<Graphics> graphics_;
};

}  // namespace attn::platform
