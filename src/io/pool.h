// A growing sequence of plain values in memory that may be refused. Where std::vector would end the program.
#pragma once
#include <algorithm>
#include <cassert>
#include <cstddef>
#include <type_traits>

#include "core/buffer.h"

namespace attn::io {

template <class T>
class Pool {
  static_assert(std::is_trivially_copyable_v<T>);

 public:
  std::size_t size() const { return size_; }
  T& operator[](std::size_t i) { return assert(i < size_), buffer_.as<T>()[i]; }
  const T& operator[](std::size_t i) const { return assert(i < size_), buffer_.as<T>()[i]; }
  T& back() { return (*this)[size_ - 1]; }

  // Refuses when there is no memory; then all stays as it was.
  core::Check push(T value) {
    if (size_ == buffer_.size() / sizeof(T)) {
      if (core::Check failed = buffer_.resize(std::max<std::size_t>(64, 2 * size_) * sizeof(T))) return failed;
    }
    buffer_.as<T>()[size_++] = value;
    return {};
  }
  void shrink(std::size_t size) {
    assert(size <= size_);
    size_ = size;
  }

 private:
  core::Buffer buffer_;
  std::size_t size_ = 0;
};

}  // namespace attn::io
