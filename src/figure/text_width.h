// About how wide a text is, where there are no fonts to ask: a little more than most faces need. Knows no face.
#pragma once
#include "figure/picture.h"

namespace attn::figure {

float approximateWidth(Typeface face, float size, std::string_view text);

}  // namespace attn::figure
