// The text engine of what the program runs on: of the browser, or of the system. See ui::TextEngine.
#pragma once
#include <string_view>

#include "ui/glyphs.h"

namespace attn::platform {

bool drawWithTextEngine(std::string_view text, float size, ui::GlyphPicture& picture);

}  // namespace attn::platform
