// A document as the text that rides along in a link: base64url of its zlib stream. Knows nothing of what it says.
#pragma once
#include <string>
#include <string_view>

#include "core/result.h"

namespace attn::lesson {

// "" when it cannot be compressed for want of memory.
std::string packDocument(std::string_view document);

// Refuses what is not base64url, not a whole zlib stream, and more than kMaxUnpacked bytes.
inline constexpr std::size_t kMaxUnpacked = std::size_t(4) << 20;
core::Result<std::string> unpackDocument(std::string_view packed);

}  // namespace attn::lesson
