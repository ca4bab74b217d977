// Whether this test binary watches memory, or runs slowly at all. What asks the same of a thousand draws or sizes then
// takes minutes and shows no more than the first: such test cases run in the other builds, or do less here.
#pragma once

namespace attn::test {

#if defined(__SANITIZE_ADDRESS__)  // gcc
#define ATTN_SANITIZED
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)  // clang
#define ATTN_SANITIZED
#endif
#endif

#if defined(ATTN_SANITIZED)
inline constexpr bool kSanitized = true;
#else
inline constexpr bool kSanitized = false;
#endif

#if defined(__EMSCRIPTEN__)
inline constexpr bool kSlow = true;
#else
inline constexpr bool kSlow = kSanitized;
#endif

}  // namespace attn::test
