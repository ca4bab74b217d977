// Whole numbers in bytes, the lowest byte first, as ZIP and NumPy have them. Checks no bounds: an assert does.
#pragma once
#include <cassert>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

namespace attn::io {

template <class T>
T littleEndian(std::span<const std::byte> bytes, std::size_t at) {
  assert(at <= bytes.size() && sizeof(T) <= bytes.size() - at);
  T value = 0;
  for (std::size_t i = sizeof(T); i-- > 0;) {
    value = static_cast<T>(value << (sizeof(T) > 1 ? 8 : 0) | std::to_integer<T>(bytes[at + i]));
  }
  return value;
}

template <class T>
void appendLittleEndian(std::string& bytes, T value) {
  for (std::size_t i = 0; i < sizeof(T); ++i) {
    bytes += static_cast<char>(static_cast<std::uint8_t>(static_cast<std::uint64_t>(value) >> (8 * i)));
  }
}

}  // namespace attn::io
