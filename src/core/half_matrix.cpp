// Floats to float16 and back, whole rows at a time. See half_matrix.h.
#include "core/half_matrix.h"

#include <algorithm>
#include <cassert>
#include <limits>
#include <span>

#include "core/half.h"
#include "core/language.h"

namespace attn::core {
namespace {

constexpr std::uint16_t kExponentBits = 0x7C00;  // all of them set: not finite

std::size_t halvesOf(Index rows, Index columns) {
  return static_cast<std::size_t>(rows) * static_cast<std::size_t>(columns);
}

}  // namespace

Result<HalfMatrix> HalfMatrix::allocate(Index rows, Index columns) {
  assert(rows >= 0 && columns >= 0);
  if (columns > 0 && rows > std::numeric_limits<Index>::max() / 2 / columns)
    return Error{tr("A matrix of {0} numbers is too large for the memory of this program; open a smaller model.",
                    {shapeText(rows, columns)})};
  Result<Buffer> bits = Buffer::allocate(2 * halvesOf(rows, columns));
  if (!bits) return bits.error();
  HalfMatrix matrix;
  matrix.bits_ = bits.take();
  matrix.rows_ = rows, matrix.columns_ = columns;
  return matrix;
}

std::optional<float> HalfMatrix::setRows(Index first, const Matrix<float>& values) {
  assert(values.cols() == columns_ && first >= 0 && first + values.rows() <= rows_);
  const std::span<std::uint16_t> into =
      bits_.as<std::uint16_t>().subspan(halvesOf(first, columns_), halvesOf(values.rows(), columns_));
  toHalves({values.data(), into.size()}, into);
  const auto bad = std::find_if(into.begin(), into.end(),
                                [](std::uint16_t half) { return (half & kExponentBits) == kExponentBits; });
  if (bad == into.end()) return std::nullopt;
  return values.data()[bad - into.begin()];
}

Matrix<float> HalfMatrix::middleRows(Index first, Index count) const {
  assert(first >= 0 && count >= 0 && first + count <= rows_);
  Matrix<float> values(count, columns_);
  const std::span<float> into(values.data(), halvesOf(count, columns_));
  fromHalves(bits_.as<std::uint16_t>().subspan(halvesOf(first, columns_), into.size()), into);
  return values;
}

}  // namespace attn::core
