// Memory and multiplications of attention by formula. Knows no numbers but sizes.
#include "core/cost.h"

#include <algorithm>
#include <cassert>
#include <cmath>

#include "core/number.h"

namespace attn::core {

double bytesPerNumber(NumberType type) {
  constexpr std::array<double, kNumberTypeNames.size()> kBytes = {8, 4, 2, 2, 1};
  return kBytes[static_cast<std::size_t>(type)];
}

std::string bytesText(double bytes) {
  constexpr std::array<const char*, 9> kUnits = {"B", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB", "ZiB", "YiB"};
  std::size_t unit = 0;
  for (; bytes >= 1024 && unit + 1 < kUnits.size(); ++unit) bytes /= 1024;
  std::string text = fixedText(bytes, 3);
  if (text.find('.') != std::string::npos) {
    text.erase(text.find_last_not_of('0') + 1);
    if (text.back() == '.') text.pop_back();
  }
  return text + " " + kUnits[unit];
}

double gridBytes(double T, double S, NumberType type) { return T * S * bytesPerNumber(type); }

double allGridsBytes(const CostShape& shape) {
  return gridBytes(shape.T, shape.T, shape.type) * shape.heads * shape.layers * shape.batch;
}

double cacheBytes(const CostShape& shape) {
  return 2 * shape.T * shape.d_model * bytesPerNumber(shape.type) * shape.layers * shape.batch;
}

double allowedCells(const CostShape& shape) {
  const double T = shape.T, w = std::min(shape.window.value_or(T), T);
  assert(T >= 1 && w >= 1);
  // Looking back, the row i reads min(i + 1, w): a triangle of w rows, then w each.
  const double back = w * (w + 1) / 2 + (T - w) * w;
  return shape.causal ? back : 2 * back - T;
}

double bandBytes(const CostShape& shape) {
  if (!shape.window) return gridBytes(shape.T, shape.T, shape.type);
  const double band = shape.causal ? *shape.window : 2 * *shape.window - 1;
  return gridBytes(shape.T, std::min(band, shape.T), shape.type);
}

MultiplyAdds multiplyAdds(const CostShape& shape, bool skip_blocked) {
  const double cells = skip_blocked ? allowedCells(shape) : shape.T * shape.T;
  const double times = shape.layers * shape.batch, d = shape.d_model;
  MultiplyAdds adds;
  adds.projections = 3 * shape.T * d * d * times;
  adds.scores = adds.mixing = cells * d * times;
  adds.output = shape.T * d * d * times;
  return adds;
}

double tileBytes(double tile_rows, double tile_columns, double d_k, double d_v, NumberType type) {
  const double inputs = tile_rows * d_k + tile_columns * (d_k + d_v), state = tile_rows * (d_v + 2);
  return (inputs + tile_rows * tile_columns + state) * bytesPerNumber(type);
}

}  // namespace attn::core
