// The directory of a ZIP archive, the contents of its members, and archives written without compression. Knows no format
// of what the members hold; their names are labels and never paths.
#pragma once
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/buffer.h"
#include "core/result.h"
#include "io/byte_source.h"

namespace attn::io {

inline constexpr std::size_t kMostZipMembers = 10000;
inline constexpr std::size_t kLongestZipName = 1000;  // bytes; what is longer is cut

struct ZipMember {
  std::string name;             // as UTF-8 without control characters; two members may have the same
  bool deflated = false;        // otherwise stored as it is
  std::uint64_t begin = 0;      // of its data in the file
  std::uint64_t bytes = 0;      // of its data in the file, which holds all of them
  std::uint64_t expanded = 0;   // bytes of its content, as the directory says; of a stored member they are `bytes`
  std::uint32_t checksum = 0;   // CRC-32 of its content
  std::string unreadable;       // one sentence that says why it cannot be read, or empty

  bool isFolder() const { return name.ends_with('/'); }
};

// The members as the directory at the end of the file lists them; sizes and places are taken from there alone. Refuses an
// archive that is cut off, in several parts, has more than kMostZipMembers, or members that overlap. `file_name` is for
// the sentences.
core::Result<std::vector<ZipMember>> readZip(const ByteSource& source, std::string_view file_name);

// The first `most` bytes of the content of a readable member, or all if it has fewer; the checksum is not looked at.
core::Result<core::Buffer> memberHead(const ByteSource& source, const ZipMember& member, std::size_t most);

// The same where memory is there already: how many bytes of `into` are filled. The sentence does not name the member.
core::Result<std::size_t> readMemberHead(const ByteSource& source, const ZipMember& member, std::span<std::byte> into);

// The content of a readable member, which agrees with its size and its checksum. Refuses more than `budget` bytes, with
// both numbers, before it takes memory.
core::Result<core::Buffer> memberContent(const ByteSource& source, const ZipMember& member, std::uint64_t budget);

// Writes an archive front to back: the same members give the same bytes. ZIP64 where sizes and numbers ask for it.
class ZipWriter {
 public:
  // Takes the next bytes of the file, or says why it cannot.
  using Sink = std::function<core::Check(std::span<const std::byte>)>;

  // Sizes and places from `zip64_from` on are written as ZIP64; less than the format's own limit only in tests.
  explicit ZipWriter(Sink sink, std::uint64_t zip64_from = 0xFFFFFFFFu);

  // A member whose content is these parts one behind the other. The name is UTF-8 of at most 65,535 bytes.
  core::Check add(std::string_view name, std::span<const std::span<const std::byte>> parts);
  // The directory. Nothing may be added after it.
  core::Check finish();

 private:
  struct Entry {
    std::string name;
    std::uint64_t offset = 0, bytes = 0;
    std::uint32_t checksum = 0;
  };
  core::Check put(std::span<const std::byte> bytes);
  core::Check put(std::string_view bytes);

  Sink sink_;
  std::uint64_t zip64_from_, written_ = 0;
  std::vector<Entry> entries_;
};

}  // namespace attn::io
