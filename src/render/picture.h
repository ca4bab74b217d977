// What was painted last, so that a frame is painted only where it differs: ImGui lays out the whole screen for every
// change, and graphics in software take longer over a screen than everything else.
#pragma once
#include <cstdint>
#include <vector>

#include "figure/heatmap.h"
#include "render/part.h"

struct ImDrawData;
struct ImDrawList;
struct ImVec4;

namespace attn::render {

class Picture {
 public:
  // Where `data`, with its heat maps, paints something else than the last call's did: parts without common pixels, one
  // of the whole screen when its size, the ground or a texture changed.
  std::vector<Part> changes(const ImDrawData& data, const std::vector<figure::HeatmapRequest>& heatmaps,
                            figure::Color ground);
  void forget() { painted_.clear(); }

 private:
  void add(const ImDrawData& data, const ImDrawList& list);
  void add(const ImDrawData& data, const figure::HeatmapRequest& request);
  void fold(const ImDrawData& data, const ImVec4& box, std::uint64_t hash);
  std::vector<Part> parts(std::vector<bool> changed, int height) const;

  int columns_ = 0, rows_ = 0;
  std::vector<std::uint64_t> painted_, next_;  // per tile, from the top left: all that touches it, in order
};

}  // namespace attn::render
