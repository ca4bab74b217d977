// Heatmaps on a real OpenGL context without a display: where cells land, which colours they have, what blocked looks like.
#include <EGL/egl.h>
#include <EGL/eglext.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <limits>
#include <memory>
#include <vector>

#include "canvas.h"
#include "render/heatmap.h"
#include "render/shaders.h"

#define DOCTEST_CONFIG_IMPLEMENT
#include <doctest/doctest.h>

using namespace attn;

namespace {

using test::Canvas;
using test::kSide;

bool makeContext() {
  const auto get = reinterpret_cast<PFNEGLGETPLATFORMDISPLAYEXTPROC>(eglGetProcAddress("eglGetPlatformDisplayEXT"));
  const EGLDisplay display = get ? get(EGL_PLATFORM_SURFACELESS_MESA, EGL_DEFAULT_DISPLAY, nullptr) : eglGetDisplay(EGL_DEFAULT_DISPLAY);
  if (!eglInitialize(display, nullptr, nullptr) || !eglBindAPI(EGL_OPENGL_API)) {
    return false;
  }
  const EGLint wanted[] = {EGL_SURFACE_TYPE, EGL_PBUFFER_BIT, EGL_RENDERABLE_TYPE, EGL_OPENGL_BIT, EGL_NONE};
  EGLConfig config = nullptr;
  EGLint count = 0;
  eglChooseConfig(display, wanted, &config, 1, &count);
  const EGLint version[] = {EGL_CONTEXT_MAJOR_VERSION, 3, EGL_CONTEXT_MINOR_VERSION, 3, EGL_CONTEXT_OPENGL_PROFILE_MASK,
                            EGL_CONTEXT_OPENGL_CORE_PROFILE_BIT, EGL_NONE};
  const EGLContext context = eglCreateContext(display, config, EGL_NO_CONTEXT, version);
  return context != EGL_NO_CONTEXT && eglMakeCurrent(display, EGL_NO_SURFACE, EGL_NO_SURFACE, context);
}

constexpr figure::Color kClear = {0, 0, 255, 255};

std::shared_ptr<figure::HeatmapData> ramp(int rows, int columns, std::uint64_t key) {
  auto data = std::make_shared<figure::HeatmapData>();
  data->key = key;
  data->rows = rows;
  data->columns = columns;
  for (int i = 0; i < rows * columns; ++i) {
    data->values.push_back(static_cast<float>(i) / static_cast<float>(rows * columns));
    data->marks.push_back(0);
  }
  return data;
}

figure::HeatmapRequest whole(std::shared_ptr<const figure::HeatmapData> data) {
  figure::HeatmapRequest request;
  request.width = request.height = request.clip_width = request.clip_height = kSide;
  request.data = std::move(data);
  request.scale = {false, 0, 1};
  request.ground = {10, 12, 14, 255};
  request.hatch = {200, 200, 200, 255};
  return request;
}

// A shader computes in single precision and may round to the neighbouring colour.
bool near(figure::Color a, figure::Color b, int most = 3) {
  return std::abs(a.r - b.r) <= most && std::abs(a.g - b.g) <= most && std::abs(a.b - b.b) <= most;
}

void drawOnce(render::HeatmapRenderer& renderer, Canvas& canvas, const figure::HeatmapRequest& request, int pixels = kSide) {
  renderer.beginFrame(kSide, kSide, pixels, pixels);
  renderer.draw(request);
  canvas.read();
  CHECK(glGetError() == GL_NO_ERROR);
}

}  // namespace

