// Reads a ZIP archive from its end: sizes and places come from the central directory and nowhere else, since what stands
// before a member's data differs from writer to writer (NumPy under Python 3.11.7 and later writes 4 GiB there).
#include "io/zip.h"

#include <algorithm>
#include <array>
#include <cassert>
#include <initializer_list>
#include <optional>

#include "core/language.h"
#include "io/deflate.h"
#include "io/label.h"
#include "io/little_endian.h"
#include "io/text.h"

namespace attn::io {
namespace {

constexpr std::uint32_t kLocal = 0x04034B50, kCentral = 0x02014B50, kEnd = 0x06054B50;
constexpr std::uint32_t kEnd64 = 0x06064B50, kEnd64Place = 0x07064B50;
constexpr std::size_t kLocalBytes = 30, kCentralBytes = 46, kEndBytes = 22, kEnd64Bytes = 56, kEnd64PlaceBytes = 20;
constexpr std::uint32_t kStandsApart = 0xFFFFFFFFu;  // "the number stands in the ZIP64 part"
constexpr std::uint16_t kStandsApart16 = 0xFFFFu;
constexpr std::uint16_t kZip64Part = 1;
constexpr std::uint64_t kMostExpansion = 1032;  // of deflate: 258 bytes for two bits
constexpr std::uint64_t kLargestDirectory = std::uint64_t(64) << 20;

using Bytes = std::span<const std::byte>;

// Sentences about one file.
struct File {
  const ByteSource& source;
  std::string name;

  core::Error refusal(const std::string& sentence) const { return {name + ": " + sentence}; }
  core::Error damaged(const std::string& what) const { return refusal(tr("{0}; copy the file again as a whole.", {what})); }

