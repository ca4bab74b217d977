// Numbers in the sentences of an audit.
#pragma once
#include <cstdio>
#include <string>

namespace attn::audit {

// With at most that many digits that count, from 1 to 17: "0.9", "1.11111", "3e-07".
inline std::string numberText(double value, int digits) {
  char text[32];
  std::snprintf(text, sizeof text, "%.*g", digits, value);
  return text;
}

}  // namespace attn::audit
