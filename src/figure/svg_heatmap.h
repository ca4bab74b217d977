// A heatmap as rectangles of one colour each. Knows no file.
#pragma once
#include <vector>

#include "figure/picture.h"

namespace attn::figure {

struct HeatmapRun {
  Box box;
  Color color;
  bool blocked = false;  // hatched
};

// How many cells a rectangle holds along each side, so that there are no more than `most`.
int blockSide(const HeatmapData& data, int most);
// Row by row from left to right; neighbours that look the same are one.
std::vector<HeatmapRun> heatmapRuns(const HeatmapRequest& request, int most);

}  // namespace attn::figure
