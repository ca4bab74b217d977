// The .npy format of NumPy: the header before an array's elements, read and written. Knows nothing of archives.
#pragma once
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/result.h"
#include "io/array_file.h"

namespace attn::io {

inline constexpr std::size_t kNpyPrefix = 12;  // bytes of the longest prefix, which says how long the header is
inline constexpr std::size_t kLongestNpyHeader = 1u << 16;  // bytes behind the prefix

bool isNpy(std::span<const std::byte> head);

// Where the header of an array of `total` bytes ends and its elements begin, by its first kNpyPrefix bytes (or all when it
// has fewer). Refuses what is no .npy, an unknown version, and a header beyond the limit or the end. This sentence and
// those below do not name the array: whoever knows where it is puts that before them.
core::Result<std::size_t> npyHeaderEnd(std::span<const std::byte> head, std::uint64_t total);

// The array whose prefix and header these bytes are, as npyHeaderEnd says, of `total` bytes altogether. Its elements
// begin at `skip`, and it names the bytes that they take from there. What NumPy can store and this cannot read becomes
// `unreadable`; what is damaged is refused. The name is left empty.
core::Result<ArrayInfo> parseNpyHeader(std::span<const std::byte> header, std::uint64_t total);

// A file that is one array.
core::Result<ArrayFile> readNpy(const ByteSource& source, std::string_view file_name, const ArrayLimits& limits = {});

// What stands before the elements of an array of that shape, which follow row by row, little-endian: the same bytes as
// numpy.save writes. Texts are of `characters` UTF-32 characters each; bfloat16 is written as two bytes of no type, as
// ml_dtypes does.
std::string npyHeader(ElementType type, const std::vector<std::uint64_t>& shape, std::size_t characters = 0);

}  // namespace attn::io
