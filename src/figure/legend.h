// Legends of colour scales, one after the other along lines that wrap. Knows no figure.
#pragma once
#include <string>
#include <string_view>

#include "figure/cell_figure.h"
#include "figure/inks.h"
#include "figure/picture.h"

namespace attn::figure {

struct Legend {
  std::string name;
  Scale scale;
  const ColorTable* table = nullptr;
  bool clipped = false;  // the highest colour stands for "this and more"
  float bar = 0;         // the ramp's length where there is room, at text scale 1; 0: by the line
};

class LegendLine {
 public:
  LegendLine(const Measure& measure, const Inks& inks, float text_scale, const Box& box)
      : measure_(measure), inks_(inks), scale_(text_scale), box_(box), x_(box.x), line_(size(20)) {}

  void add(const Legend& legend);
  void mark(CellLook look, std::string_view words);
  void changed(std::string_view words);
  float height() const { return y_ + line_; }
  Picture& picture() { return picture_; }

 private:
  float size(float at_scale_1) const { return at_scale_1 * scale_; }
  float width(Typeface face, std::string_view words) const { return measure_(face, size(13), words); }
  float middle() const { return box_.y + y_ + line_ / 2; }
  void begin(float needed);
  Box swatch(std::string_view words);  // before these words, which follow it
  void named(const Box& swatch, std::string_view words);
  void text(Typeface face, Color color, std::string_view words);
  void ramp(const Legend& legend, float length);

  const Measure& measure_;
  const Inks& inks_;
  float scale_;
  Box box_;
  float x_, y_ = 0, line_;
  Picture picture_;
};

// Its colours from left to right, framed.
void addRamp(Picture& picture, const Box& box, const ColorTable& table, const Inks& inks);

}  // namespace attn::figure
