// Where a frame paints something else than the last one did: every input that reaches the screen counts, where it does.
#include "render/picture.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

#include "imgui.h"

using namespace attn;

namespace {

// What a frame is made of, in the order of one picture.
struct Inputs {
  ImVec2 size{64, 64}, scale{1, 1};
  ImVec2 corner{4, 4};
  ImU32 color = IM_COL32(255, 0, 0, 255);
  float clip_right = 64;
  int texture = 1;
  figure::Color ground{0, 0, 0, 255};
  figure::HeatmapRequest heatmap;
};

// Its name changed in ImGui 1.92.
template <class List>
void pushTexture(List& list, ImTextureID texture) {
  if constexpr (requires { list.PushTexture(texture); }) {
    list.PushTexture(texture);
  } else {
    list.PushTextureID(texture);
  }
}

std::vector<render::Part> changes(render::Picture& picture, const Inputs& inputs) {
  ImDrawList list(ImGui::GetDrawListSharedData());
  list._ResetForNewFrame();
  pushTexture(list, (ImTextureID)(std::intptr_t)inputs.texture);
  list.PushClipRect({0, 0}, {inputs.clip_right, 64});
  list.AddRectFilled(inputs.corner, {32, 32}, inputs.color);
  ImDrawData data;
  data.DisplaySize = inputs.size;
  data.FramebufferScale = inputs.scale;
  data.AddDrawList(&list);
  return picture.changes(data, {inputs.heatmap}, inputs.ground);
}

bool repeats(render::Picture& picture, const Inputs& inputs) { return changes(picture, inputs).empty(); }

figure::HeatmapRequest heatmap(std::uint64_t key) {
  figure::HeatmapRequest request;
  request.clip_width = request.clip_height = 8;
  auto values = std::make_shared<figure::HeatmapData>();
  values->key = key;
  request.data = values;
  return request;
}

}  // namespace

TEST_CASE("a picture repeats when, and only when, nothing that is painted differs") {
  ImGui::CreateContext();
  render::Picture picture;
  Inputs first;
  first.heatmap = heatmap(1);
  CHECK_FALSE(repeats(picture, first));
  CHECK(repeats(picture, first));

  const std::vector<std::function<void(Inputs&)>> changes = {
      [](Inputs& i) { i.size.x = 65; },         [](Inputs& i) { i.scale.y = 2; },
      [](Inputs& i) { i.corner.x = 5; },        [](Inputs& i) { i.color = IM_COL32(254, 0, 0, 255); },
      [](Inputs& i) { i.clip_right = 63; },     [](Inputs& i) { i.texture = 2; },
      [](Inputs& i) { i.ground.b = 1; },        [](Inputs& i) { i.heatmap = heatmap(2); },
      [](Inputs& i) { i.heatmap.x = 1; },       [](Inputs& i) { i.heatmap.clip_height = 1; },
      [](Inputs& i) { i.heatmap.dim = 0.5f; },  [](Inputs& i) { i.heatmap.scale.high = 2; },
      [](Inputs& i) { i.heatmap.dark = true; }, [](Inputs& i) { i.heatmap.hatch.r = 1; },
      [](Inputs& i) { i.heatmap.palette = figure::Palette::kMagma; },
  };
  for (std::size_t i = 0; i < changes.size(); ++i) {
    CAPTURE(i);
    Inputs changed = first;
    changes[i](changed);
    CHECK_FALSE(repeats(picture, changed));
    CHECK(repeats(picture, changed));
    CHECK_FALSE(repeats(picture, first));
  }
  picture.forget();
  CHECK_FALSE(repeats(picture, first));
  ImGui::DestroyContext();
}

TEST_CASE("what changed is told by the parts that hold it, in pixels from the lower left") {
  ImGui::CreateContext();
  render::Picture picture;
  Inputs inputs;
  inputs.size = {640, 480}, inputs.scale = {2, 2};
  inputs.heatmap = heatmap(1);
  REQUIRE(changes(picture, inputs).size() == 1);
  inputs.heatmap.clip_x = 320, inputs.heatmap.clip_y = 240;
  const auto from = render::Part{0, 480 * 2 - 8 * 2, 8 * 2, 480 * 2}, to = render::Part{640, 480 - 8 * 2, 640 + 8 * 2, 480};
  const auto holds = [](const render::Part& a, const render::Part& b) {
    return a.left <= b.left && a.low <= b.low && a.right >= b.right && a.high >= b.high;
  };
  const auto parts = changes(picture, inputs);
  long area = 0;
  for (const auto& part : parts) area += static_cast<long>(part.right - part.left) * (part.high - part.low);
  CHECK(area < 100 * 100);
  for (const auto& wanted : {from, to}) {
    CHECK(std::count_if(parts.begin(), parts.end(), [&](const auto& part) { return holds(part, wanted); }) == 1);
  }
  ImGui::DestroyContext();
}
