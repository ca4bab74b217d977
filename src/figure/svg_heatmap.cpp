// The colours of blocks of cells, as the shader mixes them where several cells share a pixel.
#include "figure/svg_heatmap.h"

namespace attn::figure {
namespace {

// Marks of HeatmapData.
constexpr std::uint8_t kBlocked = 1, kUnknown = 2, kNan = 3, kInfinity = 4;

class Blocks {
 public:
  Blocks(const HeatmapRequest& request, int side)
      : request_(request), data_(*request.data), side_(side),
        table_(request.scale.diverging ? divergingTable(request.dark) : sequentialTable(request.palette)) {}

  int rows() const { return (data_.rows + side_ - 1) / side_; }
  int columns() const { return (data_.columns + side_ - 1) / side_; }

  // Blocked only where every cell of it is.
  HeatmapRun at(int row, int column) const {
    double sum[3] = {};
    int count = 0, blocked = 0;
    for (int i = row * side_; i < std::min((row + 1) * side_, data_.rows); ++i) {
      for (int j = column * side_; j < std::min((column + 1) * side_, data_.columns); ++j, ++count) {
        const auto n = static_cast<std::size_t>(i) * static_cast<std::size_t>(data_.columns) + static_cast<std::size_t>(j);
        const Color color = colorAt(n);
        sum[0] += color.r, sum[1] += color.g, sum[2] += color.b;
        blocked += data_.marks[n] == kBlocked ? 1 : 0;
      }
    }
    const auto mean = [count](double all) { return static_cast<std::uint8_t>(std::lround(all / count)); };
    const Color color = mix({mean(sum[0]), mean(sum[1]), mean(sum[2]), 255}, request_.ground, request_.dim);
    return {box(row, column), color, blocked == count};
  }

 private:
  Color colorAt(std::size_t n) const {
    switch (data_.marks[n]) {
      case 0: return colorOf(request_.scale, table_, static_cast<double>(data_.values[n]));
      case kBlocked: return mix(request_.ground, request_.hatch, 0.12);
      case kUnknown: return request_.ground;
      case kNan: return {217, 26, 140, 255};
      case kInfinity: return {255, 191, 51, 255};
      default: return {51, 115, 255, 255};
    }
  }

  Box box(int row, int column) const {
    const float cell_x = request_.width / static_cast<float>(data_.columns), cell_y = request_.height / static_cast<float>(data_.rows);
    const auto place = [this](int block, int most) { return static_cast<float>(std::min(block * side_, most)); };
    const float x = cell_x * place(column, data_.columns), y = cell_y * place(row, data_.rows);
    return {request_.x + x, request_.y + y, cell_x * place(column + 1, data_.columns) - x, cell_y * place(row + 1, data_.rows) - y};
  }

  const HeatmapRequest& request_;
  const HeatmapData& data_;
  int side_;
  const ColorTable& table_;
};

}  // namespace

int blockSide(const HeatmapData& data, int most) {
  int side = 1;
  const auto blocks = [&] { return ((data.rows + side - 1) / side) * static_cast<long long>((data.columns + side - 1) / side); };
  while (blocks() > most) ++side;
  return side;
}

std::vector<HeatmapRun> heatmapRuns(const HeatmapRequest& request, int most) {
  std::vector<HeatmapRun> runs;
  if (!request.data || request.data->rows < 1 || request.data->columns < 1) return runs;
  const Blocks blocks(request, blockSide(*request.data, most));
  for (int i = 0; i < blocks.rows(); ++i) {
    for (int j = 0; j < blocks.columns(); ++j) {
      const HeatmapRun next = blocks.at(i, j);
      if (j > 0 && runs.back().color == next.color && runs.back().blocked == next.blocked) {
        runs.back().box.w = next.box.right() - runs.back().box.x;
      } else {
        runs.push_back(next);
      }
    }
  }
  return runs;
}

}  // namespace attn::figure
