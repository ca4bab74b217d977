// See data_window.h.
#include "io/data_window.h"

#include <algorithm>
#include <cassert>
#include <limits>
#include <utility>

#include "core/language.h"

namespace attn::io {
namespace {

constexpr std::uint64_t kMost = std::numeric_limits<std::uint64_t>::max();

}  // namespace

const std::byte* DataWindow::move(std::uint64_t offset, std::size_t bytes, std::uint64_t wanted_end) {
  assert(bytes <= kWindowBytes && within(offset, bytes, data_->size()));
  const std::uint64_t wanted = wanted_end > offset ? std::min(wanted_end, data_->size()) - offset : 0;
  const std::size_t size = std::max(bytes, static_cast<std::size_t>(std::min<std::uint64_t>(wanted, kWindowBytes)));
  begin_ = 0, filled_ = 0;
  if (buffer_.size() < size) {
    if (core::Check none = buffer_.resize(size)) return failure_ = std::move(none), nullptr;
  }
  if (core::Check unread = data_->read(offset, buffer_.bytes().first(size))) {
    return failure_ = std::move(unread), nullptr;
  }
  begin_ = offset, filled_ = size;
  return buffer_.bytes().data();
}

ElementWalk::ElementWalk(std::uint64_t first, std::vector<std::uint64_t> lengths, std::vector<std::uint64_t> strides)
    : lengths_(std::move(lengths)), strides_(std::move(strides)), at_(lengths_.size(), 0), element_(first) {
  const std::optional<std::uint64_t> count = countOf(lengths_);
  assert(count && strides_.size() == lengths_.size());
  left_ = count.value_or(0);
}

void ElementWalk::advance(std::uint64_t count) {
  assert(count <= run());
  left_ -= count;
  if (lengths_.empty() || left_ == 0) return;
  std::size_t axis = lengths_.size() - 1;
  at_[axis] += count;
  element_ += count * strides_[axis];
  while (at_[axis] == lengths_[axis]) {
    element_ -= lengths_[axis] * strides_[axis];
    at_[axis] = 0;
    --axis;
    ++at_[axis];
    element_ += strides_[axis];
  }
}

std::optional<std::uint64_t> lastElement(std::uint64_t first, const std::vector<std::uint64_t>& lengths,
                                         const std::vector<std::uint64_t>& strides) {
  std::uint64_t last = first;
  for (std::size_t axis = 0; axis < lengths.size(); ++axis) {
    const std::uint64_t steps = lengths[axis] - 1, stride = strides[axis];
    if (steps > 0 && stride > (kMost - 1 - std::min(last, kMost - 1)) / steps) return std::nullopt;
    last += steps * stride;
  }
  if (last == kMost) return std::nullopt;
  return last;
}

core::Result<std::uint64_t> countWithin(const ArrayInfo& info, std::uint64_t data_bytes) {
  assert(info.strides.size() == info.shape.size());
  const std::optional<std::uint64_t> count = countOf(info.shape);
  if (!count) return core::Error{tr("`{0}` has more elements than can be counted; the file is damaged.", {info.name})};
  const std::size_t bytes = info.type == ElementType::kText ? info.element_bytes : typeBytes(info.type);
  if (*count == 0 || bytes == 0) return *count;
  const std::optional<std::uint64_t> last = lastElement(info.first, info.shape, info.strides);
  if (!last || *last >= data_bytes / bytes) {
    return core::Error{tr("`{0}` ({1}) goes beyond its data, which has {2}; the file is damaged or cut off.",
                          {info.name, shapeText(info.shape), core::bytesText(data_bytes)})};
  }
  return *count;
}

}  // namespace attn::io
