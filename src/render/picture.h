// What was painted last, so that a frame that would paint the same again need not: ImGui lays a screen out in more frames
// than change it, and graphics in software take longer over each than everything else.
#pragma once
#include <cstddef>
#include <vector>

#include "figure/heatmap.h"

struct ImDrawData;

namespace attn::render {

class Picture {
 public:
  // True when `data`, with its heat maps, paints exactly what the last call's did. Takes a copy to compare with.
  bool repeats(const ImDrawData& data, const std::vector<figure::HeatmapRequest>& heatmaps, figure::Color ground);
  void forget() { painted_.clear(); }

 private:
  std::vector<std::byte> painted_, next_;
};

}  // namespace attn::render
