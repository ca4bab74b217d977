// Memory whose size comes from outside. Where there is none, that is an outcome: new and std::vector end the program.
#pragma once
#include <cstddef>
#include <span>
#include <utility>

#include "core/result.h"

namespace attn::core {

// Bytes aligned for every scalar type. Moves, never copies.
class Buffer {
 public:
  Buffer() = default;
  Buffer(Buffer&& other) noexcept : data_(std::exchange(other.data_, nullptr)), size_(std::exchange(other.size_, 0)) {}
  Buffer& operator=(Buffer&& other) noexcept {
    std::swap(data_, other.data_);
    std::swap(size_, other.size_);
    return *this;
  }
  ~Buffer();

  // `bytes` bytes that hold nothing in particular. Refuses, naming the number, when there is no memory for them.
  static Result<Buffer> allocate(std::size_t bytes);

  // Keeps what fits; new bytes hold nothing in particular. When there is no memory for them, all stays as it was.
  Check resize(std::size_t bytes);

  std::size_t size() const { return size_; }
  std::span<std::byte> bytes() { return {static_cast<std::byte*>(data_), size_}; }
  std::span<const std::byte> bytes() const { return {static_cast<const std::byte*>(data_), size_}; }

  // As many whole values as there are bytes for.
  template <class T>
  std::span<T> as() { return {static_cast<T*>(data_), size_ / sizeof(T)}; }
  template <class T>
  std::span<const T> as() const { return {static_cast<const T*>(data_), size_ / sizeof(T)}; }

 private:
  void* data_ = nullptr;
  std::size_t size_ = 0;
};

// "612 MB", "3 MB", "41 KB", "17 bytes": with as much precision as helps (1 MB = 10⁶ bytes).
std::string bytesText(unsigned long long bytes);

// For tests: the n-th allocation from now (1 is the next) fails as if there were no memory; 0 never.
void failAllocation(int n);

}  // namespace attn::core
