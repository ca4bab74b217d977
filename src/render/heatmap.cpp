// Textures are cached by the data's key and dropped, least recently used first, beyond a bound.
#include "render/heatmap.h"

#include <algorithm>
#include <cmath>

#include "render/part.h"
#include "render/shaders.h"

namespace attn::render {
namespace {

constexpr std::size_t kCacheBytes = std::size_t(96) << 20;
constexpr float kHatchSpacing = 7;  // CSS pixels

GLuint makeTexture() {
  GLuint texture = 0;
  glGenTextures(1, &texture);
  glBindTexture(GL_TEXTURE_2D, texture);
  for (const GLenum side : {GL_TEXTURE_MIN_FILTER, GL_TEXTURE_MAG_FILTER}) {
    glTexParameteri(GL_TEXTURE_2D, side, GL_NEAREST);
  }
  for (const GLenum side : {GL_TEXTURE_WRAP_S, GL_TEXTURE_WRAP_T}) {
    glTexParameteri(GL_TEXTURE_2D, side, GL_CLAMP_TO_EDGE);
  }
  return texture;
}

GLuint makePalette(const figure::ColorTable& table) {
  static_assert(sizeof(figure::Color) == 4);
  const GLuint texture = makeTexture();
  glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA8, 256, 1, 0, GL_RGBA, GL_UNSIGNED_BYTE, table.data());
  return texture;
}

void setColor(GLint uniform, figure::Color color) {
  glUniform4f(uniform, color.r / 255.0f, color.g / 255.0f, color.b / 255.0f, color.a / 255.0f);
}

}  // namespace

HeatmapRenderer::~HeatmapRenderer() {
  for (Entry& entry : cache_) {
    release(entry);
  }
  glDeleteTextures(static_cast<GLsizei>(palettes_.size()), palettes_.data());
  glDeleteBuffers(1, &quad_);
  glDeleteVertexArrays(1, &vertices_);
}

bool HeatmapRenderer::start() {
  auto program = compileProgram(shaders::heatmap_vert, shaders::heatmap_frag);
  if (!program) {
    return false;
  }
  program_ = program.take();
  glGetIntegerv(GL_MAX_TEXTURE_SIZE, &max_texture_);

  constexpr std::array<float, 8> kCorners = {0, 0, 1, 0, 0, 1, 1, 1};
  glGenVertexArrays(1, &vertices_);
  glBindVertexArray(vertices_);
  glGenBuffers(1, &quad_);
  glBindBuffer(GL_ARRAY_BUFFER, quad_);
  glBufferData(GL_ARRAY_BUFFER, sizeof(kCorners), kCorners.data(), GL_STATIC_DRAW);
  glEnableVertexAttribArray(0);
  glVertexAttribPointer(0, 2, GL_FLOAT, GL_FALSE, 0, nullptr);
  glBindVertexArray(0);

  glPixelStorei(GL_UNPACK_ALIGNMENT, 4);
  for (int i = 0; i < 4; ++i) {
    palettes_[static_cast<std::size_t>(i)] = makePalette(figure::sequentialTable(static_cast<figure::Palette>(i)));
  }
  palettes_[4] = makePalette(figure::divergingTable(false));
  palettes_[5] = makePalette(figure::divergingTable(true));
  return glGetError() == GL_NO_ERROR;
}

void HeatmapRenderer::beginFrame(float width, float height, int pixel_width, int pixel_height) {
  width_ = width;
  height_ = height;
  pixel_width_ = pixel_width;
  pixel_height_ = pixel_height;
  ratio_x_ = static_cast<float>(pixel_width) / width;
  ratio_y_ = static_cast<float>(pixel_height) / height;
}

void HeatmapRenderer::release(Entry& entry) {
  for (const Tile& tile : entry.tiles) {
    glDeleteTextures(1, &tile.values);
    glDeleteTextures(1, &tile.marks);
  }
}

void HeatmapRenderer::evict(std::size_t room_for) {
  while (!cache_.empty() && cached_bytes_ + room_for > kCacheBytes) {
    cached_bytes_ -= cache_.back().bytes;
    release(cache_.back());
    cache_.pop_back();
  }
}

HeatmapRenderer::Tile HeatmapRenderer::upload(const figure::HeatmapData& data, int row, int column, int rows,
                                              int columns) const {
  Tile tile{row, column, rows, columns, 0, 0};
  const std::size_t first = static_cast<std::size_t>(row) * static_cast<std::size_t>(data.columns) +
                            static_cast<std::size_t>(column);
  glPixelStorei(GL_UNPACK_ROW_LENGTH, data.columns);
  glPixelStorei(GL_UNPACK_ALIGNMENT, 4);
  tile.values = makeTexture();
  glTexImage2D(GL_TEXTURE_2D, 0, GL_R32F, columns, rows, 0, GL_RED, GL_FLOAT, data.values.data() + first);
  glPixelStorei(GL_UNPACK_ALIGNMENT, 1);
  tile.marks = makeTexture();
  glTexImage2D(GL_TEXTURE_2D, 0, GL_R8UI, columns, rows, 0, GL_RED_INTEGER, GL_UNSIGNED_BYTE, data.marks.data() + first);
  glPixelStorei(GL_UNPACK_ROW_LENGTH, 0);
  glPixelStorei(GL_UNPACK_ALIGNMENT, 4);
  return tile;
}

