// Writes what no honest program writes: each number of an archive can be another than the truth.
#include "support/array_files.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cstdio>

#include "io/deflate.h"

namespace attn::test {

std::string little(std::uint64_t value, std::size_t bytes) {
  std::string text;
  for (std::size_t i = 0; i < bytes; ++i) {
    text += static_cast<char>(static_cast<unsigned char>(i < 8 ? value >> (8 * i) : 0));
  }
  return text;
}

std::string npy(std::string_view header, std::string_view data, int major, int minor) {
  std::string file = "\x93NUMPY";
  file += static_cast<char>(major);
  file += static_cast<char>(minor);
  file += little(header.size(), major == 1 ? 2 : 4);
  return file.append(header).append(data);
}

std::string npyText(std::string_view type, std::string_view shape, bool fortran_order) {
  std::string text = "{'descr': '";
  text.append(type).append("', 'fortran_order': ").append(fortran_order ? "True" : "False");
  return text.append(", 'shape': ").append(shape).append(", }\n");
}

std::uint32_t crc32Of(std::string_view bytes) {
  std::uint32_t sum = 0xFFFFFFFFu;
  for (const char c : bytes) {
    sum ^= static_cast<unsigned char>(c);
    for (int bit = 0; bit < 8; ++bit) sum = sum & 1 ? sum >> 1 ^ 0xEDB88320u : sum >> 1;
  }
  return ~sum;
}

std::string deflated(std::string_view bytes) {
  // zlib's format is the raw stream between two bytes and a sum of four.
  const std::string packed = io::compress(bytes).take();
  return packed.substr(2, packed.size() - 6);
}

std::string zip(const std::vector<ZipPart>& parts, const ZipEnd& end) {
  std::string file, directory;
  for (const ZipPart& part : parts) {
    const std::string data = part.deflated ? deflated(part.content) : part.content;
    const auto or_truth = [](std::int64_t said, std::uint64_t truth) {
      return said < 0 ? truth : static_cast<std::uint64_t>(said);
    };
    const std::string method = little(or_truth(part.method, part.deflated ? 8 : 0), 2);
    const std::string checksum = little(or_truth(part.checksum, crc32Of(part.content)), 4);
    directory += "PK\x01\x02" + little(20, 2) + little(20, 2) + little(part.flags, 2) + method + little(0, 4) + checksum;
    directory += little(or_truth(part.bytes, data.size()), 4) + little(or_truth(part.expanded, part.content.size()), 4);
    directory += little(part.name.size(), 2) + little(part.extra.size(), 2) + little(0, 10);
    directory += little(or_truth(part.offset, file.size()), 4) + part.name + part.extra;
    file += "PK\x03\x04" + little(20, 2) + little(part.flags, 2) + method + little(0, 4) + checksum;
    file += little(part.local_bytes, 4) + little(part.local_expanded, 4);
    file += little(part.name.size(), 2) + little(part.local_extra.size(), 2) + part.name + part.local_extra + data;
  }
  file += end.before_directory;
  const auto said = [](std::int64_t number, std::size_t truth, std::size_t bytes) {
    return little(number < 0 ? truth : static_cast<std::uint64_t>(number), bytes);
  };
  const std::size_t offset = file.size();
  file += directory + "PK\x05\x06" + little(0, 4) + said(end.members, parts.size(), 2) +
          said(end.members, parts.size(), 2) + said(end.directory_bytes, directory.size(), 4) +
          said(end.directory_offset, offset, 4);
  return file + little(end.comment.size(), 2) + end.comment;
}

std::string arrayFile(std::string_view name) {
  const std::string path = ATTN_TEST_DATA "/arrays/" + std::string(name);
  std::FILE* file = std::fopen(path.c_str(), "rb");
  REQUIRE_MESSAGE(file, path);
  std::string bytes;
  char block[4096];
  for (std::size_t count; (count = std::fread(block, 1, sizeof block, file)) > 0;) bytes.append(block, count);
  std::fclose(file);
  return bytes;
}

std::string bitsOf(const io::ByteSource& source, const io::ArrayFile& file, std::size_t index) {
  const io::ArrayInfo& array = file.arrays[index];
  REQUIRE_MESSAGE(array.unreadable.empty(), array.unreadable);
  const auto data = io::dataOf(source, file, index, std::uint64_t(1) << 30);
  REQUIRE_MESSAGE(data.ok(), (data ? "" : data.error().message));
  const std::size_t bytes = array.element_bytes, unit = array.wide_text ? 4 : bytes;
  std::string bits;
  std::vector<std::uint64_t> at(array.shape.size(), 0);
  for (std::uint64_t i = 0; i < *io::countOf(array.shape); ++i) {
    std::uint64_t place = array.first, rest = i;
    for (std::size_t axis = array.shape.size(); axis-- > 0; rest /= array.shape[axis])
      place += rest % array.shape[axis] * array.strides[axis];
    std::string element(bytes, '\0');
    if (!io::within(place * bytes, bytes, data.value()->size())) FAIL("element " << i << " lies outside the data");
    if (data.value()->read(place * bytes, std::as_writable_bytes(std::span(element)))) FAIL("element " << i);
    for (std::size_t from = 0; array.big_endian && from < bytes; from += unit)
      std::reverse(element.begin() + static_cast<std::ptrdiff_t>(from),
                   element.begin() + static_cast<std::ptrdiff_t>(from + unit));
    bits += element;
  }
  return bits;
}

}  // namespace attn::test
