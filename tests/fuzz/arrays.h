// What every reader of arrays promises of any bytes: one sentence, or arrays whose elements can all be read.
#pragma once
#include <algorithm>
#include <cstdint>
#include <string_view>
#include <vector>

#include "fuzz/require.h"
#include "io/array_file.h"

namespace attn::fuzz {

inline constexpr std::uint64_t kArrayBudget = std::uint64_t(64) << 20;

// The last element's place in the array's data. The product of the shape is known to fit, so nothing wraps unless a
// reader gave strides that it should not have.
inline std::uint64_t lastElement(const io::ArrayInfo& array) {
  std::uint64_t last = array.first;
  for (std::size_t axis = 0; axis < array.shape.size(); ++axis) {
    std::uint64_t step = 0;
    require(!__builtin_mul_overflow(array.shape[axis] - 1, array.strides[axis], &step));
    require(!__builtin_add_overflow(last, step, &last));
  }
  return last;
}

inline void readAll(const io::ByteSource& data, const io::ArrayInfo& array) {
  std::vector<std::byte> block(1 << 16);
  for (std::uint64_t at = 0; at < data.size(); at += block.size()) {
    const std::uint64_t left = data.size() - at;
    const auto part = std::span(block).first(static_cast<std::size_t>(std::min<std::uint64_t>(left, block.size())));
    require(!data.read(at, part));
    const std::size_t step = std::max<std::size_t>(array.element_bytes, 1);
    if (array.type == io::ElementType::kText) continue;
    for (std::size_t i = 0; i + step <= part.size(); i += 16 * step)
      io::valueAt(&part[i], array.type, array.big_endian);
  }
}

inline void requireArray(const io::ByteSource& source, const io::ArrayFile& file, std::size_t index) {
  const io::ArrayInfo& array = file.arrays[index];
  require(array.shape.size() <= io::kMostAxes && array.name.size() <= 4096);
  if (!array.unreadable.empty()) return requireSentence({array.unreadable});
  const auto count = io::countOf(array.shape);
  require(count.has_value() && array.element_bytes > 0 && array.strides.size() == array.shape.size());
  if (array.where == io::ArrayInfo::Where::kFile) require(io::within(array.begin, array.bytes, source.size()));
  const auto data = io::dataOf(source, file, index, kArrayBudget);
  if (!data) return requireSentence(data.error());
  if (*count > 0) {
    const std::uint64_t last = lastElement(array);
    require(last < data.value()->size() / array.element_bytes);
  }
  readAll(*data.value(), array);
}

using ArrayReader = core::Result<io::ArrayFile> (*)(const io::ByteSource&, std::string_view, const io::ArrayLimits&);

inline void requireArrays(const std::uint8_t* bytes, std::size_t size, std::string_view name, ArrayReader reader) {
  const io::MemorySource source(std::as_bytes(std::span(bytes, size)));
  io::ArrayLimits limits;
  limits.held = kArrayBudget;
  const auto file = reader(source, name, limits);
  if (!file) return requireSentence(file.error());
  require(file.value().arrays.size() <= limits.arrays);
  for (std::size_t i = 0; i < file.value().arrays.size(); ++i) requireArray(source, file.value(), i);
}

}  // namespace attn::fuzz
