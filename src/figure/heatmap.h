// A matrix too fine for one rectangle per cell, drawn as one textured quad. A request is plain data: whoever draws it
// (OpenGL, SVG) needs no attention.
#pragma once
#include <cstdint>
#include <memory>
#include <vector>

#include "figure/color.h"

namespace attn::figure {

// Immutable cell values. `key` changes whenever they do: renderers cache by it.
struct HeatmapData {
  std::uint64_t key = 0;
  int rows = 0, columns = 0;
  std::vector<float> values;          // row-major
  std::vector<std::uint8_t> marks;    // per cell: 0 value, 1 blocked (hatched), 2 not yet known, 3 NaN, 4 +∞, 5 −∞
};

struct HeatmapRequest {
  float x = 0, y = 0, width = 0, height = 0;                       // of the whole matrix, in CSS pixels
  float clip_x = 0, clip_y = 0, clip_width = 0, clip_height = 0;  // what may be touched
  std::shared_ptr<const HeatmapData> data;
  Scale scale;
  Palette palette = Palette::kViridis;
  bool dark = false;        // which diverging table
  Color ground, hatch;  // behind the values; the lines of blocked cells
  float dim = 0;        // 0 = full strength, 1 = faded into the ground
};

}  // namespace attn::figure
