// QR codes by what the standard fixes: sizes, finder and timing patterns, the quiet zone; what they say is read back by
// the browser tests.
#include "figure/qr.h"

#include <doctest/doctest.h>

#include <algorithm>

using namespace attn::figure;

namespace {

bool darkAt(const QrCode& code, int x, int y) { return code.dark[static_cast<std::size_t>(y * code.side + x)] != 0; }

// Rings around the middle of the 7×7 square: dark, dark, light, dark.
bool hasFinder(const QrCode& code, int left, int top) {
  for (int y = 0; y < 7; ++y)
    for (int x = 0; x < 7; ++x)
      if (darkAt(code, left + x, top + y) != (std::max(std::abs(x - 3), std::abs(y - 3)) != 2)) return false;
  return true;
}

}  // namespace

TEST_CASE("a code is as small as its text allows and has the patterns that readers look for") {
  CHECK(qrCode("v=1").value().side == 21);
  for (const std::size_t length : {1u, 100u, 1000u, 2953u}) {
    const auto code = qrCode(std::string(length, 'a'));
    REQUIRE(code.ok());
    const int side = code.value().side;
    CHECK((side - 21) % 4 == 0);
    CHECK(code.value().dark.size() == static_cast<std::size_t>(side * side));
    CHECK(hasFinder(code.value(), 0, 0));
    CHECK(hasFinder(code.value(), side - 7, 0));
    CHECK(hasFinder(code.value(), 0, side - 7));
    for (int i = 8; i < side - 8; ++i) CHECK(darkAt(code.value(), i, 6) == (i % 2 == 0));
  }
  CHECK(qrCode(std::string(2953, 'a')).value().side == 177);
}

TEST_CASE("a text that no code holds is refused with both lengths") {
  CHECK(qrCode(std::string(2954, 'a')).error().message ==
        "A QR picture holds at most 2953 bytes, and this link has 2954; copy it instead.");
}

TEST_CASE("the picture has each dark module once, on white with a quiet zone") {
  const QrCode code = qrCode("https://example.org/#v=1&stage=weights").value();
  const float module = 10, side = module * static_cast<float>(code.side + 8);
  const Picture picture = qrPicture(code, 5, 7, side);
  float area = 0;
  for (std::size_t n = 0; n < picture.shapes.size(); ++n) {
    const auto* fill = std::get_if<Fill>(&picture.shapes[n]);
    REQUIRE(fill);
    if (n == 0) {
      CHECK(fill->color == Color{255, 255, 255});
      CHECK(fill->box.w == side);
      continue;
    }
    CHECK(fill->color == Color{0, 0, 0});
    area += fill->box.w * fill->box.h;
    CHECK(fill->box.x >= 5 + 4 * module - 0.01f);
    CHECK(fill->box.y >= 7 + 4 * module - 0.01f);
    CHECK(fill->box.right() <= 5 + side - 4 * module + 0.01f);
    CHECK(fill->box.bottom() <= 7 + side - 4 * module + 0.01f);
  }
  const auto dark = static_cast<float>(std::count(code.dark.begin(), code.dark.end(), 1));
  CHECK(area == doctest::Approx(dark * module * module).epsilon(1e-4));
}
