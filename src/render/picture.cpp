// What was painted last, tile by tile, as a hash of every triangle that touches the tile.
#include "render/picture.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <utility>

#include "imgui.h"
#include "render/imgui_gl.h"

namespace attn::render {
namespace {

constexpr int kTile = 32;  // framebuffer pixels

// Word by word: only what has no padding, whose bytes would differ by chance.
template <class T>
std::uint64_t mixed(std::uint64_t hash, const T& value) {
  static_assert(sizeof(T) % sizeof(std::uint32_t) == 0);
  for (std::size_t at = 0; at < sizeof(T); at += sizeof(std::uint32_t)) {
    std::uint32_t word = 0;
    std::memcpy(&word, reinterpret_cast<const char*>(&value) + at, sizeof(word));
    hash = (hash ^ word) * 0x9E3779B97F4A7C15u;
    hash ^= hash >> 32;
  }
  return hash;
}

template <class... T>
std::uint64_t hashOf(const T&... values) {
  std::uint64_t hash = 1;
  ((hash = mixed(hash, values)), ...);
  return hash;
}

}  // namespace

// Everything in the box, from left and top to right and bottom in CSS pixels, depends on the hash.
void Picture::fold(const ImDrawData& data, const ImVec4& box, std::uint64_t hash) {
  const auto tile = [](float at, float scale, float margin, int count) {
    return static_cast<int>(std::clamp(std::floor((at * scale + margin) / kTile), 0.0f, static_cast<float>(count)));
  };
  const ImVec2 scale = data.FramebufferScale;
  const int first = tile(box.x, scale.x, -kRounding, columns_), last = tile(box.z, scale.x, kRounding, columns_ - 1);
  const int end = tile(box.w, scale.y, kRounding, rows_ - 1);
  for (int row = tile(box.y, scale.y, -kRounding, rows_); row <= end; ++row) {
    for (int column = first; column <= last; ++column) {
      std::uint64_t& at = next_[static_cast<std::size_t>(row * columns_ + column)];
      at = mixed(at, hash);
    }
  }
}

void Picture::add(const ImDrawData& data, const ImDrawList& list) {
  for (const ImDrawCmd& command : list.CmdBuffer) {
    const ImVec4& clip = command.ClipRect;
    if (command.UserCallback) {
      fold(data, clip, hashOf(command.UserCallback, command.UserCallbackData));
      continue;
    }
    const std::uint64_t seed = hashOf(clip, command.GetTexID());
    const ImDrawIdx* index = list.IdxBuffer.Data + command.IdxOffset;
    for (const ImDrawIdx* end = index + command.ElemCount; index != end; index += 3) {
      const ImDrawVert* vertices = list.VtxBuffer.Data + command.VtxOffset;
      const ImDrawVert &a = vertices[index[0]], &b = vertices[index[1]], &c = vertices[index[2]];
      const auto [left, right] = std::minmax({a.pos.x, b.pos.x, c.pos.x});
      const auto [top, bottom] = std::minmax({a.pos.y, b.pos.y, c.pos.y});
      fold(data, {std::max(clip.x, left), std::max(clip.y, top), std::min(clip.z, right), std::min(clip.w, bottom)},
           mixed(mixed(mixed(seed, a), b), c));
    }
  }
}

void Picture::add(const ImDrawData& data, const figure::HeatmapRequest& r) {
  fold(data, {r.clip_x, r.clip_y, r.clip_x + r.clip_width, r.clip_y + r.clip_height},
       hashOf(r.x, r.y, r.width, r.height, r.clip_x, r.clip_y, r.clip_width, r.clip_height, r.data ? r.data->key : 0,
              r.scale.low, r.scale.high, int{r.scale.diverging}, static_cast<int>(r.palette), int{r.dark}, r.ground,
              r.hatch, r.dim));
}

// Rectangles of changed tiles, each as wide as its first row and as high as it stays that wide.
std::vector<Part> Picture::parts(std::vector<bool> changed, int height) const {
  std::vector<Part> found;
  const auto row = [&](int number) { return changed.begin() + number * columns_; };
  auto first = changed.begin();
  while ((first = std::find(first, changed.end(), true)) != changed.end()) {
    const int top = static_cast<int>(first - row(0)) / columns_;
    const auto left = first - row(top), right = std::find(first, row(top + 1), false) - row(top);
    int bottom = top;
    while (bottom < rows_ && std::find(row(bottom) + left, row(bottom) + right, false) == row(bottom) + right) {
      std::fill(row(bottom) + left, row(bottom) + right, false);
      ++bottom;
    }
    found.push_back({static_cast<int>(left) * kTile, height - bottom * kTile, static_cast<int>(right) * kTile,
                     height - top * kTile});
  }
  return found;
}

std::vector<Part> Picture::changes(const ImDrawData& data, const std::vector<figure::HeatmapRequest>& heatmaps,
                                   figure::Color ground) {
  const int height = pixelHeight(data);
  columns_ = static_cast<int>(data.DisplaySize.x * data.FramebufferScale.x) / kTile + 1, rows_ = height / kTile + 1;
  const auto tiles = static_cast<std::size_t>(columns_ * rows_);
  if (texturesComeOrGo(data)) {
    forget();
    return parts(std::vector<bool>(tiles, true), height);
  }
  next_.assign(tiles, hashOf(data.DisplaySize, data.FramebufferScale, ground));
  for (int i = 0; i < data.CmdListsCount; ++i) add(data, *data.CmdLists[i]);
  for (const auto& request : heatmaps) add(data, request);
  std::vector<bool> changed(tiles, true);
  if (painted_.size() == tiles) {
    for (std::size_t i = 0; i < tiles; ++i) changed[i] = painted_[i] != next_[i];
  }
  std::swap(painted_, next_);
  return parts(std::move(changed), height);
}

}  // namespace attn::render
