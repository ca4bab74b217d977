// Writes ZIP archives front to back. Members are stored as they are and dated 1980-01-01, the earliest that ZIP knows.
#include <algorithm>
#include <cassert>

#include "io/deflate.h"
#include "io/little_endian.h"
#include "io/zip.h"

namespace attn::io {
namespace {

constexpr std::uint16_t kPlainVersion = 20, kZip64Version = 45;
constexpr std::uint16_t kUtf8Names = 0x0800;
constexpr std::uint16_t kDate = 0x0021;  // the first of January 1980
constexpr std::uint32_t kFull = 0xFFFFFFFFu;
constexpr std::uint16_t kFull16 = 0xFFFFu;

void append16(std::string& bytes, std::uint64_t value) { appendLittleEndian(bytes, static_cast<std::uint16_t>(value)); }
void append32(std::string& bytes, std::uint64_t value) { appendLittleEndian(bytes, static_cast<std::uint32_t>(value)); }
void append64(std::string& bytes, std::uint64_t value) { appendLittleEndian(bytes, value); }

// What local and central headers have in common, from the version on. `size` is the size, or all bits for ZIP64.
void appendFacts(std::string& header, std::uint32_t checksum, std::uint64_t size, bool zip64) {
  append16(header, zip64 ? kZip64Version : kPlainVersion);
  append16(header, kUtf8Names);
  append16(header, 0);  // stored
  append16(header, 0);  // midnight
  append16(header, kDate);
  append32(header, checksum);
  append32(header, size);
  append32(header, size);
}

// What stands behind the directory of `count` members that takes `bytes` bytes from `begin` on.
std::string endOf(std::uint64_t begin, std::uint64_t bytes, std::uint64_t count, std::uint64_t zip64_from) {
  const bool zip64 =
      begin >= zip64_from || bytes >= zip64_from || count >= std::min<std::uint64_t>(zip64_from, kFull16);
  std::string end;
  if (zip64) {
    end += "PK\x06\x06";
    append64(end, 44);  // bytes of the record from here on
    append16(end, kZip64Version);
    append16(end, kZip64Version);
    append64(end, 0);  // parts
    for (const std::uint64_t value : {count, count, bytes, begin}) append64(end, value);
    end += "PK\x06\x07";
    append32(end, 0);
    append64(end, begin + bytes);
    append32(end, 1);
  }
  end += "PK\x05\x06";
  append32(end, 0);  // parts
  append16(end, zip64 ? kFull16 : count);
  append16(end, zip64 ? kFull16 : count);
  append32(end, zip64 ? kFull : bytes);
  append32(end, zip64 ? kFull : begin);
  append16(end, 0);  // comment
  return end;
}

}  // namespace

ZipWriter::ZipWriter(Sink sink, std::uint64_t zip64_from) : sink_(std::move(sink)), zip64_from_(zip64_from) {
  assert(sink_ && zip64_from_ <= kFull);
}

core::Check ZipWriter::put(std::span<const std::byte> bytes) {
  written_ += bytes.size();
  return sink_(bytes);
}

core::Check ZipWriter::put(std::string_view bytes) {
  return put(std::as_bytes(std::span<const char>(bytes.data(), bytes.size())));
}

core::Check ZipWriter::add(std::string_view name, std::span<const std::span<const std::byte>> parts) {
  assert(name.size() <= 0xFFFF);
  Entry entry;
  entry.name = name;
  entry.offset = written_;
  for (const std::span<const std::byte> part : parts) {
    entry.bytes += part.size();
    entry.checksum = crc32Of(part, entry.checksum);
  }
  const bool zip64 = entry.bytes >= zip64_from_;
  std::string header = "PK\x03\x04";
  appendFacts(header, entry.checksum, zip64 ? kFull : entry.bytes, zip64);
  append16(header, name.size());
  append16(header, zip64 ? 20 : 0);
  header += name;
  if (zip64) {
    append16(header, 1);
    append16(header, 16);
    append64(header, entry.bytes);
    append64(header, entry.bytes);
  }
  if (core::Check failed = put(header)) return failed;
  for (const std::span<const std::byte> part : parts)
    if (core::Check failed = put(part)) return failed;
  entries_.push_back(std::move(entry));
  return {};
}

core::Check ZipWriter::finish() {
  const std::uint64_t begin = written_;
  for (const Entry& entry : entries_) {
    const bool large = entry.bytes >= zip64_from_, far = entry.offset >= zip64_from_;
    std::string extra;
    if (large) append64(extra, entry.bytes), append64(extra, entry.bytes);
    if (far) append64(extra, entry.offset);
    std::string header = "PK\x01\x02";
    append16(header, large || far ? kZip64Version : kPlainVersion);
    appendFacts(header, entry.checksum, large ? kFull : entry.bytes, large || far);
    append16(header, entry.name.size());
    append16(header, extra.empty() ? 0 : extra.size() + 4);
    append16(header, 0);  // comment
    append16(header, 0);  // part
    append16(header, 0);  // attributes
    append32(header, 0);
    append32(header, far ? kFull : entry.offset);
    header += entry.name;
    if (!extra.empty()) append16(header, 1), append16(header, extra.size());
    if (core::Check failed = put(header + extra)) return failed;
  }
  return put(endOf(begin, written_ - begin, entries_.size(), zip64_from_));
}

}  // namespace attn::io
