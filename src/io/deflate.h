// Compression in zlib's format (RFC 1950): small, and checked by a sum when it is read back.
#pragma once
#include <string>
#include <string_view>

#include "core/result.h"

namespace attn::io {

// Refuses only when there is no memory.
core::Result<std::string> compress(std::string_view bytes);

// Refuses what compress did not write, what was cut off or goes on after its end, and a result above `limit` bytes.
core::Result<std::string> decompress(std::string_view bytes, std::size_t limit);

}  // namespace attn::io
