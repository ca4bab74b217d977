// Which characters are drawn together, what stands for them, and the box with a code point.
#include "ui/glyphs.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <map>
#include <utility>

#include "core/utf8.h"
#include "ui/theme.h"

namespace attn::ui {
namespace {

constexpr char32_t kFirst = 0xE000;
constexpr std::size_t kMostPieces = 4096;  // each takes room in the font's texture, for each size
constexpr int kLongestPiece = 32;          // characters
constexpr float kTrialSize = 16;

struct Pieces {
  TextEngine engine;
  std::map<std::string, std::string, std::less<>> shown;  // what stands for a piece
  std::vector<std::string> pieces;                        // from kFirst on
};

Pieces& known() {
  static Pieces all;
  return all;
}

using Range = std::pair<char32_t, char32_t>;
template <std::size_t n>
bool in(const Range (&ranges)[n], char32_t code) {
  return std::any_of(ranges, ranges + n, [code](const Range& r) { return r.first <= code && code <= r.second; });
}

constexpr char32_t kJoiner = 0x200D;
// Accents, variation selectors, the key cap, skin tones, tags: part of the character before.
bool isMark(char32_t code) {
  static constexpr Range kMarks[] = {{0x300, 0x36F},   {0x1AB0, 0x1AFF}, {0x1DC0, 0x1DFF},
                                     {0x200C, kJoiner}, {0x20D0, 0x20FF}, {0xFE00, 0xFE0F},
                                     {0xFE20, 0xFE2F}, {0x1F3FB, 0x1F3FF}, {0xE0020, 0xE01EF}};
  return in(kMarks, code);
}

// Scripts from right to left, those of India and south-east Asia, Tibetan, Mongolian, parts of Hangul, flags.
bool isShaped(char32_t code) {
  static constexpr Range kShaped[] = {{0x590, 0x109F},   {0x1100, 0x11FF},   {0x1700, 0x18AF},   {0x1900, 0x1AAF},
                                      {0x1B00, 0x1CFF},  {0xA800, 0xABFF},   {0xD7B0, 0xD7FF},   {0xFB1D, 0xFDFF},
                                      {0xFE70, 0xFEFE},  {0x10800, 0x11FFF}, {0x1E800, 0x1EFFF}, {0x1F1E6, 0x1F1FF}};
  return in(kShaped, code);
}

std::string utf8Of(char32_t code) {  // of U+E000 … U+EFFF
  const auto rest = [code](int shift) { return static_cast<char>(0x80 | (code >> shift & 0x3F)); };
  return {static_cast<char>(0xE0 | code >> 12), rest(6), rest(0)};
}

// Three columns and five rows each, a row per octal digit.
constexpr std::array<std::uint16_t, 16> kDigits = {075557, 026227, 071747, 071717, 055711, 074717, 074757, 071111,
                                                   075757, 075717, 025755, 065656, 074447, 065556, 074747, 074744};

// Two rows of digits in a frame, as browsers show it: 猫 is 73 over 2B.
GlyphPicture box(char32_t code, float size) {
  const int unit = std::max(1, static_cast<int>(size / 10)), columns = code > 0xFFFF ? 3 : 2;
  const int across = 4 * columns + 3, down = 15;
  GlyphPicture picture;
  picture.width = across * unit;
  picture.height = down * unit;
  picture.left = static_cast<float>(unit);
  picture.top = -std::round(0.36f * size + picture.height / 2.f);  // around the middle of capitals
  picture.advance = static_cast<float>(picture.width + 2 * unit);
  const auto inked = [&](int x, int y) {
    if (x == 0 || y == 0 || x == across - 1 || y == down - 1) return true;
    const int column = (x - 2) / 4, row = (y - 2) / 6, dx = (x - 2) % 4, dy = (y - 2) % 6;
    if (x < 2 || y < 2 || column >= columns || row > 1 || dx > 2 || dy > 4) return false;
    const int place = 2 * columns - 1 - (row * columns + column);
    return (kDigits[code >> (4 * place) & 0xF] >> (3 * (4 - dy) + 2 - dx) & 1) != 0;
  };
  picture.rgba.assign(static_cast<std::size_t>(picture.width) * picture.height * 4, 255);
  for (int y = 0, at = 3; y < picture.height; ++y)
    for (int x = 0; x < picture.width; ++x, at += 4)
      if (!inked(x / unit, y / unit)) picture.rgba[static_cast<std::size_t>(at)] = 0;
  return picture;
}

bool hasInk(const GlyphPicture& picture) {
  for (std::size_t alpha = 3; alpha < picture.rgba.size(); alpha += 4)
    if (picture.rgba[alpha] > 0) return true;
  return false;
}

bool isControl(char32_t code) { return code < 0x20 || (code >= 0x7F && code < 0xA0); }

// What cannot be seen, such as a space of no width, counts as lacking: nobody should overlook it.
bool drawn(std::string_view piece, float size, GlyphPicture& picture) {
  const TextEngine& engine = known().engine;
  return engine && !isControl(core::nextChar(piece, 0).code) && engine(piece, size, picture) && hasInk(picture);
}

std::string inWords(std::string_view piece) {
  std::string out;
  for (std::size_t at = 0; at < piece.size();) {
    const core::Utf8Char next = core::nextChar(piece, at);
    char code[16];
    std::snprintf(code, sizeof code, "U+%04X", static_cast<unsigned>(next.code));
    out += code;
    at += next.bytes;
  }
  return out;
}

std::string oneByOne(std::string_view piece) {
  std::string out;
  for (std::size_t at = 0; at < piece.size();) {
    const core::Utf8Char next = core::nextChar(piece, at);
    const std::string_view one = piece.substr(at, next.bytes);
    out += faceHas(next.code) ? std::string(one) : standIn(one);
    at += next.bytes;
  }
  return out;
}

}  // namespace

bool hasColors(const GlyphPicture& picture) {
  constexpr int kWhite = 250, kFaint = 16;  // where alpha is small, engines round
  const std::vector<unsigned char>& rgba = picture.rgba;
  for (std::size_t at = 0; at < rgba.size(); at += 4) {
    if (rgba[at + 3] > kFaint && std::min({rgba[at], rgba[at + 1], rgba[at + 2]}) < kWhite) return true;
  }
  return false;
}

void setTextEngine(TextEngine engine) { known() = {std::move(engine), {}, {}}; }

std::size_t pieceBytes(std::string_view utf8, std::size_t at) {
  core::Utf8Char next = core::nextChar(utf8, at);
  const bool shaped = isShaped(next.code);
  std::size_t end = at;
  for (int count = 0; count < kLongestPiece; ++count) {
    const bool joined = next.code == kJoiner;
    end += next.bytes;
    if (end >= utf8.size()) break;
    next = core::nextChar(utf8, end);
    const bool goes_on = isMark(next.code) || (shaped && isShaped(next.code)) || (joined && !faceHas(next.code));
    if (!next.valid || !goes_on) break;
  }
  return end - at;
}

std::string standIn(std::string_view piece) {
  Pieces& all = known();
  if (const auto found = all.shown.find(piece); found != all.shown.end()) return found->second;
  if (!facesTakePictures() || all.shown.size() >= kMostPieces) return inWords(piece);
  GlyphPicture trial;
  const bool single = core::nextChar(piece, 0).bytes == piece.size();
  if (!single && !drawn(piece, kTrialSize, trial)) return all.shown[std::string(piece)] = oneByOne(piece);
  const auto code = static_cast<char32_t>(kFirst + all.pieces.size());
  all.pieces.emplace_back(piece);
  return all.shown[std::string(piece)] = utf8Of(code);
}

std::string pieceOf(char32_t code) {
  const std::vector<std::string>& pieces = known().pieces;
  return code >= kFirst && code - kFirst < pieces.size() ? pieces[code - kFirst] : "";
}

GlyphPicture pictureOf(std::string_view piece, float size) {
  GlyphPicture picture;
  return drawn(piece, size, picture) ? picture : box(core::nextChar(piece, 0).code, size);
}

}  // namespace attn::ui
