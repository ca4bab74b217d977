// Legends of colour scales, one after the other along lines that wrap. Knows no figure.
#pragma once
#include <string>
#include <string_view>

#include "figure/cell_figure.h"
#include "figure/picture.h"
#include "ui/frame.h"

namespace attn::ui {

struct Legend {
  std::string name;
  figure::Scale scale;
  const figure::ColorTable* table = nullptr;
  bool clipped = false;  // the highest colour stands for "this and more"
  float bar = 0;         // the ramp's length where there is room, at text scale 1; 0: by the line
};

class LegendLine {
 public:
  LegendLine(Frame& frame, const figure::Box& box) : frame_(frame), box_(box), x_(box.x), line_(frame.size(20)) {}

  void add(const Legend& legend);
  void mark(figure::CellLook look, std::string_view words);
  void changed(std::string_view words);
  float height() const { return y_ + line_; }
  figure::Picture& picture() { return picture_; }

 private:
  float middle() const { return box_.y + y_ + line_ / 2; }
  void begin(float needed);
  void text(Face face, float size, figure::Color color, std::string_view words);
  void ramp(const Legend& legend, float length);

  Frame& frame_;
  figure::Box box_;
  float x_, y_ = 0, line_;
  figure::Picture picture_;
};

}  // namespace attn::ui
