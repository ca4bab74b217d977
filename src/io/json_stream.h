// What the readers of JSON share of RapidJSON: the text that it reads, its refusals as sentences, and what it reads
// differently than Python writes. RapidJSON is used by those readers and nowhere else.
#pragma once
#include <cassert>
#include <cstddef>
#include <string>
#include <string_view>

#define RAPIDJSON_ASSERT(x) assert(x)
#include <rapidjson/reader.h>

#include "core/language.h"

namespace attn::io {

// What the reader reads from; a zero follows the text. The default stream traits keep it from working on a copy, so
// `offset` is always current.
struct TextStream {
  using Ch = char;
  std::string_view text;
  std::size_t offset = 0;

  char Peek() const { return offset < text.size() ? text[offset] : '\0'; }
  char Take() { return offset < text.size() ? text[offset++] : '\0'; }
  std::size_t Tell() const { return offset; }
  char* PutBegin() { return nullptr; }
  void Put(char) {}
  void Flush() {}
  std::size_t PutEnd(char*) { return 0; }
};

inline constexpr std::string_view kNumberTooBig =
    trLater("a number is too large for double precision; write a smaller one");

// What is wrong at `offset` of the text, and what to do; without a capital and a full stop.
std::string syntaxText(std::string_view text, std::size_t offset, rapidjson::ParseErrorCode code);

// "\udc80" to "\udcff" alone arrive as three bytes ED B2 80 to ED B3 BF and stand for one byte.
std::string withRawBytes(std::string_view text);

// The code unit of the escape such as \u0041 at `at`, or −1.
int unitAt(std::string_view text, std::size_t at);

// Whether a high surrogate is escaped at `at` and no low one follows: RapidJSON refuses the half of a split emoji.
bool loneHighSurrogateAt(std::string_view text, std::size_t at);

}  // namespace attn::io
