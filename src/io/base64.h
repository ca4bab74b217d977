// Bytes as text that may stand in a link: base64url without padding (RFC 4648, section 5).
#pragma once
#include <string>
#include <string_view>

#include "core/result.h"

namespace attn::io {

std::string toBase64Url(std::string_view bytes);

// Refuses other characters (padding too), a length that no bytes have, and bits that stand for nothing: each string of
// bytes has exactly one text.
core::Result<std::string> fromBase64Url(std::string_view text);

}  // namespace attn::io
