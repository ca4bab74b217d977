// What was painted last, so that a frame that would paint the same again need not.
#include "render/picture.h"

#include <cstring>
#include <utility>

#include "imgui.h"
#include "render/imgui_gl.h"

namespace attn::render {
namespace {

using Bytes = std::vector<std::byte>;

// Only what has no padding: its bytes would differ by chance.
template <class... T>
void append(Bytes& bytes, const T&... values) {
  const auto one = [&](const void* from, std::size_t size) {
    const std::size_t at = bytes.size();
    bytes.resize(at + size);
    if (size > 0) std::memcpy(bytes.data() + at, from, size);
  };
  (one(&values, sizeof(values)), ...);
}

template <class T>
void append(Bytes& bytes, const ImVector<T>& values) {
  append(bytes, values.Size);
  const std::size_t at = bytes.size(), size = static_cast<std::size_t>(values.Size) * sizeof(T);
  bytes.resize(at + size);
  if (size > 0) std::memcpy(bytes.data() + at, values.Data, size);
}

void append(Bytes& bytes, const ImDrawList& list) {
  append(bytes, list.VtxBuffer);
  append(bytes, list.IdxBuffer);
  for (const ImDrawCmd& command : list.CmdBuffer) {
    append(bytes, command.ClipRect, command.VtxOffset, command.IdxOffset, command.ElemCount, command.UserCallback,
           command.UserCallbackData);
    if (!command.UserCallback) append(bytes, command.GetTexID());
  }
}

void append(Bytes& bytes, const figure::HeatmapRequest& r) {
  append(bytes, r.x, r.y, r.width, r.height, r.clip_x, r.clip_y, r.clip_width, r.clip_height);
  append(bytes, r.data ? r.data->key : 0, r.scale.low, r.scale.high, r.scale.diverging, r.palette, r.dark, r.ground, r.hatch,
         r.dim);
}

}  // namespace

bool Picture::repeats(const ImDrawData& data, const std::vector<figure::HeatmapRequest>& heatmaps, figure::Color ground) {
  if (texturesWait(data)) {
    forget();
    return false;
  }
  next_.clear();
  append(next_, data.DisplaySize, data.FramebufferScale, ground);
  for (int i = 0; i < data.CmdListsCount; ++i) append(next_, *data.CmdLists[i]);
  for (const auto& request : heatmaps) append(next_, request);
  std::swap(painted_, next_);
  return painted_ == next_;
}

}  // namespace attn::render
