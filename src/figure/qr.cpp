// Over Nayuki's generator. Runs of dark modules are one rectangle each.
#include "figure/qr.h"

#include <array>

#include "core/language.h"
#include "qrcodegen.h"

namespace attn::figure {
namespace {

constexpr int kQuiet = 4;  // modules on each side
constexpr Color kDark{0, 0, 0}, kLight{255, 255, 255};

}  // namespace

core::Result<QrCode> qrCode(const std::string& text) {
  if (text.size() > kLongestQr)
    return core::Error{tr("A QR picture holds at most {0} bytes, and this link has {1}; copy it instead.",
                          {kLongestQr, text.size()})};
  std::array<std::uint8_t, qrcodegen_BUFFER_LEN_MAX> made{}, scratch{};
  [[maybe_unused]] const bool fits =
      qrcodegen_encodeText(text.c_str(), scratch.data(), made.data(), qrcodegen_Ecc_LOW, qrcodegen_VERSION_MIN,
                           qrcodegen_VERSION_MAX, qrcodegen_Mask_AUTO, true);
  QrCode code;
  code.side = qrcodegen_getSize(made.data());
  for (int y = 0; y < code.side; ++y)
    for (int x = 0; x < code.side; ++x) code.dark.push_back(qrcodegen_getModule(made.data(), x, y) ? 1 : 0);
  return code;
}

Picture qrPicture(const QrCode& code, float x, float y, float side) {
  Picture picture;
  picture.add(Fill{{x, y, side, side}, kLight});
  const float module = side / static_cast<float>(code.side + 2 * kQuiet);
  const auto at = [&](int place) { return module * static_cast<float>(place + kQuiet); };
  for (int row = 0; row < code.side; ++row) {
    for (int from = 0; from < code.side;) {
      const auto dark = [&](int column) { return code.dark[static_cast<std::size_t>(row * code.side + column)] != 0; };
      int to = from;
      while (to < code.side && dark(to)) ++to;
      if (to > from) picture.add(Fill{{x + at(from), y + at(row), at(to) - at(from), module}, kDark});
      from = std::max(to, from + 1);
    }
  }
  return picture;
}

}  // namespace attn::figure
