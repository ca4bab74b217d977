// Fingers as what the screen understands: a tap is a click, a drag pans or scrolls, two fingers pan and zoom the stage,
// a long press hovers so that the tooltip tells. Knows no operating system.
#pragma once
#include <array>

#include "platform/application.h"

namespace attn::platform {

class Touch {
 public:
  explicit Touch(Application& application) : application_(application) {}

  // Positions in CSS pixels, `now` in seconds on any steady clock, `id` the finger.
  void down(int id, float x, float y, double now);
  void move(int id, float x, float y);
  void up(int id, double now);
  // The system took the fingers away.
  void cancel();

 private:
  struct Finger {
    int id = -1;
    float x = 0, y = 0;
    bool isDown() const { return id >= 0; }
  };
  enum class Mode { kIdle, kUndecided, kDrag, kScroll, kTwo, kSpent };

  Finger* find(int id);
  void decide();
  void dragTo(float x, float y);
  void moveTwo(const Finger& before, const Finger& after);

  Application& application_;
  std::array<Finger, 2> fingers_;
  Mode mode_ = Mode::kIdle;
  float start_x_ = 0, start_y_ = 0;  // of the first finger
  double start_time_ = 0;
  unsigned scrolled_ = 0;  // the window that the drag scrolls
};

}  // namespace attn::platform
