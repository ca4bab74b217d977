// Bytes that can be read from any place, wherever they are: in memory, in a mapped file, in a browser's File. Knows no
// format; what reads files is the platform's.
#pragma once
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>

#include "core/buffer.h"
#include "core/result.h"

namespace attn::io {

class ByteSource {
 public:
  virtual ~ByteSource() = default;
  virtual std::uint64_t size() const = 0;
  // Fills `into` with the bytes from `offset` on; all of them lie within size(). Refuses when they cannot be read, as
  // when a file has changed since it was opened.
  virtual core::Check read(std::uint64_t offset, std::span<std::byte> into) const = 0;
};

// Bytes that somebody else keeps.
class MemorySource final : public ByteSource {
 public:
  explicit MemorySource(std::span<const std::byte> bytes) : bytes_(bytes) {}
  std::uint64_t size() const override { return bytes_.size(); }
  core::Check read(std::uint64_t offset, std::span<std::byte> into) const override;

 private:
  std::span<const std::byte> bytes_;
};

// Bytes of its own.
class BufferSource final : public ByteSource {
 public:
  explicit BufferSource(core::Buffer buffer) : buffer_(std::move(buffer)) {}
  std::uint64_t size() const override { return buffer_.size(); }
  core::Check read(std::uint64_t offset, std::span<std::byte> into) const override;

 private:
  core::Buffer buffer_;
};

// A part of another source, which must live longer.
class PartSource final : public ByteSource {
 public:
  PartSource(const ByteSource& whole, std::uint64_t begin, std::uint64_t size)
      : whole_(whole), begin_(begin), size_(size) {}
  std::uint64_t size() const override { return size_; }
  core::Check read(std::uint64_t offset, std::span<std::byte> into) const override;

 private:
  const ByteSource& whole_;
  std::uint64_t begin_, size_;
};

// Whether [offset, offset + size) lies within `whole` bytes, however large the numbers are.
constexpr bool within(std::uint64_t offset, std::uint64_t size, std::uint64_t whole) {
  return offset <= whole && size <= whole - offset;
}

}  // namespace attn::io
