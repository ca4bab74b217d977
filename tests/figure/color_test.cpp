// Colour scales: order, middle, contrast.
#include <doctest/doctest.h>

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
