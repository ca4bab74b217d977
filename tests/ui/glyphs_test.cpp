// What stands for characters that the faces lack: pictures of an engine made up here, and boxes with code points.
#include "ui/glyphs.h"

#include <doctest/doctest.h>

#include <set>
#include <string>

#include "ui/harness.h"
#include "ui/theme.h"

using attn::test::Screen;
using attn::ui::displayable;
using attn::ui::GlyphPicture;

namespace {

bool areOne(std::string_view text) { return attn::ui::pieceBytes(text, 0) == text.size(); }

}  // namespace

TEST_CASE("letters that change with their neighbours, accents and joined emoji are drawn as one") {
  Screen screen;
  for (const char* text : {"سلام", "שלום", "नमस्ते", "e\u0301", "👨\u200D👩\u200D👧", "👍🏽", "🇨🇭", "❤\uFE0F",
                           "1\uFE0F\u20E3", "می\u200Cخواهم", "猫"}) {
    CAPTURE(text);
    CHECK(areOne(text));
  }
  for (const char* text : {"ab", "猫犬", "😀😀", "aسلام", "سa", "Жж"}) {
    CAPTURE(text);
    CHECK_FALSE(areOne(text));
  }
  std::string letters;
  for (int i = 0; i < 100; ++i) letters += "س";
  CHECK(attn::ui::pieceBytes(letters, 0) == 64);
}

#ifdef IMGUI_HAS_TEXTURES

namespace {

// An engine that lacks 猫 and nothing else: a square for each byte, in red for emoji, without ink for spaces.
bool squares(std::string_view text, float size, GlyphPicture& picture) {
  if (text.find("猫") != std::string_view::npos) return false;
  const int side = static_cast<int>(size);
  picture.width = side * static_cast<int>(text.size());
  picture.height = side;
  picture.top = -size;
  picture.advance = static_cast<float>(picture.width);
  picture.rgba.assign(static_cast<std::size_t>(picture.width) * side * 4, text == "\u200B" ? 0 : 255);
  if (text.substr(0, 1) == "\xF0") picture.rgba[1] = picture.rgba[2] = 0;
  return true;
}

struct Engine {
  Engine() { attn::ui::setTextEngine(squares); }
  ~Engine() { attn::ui::setTextEngine(nullptr); }
};

float width(std::string_view text) { return attn::ui::measure(attn::ui::Face::kBody, 20, text).x; }
std::string threeBytes(unsigned code) {  // of UTF-8
  const auto rest = [code](int shift) { return static_cast<char>(0x80 | (code >> shift & 0x3F)); };
  return {static_cast<char>(0xE0 | code >> 12), rest(6), rest(0)};
}
std::size_t inked(const GlyphPicture& picture) {
  std::size_t count = 0;
  for (std::size_t at = 3; at < picture.rgba.size(); at += 4) count += picture.rgba[at] > 0;
  return count;
}

}  // namespace

TEST_CASE("a piece that the engine draws is one private character, the same each time and another for another piece") {
  const Engine engine;
  Screen screen;
  const std::string shown = displayable("سلام");
  CHECK(shown == threeBytes(0xE000));
  CHECK(attn::ui::pieceOf(0xE000) == "سلام");
  CHECK(displayable("سلام") == shown);
  CHECK(displayable("سلا") != shown);
  CHECK(displayable("x سلام y") == "x " + shown + " y");
  CHECK(attn::ui::pieceOf(0xE800).empty());
}

TEST_CASE("what the engine draws takes the room that it says, in text of any size") {
  const Engine engine;
  Screen screen;
  const float one = width("犬");
  CHECK(one > 0);
  CHECK(width("犬狐") == doctest::Approx(2 * one));
  CHECK(width("سل") == doctest::Approx(one * 4 / 3));
  CHECK(width("a犬") == doctest::Approx(width("a") + one));
}

TEST_CASE("of a piece that the engine lacks in part, the rest is drawn character by character") {
  const Engine engine;
  Screen screen;
  CHECK(displayable("猫\u0301").size() == 6);
  CHECK(displayable("猫") + displayable("\u0301") == displayable("猫\u0301"));
}

TEST_CASE("a box holds the code point of what nothing draws, and of what would not be seen") {
  const Engine engine;
  Screen screen;
  const GlyphPicture cat = attn::ui::pictureOf("猫", 12), drawn = attn::ui::pictureOf("犬", 12);
  CHECK(drawn.rgba.size() == 36 * 12 * 4);
  CHECK(cat.width == 11);  // two digits, 73 over 2B
  CHECK(cat.height == 15);
  CHECK(cat.rgba != attn::ui::pictureOf("\u0009", 12).rgba);
  CHECK(attn::ui::pictureOf("\u200B", 12).width == 11);
  // The frame, then the pixels of 7, 3, 2 and B.
  CHECK(inked(cat) == 2 * 11 + 2 * 13 + 7 + 11 + 11 + 10);
}

TEST_CASE("a box has six digits beyond U+FFFF and grows with the text") {
  Screen screen;  // without an engine
  const GlyphPicture small = attn::ui::pictureOf("😀", 12), large = attn::ui::pictureOf("😀", 20);
  CHECK(small.width == 15);
  CHECK(large.width == 30);
  CHECK(large.height == 30);
  CHECK(inked(large) == 4 * inked(small));
  CHECK_FALSE(hasColors(small));
  CHECK(displayable("😀").size() == 3);
  CHECK(displayable("tab\t") == "tab" + displayable("\t"));
  CHECK(displayable("\t").size() == 3);
  CHECK(width("😀") > width("猫"));
}

TEST_CASE("a picture has colours where a pixel that is seen is not white") {
  GlyphPicture picture;
  REQUIRE(squares("\xF0\x9F\x98\x80", 4, picture));
  CHECK(hasColors(picture));
  picture.rgba[3] = 0;
  CHECK_FALSE(hasColors(picture));
}

TEST_CASE("after the last private character code points are spelt out") {
  attn::ui::setTextEngine(nullptr);
  Screen screen;
  std::set<std::string> shown;
  for (unsigned i = 0; i < 4096; ++i) shown.insert(displayable(threeBytes(0x4E00 + i)));
  CHECK(shown.size() == 4096);
  CHECK(displayable(threeBytes(0x4E00)).size() == 3);
  CHECK(displayable(threeBytes(0x5E00)) == "U+5E00");
  attn::ui::setTextEngine(nullptr);
}

#endif
