// The colour tables and the arithmetic of contrast. Knows no theme beyond light and dark.
#include "figure/color.h"

#include <algorithm>
#include <cmath>

namespace attn::figure {
namespace {

// Every 17th of the 256 published colours. Viridis and magma: Smith and van der Walt 2015; cividis: Nuñez, Anderton and
// Renslow 2018. All three are in the public domain (CC0).
constexpr std::array<std::uint32_t, 16> kViridis = {0x440154, 0x481a6c, 0x472f7d, 0x414487, 0x39568c, 0x31688e,
                                                    0x2a788e, 0x23888e, 0x1f988b, 0x22a884, 0x35b779, 0x54c568,
                                                    0x7ad151, 0xa5db36, 0xd2e21b, 0xfde725};
constexpr std::array<std::uint32_t, 16> kCividis = {0x00224e, 0x002e6c, 0x1e3a6f, 0x35456c, 0x47516c, 0x575d6d,
                                                    0x666970, 0x757575, 0x848279, 0x948e77, 0xa59c74, 0xb7a96e,
                                                    0xc8b866, 0xdbc75a, 0xeed649, 0xfee838};
constexpr std::array<std::uint32_t, 16> kMagma = {0x000004, 0x0b0924, 0x20114b, 0x3b0f70, 0x57157e, 0x721f81,
                                                  0x8c2981, 0xa8327d, 0xc43c75, 0xde4968, 0xf1605d, 0xfa7f5e,
                                                  0xfe9f6d, 0xfebf84, 0xfddea0, 0xfcfdbf};

// Blue below 0, orange above: told apart with every common kind of colour vision. The middle is the theme's ground.
constexpr std::array<std::uint32_t, 5> kDivergingDark = {0x6cb6ff, 0x2f5f96, 0x12161d, 0x96561d, 0xffae57};
constexpr std::array<std::uint32_t, 5> kDivergingLight = {0x1f5fa8, 0x8fb8e3, 0xf6f4ef, 0xeeb57e, 0xb3540b};

Color unpack(std::uint32_t rgb) {
  return {static_cast<std::uint8_t>(rgb >> 16), static_cast<std::uint8_t>(rgb >> 8), static_cast<std::uint8_t>(rgb), 255};
}

template <std::size_t N>
ColorTable interpolate(const std::array<std::uint32_t, N>& points) {
  ColorTable table;
  for (std::size_t i = 0; i < table.size(); ++i) {
    const double t = static_cast<double>(i) * (N - 1) / (table.size() - 1);
    const std::size_t k = std::min(static_cast<std::size_t>(t), N - 2);
    table[i] = mix(unpack(points[k]), unpack(points[k + 1]), t - static_cast<double>(k));
  }
  return table;
}

// Eight bits per channel leave equal neighbours in luminance here and there; one more unit of green parts them.
ColorTable rising(ColorTable table) {
  for (std::size_t i = 1; i < table.size(); ++i) {
    while (luminance(table[i]) <= luminance(table[i - 1]) && table[i].g < 255) {
      ++table[i].g;
    }
  }
  return table;
}

ColorTable greys() {
  ColorTable table;
  for (std::size_t i = 0; i < table.size(); ++i) {
    const auto v = static_cast<std::uint8_t>(i);
    table[i] = {v, v, v, 255};
  }
  return table;
}

double linear(std::uint8_t channel) {
  const double c = channel / 255.0;
  return c <= 0.04045 ? c / 12.92 : std::pow((c + 0.055) / 1.055, 2.4);
}

}  // namespace

Color mix(Color a, Color b, double t) {
  const auto channel = [t](std::uint8_t from, std::uint8_t to) {
    return static_cast<std::uint8_t>(std::lround(from + (to - from) * t));
  };
  return {channel(a.r, b.r), channel(a.g, b.g), channel(a.b, b.b), channel(a.a, b.a)};
}

Color faded(Color color, double alpha) {
  color.a = static_cast<std::uint8_t>(std::lround(color.a * std::clamp(alpha, 0.0, 1.0)));
  return color;
}

const ColorTable& sequentialTable(Palette palette) {
  static const ColorTable viridis = rising(interpolate(kViridis));
  static const ColorTable cividis = rising(interpolate(kCividis));
  static const ColorTable magma = rising(interpolate(kMagma));
  static const ColorTable grey = greys();
  switch (palette) {
    case Palette::kViridis: return viridis;
    case Palette::kCividis: return cividis;
    case Palette::kMagma: return magma;
    case Palette::kGrey: return grey;
  }
  return viridis;
}

const ColorTable& divergingTable(bool dark) {
  static const ColorTable on_dark = interpolate(kDivergingDark);
  static const ColorTable on_light = interpolate(kDivergingLight);
  return dark ? on_dark : on_light;
}

double partOf(const Scale& scale, double value) {
  if (std::isnan(value) || !(scale.high > scale.low)) {
    return scale.diverging ? 0.5 : 0;
  }
  const double span = scale.high - scale.low;
  const double t = std::isfinite(span) ? (value - scale.low) / span
                                       : (value / 2 - scale.low / 2) / (scale.high / 2 - scale.low / 2);
  return std::clamp(t, 0.0, 1.0);
}

int indexOf(const Scale& scale, double value) { return static_cast<int>(partOf(scale, value) * 255 + 0.5); }

Color colorOf(const Scale& scale, const ColorTable& table, double value) {
  return table[static_cast<std::size_t>(indexOf(scale, value))];
}

double luminance(Color color) {
  return 0.2126 * linear(color.r) + 0.7152 * linear(color.g) + 0.0722 * linear(color.b);
}

double contrast(Color a, Color b) {
  const double high = std::max(luminance(a), luminance(b));
  const double low = std::min(luminance(a), luminance(b));
  return (high + 0.05) / (low + 0.05);
}

Color readableOn(Color ground) {
  constexpr Color kInk = {0, 0, 0, 255};  // anything lighter would fall below 4.5:1 on some middle tones
  constexpr Color kPaper = {255, 255, 255, 255};
  return contrast(kInk, ground) >= contrast(kPaper, ground) ? kInk : kPaper;
}

}  // namespace attn::figure
