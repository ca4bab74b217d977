// Two arrays read side by side in tiles, so that long planes need little memory. See difference.h.
#include "opened/difference.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <map>
#include <memory>
#include <string_view>

#include "core/language.h"
#include "io/array_data.h"

namespace attn::opened {
namespace {

using core::Index;
using core::Matrix;

constexpr std::uint64_t kTile = 1 << 18;  // numbers

double sizeOf(double a, double b) {
  if (a == b || (std::isnan(a) && std::isnan(b))) return 0;
  const double difference = std::abs(a - b);
  return std::isnan(difference) ? std::numeric_limits<double>::infinity() : difference;
}

struct Numbers {
  std::unique_ptr<io::ByteSource> data;
  const io::ArrayInfo& info;
};

core::Result<Numbers> numbersOf(const Side& side, std::size_t array) {
  const io::ArrayInfo& info = side.file.arrays[array];
  if (!info.unreadable.empty()) return core::Error{info.unreadable};
  core::Result<std::unique_ptr<io::ByteSource>> data = io::dataOf(side.source, side.file, array, io::ArrayLimits().held);
  if (!data) return data.error();
  if (info.type == io::ElementType::kText) return core::Error{tr("These are texts; only numbers are compared.")};
  return Numbers{data.take(), info};
}

std::size_t leadingAxes(std::size_t rank) { return rank > 2 ? rank - 2 : 0; }

core::Result<io::Plane> lastPlane(const io::ArrayInfo& info, const std::vector<std::uint64_t>& leading) {
  const std::size_t rank = info.shape.size();
  std::vector<std::uint64_t> indices = leading;
  indices.resize(rank, 0);
  return io::planeOf(info, rank >= 2 ? rank - 2 : io::kNoAxis, rank >= 1 ? rank - 1 : io::kNoAxis, indices);
}

struct Tile {
  std::uint64_t row = 0, column = 0;  // of its first number
  Matrix<double> a, b;
};

io::Plane cut(const io::Plane& plane, std::uint64_t row, std::uint64_t column, std::uint64_t side_rows,
              std::uint64_t side_columns) {
  return {plane.first + row * plane.row_stride + column * plane.column_stride, std::min(side_rows, plane.rows - row),
          std::min(side_columns, plane.columns - column), plane.row_stride, plane.column_stride};
}

// The plane of one part, tile by tile; `visit` answers false to stop.
template <class Visit>
core::Check overPart(const Numbers& a, const Numbers& b, const std::vector<std::uint64_t>& leading, Visit visit) {
  const core::Result<io::Plane> x = lastPlane(a.info, leading), y = lastPlane(b.info, leading);
  if (!x) return x.error();
  if (!y) return y.error();
  const std::uint64_t all_rows = x.value().rows, all_columns = x.value().columns;
  // Long in the direction in which numbers stand side by side: the file is read in the order in which it is stored.
  const bool by_rows = x.value().row_stride >= x.value().column_stride;
  std::uint64_t rows = std::min(all_rows, kTile), columns = std::min(all_columns, kTile);
  (by_rows ? rows : columns) = std::max<std::uint64_t>(1, kTile / std::max<std::uint64_t>(1, by_rows ? columns : rows));
  for (std::uint64_t row = 0; row < all_rows; row += rows) {
    for (std::uint64_t column = 0; column < all_columns; column += columns) {
      auto tile_a = io::readPlane(*a.data, a.info, cut(x.value(), row, column, rows, columns));
      if (!tile_a) return tile_a.error();
      auto tile_b = io::readPlane(*b.data, b.info, cut(y.value(), row, column, rows, columns));
      if (!tile_b) return tile_b.error();
      if (!visit(Tile{row, column, tile_a.take(), tile_b.take()})) return {};
    }
  }
  return {};
}

Tally tallyOf(const Tile& tile, const std::vector<std::uint64_t>& leading, std::size_t rank) {
  Tally tally;
  tally.count = static_cast<std::uint64_t>(tile.a.size());
  Index row = 0, column = 0;
  for (Index i = 0; i < tile.a.rows(); ++i) {
    for (Index j = 0; j < tile.a.cols(); ++j) {
      const double size = sizeOf(tile.a(i, j), tile.b(i, j));
      if (size == 0) continue;
      ++tally.differing;
      tally.sum += size;
      if (size > tally.largest) tally.largest = size, row = i, column = j;
    }
  }
  if (tally.differing == 0) return tally;
  tally.at = leading;
  if (rank >= 2) tally.at.push_back(tile.row + static_cast<std::uint64_t>(row));
  if (rank >= 1) tally.at.push_back(tile.column + static_cast<std::uint64_t>(column));
  return tally;
}

void add(Tally& tally, const Tally& more) {
  tally.count += more.count;
  tally.sum += more.sum;
  const bool first = more.differing > 0 && (tally.differing == 0 || more.largest > tally.largest ||
                                            (more.largest == tally.largest && more.at < tally.at));
  tally.differing += more.differing;
  if (first) tally.largest = more.largest, tally.at = more.at;
}

// Whether each number is the same bit for bit.
bool alike(const Matrix<double>& a, const Matrix<double>& b) {
  return std::memcmp(a.data(), b.data(), static_cast<std::size_t>(a.size()) * sizeof(double)) == 0;
}

std::uint64_t partsOf(const std::vector<std::uint64_t>& shape) {
  std::uint64_t parts = 1;
  for (std::size_t axis = 0; axis < leadingAxes(shape.size()); ++axis) parts *= shape[axis];
  return parts;
}

void compareParts(const Numbers& a, const Numbers& b, Difference& difference, const Compared& compared) {
  const std::size_t rank = difference.shape.size();
  const auto count = io::countOf(difference.shape);
  if (!count || *count == 0) return;
  bool going = true;
  for (std::size_t n = 0; n < partsOf(difference.shape) && going; ++n) {
    const std::vector<std::uint64_t> leading = partIndices(difference.shape, n);
    Tally part;
    const core::Check failed = overPart(a, b, leading, [&](const Tile& tile) {
      const auto numbers = static_cast<std::uint64_t>(tile.a.size());
      const bool same = alike(tile.a, tile.b);
      difference.same_bits = difference.same_bits && same;
      add(part, same ? Tally{0, {}, 0, numbers, 0} : tallyOf(tile, leading, rank));
      return going = !compared || compared(numbers);
    });
    if (failed) difference.error = failed->message;
    if (failed) return;
    add(difference.all, part);
    if (!leading.empty()) difference.parts.push_back(std::move(part));
  }
}

}  // namespace

Pairing pairsByName(const io::ArrayFile& a, const io::ArrayFile& b,
                    std::vector<std::pair<std::size_t, std::size_t>> given) {
  Pairing pairing{std::move(given), {}, {}};
  std::vector<bool> used_a(a.arrays.size(), false), used_b(b.arrays.size(), false);
  for (const auto& pair : pairing.pairs) used_a[pair.first] = used_b[pair.second] = true;
  std::map<std::string_view, std::size_t> named;  // of two arrays with one name the first
  for (std::size_t n = 0; n < b.arrays.size(); ++n)
    if (!used_b[n]) named.emplace(b.arrays[n].name, n);
  for (std::size_t m = 0; m < a.arrays.size(); ++m) {
    if (used_a[m]) continue;
    const auto found = named.find(a.arrays[m].name);
    if (found == named.end()) pairing.only_a.push_back(m);
    else pairing.pairs.emplace_back(m, found->second), used_b[found->second] = true;
  }
  for (std::size_t n = 0; n < b.arrays.size(); ++n)
    if (!used_b[n]) pairing.only_b.push_back(n);
  if (a.arrays.size() == 1 && b.arrays.size() == 1) return {{{0, 0}}, {}, {}};
  return pairing;
}

Difference differenceOf(const Side& a, std::size_t m, const Side& b, std::size_t n, const Compared& compared) {
  const io::ArrayInfo &x = a.file.arrays[m], &y = b.file.arrays[n];
  Difference difference{x.name, y.name, x.shape, y.shape, "", true, {}, {}};
  if (x.shape != y.shape) return difference;
  const core::Result<Numbers> x_numbers = numbersOf(a, m), y_numbers = numbersOf(b, n);
  if (!x_numbers || !y_numbers) difference.error = (!x_numbers ? x_numbers : y_numbers).error().message;
  else compareParts(x_numbers.value(), y_numbers.value(), difference, compared);
  return difference;
}

std::vector<std::uint64_t> partIndices(const std::vector<std::uint64_t>& shape, std::size_t part) {
  std::vector<std::uint64_t> indices(leadingAxes(shape.size()), 0);
  for (std::size_t axis = indices.size(); axis-- > 0;) {
    indices[axis] = part % shape[axis];
    part /= shape[axis];
  }
  return indices;
}

core::Result<Picture> pictureOf(const Side& a, std::size_t m, const Side& b, std::size_t n, std::size_t part,
                                std::uint64_t side) {
  const core::Result<Numbers> x = numbersOf(a, m), y = numbersOf(b, n);
  if (!x || !y) return (!x ? x : y).error();
  const std::vector<std::uint64_t>& shape = x.value().info.shape;
  const std::uint64_t rows = shape.size() >= 2 ? shape[shape.size() - 2] : 1, columns = shape.empty() ? 1 : shape.back();
  Picture picture;
  picture.rows_each = std::max<std::uint64_t>(1, (rows + side - 1) / side);
  picture.columns_each = std::max<std::uint64_t>(1, (columns + side - 1) / side);
  picture.cells.setZero(static_cast<Index>((rows + picture.rows_each - 1) / picture.rows_each),
                        static_cast<Index>((columns + picture.columns_each - 1) / picture.columns_each));
  Matrix<double> sizes = picture.cells;
  const core::Check failed = overPart(x.value(), y.value(), partIndices(shape, part), [&](const Tile& tile) {
    for (Index i = 0; i < tile.a.rows(); ++i) {
      for (Index j = 0; j < tile.a.cols(); ++j) {
        const double size = sizeOf(tile.a(i, j), tile.b(i, j));
        const auto row = static_cast<Index>((tile.row + static_cast<std::uint64_t>(i)) / picture.rows_each);
        const auto column = static_cast<Index>((tile.column + static_cast<std::uint64_t>(j)) / picture.columns_each);
        if (size > sizes(row, column)) sizes(row, column) = size, picture.cells(row, column) = tile.a(i, j) - tile.b(i, j);
      }
    }
    return true;
  });
  if (failed) return *failed;
  return picture;
}

}  // namespace attn::opened