TEST_CASE("row 0 is at the top, column 0 at the left, and every cell has the colour of its value") {
  render::HeatmapRenderer renderer;
  REQUIRE(renderer.start());
  for (const figure::Palette palette : {figure::Palette::kViridis, figure::Palette::kCividis, figure::Palette::kMagma, figure::Palette::kGrey}) {
    Canvas canvas;
    figure::HeatmapRequest request = whole(ramp(4, 4, 1));
    request.palette = palette;
    drawOnce(renderer, canvas, request);
    for (int i = 0; i < 4; ++i) {
      for (int j = 0; j < 4; ++j) {
        CAPTURE(i);
        CAPTURE(j);
        const double value = request.data->values[static_cast<std::size_t>(4 * i + j)];
        const figure::Color expected = figure::colorOf(request.scale, figure::sequentialTable(palette), value);
        CHECK(near(canvas.at(16 * j + 1, 16 * i + 1), expected));
        CHECK(near(canvas.at(16 * j + 14, 16 * i + 14), expected));
      }
    }
  }
}

TEST_CASE("diverging scales have their own tables for light and dark") {
  render::HeatmapRenderer renderer;
  REQUIRE(renderer.start());
  for (const bool dark : {false, true}) {
    Canvas canvas;
    auto data = ramp(1, 3, dark ? 3 : 2);
    data->values = {-2, 0, 2};
    figure::HeatmapRequest request = whole(data);
    request.scale = {true, -2, 2};
    request.dark = dark;
    drawOnce(renderer, canvas, request);
    const figure::ColorTable& table = figure::divergingTable(dark);
    CHECK(near(canvas.at(5, 30), table.front()));
    CHECK(near(canvas.at(32, 30), table[128]));
    CHECK(near(canvas.at(60, 30), table.back()));
  }
}

TEST_CASE("blocked cells are hatched: both ground and lines, and nothing of the scale") {
  render::HeatmapRenderer renderer;
  REQUIRE(renderer.start());
  Canvas canvas;
  auto data = ramp(1, 2, 4);
  data->values = {1, 1};
  data->marks = {0, 1};
  const figure::HeatmapRequest request = whole(data);
  drawOnce(renderer, canvas, request);
  int lines = 0, ground = 0;
  for (int y = 0; y < kSide; ++y) {
    for (int x = kSide / 2; x < kSide; ++x) {
      lines += near(canvas.at(x, y), request.hatch) ? 1 : 0;
      ground += canvas.at(x, y).r < 60 ? 1 : 0;
    }
  }
  const int all = kSide * kSide / 2;
  CHECK(lines > all / 10);
  CHECK(ground > all / 2);
  CHECK(lines + ground == all);
  CHECK(near(canvas.at(10, 10), figure::sequentialTable(figure::Palette::kViridis).back()));
}

TEST_CASE("what is not a number, infinite or unknown looks like no value and unlike each other") {
  render::HeatmapRenderer renderer;
  REQUIRE(renderer.start());
  Canvas canvas;
  auto data = ramp(1, 4, 5);
  data->values = {0, 0, 0, 0};
  data->marks = {2, 3, 4, 5};
  drawOnce(renderer, canvas, whole(data));
  std::array<std::array<int, 3>, 4> sums = {};
  for (int part = 0; part < 4; ++part) {
    for (int y = 0; y < kSide; ++y) {
      for (int x = 16 * part; x < 16 * part + 16; ++x) {
        const figure::Color c = canvas.at(x, y);
        sums[static_cast<std::size_t>(part)][0] += c.r;
        sums[static_cast<std::size_t>(part)][1] += c.g;
        sums[static_cast<std::size_t>(part)][2] += c.b;
      }
    }
  }
  for (std::size_t a = 0; a < 4; ++a) {
    for (std::size_t b = a + 1; b < 4; ++b) {
      CHECK(sums[a] != sums[b]);
    }
  }
}

TEST_CASE("nothing outside the clip is touched, at any pixel ratio") {
  for (const int ratio : {1, 2}) {
    render::HeatmapRenderer renderer;
    REQUIRE(renderer.start());
    Canvas canvas(kSide * ratio);
    figure::HeatmapRequest request = whole(ramp(4, 4, 6));
    request.clip_x = 16, request.clip_y = 8, request.clip_width = 32, request.clip_height = 16;
    drawOnce(renderer, canvas, request, kSide * ratio);
    for (int y = 0; y < kSide; ++y) {
      for (int x = 0; x < kSide; ++x) {
        const bool inside = x >= 16 && x < 48 && y >= 8 && y < 24;
        CHECK((canvas.at(x * ratio, y * ratio) == kClear) == !inside);
      }
    }
  }
}

