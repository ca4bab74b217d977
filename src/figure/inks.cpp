// The tables of colours, one per theme.
#include "figure/inks.h"

namespace attn::figure {
namespace {

constexpr Color hex(unsigned rgb) {
  return {static_cast<std::uint8_t>(rgb >> 16), static_cast<std::uint8_t>(rgb >> 8), static_cast<std::uint8_t>(rgb),
          255};
}

constexpr Inks kLight = {.ground = hex(0xF6F4EF),
                         .surface = hex(0xFFFFFF),
                         .raised = hex(0xECE9E1),
                         .line = hex(0xD6D1C5),
                         .text = hex(0x1D2330),
                         .muted = hex(0x565D6B),
                         .now = hex(0xC2470A),
                         .row = hex(0x0B6B80),
                         .parameter = hex(0x6A45B5),
                         .hatch = hex(0x9AA0AA),
                         .unknown = hex(0xB9B4A8),
                         .warning = hex(0xA8281E),
                         .focus = hex(0x1B5FD0)};
constexpr Inks kDark = {.ground = hex(0x12161D),
                        .surface = hex(0x191F28),
                        .raised = hex(0x252D38),
                        .line = hex(0x36404D),
                        .text = hex(0xE9EDF2),
                        .muted = hex(0xA7B1BE),
                        .now = hex(0xFFB454),
                        .row = hex(0x5BC9DE),
                        .parameter = hex(0xBBA2F5),
                        .hatch = hex(0x5F6B7A),
                        .unknown = hex(0x4A5563),
                        .warning = hex(0xFF9485),
                        .focus = hex(0x82B6FF)};
constexpr Inks kLightContrast = {.ground = hex(0xFFFFFF),
                                 .surface = hex(0xFFFFFF),
                                 .raised = hex(0xF0F0F0),
                                 .line = hex(0x000000),
                                 .text = hex(0x000000),
                                 .muted = hex(0x2A2A2A),
                                 .now = hex(0xA13200),
                                 .row = hex(0x004F66),
                                 .parameter = hex(0x4B1FA3),
                                 .hatch = hex(0x555555),
                                 .unknown = hex(0x777777),
                                 .warning = hex(0x990000),
                                 .focus = hex(0x0033CC)};
constexpr Inks kDarkContrast = {.ground = hex(0x000000),
                                .surface = hex(0x000000),
                                .raised = hex(0x1C1C1C),
                                .line = hex(0xFFFFFF),
                                .text = hex(0xFFFFFF),
                                .muted = hex(0xE0E0E0),
                                .now = hex(0xFFD23F),
                                .row = hex(0x4DEBFF),
                                .parameter = hex(0xD9C2FF),
                                .hatch = hex(0xAAAAAA),
                                .unknown = hex(0x888888),
                                .warning = hex(0xFFB0A6),
                                .focus = hex(0x66B2FF)};

}  // namespace

const Inks& inks(bool dark, bool high_contrast) {
  if (high_contrast) return dark ? kDarkContrast : kLightContrast;
  return dark ? kDark : kLight;
}

}  // namespace attn::figure
