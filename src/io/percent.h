// Text inside addresses. Knows no link.
#pragma once
#include <string>
#include <string_view>

namespace attn::io {

// A–Z a–z 0–9 - _ . ~, which stand in an address as they are.
bool isUnreserved(char c);

// Everything but those as % and two hexadecimal digits a byte.
std::string percentEncoded(std::string_view text);

}  // namespace attn::io
