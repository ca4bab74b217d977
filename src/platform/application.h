// The program without a window: Session, ViewState and one ImGui context, driven by whoever owns the loop. The desktop,
// the page and the headless renderer are three owners of the same thing. Knows no operating system.
#pragma once
#include <memory>
#include <string>
#include <vector>

#include "app/session.h"
#include "core/result.h"
#include "ui/recorder.h"
#include "ui/view_state.h"

namespace attn::platform {

struct FrameInfo {
  float width = 0, height = 0;            // CSS pixels
  int pixel_width = 0, pixel_height = 0;  // framebuffer
  double seconds = 0;                     // since the last frame
  // What was painted stays until something else is: a frame then paints only where it differs.
  bool picture_stays = false;
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
  Application& operator=(const Application&) = delete;

  // Creates every GL object in the current context; false when the context cannot be used. Without it, frames still run
  // and feed the mirror, but nothing is painted.
  bool startGraphics();
  // Lets go of every GL object, before the context goes or after it is lost; startGraphics() brings the picture back.
  void loseGraphics();

  // Something happened (input, a new size, an action from outside): the next frames are worth drawing.
  void poke();

  // Lays out one frame and applies what the person asked for in it. Of several in a row only the last need be painted.
  Wake frame(const FrameInfo& info);
  // Paints what the last frame laid out.
  void paint(const FrameInfo& info);

  // An action from outside the screen. An error when it changed nothing and said why.
  core::Check dispatch(const app::Action& action);
  // Opens a document and then, unless `link` is empty, goes to that moment of it.
  core::Check open(std::string text, std::string name, const std::string& link = "");

  app::Session session;
  ui::ViewState view;
  ui::Recorder recorder;
  unsigned long frames = 0;

 private:
  struct Graphics;

  void prepare(const FrameInfo& info);
  void apply();
  Wake nextWake();

  std::unique_ptr<Graphics> graphics_;
  std::vector<app::Action> asked_;  // by the frame that is being drawn
  int settle_ = 0;                  // frames still to draw before sleeping
  unsigned long seen_revision_ = 0;
};

}  // namespace attn::platform
