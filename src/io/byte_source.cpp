// Copies out of memory and out of parts of other sources.
#include "io/byte_source.h"

#include <cassert>
#include <cstring>

namespace attn::io {
namespace {

core::Check copyOut(std::span<const std::byte> bytes, std::uint64_t offset, std::span<std::byte> into) {
  assert(within(offset, into.size(), bytes.size()));
  if (!into.empty()) std::memcpy(into.data(), bytes.data() + offset, into.size());
  return {};
}

}  // namespace

core::Check MemorySource::read(std::uint64_t offset, std::span<std::byte> into) const {
  return copyOut(bytes_, offset, into);
}

core::Check BufferSource::read(std::uint64_t offset, std::span<std::byte> into) const {
  return copyOut(buffer_.bytes(), offset, into);
}

core::Check PartSource::read(std::uint64_t offset, std::span<std::byte> into) const {
  assert(within(offset, into.size(), size_));
  return whole_.read(begin_ + offset, into);
}

}  // namespace attn::io
