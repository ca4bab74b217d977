// See array_data.h. The outer loop goes over the larger stride, so that windows only ever move forward.
#include "io/array_data.h"

#include <algorithm>
#include <cassert>
#include <optional>

#include "core/language.h"
#include "io/text.h"

namespace attn::io {
namespace {

using core::Index;

core::Error beyond(const ArrayInfo& info, std::uint64_t data_bytes) {
  return {tr("A plane of `{0}` goes beyond its data, which has {1}; the file is damaged or cut off.",
             {info.name, core::bytesText(data_bytes)})};
}

core::Result<std::uint64_t> axisLength(const ArrayInfo& info, std::size_t axis) {
  if (axis == kNoAxis) return std::uint64_t(1);
  if (axis < info.shape.size()) return info.shape[axis];
  return core::Error{tr("`{0}` has {1} axes, counted from 0; there is no {2}.", {info.name, info.shape.size(), axis})};
}

// The same matrix as Eigen will take, so that Eigen never meets the end of memory.
core::Check tryMatrix(const Plane& plane) {
  constexpr std::uint64_t kMost = static_cast<std::uint64_t>(std::numeric_limits<Index>::max()) / sizeof(double);
  if (plane.rows > kMost || plane.columns > kMost || (plane.rows > 0 && plane.columns > kMost / plane.rows)) {
    return core::Error{tr("A plane of {0}×{1} numbers is too large for the memory of this program; choose other axes.",
                          {plane.rows, plane.columns})};
  }
  const auto bytes = static_cast<std::size_t>(plane.rows * plane.columns * sizeof(double));
  core::Result<core::Buffer> room = core::Buffer::allocate(bytes);
  if (!room) return room.error();
  return {};
}

// Reads element by element, the larger stride outside.
class PlaneReader {
 public:
  PlaneReader(const ByteSource& data, const ArrayInfo& info, const Plane& plane)
      : window_(data), info_(info), bytes_(typeBytes(info.type)), by_rows_(plane.row_stride >= plane.column_stride),
        outer_(by_rows_ ? plane.rows : plane.columns), inner_(by_rows_ ? plane.columns : plane.rows),
        outer_stride_(by_rows_ ? plane.row_stride : plane.column_stride),
        inner_stride_(by_rows_ ? plane.column_stride : plane.row_stride), first_(plane.first) {}

  core::Check read(core::Matrix<double>& matrix) {
    const std::uint64_t inner_span = (inner_ - 1) * inner_stride_;
    const std::uint64_t plane_end = (first_ + (outer_ - 1) * outer_stride_ + inner_span + 1) * bytes_;
    const bool dense = inner_stride_ <= kFarApart / bytes_;
    const bool rows_near = dense && (outer_stride_ <= inner_span || outer_stride_ - inner_span <= kFarApart / bytes_);
    // Rows of elements that stand one behind another are read as they are.
    const bool whole = by_rows_ && inner_stride_ == 1 && inner_ <= kWindowBytes / bytes_;
    for (std::uint64_t o = 0; o < outer_; ++o) {
      const std::uint64_t begin = first_ + o * outer_stride_;
      const std::uint64_t row_end = (begin + inner_span + 1) * bytes_;
      const std::uint64_t wanted_end = rows_near ? plane_end : row_end;
      if (whole) {
        const auto count = static_cast<std::size_t>(inner_);
        const std::byte* at = window_.at(begin * bytes_, count * bytes_, wanted_end);
        if (!at) return window_.failure();
        valuesAt(at, count, info_.type, info_.big_endian, &matrix(static_cast<Index>(o), 0));
        continue;
      }
      for (std::uint64_t i = 0; i < inner_; ++i) {
        const std::uint64_t offset = (begin + i * inner_stride_) * bytes_;
        const std::byte* at = window_.at(offset, bytes_, dense ? wanted_end : offset + bytes_);
        if (!at) return window_.failure();
        const auto outer = static_cast<Index>(o), inner = static_cast<Index>(i);
        matrix(by_rows_ ? outer : inner, by_rows_ ? inner : outer) = valueAt(at, info_.type, info_.big_endian);
      }
    }
    return {};
  }

 private:
  DataWindow window_;
  const ArrayInfo& info_;
  std::size_t bytes_;
  bool by_rows_;
  std::uint64_t outer_, inner_, outer_stride_, inner_stride_, first_;
};

// One text after the other, whose elements may be larger than a window.
class TextReader {
 public:
  TextReader(const ByteSource& data, const ArrayInfo& info) : window_(data), info_(info) {}

  core::Check read(std::uint64_t element, std::string& text) {
    const std::uint64_t begin = element * info_.element_bytes, end = begin + info_.element_bytes;
    const std::size_t unit = info_.wide_text ? 4 : 1;
    std::uint64_t zeros = 0;
    for (std::uint64_t at = begin; end - at >= unit;) {
      const auto part = static_cast<std::size_t>(std::min<std::uint64_t>((end - at) / unit * unit, kWindowBytes));
      const std::byte* bytes = window_.at(at, part, end + kFarApart);
      if (!bytes) return window_.failure();
      for (std::size_t i = 0; i < part; i += unit) {
        const char32_t code = unitAt(bytes + i);
        if (code == 0) {
          ++zeros;
          continue;
        }
        if (total_ + zeros + 4 > kMostTextBytes) return tooMuch();
        text.append(static_cast<std::size_t>(zeros), '\0');
        const std::size_t before = text.size();
        append(text, code);
        total_ += zeros + (text.size() - before);
        zeros = 0;
      }
      at += part;
    }
    if (!info_.wide_text) replaceSurrogates(text);
    return {};
  }

