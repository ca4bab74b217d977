// The value of a decimal number that is written out. Knows no words such as nan, and no locale.
#pragma once
#include <string_view>

namespace attn::io {

// The double nearest to an optional sign, digits with an optional point among or around them, and an optional exponent.
// Nothing else may stand in `text`, which may be of any length. Beyond the largest double it is infinite.
double decimalValue(std::string_view text);

}  // namespace attn::io
