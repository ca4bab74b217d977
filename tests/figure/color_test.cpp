// Colour scales: order, middle, contrast.
#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "figure/color.h"

using namespace attn::figure;

TEST_CASE("luminance rises strictly along every sequential scale") {
  for (const Palette palette : {Palette::kViridis, Palette::kCividis, Palette::kMagma, Palette::kGrey}) {
    const ColorTable& table = sequentialTable(palette);
    for (std::size_t i = 1; i < table.size(); ++i) {
      CAPTURE(static_cast<int>(palette));
      CAPTURE(i);
      CHECK(luminance(table[i]) > luminance(table[i - 1]));
    }
  }
}

TEST_CASE("sequential scales keep the published ends") {
  CHECK(sequentialTable(Palette::kViridis).front() == Color{0x44, 0x01, 0x54, 255});
  CHECK(sequentialTable(Palette::kViridis).back() == Color{0xfd, 0xe7, 0x25, 255});
  CHECK(sequentialTable(Palette::kCividis).front() == Color{0x00, 0x22, 0x4e, 255});
  CHECK(sequentialTable(Palette::kMagma).back() == Color{0xfc, 0xfd, 0xbf, 255});
}

TEST_CASE("diverging scales move away from the ground on both sides of 0") {
  for (const bool dark : {false, true}) {
    const ColorTable& table = divergingTable(dark);
    for (std::size_t i = 1; i < 128; ++i) {
      // Lighter than the ground on dark, darker on light; eight bits may leave neighbours equal, so not strictly.
      const double sign = dark ? 1 : -1;
      CHECK(sign * luminance(table[127 - i]) >= sign * luminance(table[128 - i]));
      CHECK(sign * luminance(table[128 + i]) >= sign * luminance(table[127 + i]));
    }
    CHECK(contrast(table.front(), table[128]) > 3);
    CHECK(contrast(table.back(), table[128]) > 3);
    CHECK(table.front().b > table.front().r);  // blue below 0
    CHECK(table.back().r > table.back().b);    // orange above
  }
}

TEST_CASE("a value finds its place on the scale") {
  const Scale sequential{false, 0, 2};
  const Scale around_zero{true, -3, 3};
  const ColorTable& table = sequentialTable(Palette::kGrey);
  CHECK(indexOf(sequential, 0) == 0);
  CHECK(indexOf(sequential, 2) == 255);
  CHECK(indexOf(sequential, 99) == 255);
  CHECK(indexOf(sequential, -1) == 0);
  CHECK(indexOf(around_zero, 0) == 128);
  CHECK(colorOf(sequential, table, 1) == table[128]);
  const double infinity = std::numeric_limits<double>::infinity();
  CHECK(indexOf(sequential, infinity) == 255);
  CHECK(indexOf(around_zero, -infinity) == 0);
  CHECK(indexOf(around_zero, std::nan("")) == 128);
}

TEST_CASE("a scale without an extent colours everything the same and divides by nothing") {
  const Scale empty{false, 1, 1};
  CHECK(indexOf(empty, 1) == indexOf(empty, 5));
}

TEST_CASE("the largest and the smallest numbers have their place on a scale") {
  const Scale huge{true, -1.7e308, 1.7e308};
  CHECK(indexOf(huge, -1.7e308) == 0);
  CHECK(indexOf(huge, 0) == 128);
  CHECK(indexOf(huge, 1.7e308) == 255);
  CHECK(partOf(huge, 0.85e308) == doctest::Approx(0.75).epsilon(1e-12));  // a few roundings
  const Scale tiny{false, 0, 5e-324};
  CHECK(indexOf(tiny, 0) == 0);
  CHECK(indexOf(tiny, 5e-324) == 255);
}

TEST_CASE("contrast is that of WCAG 2.1") {
  const Color black{0, 0, 0, 255}, white{255, 255, 255, 255}, grey{0x77, 0x77, 0x77, 255};
  CHECK(contrast(black, white) == doctest::Approx(21));
  CHECK(contrast(white, black) == doctest::Approx(21));
  CHECK(contrast(grey, white) == doctest::Approx(4.48).epsilon(0.002));  // the published figure has two decimals
}

