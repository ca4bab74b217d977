// The walk over all elements. See array_data.h.
#include <algorithm>
#include <cassert>
#include <cmath>
#include <numeric>

#include "io/array_data.h"

namespace attn::io {
namespace {

// Axes in the order of storage; axes that follow each other without a gap become one, so that runs are long.
ElementWalk storageOrder(const ArrayInfo& info) {
  std::vector<std::size_t> order(info.shape.size());
  std::iota(order.begin(), order.end(), std::size_t(0));
  std::stable_sort(order.begin(), order.end(),
                   [&info](std::size_t a, std::size_t b) { return info.strides[a] > info.strides[b]; });
  std::vector<std::uint64_t> lengths, strides;
  for (const std::size_t axis : order) {
    const std::uint64_t length = info.shape[axis], stride = info.strides[axis];
    if (length == 1) continue;
    const bool joins = !strides.empty() && length > 0 && stride > 0 && strides.back() % stride == 0 &&
                       strides.back() / stride == length;
    if (joins) {
      lengths.back() *= length;
      strides.back() = stride;
    } else {
      lengths.push_back(length);
      strides.push_back(stride);
    }
  }
  return ElementWalk(info.first, std::move(lengths), std::move(strides));
}

void addBytes(std::uint64_t& sum, const std::byte* bytes, std::size_t count) {
  std::uint64_t hash = sum;
  for (std::size_t i = 0; i < count; ++i) hash = (hash ^ std::to_integer<std::uint64_t>(bytes[i])) * 1099511628211u;
  sum = hash;
}

}  // namespace

Scan::Scan(const ByteSource& data, const ArrayInfo& info)
    : window_(data), type_(info.type), element_bytes_(info.type == ElementType::kText ? info.element_bytes
                                                                                      : typeBytes(info.type)),
      big_endian_(info.big_endian), walk_(storageOrder(info)), total_(walk_.left()) {
  if (total_ == 0) return;
  // Read on over what lies between the runs when that is less than three quarters of everything.
  const std::uint64_t last = lastElement(info.first, info.shape, info.strides).value_or(info.first);
  const std::uint64_t end = (last + 1) * element_bytes_;
  if (total_ > (last - info.first) / 4) dense_end_ = end;
}

core::Result<Scan> Scan::over(const ByteSource& data, const ArrayInfo& info) {
  const core::Result<std::uint64_t> count = countWithin(info, data.size());
  if (!count) return count.error();
  return Scan(data, info);
}

bool Scan::step(std::size_t elements) {
  assert(elements > 0);
  std::uint64_t left = elements;
  while (left > 0 && !walk_.done() && !failure_) {
    const std::uint64_t run = std::min(left, walk_.run());
    for (std::uint64_t i = 0; i < run; ++i) {
      if (!one(walk_.element() + i * walk_.stride(), run - i)) return false;
    }
    walk_.advance(run);
    left -= run;
  }
  return !walk_.done() && !failure_;
}

bool Scan::one(std::uint64_t element, std::uint64_t run) {
  ++summary_.count;
  if (element_bytes_ == 0) return true;
  const std::uint64_t begin = element * element_bytes_, end = begin + element_bytes_;
  const bool near = walk_.stride() <= kFarApart / element_bytes_;
  const std::uint64_t run_end = near ? end + (run - 1) * walk_.stride() * element_bytes_ : end;
  for (std::uint64_t at = begin; at < end;) {
    const auto part = static_cast<std::size_t>(std::min<std::uint64_t>(end - at, kWindowBytes));
    const std::byte* bytes = window_.at(at, part, std::max(run_end, dense_end_));
    if (!bytes) {
      failure_ = window_.failure();
      --summary_.count;
      return false;
    }
    addBytes(summary_.checksum, bytes, part);
    if (type_ != ElementType::kText) count(valueAt(bytes, type_, big_endian_));
    at += part;
  }
  return true;
}

void Scan::count(double value) {
  if (!std::isfinite(value)) {
    ++(std::isnan(value) ? summary_.nan : value > 0 ? summary_.plus_infinity : summary_.minus_infinity);
    return;
  }
  if (value == 0) ++summary_.zeros;
  if (summary_.finite == 0 || value < summary_.min) summary_.min = value;
  if (summary_.finite == 0 || value > summary_.max) summary_.max = value;
  ++summary_.finite;
}

}  // namespace attn::io