  core::Result<core::Buffer> read(std::uint64_t offset, std::uint64_t bytes) const {
    assert(within(offset, bytes, source.size()));
    core::Result<core::Buffer> buffer = core::Buffer::allocate(static_cast<std::size_t>(bytes));
    if (!buffer) return refusal(buffer.error().message);
    if (core::Check failed = source.read(offset, buffer.value().bytes())) return refusal(failed->message);
    return buffer;
  }
};

// What the record at the end says about the directory.
struct Directory {
  std::uint64_t members = 0, bytes = 0, offset = 0;
  std::uint64_t end = 0;  // where the records behind it begin
  bool in_parts = false;
};

// Where the end record stands in the last bytes of the file: the last whose comment reaches the end of the file, or else
// the last whose comment fits.
std::optional<std::size_t> findEnd(Bytes tail) {
  std::optional<std::size_t> fits;
  if (tail.size() < kEndBytes) return fits;
  for (std::size_t at = tail.size() - kEndBytes + 1; at-- > 0;) {
    if (littleEndian<std::uint32_t>(tail, at) != kEnd) continue;
    const std::size_t comment = littleEndian<std::uint16_t>(tail, at + 20);
    const std::size_t left = tail.size() - at - kEndBytes;
    if (comment == left) return at;
    if (comment < left && !fits) fits = at;
  }
  return fits;
}

// Replaces what the end record has no room for. `end` is the place of the end record in the file.
core::Check readEnd64(const File& file, std::uint64_t end, Directory& directory) {
  if (end < kEnd64PlaceBytes) return {};
  const core::Result<core::Buffer> place = file.read(end - kEnd64PlaceBytes, kEnd64PlaceBytes);
  if (!place) return place.error();
  const Bytes bytes = place.value().bytes();
  if (littleEndian<std::uint32_t>(bytes, 0) != kEnd64Place) return {};
  const auto offset = littleEndian<std::uint64_t>(bytes, 8);
  if (!within(offset, kEnd64Bytes, end - kEnd64PlaceBytes)) {
    return file.damaged(tr("The end of the archive points to byte {0} of a file of {1}", {offset, file.source.size()}));
  }
  const core::Result<core::Buffer> record = file.read(offset, kEnd64Bytes);
  if (!record) return record.error();
  const Bytes fields = record.value().bytes();
  if (littleEndian<std::uint32_t>(fields, 0) != kEnd64) {
    return file.damaged(tr("The end of the archive points to byte {0}, where no directory ends", {offset}));
  }
  directory.in_parts = littleEndian<std::uint32_t>(fields, 16) != 0 || littleEndian<std::uint32_t>(fields, 20) != 0;
  directory.members = littleEndian<std::uint64_t>(fields, 32);
  directory.bytes = littleEndian<std::uint64_t>(fields, 40);
  directory.offset = littleEndian<std::uint64_t>(fields, 48);
  directory.end = offset;
  return {};
}

core::Result<Directory> findDirectory(const File& file) {
  const std::uint64_t size = file.source.size();
  const std::uint64_t tail_bytes = std::min<std::uint64_t>(size, kEndBytes + kStandsApart16);
  const core::Result<core::Buffer> tail = file.read(size - tail_bytes, tail_bytes);
  if (!tail) return tail.error();
  const Bytes bytes = tail.value().bytes();
  const std::optional<std::size_t> found = findEnd(bytes);
  if (!found) return file.damaged(tr("The directory at the end of the archive is missing, so the file is cut off"));
  const Bytes end = bytes.subspan(*found);
  Directory directory;
  directory.members = littleEndian<std::uint16_t>(end, 10);
  directory.bytes = littleEndian<std::uint32_t>(end, 12);
  directory.offset = littleEndian<std::uint32_t>(end, 16);
  directory.end = size - tail_bytes + *found;
  const std::uint16_t part = littleEndian<std::uint16_t>(end, 4);
  directory.in_parts = part != 0 && part != kStandsApart16;
  if (directory.members == kStandsApart16 || directory.bytes == kStandsApart || directory.offset == kStandsApart || part == kStandsApart16) {
    if (core::Check failed = readEnd64(file, directory.end, directory)) return *failed;
  }
  return directory;
}

core::Check checkDirectory(const File& file, const Directory& directory) {
  if (directory.in_parts) {
    return file.refusal(tr("The archive is one of several parts; save it as one file."));
  }
  if (directory.members > kMostZipMembers) {
    return file.refusal(tr("The archive has {0} members, more than the limit of {1}; save fewer arrays in one file.",
                           {directory.members, kMostZipMembers}));
  }
  if (!within(directory.offset, directory.bytes, directory.end)) {
    return file.damaged(tr("The directory of the archive should take {0} bytes from byte {1} on, and it ends before "
                           "byte {2}", {directory.bytes, directory.offset, directory.end}));
  }
  if (directory.bytes > kLargestDirectory) {
    return file.refusal(tr("The directory of the archive takes {0}, more than the limit of {1}; save fewer arrays.",
                           {core::bytesText(directory.bytes), core::bytesText(kLargestDirectory)}));
  }
  if (directory.members * kCentralBytes > directory.bytes) {
    return file.damaged(tr("The directory of the archive has {0} bytes, too few for {1} members",
                           {directory.bytes, directory.members}));
  }
  return {};
}

// One member and the place of the header before its data.
struct Listed {
  ZipMember member;
  std::uint64_t header = 0;
};

// The ZIP64 part of `extra` in place of each number that is full. False when it is missing or too short.
bool fillFrom64(Bytes extra, std::initializer_list<std::uint64_t*> numbers) {
  Bytes part;
  while (extra.size() >= 4 && part.empty()) {
    const std::size_t bytes = littleEndian<std::uint16_t>(extra, 2);
    if (bytes > extra.size() - 4) break;
    if (littleEndian<std::uint16_t>(extra, 0) == kZip64Part) part = extra.subspan(4, bytes);
    extra = extra.subspan(4 + bytes);
  }
  for (std::uint64_t* const value : numbers) {
    if (*value != kStandsApart) continue;
    if (part.size() < 8) return false;
    *value = littleEndian<std::uint64_t>(part, 0);
    part = part.subspan(8);
  }
  return true;
}

std::string methodName(std::uint16_t method) {
  switch (method) {
    case 9: return "Deflate64";
    case 12: return "bzip2";
    case 14: return "LZMA";
    case 93: return "Zstandard";
    case 95: return "XZ";
    default: return tr("another method");
  }
}

// `entry` is at least kCentralBytes long, and holds the name and what follows it.
Listed listedOf(Bytes entry, std::size_t name_bytes, std::size_t extra_bytes) {
  Listed listed;
  ZipMember& member = listed.member;
  const Bytes name = entry.subspan(kCentralBytes, name_bytes);
  member.name = labelText({reinterpret_cast<const char*>(name.data()), name.size()}, kLongestZipName);
  const auto flags = littleEndian<std::uint16_t>(entry, 8);
  const auto method = littleEndian<std::uint16_t>(entry, 10);
  member.checksum = littleEndian<std::uint32_t>(entry, 16);
  member.bytes = littleEndian<std::uint32_t>(entry, 20);
  member.expanded = littleEndian<std::uint32_t>(entry, 24);
  listed.header = littleEndian<std::uint32_t>(entry, 42);
  member.deflated = method == 8;
  const bool sized = fillFrom64(entry.subspan(kCentralBytes + name_bytes, extra_bytes),
                                {&member.expanded, &member.bytes, &listed.header});
  if ((flags & 1) != 0) {
    member.unreadable = tr("It is encrypted; save the archive without a password.");
  } else if (method != 0 && method != 8) {
    member.unreadable = tr("It is compressed by {0} (method {1}); save the archive with numpy.savez or "
                           "numpy.savez_compressed.", {methodName(method), method});
  } else if (!sized) {
    member.unreadable = tr("The directory does not say how large it is; copy the file again as a whole.");
  } else if (method == 0 && member.bytes != member.expanded) {
    member.unreadable = tr("It is not compressed, and yet it has {0} bytes that expand to {1}; copy the file again as "
                           "a whole.", {member.bytes, member.expanded});
  } else if (member.expanded / kMostExpansion > member.bytes) {
    member.unreadable = tr("Its {0} bytes cannot expand to {1}, as the directory says; copy the file again as a whole.",
                           {member.bytes, member.expanded});
  }
  return listed;
}

core::Result<std::vector<Listed>> readDirectory(const File& file, const Directory& directory) {
  const core::Result<core::Buffer> buffer = file.read(directory.offset, directory.bytes);
  if (!buffer) return buffer.error();
  Bytes rest = buffer.value().bytes();
  std::vector<Listed> all;
  const auto isEntry = [](Bytes bytes) {
    return bytes.size() >= kCentralBytes && littleEndian<std::uint32_t>(bytes, 0) == kCentral;
  };
  for (std::uint64_t i = 0; i < directory.members; ++i) {
    if (!isEntry(rest)) return file.damaged(tr("Member {0} of the archive's directory is not where it should be", {i}));
    const std::size_t name = littleEndian<std::uint16_t>(rest, 28), extra = littleEndian<std::uint16_t>(rest, 30);
    const std::size_t bytes = kCentralBytes + name + extra + littleEndian<std::uint16_t>(rest, 32);
    if (bytes > rest.size()) return file.damaged(tr("Member {0} of the archive's directory is cut off", {i}));
    all.push_back(listedOf(rest, name, extra));
    rest = rest.subspan(bytes);
  }
  if (isEntry(rest)) {
    return file.damaged(tr("The archive's directory goes on after its {0} members", {directory.members}));
  }
  return all;
}

// The place of the member's data, for which its header is needed; all must lie before `end`.
core::Check findData(const File& file, Listed& listed, std::uint64_t end) {
  ZipMember& member = listed.member;
  const auto outside = [&](std::uint64_t from) {
    member.unreadable = tr("Its {0} bytes from byte {1} on reach beyond the archive's members, which end at byte {2}; "
                           "copy the file again as a whole.", {member.bytes, from, end});
  };
  if (!within(listed.header, kLocalBytes, end)) return outside(listed.header), core::Check();
  std::array<std::byte, kLocalBytes> header;
  if (core::Check failed = file.source.read(listed.header, header)) return file.refusal(failed->message);
  if (littleEndian<std::uint32_t>(header, 0) != kLocal) {
    member.unreadable = tr("It does not begin at byte {0}, as the directory says; copy the file again as a whole.",
                           {listed.header});
    return {};
  }
  member.begin = listed.header + kLocalBytes + littleEndian<std::uint16_t>(header, 26) +
                 littleEndian<std::uint16_t>(header, 28);
  if (!within(member.begin, member.bytes, end)) outside(member.begin);
  return {};
}

core::Check checkOverlaps(const File& file, const std::vector<Listed>& all) {
  std::vector<const Listed*> ordered;
  for (const Listed& listed : all)
    if (listed.member.unreadable.empty()) ordered.push_back(&listed);
  std::sort(ordered.begin(), ordered.end(), [](const Listed* a, const Listed* b) { return a->header < b->header; });
  for (std::size_t i = 1; i < ordered.size(); ++i) {
    const ZipMember& before = ordered[i - 1]->member;
    const std::uint64_t end = before.begin + before.bytes, begin = ordered[i]->header;
    if (begin >= end) continue;
    return file.refusal(tr("The members {0} and {1} share bytes {2} to {3} of the file, which no honest archive does; "
                           "save the arrays again.",
                           {ticked(before.name), ticked(ordered[i]->member.name), begin, end - 1}));
  }
  return {};
}

core::Error of(const ZipMember& member, const core::Error& error) {
  return {ticked(member.name) + ": " + error.message};
}

}  // namespace

core::Result<std::vector<ZipMember>> readZip(const ByteSource& source, std::string_view file_name) {
  const File file{source, ticked(file_name)};
  const core::Result<Directory> directory = findDirectory(file);
  if (!directory) return directory.error();
  if (core::Check wrong = checkDirectory(file, directory.value())) return *wrong;
  core::Result<std::vector<Listed>> all = readDirectory(file, directory.value());
  if (!all) return all.error();
  for (Listed& listed : all.value()) {
    if (!listed.member.unreadable.empty()) continue;
    if (core::Check failed = findData(file, listed, directory.value().offset)) return *failed;
  }
  if (core::Check wrong = checkOverlaps(file, all.value())) return *wrong;
  std::vector<ZipMember> members;
  members.reserve(all.value().size());
  for (Listed& listed : all.value()) members.push_back(std::move(listed.member));
  return members;
}

core::Result<core::Buffer> memberHead(const ByteSource& source, const ZipMember& member, std::size_t most) {
  assert(member.unreadable.empty());
  const PartSource packed(source, member.begin, member.bytes);
  if (member.deflated) {
    core::Result<core::Buffer> head = inflateHead(packed, most);
    if (!head) return of(member, head.error());
    return head;
  }
  const auto bytes = static_cast<std::size_t>(std::min<std::uint64_t>(most, member.bytes));
  core::Result<core::Buffer> head = core::Buffer::allocate(bytes);
  if (!head) return of(member, head.error());
  if (core::Check failed = packed.read(0, head.value().bytes())) return of(member, *failed);
  return head;
}

core::Result<std::size_t> readMemberHead(const ByteSource& source, const ZipMember& member, std::span<std::byte> into) {
  assert(member.unreadable.empty());
  const PartSource packed(source, member.begin, member.bytes);
  if (member.deflated) return inflateInto(packed, into);
  const std::span<std::byte> part = into.first(static_cast<std::size_t>(
      std::min<std::uint64_t>(into.size(), member.bytes)));
  if (core::Check failed = packed.read(0, part)) return *failed;
  return part.size();
}

core::Result<core::Buffer> memberContent(const ByteSource& source, const ZipMember& member, std::uint64_t budget) {
  assert(member.unreadable.empty());
  if (member.deflated) {
    const PartSource packed(source, member.begin, member.bytes);
    core::Result<core::Buffer> content = inflateAll(packed, member.expanded, member.checksum, budget);
    if (!content) return of(member, content.error());
    return content;
  }
  if (member.bytes > budget) {
    return of(member, {tr("It has {0}, and {1} are left for it; save fewer or smaller arrays.",
                          {core::bytesText(member.bytes), core::bytesText(budget)})});
  }
  core::Result<core::Buffer> content = memberHead(source, member, static_cast<std::size_t>(member.bytes));
  if (content && crc32Of(content.value().bytes()) != member.checksum) {
    return of(member, {tr("The content does not agree with its checksum; copy the file again as a whole.")});
  }
  return content;
}

}  // namespace attn::io