TEST_CASE("dimming fades into the ground") {
  render::HeatmapRenderer renderer;
  REQUIRE(renderer.start());
  Canvas canvas;
  figure::HeatmapRequest request = whole(ramp(4, 4, 7));
  request.dim = 1;
  drawOnce(renderer, canvas, request);
  CHECK(near(canvas.at(40, 40), request.ground));
}

TEST_CASE("many cells under one pixel are averaged") {
  render::HeatmapRenderer renderer;
  REQUIRE(renderer.start());
  Canvas canvas;
  auto data = ramp(kSide * 4, kSide * 4, 8);
  for (int i = 0; i < data->rows * data->columns; ++i) {
    data->values[static_cast<std::size_t>(i)] = static_cast<float>((i + i / data->columns) % 2);
  }
  figure::HeatmapRequest request = whole(data);
  request.palette = figure::Palette::kGrey;
  drawOnce(renderer, canvas, request);
  // A fine chequer of black and white is grey everywhere.
  for (int x = 0; x < kSide; x += 7) {
    CHECK(near(canvas.at(x, 30), {128, 128, 128, 255}, 2));
  }
}

TEST_CASE("a texture is made once per key and dropped when there are too many") {
  render::HeatmapRenderer renderer;
  REQUIRE(renderer.start());
  Canvas canvas;
  for (int i = 0; i < 3; ++i) {
    drawOnce(renderer, canvas, whole(ramp(4, 4, 9)));
  }
  CHECK(renderer.cachedTextures() == 1);
  for (std::uint64_t key = 100; key < 112; ++key) {
    drawOnce(renderer, canvas, whole(ramp(2048, 2048, key)));  // 20 MiB each
  }
  CHECK(renderer.cachedTextures() <= 5);
}

TEST_CASE("a matrix wider than the largest texture is drawn in tiles") {
  render::HeatmapRenderer renderer;
  REQUIRE(renderer.start());
  GLint most = 0;
  glGetIntegerv(GL_MAX_TEXTURE_SIZE, &most);
  Canvas canvas;
  auto data = std::make_shared<figure::HeatmapData>();
  data->key = 200;
  data->rows = 1;
  data->columns = most * 2;
  data->values.assign(static_cast<std::size_t>(data->columns), 0.0f);
  data->marks.assign(data->values.size(), 0);
  std::fill(data->values.begin() + most, data->values.end(), 1.0f);
  drawOnce(renderer, canvas, whole(data));
  const figure::ColorTable& table = figure::sequentialTable(figure::Palette::kViridis);
  CHECK(near(canvas.at(10, 10), table.front()));
  CHECK(near(canvas.at(50, 10), table.back()));
}

TEST_CASE("a broken shader is refused with the driver's words") {
  const auto program = render::compileProgram("void main() { gl_Position = nonsense; }", render::shaders::heatmap_frag);
  REQUIRE_FALSE(program.ok());
  CHECK(program.error().message.find("vertex shader") == 0);
}

TEST_CASE("an empty matrix draws nothing") {
  render::HeatmapRenderer renderer;
  REQUIRE(renderer.start());
  Canvas canvas;
  drawOnce(renderer, canvas, whole(std::make_shared<figure::HeatmapData>()));
  CHECK(canvas.at(5, 5) == kClear);
}

int main(int argc, char** argv) {
  if (!makeContext()) {
    std::fputs("no OpenGL 3.3 context can be had without a display; install Mesa's EGL (libegl1, libgl1-mesa-dri)\n", stderr);
    return 2;
  }
  return doctest::Context(argc, argv).run();
}
