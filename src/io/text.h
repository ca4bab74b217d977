// Bytes of a text file as UTF-8, and back to bytes where a string is not text. Knows no format.
#pragma once
#include <string>
#include <string_view>

#include "core/result.h"

namespace attn::io {

// Line and column from 1; columns count characters.
struct Place {
  int line = 1;
  int column = 1;
  bool operator==(const Place&) const = default;
};
std::string placeText(Place place);  // "line 3, column 7"

// The place of the byte at `offset`.
Place placeOf(std::string_view text, std::size_t offset);

// The text without its byte-order mark; UTF-16 and UTF-32 with a mark are converted. Refuses zero bytes and bytes that
// are not UTF-8, with their place.
core::Result<std::string> decodeText(std::string_view bytes);

// The number of bytes (1–4) of the well-formed UTF-8 character at the start of `text`, 0 where there is none.
int characterLength(std::string_view text);
// The number at the start of `text`, which is `length` bytes long.
char32_t characterAt(std::string_view text, int length);
void appendCharacter(std::string& text, char32_t code);

// A name from a file as one line that can be shown: UTF-8 of at most `most` bytes, with U+FFFD for control characters and
// for bytes that are not UTF-8. What is longer is cut between characters and ends in "…".
std::string labelText(std::string_view bytes, std::size_t most);

}  // namespace attn::io
