// Files of arrays for tests: built byte by byte with any fault that is wanted, or read from tests/data/arrays.
#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "io/array_file.h"

namespace attn::test {

inline std::span<const std::byte> bytesOf(std::string_view text) {
  return std::as_bytes(std::span<const char>(text.data(), text.size()));
}
inline std::string textOf(std::span<const std::byte> bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

// The lowest `bytes` bytes of a number, the lowest first.
std::string little(std::uint64_t value, std::size_t bytes);

// A .npy file with that header text, as it stands, and that data.
std::string npy(std::string_view header, std::string_view data, int major = 1, int minor = 0);
// The header text as NumPy writes it: shape is "(2, 3)".
std::string npyText(std::string_view type, std::string_view shape, bool fortran_order = false);

// One member of an archive, and what its two headers say where that is not the truth.
struct ZipPart {
  std::string name = {}, content = {};
  bool deflated = false;
  std::uint16_t flags = 0;
  int method = -1;
  std::int64_t bytes = -1, expanded = -1, offset = -1, checksum = -1;  // in the directory
  std::string local_extra = {}, extra = {};
  std::uint32_t local_bytes = 0, local_expanded = 0;  // before the data: nobody may believe these
};

// The archive, with `comment` and what its end says where that is not the truth.
struct ZipEnd {
  std::string comment = {}, before_directory = {};
  std::int64_t members = -1, directory_bytes = -1, directory_offset = -1;
};
std::string zip(const std::vector<ZipPart>& parts, const ZipEnd& end = {});

// CRC-32, computed bit by bit.
std::uint32_t crc32Of(std::string_view bytes);
// A raw deflate stream.
std::string deflated(std::string_view bytes);

// Bytes of a file in tests/data/arrays; fails the test where it cannot be read.
std::string arrayFile(std::string_view name);

// The bits of all elements in C order, little-endian, found by plain indexing.
std::string bitsOf(const io::ByteSource& source, const io::ArrayFile& file, std::size_t index);

}  // namespace attn::test
