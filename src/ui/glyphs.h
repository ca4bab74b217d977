// Pictures of the characters that the faces lack: drawn by the text engine of whatever the program runs on, or a box
// with the code point where that lacks them too. Knows no ImGui.
#pragma once
#include <cstddef>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace attn::ui {

// In real pixels, y downwards, from the pen on the baseline. White is drawn in the colour of the text, unless there are
// other colours.
struct GlyphPicture {
  int width = 0, height = 0;
  float left = 0, top = 0, advance = 0;
  std::vector<unsigned char> rgba;  // height × width × 4, alpha not multiplied in
};
bool hasColors(const GlyphPicture& picture);

// Draws UTF-8 text, an em of so many pixels. False when it lacks one of the characters, or cannot draw at all.
using TextEngine = std::function<bool(std::string_view text, float size, GlyphPicture& picture)>;
// For all that is drawn from now on; before the first frame.
void setTextEngine(TextEngine engine);

// How many bytes from `at`, where a valid character begins, are drawn as one: a character with its marks, joined emoji,
// and letters that change with their neighbours or run from right to left.
std::size_t pieceBytes(std::string_view utf8, std::size_t at);

// Private characters, U+E000 to U+EFFF, in the place of a piece; they stay the same. Code points in words where no more
// of them are left, or where the faces take no pictures.
std::string standIn(std::string_view piece);
std::string pieceOf(char32_t code);  // what a private character stands for, "" for none

// By the engine, or the box. `piece` is valid UTF-8 of at least one character.
GlyphPicture pictureOf(std::string_view piece, float size);

}  // namespace attn::ui
