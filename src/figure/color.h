// Colours and colour scales. Luminance rises monotonically along every sequential scale.
#pragma once
#include <array>
#include <cstdint>

namespace attn::figure {

struct Color {
  std::uint8_t r = 0, g = 0, b = 0, a = 255;
  bool operator==(const Color&) const = default;
};

enum class Palette : std::uint8_t { kViridis, kCividis, kMagma, kGrey };

using ColorTable = std::array<Color, 256>;
const ColorTable& sequentialTable(Palette palette);  // low to high: dark to light
const ColorTable& divergingTable(bool dark);         // negative, neutral middle (the theme's ground), positive

// The value range a matrix is coloured over. Diverging ranges are symmetric about 0.
struct Scale {
  bool diverging = false;
  double low = 0, high = 1;
};
// How far along the scale, 0–1 and clamped, whatever the magnitudes; NaN is the neutral end.
double partOf(const Scale& scale, double value);
int indexOf(const Scale& scale, double value);  // the same as 0–255
Color colorOf(const Scale& scale, const ColorTable& table, double value);

Color mix(Color a, Color b, double t);    // t = 0: a, t = 1: b
Color faded(Color color, double alpha);  // alpha times that of the colour

// WCAG 2.1 relative luminance (0–1) and contrast ratio (1–21); alpha is ignored.
double luminance(Color color);
double contrast(Color a, Color b);
Color readableOn(Color ground);  // black or white, whichever contrasts more: at least 4.5:1

}  // namespace attn::figure
