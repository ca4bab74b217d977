// Joins the directory of an archive with the headers of its arrays; reads no elements.
#include "io/npz.h"

#include <algorithm>
#include <array>
#include <cassert>

#include "core/language.h"
#include "io/deflate.h"
#include "io/label.h"
#include "io/npy.h"

namespace attn::io {
namespace {

constexpr std::string_view kEnding = ".npy";

// A member as an array. `failed` is what hinders the whole file: there is no memory.
struct Opened {
  ArrayInfo array;
  bool is_array = true;
  core::Check failed;
};

Opened unreadable(ArrayInfo array, const std::string& sentence) {
  array.unreadable = sentence;
  return {std::move(array), true, {}};
}

Opened openMember(const ByteSource& source, const ZipMember& member) {
  ArrayInfo array;
  std::string_view name = member.name;
  const bool named = name.ends_with(kEnding);
  if (named) name.remove_suffix(kEnding.size());
  array.name = name;
  if (!member.unreadable.empty()) return named ? unreadable(array, member.unreadable) : Opened{array, false, {}};
  std::array<std::byte, kNpyPrefix> prefix;
  const core::Result<std::size_t> got = readMemberHead(source, member, prefix);
  if (!got) return named ? unreadable(array, got.error().message) : Opened{array, false, {}};
  const auto head = std::span<const std::byte>(prefix).first(got.value());
  if (!named && !isNpy(head)) return {array, false, {}};
  const core::Result<std::size_t> end = npyHeaderEnd(head, member.expanded);
  if (!end) return unreadable(array, end.error().message);
  core::Result<core::Buffer> header = core::Buffer::allocate(end.value());
  if (!header) return {array, true, header.error()};
  const core::Result<std::size_t> whole = readMemberHead(source, member, header.value().bytes());
  if (!whole) return unreadable(array, whole.error().message);
  if (whole.value() < end.value()) {
    return unreadable(array, tr("Its data ends within its header; copy the file again as a whole."));
  }
  core::Result<ArrayInfo> parsed = parseNpyHeader(header.value().bytes(), member.expanded);
  if (!parsed) return unreadable(array, parsed.error().message);
  parsed.value().name = array.name;
  array = parsed.take();
  if (member.deflated) {
    array.where = ArrayInfo::Where::kDeflated;
    array.begin = member.begin;
    array.bytes = member.bytes;
  } else {
    array.begin = member.begin + array.skip;
  }
  array.expanded = member.expanded;
  array.checksum = member.checksum;
  return {std::move(array), true, {}};
}

void notePassedOver(ArrayFile& file, const std::vector<std::string>& names) {
  constexpr std::size_t kMostNamed = 8;
  if (names.empty()) return;
  std::vector<std::string> shown;
  for (const std::string& name : names) shown.push_back(ticked(name));
  const std::string list = listed(shown, kMostNamed);
  file.notes.push_back(names.size() == 1 ? tr("{0} is no array and is passed over.", {list})
                                         : tr("{0} are no arrays and are passed over.", {list}));
}

}  // namespace

core::Result<ArrayFile> readNpz(const ByteSource& source, std::string_view file_name, const ArrayLimits& limits) {
  core::Result<std::vector<ZipMember>> members = readZip(source, file_name);
  if (!members) return members.error();
  ArrayFile file;
  file.format = tr("NumPy archive");
  std::vector<std::string> passed_over;
  for (const ZipMember& member : members.value()) {
    if (member.isFolder()) continue;
    Opened opened = openMember(source, member);
    if (opened.failed) return core::Error{ticked(file_name) + ": " + opened.failed->message};
    if (opened.is_array && file.arrays.size() == limits.arrays) {
      return core::Error{tr("{0}: It has more than {1} arrays; save fewer in one file.",
                            {ticked(file_name), limits.arrays})};
    }
    if (opened.is_array) file.arrays.push_back(std::move(opened.array));
    else passed_over.push_back(member.name);
  }
  notePassedOver(file, passed_over);
  return file;
}

core::Check checkContent(const ByteSource& source, const ArrayInfo& array) {
  assert(array.where == ArrayInfo::Where::kFile && array.begin >= array.skip);
  std::array<std::byte, 16384> block;
  std::uint64_t at = array.begin - array.skip, left = array.expanded;
  std::uint32_t sum = 0;
  while (left > 0) {
    const auto piece = std::span(block).first(static_cast<std::size_t>(std::min<std::uint64_t>(left, block.size())));
    if (core::Check failed = source.read(at, piece)) return core::Error{ticked(array.name) + ": " + failed->message};
    sum = crc32Of(piece, sum);
    at += piece.size(), left -= piece.size();
  }
  if (sum == array.checksum) return {};
  return core::Error{tr("{0}: The content does not agree with its checksum; copy the file again as a whole.",
                        {ticked(array.name)})};
}

core::Check writeNpz(std::span<const NpzArray> arrays, const ZipWriter::Sink& sink) {
  ZipWriter writer(sink);
  for (const NpzArray& array : arrays) {
    const std::string header = npyHeader(array.type, array.shape, array.characters);
    const std::array<std::span<const std::byte>, 2> parts = {
        std::as_bytes(std::span<const char>(header.data(), header.size())), array.data};
    if (core::Check failed = writer.add(std::string(array.name) + std::string(kEnding), parts)) return failed;
  }
  return writer.finish();
}

}  // namespace attn::io
