// How texts are cut into words, and which characters are letters, numbers and white space.
#include "model/words.h"

#include <doctest/doctest.h>

#include <array>
#include <string>
#include <string_view>
#include <vector>

#include "model/unicode_class.h"

namespace {

using namespace attn::model;

std::vector<std::string> wordsOf(std::string_view text) {
  std::vector<std::string> words;
  while (!text.empty()) {
    const std::size_t length = wordLength(text);
    REQUIRE(length >= 1);
    REQUIRE(length <= text.size());
    words.emplace_back(text.substr(0, length));
    text.remove_prefix(length);
  }
  return words;
}

using Words = std::vector<std::string>;

}  // namespace

TEST_CASE("Letters, numbers and signs are words of their own, with the space before them") {
  CHECK(wordsOf("Hello, world! 12 x34y") == Words{"Hello", ",", " world", "!", " 12", " x", "34", "y"});
  CHECK(wordsOf("f(x)+=2;") == Words{"f", "(", "x", ")+=", "2", ";"});
  CHECK(wordsOf("naïve Ωmega 東京２０") == Words{"naïve", " Ωmega", " 東京", "２０"});
  CHECK(wordsOf("e\u0301a ½ Ⅷ") == Words{"e", "\u0301", "a", " ½", " Ⅷ"});
  CHECK(wordsOf("hi 😀😀!") == Words{"hi", " 😀😀!"});
}

TEST_CASE("Short endings behind an apostrophe are words, in small letters alone") {
  CHECK(wordsOf("it's don't I'm we'll you've they're she'd") ==
        Words{"it", "'s", " don", "'t", " I", "'m", " we", "'ll", " you", "'ve", " they", "'re", " she", "'d"});
  CHECK(wordsOf("IT'S o'clock 'start 's") == Words{"IT", "'", "S", " o", "'", "clock", " '", "start", " '", "s"});
  CHECK(wordsOf("'start") == Words{"'s", "tart"});
}

TEST_CASE("Of white space the last character goes with what follows, but only a space joins a word") {
  CHECK(wordsOf("a  b") == Words{"a", " ", " b"});
  CHECK(wordsOf("a   b") == Words{"a", "  ", " b"});
  CHECK(wordsOf("a\n\nb") == Words{"a", "\n", "\n", "b"});
  CHECK(wordsOf("a \tb") == Words{"a", " ", "\t", "b"});
  CHECK(wordsOf("a\n b") == Words{"a", "\n", " b"});
  CHECK(wordsOf("a \n ") == Words{"a", " \n "});
  CHECK(wordsOf(" ") == Words{" "});
  CHECK(wordsOf("\u00A0x\u3000\u3000y") == Words{"\u00A0", "x", "\u3000", "\u3000", "y"});
}

TEST_CASE("A byte that is no UTF-8 is a sign of one byte") {
  CHECK(wordsOf("a\xFF\xC3 b\x80") == Words{"a", "\xFF\xC3", " b", "\x80"});
  CHECK(wordsOf(" \xF0\x9F") == Words{" \xF0\x9F"});
}

TEST_CASE("Letters and numbers are those of Unicode 14.0, white space is White_Space") {
  using enum CharacterClass;
  const struct {
    CharacterClass of;
    std::vector<char32_t> characters;
  } cases[] = {
      {kLetter, {U'A', U'z', 0xAA, 0x2B0, 0x3005, 0x9FFF, 0x1DF00, 0x2A6DF}},
      {kNumber, {U'0', U'9', 0xB2, 0xBD, 0x663, 0x2167, 0x3007, 0x1FBF9}},
      {kSpace, {9, 10, 11, 12, 13, 0x20, 0x85, 0xA0, 0x1680, 0x2000, 0x200A, 0x2028, 0x2029, 0x202F, 0x205F, 0x3000}},
      // The last three came with Unicode 15: a letter, a letter, a number.
      {kOther, {0, U'!', U'_', 0x301, 0x180E, 0x200B, 0xFEFF, 0x1F600, 0xE000, 0x10FFFF, 0x1E030, 0x31350, 0x11F50}},
  };
  for (const auto& each : cases) {
    for (const char32_t character : each.characters) {
      CAPTURE(static_cast<unsigned>(character));
      CHECK(classOf(character) == each.of);
    }
  }
  std::array<int, 4> counts{};
  for (char32_t character = 0; character <= 0x10FFFF; ++character)
    ++counts[static_cast<std::size_t>(classOf(character))];
  CHECK(counts[static_cast<std::size_t>(kLetter)] == 131756);
  CHECK(counts[static_cast<std::size_t>(kNumber)] == 1791);
  CHECK(counts[static_cast<std::size_t>(kSpace)] == 25);
}
