// Where things go: rectangles handed out along a line that wraps, and panels that scroll. Knows no content.
#pragma once
#include <string>
#include <string_view>

#include "ui/frame.h"

namespace attn::ui {

// From left to right, wrapping to the next line, so that nothing overlaps at any width or text size.
class Flow {
 public:
  Flow(float x, float y, float width, float height, float gap)
      : x_(x), y_(y), width_(width), height_(height), gap_(gap), at_(x) {}

  // `width` is cut to the line. `height` other than 0 is for what is taller than the line.
  Rect place(float width, float height = 0);
  void space(float width) { at_ += at_ > x_ ? width : 0; }
  void wrap();
  float rest() const { return x_ + width_ - at_; }  // still free on this line
  float bottom() const { return y_ + tallest_; }

 private:
  float x_, y_, width_, height_, gap_, at_;
  float tallest_ = 0;
};

// A region of the screen with its own ground; taller content scrolls.
class Panel {
 public:
  Panel(Frame& frame, std::string_view name, const Rect& area, figure::Color ground, float padding,
        bool scrolls = true);
  ~Panel();
  Panel(const Panel&) = delete;

  void scroll(float by);  // once, by so many pixels, as far as it goes

  float x() const { return x_; }
  float width() const { return width_; }
  float y = 0;  // the pen: whoever draws moves it down
  std::string group;  // the last heading, up to a colon: what the controls under it belong to

 private:
  Frame& frame_;
  float x_ = 0, width_ = 0, padding_ = 0;
  bool scrolls_;
};

}  // namespace attn::ui
