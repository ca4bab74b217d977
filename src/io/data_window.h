// How the elements of an array are come by: their places one after the other, and a part of the data in memory. Knows
// no types.
#pragma once
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "core/buffer.h"
#include "core/result.h"
#include "io/array_file.h"
#include "io/byte_source.h"

namespace attn::io {

inline constexpr std::size_t kWindowBytes = std::size_t(1) << 20;
// Elements that lie further apart than this are read one by one; otherwise what lies between them is read as well.
inline constexpr std::uint64_t kFarApart = std::uint64_t(32) << 10;

// One part of the data, moved where it is needed.
class DataWindow {
 public:
  explicit DataWindow(const ByteSource& data) : data_(&data) {}

  // `bytes` bytes (at most kWindowBytes) from `offset` on, all of them within the data; valid until the next call. When
  // they are not in memory, everything up to `wanted_end` is read that one window holds. Null when that fails.
  const std::byte* at(std::uint64_t offset, std::size_t bytes, std::uint64_t wanted_end) {
    if (offset >= begin_ && within(offset - begin_, bytes, filled_)) {
      return buffer_.bytes().data() + (offset - begin_);
    }
    return move(offset, bytes, wanted_end);
  }

  const core::Check& failure() const { return failure_; }

 private:
  const std::byte* move(std::uint64_t offset, std::size_t bytes, std::uint64_t wanted_end);

  const ByteSource* data_;
  core::Buffer buffer_;
  std::uint64_t begin_ = 0, filled_ = 0;
  core::Check failure_;
};

// The element numbers of an array, the last axis fastest.
class ElementWalk {
 public:
  ElementWalk(std::uint64_t first, std::vector<std::uint64_t> lengths, std::vector<std::uint64_t> strides);

  bool done() const { return left_ == 0; }
  std::uint64_t left() const { return left_; }
  std::uint64_t element() const { return element_; }
  // How many more stand `stride()` apart, this one among them.
  std::uint64_t run() const { return lengths_.empty() ? left_ : lengths_.back() - at_.back(); }
  std::uint64_t stride() const { return strides_.empty() ? 0 : strides_.back(); }
  // By `count` elements of the run.
  void advance(std::uint64_t count);

 private:
  std::vector<std::uint64_t> lengths_, strides_, at_;
  std::uint64_t element_ = 0, left_ = 0;
};

// Refuses an array of which an element lies outside `data_bytes`, in checked arithmetic; gives the number of elements.
core::Result<std::uint64_t> countWithin(const ArrayInfo& info, std::uint64_t data_bytes);

// first + Σ (length − 1)·stride; nothing when that, and one more, is beyond 64 bits. All lengths are at least 1.
std::optional<std::uint64_t> lastElement(std::uint64_t first, const std::vector<std::uint64_t>& lengths,
                                         const std::vector<std::uint64_t>& strides);

}  // namespace attn::io