 private:
  core::Error tooMuch() const {
    return {tr("The texts of `{0}` have more than {1}; give shorter ones.",
               {info_.name, core::bytesText(kMostTextBytes)})};
  }

  char32_t unitAt(const std::byte* at) const {
    if (!info_.wide_text) return std::to_integer<char32_t>(at[0]);
    char32_t code = 0;
    for (int i = 0; i < 4; ++i) code = code << 8 | std::to_integer<char32_t>(at[info_.big_endian ? i : 3 - i]);
    return code;
  }

  void append(std::string& text, char32_t code) const {
    const bool half = code >= 0xD800 && code < 0xE000;
    if (!info_.wide_text) text += static_cast<char>(static_cast<unsigned char>(code));
    else appendCharacter(text, half || code > 0x10FFFF ? 0xFFFD : code);
  }

  // Three bytes as UTF-8 would write half of a character, for U+FFFD, which has three as well.
  static void replaceSurrogates(std::string& text) {
    for (std::size_t i = 0; i + 2 < text.size(); ++i) {
      const auto byte = [&text, i](std::size_t k) { return static_cast<unsigned char>(text[i + k]); };
      if (byte(0) == 0xED && byte(1) >= 0xA0 && byte(1) <= 0xBF && byte(2) >= 0x80 && byte(2) <= 0xBF) {
        text.replace(i, 3, "\xEF\xBF\xBD");
      }
    }
  }

  DataWindow window_;
  const ArrayInfo& info_;
  std::uint64_t total_ = 0;
};

}  // namespace

core::Result<Plane> planeOf(const ArrayInfo& info, std::size_t row_axis, std::size_t column_axis,
                            const std::vector<std::uint64_t>& indices) {
  const core::Result<std::uint64_t> rows = axisLength(info, row_axis), columns = axisLength(info, column_axis);
  if (!rows) return rows.error();
  if (!columns) return columns.error();
  if (row_axis == column_axis && row_axis != kNoAxis) {
    return core::Error{tr("Axis {0} of `{1}` cannot give rows and columns; choose two axes.", {row_axis, info.name})};
  }
  if (indices.size() != info.shape.size()) {
    return core::Error{tr("`{0}` has {1} axes, and {2} numbers say where; give one for each.",
                          {info.name, info.shape.size(), indices.size()})};
  }
  std::vector<std::uint64_t> lengths, strides;  // of the fixed axes, as if they ended at their index
  for (std::size_t axis = 0; axis < indices.size(); ++axis) {
    if (axis == row_axis || axis == column_axis) continue;
    if (indices[axis] >= info.shape[axis]) {
      return core::Error{tr("Axis {0} of `{1}` has {2} places, counted from 0; there is no {3}.",
                            {axis, info.name, info.shape[axis], indices[axis]})};
    }
    lengths.push_back(indices[axis] + 1);
    strides.push_back(info.strides[axis]);
  }
  const std::optional<std::uint64_t> first = lastElement(info.first, lengths, strides);
  if (!first) return core::Error{tr("`{0}` goes beyond what can be counted; the file is damaged.", {info.name})};
  return Plane{*first, rows.value(), columns.value(), row_axis == kNoAxis ? 0 : info.strides[row_axis],
               column_axis == kNoAxis ? 0 : info.strides[column_axis]};
}

core::Result<core::Matrix<double>> readPlane(const ByteSource& data, const ArrayInfo& info, const Plane& plane) {
  if (info.type == ElementType::kText) {
    return core::Error{tr("`{0}` holds texts, and numbers are wanted; choose another array.", {info.name})};
  }
  const bool empty = plane.rows == 0 || plane.columns == 0;
  const std::size_t bytes = typeBytes(info.type);
  if (!empty) {
    const std::optional<std::uint64_t> last =
        lastElement(plane.first, {plane.rows, plane.columns}, {plane.row_stride, plane.column_stride});
    if (!last || *last >= data.size() / bytes) return beyond(info, data.size());
  }
  if (core::Check none = tryMatrix(plane)) return *none;
  core::Matrix<double> matrix(static_cast<Index>(plane.rows), static_cast<Index>(plane.columns));
  if (empty) return matrix;
  if (core::Check unread = PlaneReader(data, info, plane).read(matrix)) return *unread;
  return matrix;
}

core::Result<std::vector<std::string>> readTexts(const ByteSource& data, const ArrayInfo& info, std::size_t limit) {
  if (info.type != ElementType::kText) {
    return core::Error{tr("`{0}` holds numbers, and texts are wanted; choose another array.", {info.name})};
  }
  const core::Result<std::uint64_t> count = countWithin(info, data.size());
  if (!count) return count.error();
  if (count.value() > limit) {
    return core::Error{tr("`{0}` has {1} texts, more than the limit of {2}; give fewer.",
                          {info.name, count.value(), limit})};
  }
  const auto texts_wanted = static_cast<std::size_t>(count.value());
  if (texts_wanted > std::numeric_limits<std::size_t>::max() / sizeof(std::string)) {
    return core::Error{tr("There is no memory for the texts of `{0}`; give fewer.", {info.name})};
  }
  if (core::Result<core::Buffer> room = core::Buffer::allocate(texts_wanted * sizeof(std::string)); !room) {
    return room.error();
  }
  std::vector<std::string> texts(texts_wanted);
  TextReader reader(data, info);
  ElementWalk walk(info.first, info.shape, info.strides);
  for (std::string& text : texts) {
    if (core::Check unread = reader.read(walk.element(), text)) return *unread;
    walk.advance(1);
  }
  return texts;
}

}  // namespace attn::io
