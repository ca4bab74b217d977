// Matrices as textured quads: one texel per cell, coloured in the shader. Knows heatmap requests and nothing else.
#pragma once
#include <array>
#include <cstdint>
#include <list>
#include <optional>
#include <vector>

#include "figure/heatmap.h"
#include "render/shader.h"

namespace attn::render {

class HeatmapRenderer {
 public:
  HeatmapRenderer() = default;
  ~HeatmapRenderer();
  HeatmapRenderer(const HeatmapRenderer&) = delete;

  // Needs a current context; false when shaders or buffers cannot be made. After a lost context: a new object.
  bool start();
  // The size of what is drawn into, in CSS pixels and in framebuffer pixels.
  void beginFrame(float width, float height, int pixel_width, int pixel_height);
  // Leaves program, textures, buffers, blending and scissor changed: Dear ImGui's ResetRenderState mends that.
  void draw(const figure::HeatmapRequest& request);

  std::size_t cachedTextures() const { return cache_.size(); }

 private:
  // A part of the matrix that fits into one texture.
  struct Tile {
    int row = 0, column = 0, rows = 0, columns = 0;
    GLuint values = 0, marks = 0;
  };
  struct Entry {
    std::uint64_t key = 0;
    std::size_t bytes = 0;
    std::vector<Tile> tiles;
  };

  const Entry& entryFor(const figure::HeatmapData& data);
  Tile upload(const figure::HeatmapData& data, int row, int column, int rows, int columns) const;
  void evict(std::size_t room_for);
  void bindPalette(const figure::HeatmapRequest& request);
  void setUniforms(const figure::HeatmapRequest& request) const;
  static void release(Entry& entry);

  Program program_;
  GLuint quad_ = 0, vertices_ = 0;
  std::array<GLuint, 6> palettes_ = {};  // four sequential, diverging on light and on dark
  GLint max_texture_ = 2048;
  float width_ = 1, height_ = 1, ratio_x_ = 1, ratio_y_ = 1;
  int pixel_width_ = 1, pixel_height_ = 1;
  std::list<Entry> cache_;  // most recently used first
  std::size_t cached_bytes_ = 0;
};

}  // namespace attn::render
