// Names of keys, from the characters they write and from the page's KeyboardEvent.key, as ImGui's keys.
#pragma once
#include <string_view>

#include "imgui.h"

namespace attn::platform {

// The key that writes this character on the person's own layout: letters of either case, digits, `,` `.` `[` `]` `/`
// and so on; `?` is the key of `/`. ImGuiKey_None for the rest.
ImGuiKey keyFromCharacter(unsigned character);

// "ArrowLeft", "Home", "F5", "a", "?" …; ImGuiKey_None for what no shortcut uses.
ImGuiKey keyFromDomName(std::string_view name);

// As web/input.js counts them.
enum Modifier { kShift = 1, kControl = 2, kAlt = 4, kMeta = 8 };

// A character already says what Shift did to it on the person's layout: digits and punctuation come without Shift and
// `?` with it, wherever they are on the keyboard. Letters and named keys keep their Shift.
int modifiersOf(std::string_view name, int modifiers);

}  // namespace attn::platform
