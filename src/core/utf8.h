// UTF-8 as it comes, broken or not, one character at a time. Knows no font.
#pragma once
#include <cstddef>
#include <string_view>

namespace attn::core {

struct Utf8Char {
  char32_t code = 0;  // of a valid character
  std::size_t bytes = 1;  // how far to go on
  bool valid = false;  // otherwise one byte that belongs to no character
};

// The character at `at`; overlong forms, surrogates and codes above U+10FFFF are not valid.
Utf8Char nextChar(std::string_view text, std::size_t at);

}  // namespace attn::core