TEST_CASE("numbers can be read on every colour of every scale") {
  const auto check = [](const ColorTable& table) {
    for (const Color& color : table) {
      CHECK(contrast(readableOn(color), color) >= 4.5);
    }
  };
  for (const Palette palette : {Palette::kViridis, Palette::kCividis, Palette::kMagma, Palette::kGrey}) {
    check(sequentialTable(palette));
  }
  check(divergingTable(false));
  check(divergingTable(true));
}

TEST_CASE("mixing and fading keep their ends") {
  const Color a{10, 20, 30, 255}, b{200, 100, 0, 255};
  CHECK(mix(a, b, 0) == a);
  CHECK(mix(a, b, 1) == b);
  CHECK(faded(a, 0).a == 0);
  CHECK(faded(a, 1) == a);
  CHECK(faded(a, 2) == a);
}

namespace {

// Machado, Oliveira and Fernandes (2009), "A physiologically-based model for simulation of color vision deficiency", severity
// 1.0: on linear RGB.
constexpr std::array<std::array<double, 9>, 3> kDeficiencies{{
    {0.152286, 1.052583, -0.204868, 0.114503, 0.786281, 0.099216, -0.003882, -0.048116, 1.051998},   // protanopia
    {0.367322, 0.860646, -0.227968, 0.280085, 0.672501, 0.047413, -0.011820, 0.042940, 0.968881},    // deuteranopia
    {1.255528, -0.076749, -0.178779, -0.078411, 0.930809, 0.147602, 0.004733, 0.691367, 0.303900}}};  // tritanopia

double linear(std::uint8_t channel) {
  const double part = channel / 255.0;
  return part <= 0.04045 ? part / 12.92 : std::pow((part + 0.055) / 1.055, 2.4);
}

// Relative luminance as somebody with that deficiency has it.
double luminanceFor(const std::array<double, 9>& m, Color color) {
  const double r = linear(color.r), g = linear(color.g), b = linear(color.b);
  const auto seen = [&](std::size_t row) {
    return std::clamp(m[3 * row] * r + m[3 * row + 1] * g + m[3 * row + 2] * b, 0.0, 1.0);
  };
  return 0.2126 * seen(0) + 0.7152 * seen(1) + 0.0722 * seen(2);
}

}  // namespace

TEST_CASE("a larger value is lighter on every sequential scale for people who confuse red and green, or blue and yellow") {
  constexpr std::size_t kApart = 8;  // of 256 colours: neighbours are rounded
  for (const auto palette : {Palette::kViridis, Palette::kCividis, Palette::kMagma,
                             Palette::kGrey}) {
    const auto& table = sequentialTable(palette);
    for (const auto& deficiency : kDeficiencies)
      for (std::size_t i = 0; i + kApart < table.size(); ++i) {
        CAPTURE(static_cast<int>(palette));
        CAPTURE(i);
        CHECK(luminanceFor(deficiency, table[i + kApart]) > luminanceFor(deficiency, table[i]));
      }
  }
}

TEST_CASE("the two ends of the diverging scale are told apart by everyone, and both from its middle") {
  for (const bool dark : {false, true}) {
    const auto& table = divergingTable(dark);
    for (const auto& m : kDeficiencies) {
      const auto seen = [&](Color c, std::size_t row) {
        return m[3 * row] * linear(c.r) + m[3 * row + 1] * linear(c.g) + m[3 * row + 2] * linear(c.b);
      };
      const auto distance = [&](Color a, Color b) {
        double sum = 0;
        for (std::size_t row = 0; row < 3; ++row) sum += std::pow(seen(a, row) - seen(b, row), 2);
        return std::sqrt(sum);
      };
      CAPTURE(dark);
      CHECK(distance(table.front(), table.back()) > 0.2);
      CHECK(distance(table.front(), table[128]) > 0.2);
      CHECK(distance(table.back(), table[128]) > 0.2);
    }
  }
}
