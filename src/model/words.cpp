// GPT-2's pattern, written out. See words.h.
#include "model/words.h"

#include <cassert>

#include "io/text.h"
#include "model/unicode_class.h"

namespace attn::model {
namespace {

struct Character {
  std::size_t length = 1;
  CharacterClass of = CharacterClass::kOther;
};

// A byte that begins no character stands for itself.
Character firstOf(std::string_view text) {
  const int length = io::characterLength(text);
  if (length == 0) return {};
  return {static_cast<std::size_t>(length), classOf(io::characterAt(text, length))};
}

// The bytes of all characters of that class at the start of a text.
std::size_t runLength(std::string_view text, CharacterClass of) {
  std::size_t length = 0;
  while (length < text.size()) {
    const Character next = firstOf(text.substr(length));
    if (next.of != of) break;
    length += next.length;
  }
  return length;
}

// \s+(?!\S)|\s+: the last character of white space is left to the word behind it, unless it is the only one.
std::size_t spaceLength(std::string_view text) {
  std::size_t length = 0, last = 0;
  while (length < text.size()) {
    const Character next = firstOf(text.substr(length));
    if (next.of != CharacterClass::kSpace) return length > last ? length - last : length;
    last = next.length;
    length += next.length;
  }
  return length;
}

}  // namespace

std::size_t wordLength(std::string_view text) {
  assert(!text.empty());
  for (const std::string_view ending : {"'s", "'t", "'re", "'ve", "'m", "'ll", "'d"})
    if (text.starts_with(ending)) return ending.size();
  const std::size_t space = text.starts_with(' ') && text.size() > 1 ? 1 : 0;
  const CharacterClass of = firstOf(text.substr(space)).of;
  if (of == CharacterClass::kSpace) return spaceLength(text);
  return space + runLength(text.substr(space), of);
}

}  // namespace attn::model