const HeatmapRenderer::Entry& HeatmapRenderer::entryFor(const figure::HeatmapData& data) {
  const auto found = std::find_if(cache_.begin(), cache_.end(), [&](const Entry& e) { return e.key == data.key; });
  if (found != cache_.end()) {
    cache_.splice(cache_.begin(), cache_, found);
    return cache_.front();
  }
  Entry entry;
  entry.key = data.key;
  entry.bytes = static_cast<std::size_t>(data.rows) * static_cast<std::size_t>(data.columns) * 5;
  evict(entry.bytes);
  for (int row = 0; row < data.rows; row += max_texture_) {
    for (int column = 0; column < data.columns; column += max_texture_) {
      entry.tiles.push_back(upload(data, row, column, std::min(max_texture_, data.rows - row),
                                   std::min(max_texture_, data.columns - column)));
    }
  }
  cached_bytes_ += entry.bytes;
  cache_.push_front(std::move(entry));
  return cache_.front();
}

void HeatmapRenderer::bindPalette(const figure::HeatmapRequest& request) {
  const std::size_t which = request.scale.diverging ? (request.dark ? 5u : 4u) : static_cast<std::size_t>(request.palette);
  glActiveTexture(GL_TEXTURE2);
  glBindTexture(GL_TEXTURE_2D, palettes_[which]);
}

void HeatmapRenderer::setUniforms(const figure::HeatmapRequest& request) const {
  glUniform1i(program_.uniform("u_values"), 0);
  glUniform1i(program_.uniform("u_marks"), 1);
  glUniform1i(program_.uniform("u_palette"), 2);
  const auto low = static_cast<float>(request.scale.low);
  const auto high = static_cast<float>(request.scale.high);
  glUniform2f(program_.uniform("u_range"), low, high > low ? high : low + 1);
  glUniform2f(program_.uniform("u_step"), static_cast<float>(request.data->columns) / (request.width * ratio_x_),
              static_cast<float>(request.data->rows) / (request.height * ratio_y_));
  setColor(program_.uniform("u_ground"), request.ground);
  setColor(program_.uniform("u_hatch"), request.hatch);
  glUniform1f(program_.uniform("u_spacing"), kHatchSpacing * ratio_x_);
  glUniform1f(program_.uniform("u_dim"), request.dim);
}

void HeatmapRenderer::draw(const figure::HeatmapRequest& request) {
  if (!request.data || request.data->rows == 0 || request.data->columns == 0) {
    return;
  }
  // 1. Only what may be touched.
  const int left = static_cast<int>(std::lround(request.clip_x * ratio_x_));
  const int right = static_cast<int>(std::lround((request.clip_x + request.clip_width) * ratio_x_));
  const int top = static_cast<int>(std::lround(request.clip_y * ratio_y_));
  const int bottom = static_cast<int>(std::lround((request.clip_y + request.clip_height) * ratio_y_));
  if (right <= left || bottom <= top) {
    return;
  }
  glActiveTexture(GL_TEXTURE0);
  const Entry& entry = entryFor(*request.data);
  glViewport(0, 0, pixel_width_, pixel_height_);
  glEnable(GL_SCISSOR_TEST);
  scissor(left, pixel_height_ - bottom, right - left, bottom - top);
  glDisable(GL_BLEND);
  glUseProgram(program_.name());
  glBindVertexArray(vertices_);
  for (GLuint unit = 0; unit < 3; ++unit) {
    glBindSampler(unit, 0);
  }
  bindPalette(request);
  setUniforms(request);

  // 2. One quad per tile.
  const float cell_x = request.width / static_cast<float>(request.data->columns);
  const float cell_y = request.height / static_cast<float>(request.data->rows);
  for (const Tile& tile : entry.tiles) {
    glActiveTexture(GL_TEXTURE0);
    glBindTexture(GL_TEXTURE_2D, tile.values);
    glActiveTexture(GL_TEXTURE1);
    glBindTexture(GL_TEXTURE_2D, tile.marks);
    const float x = request.x + cell_x * static_cast<float>(tile.column);
    const float y = request.y + cell_y * static_cast<float>(tile.row);
    glUniform4f(program_.uniform("u_rect"), 2 * x / width_ - 1, 1 - 2 * y / height_,
                2 * cell_x * static_cast<float>(tile.columns) / width_, -2 * cell_y * static_cast<float>(tile.rows) / height_);
    glDrawArrays(GL_TRIANGLE_STRIP, 0, 4);
  }
  glActiveTexture(GL_TEXTURE0);
}

}  // namespace attn::render
