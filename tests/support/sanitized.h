// Whether this test binary watches memory. What asks the same of a thousand draws or sizes then takes minutes and shows
// no more of memory than the first: such test cases run in the other builds.
#pragma once

namespace attn::test {

#if defined(__SANITIZE_ADDRESS__)
inline constexpr bool kSanitized = true;
#else
inline constexpr bool kSanitized = false;
#endif

}  // namespace attn::test
