// Compression: zlib's format (RFC 1950) for small texts, and the raw streams (RFC 1951) and sums that archives hold.
#pragma once
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "core/buffer.h"
#include "core/result.h"
#include "io/byte_source.h"

namespace attn::io {

// Refuses only when there is no memory.
core::Result<std::string> compress(std::string_view bytes);

// Refuses what compress did not write, what was cut off or goes on after its end, and a result above `limit` bytes.
core::Result<std::string> decompress(std::string_view bytes, std::size_t limit);

// CRC-32 as ZIP and PNG have it, of what `before` is the sum of and of these bytes behind it.
std::uint32_t crc32Of(std::span<const std::byte> bytes, std::uint32_t before = 0);

// A raw stream that expands to exactly `expanded` bytes of that CRC-32. Memory is taken as the bytes come, so that a wrong
// `expanded` costs nothing. Refuses, with both numbers, more than `budget` bytes; and what is damaged or of another size.
core::Result<core::Buffer> inflateAll(const ByteSource& packed, std::uint64_t expanded, std::uint32_t checksum,
                                      std::uint64_t budget);

// The first `most` bytes that a raw stream expands to, or all if they are fewer.
core::Result<core::Buffer> inflateHead(const ByteSource& packed, std::size_t most);
// The same where memory is there already: how many bytes of `into` are filled.
core::Result<std::size_t> inflateInto(const ByteSource& packed, std::span<std::byte> into);

}  // namespace attn::io
