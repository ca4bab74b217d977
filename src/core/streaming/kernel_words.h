// What the files that include kernel.inc say to their compiler.
#pragma once

// Even without optimisation: a function left over could be taken for other files, on machines that cannot run it.
#define ATTN_INLINE inline __attribute__((always_inline))

// How often the inner loop is written out. The compilers of browsers give sums a place in memory once it is.
#if defined(__wasm__)
#define ATTN_UNROLL _Pragma("clang loop unroll(disable)")
#elif defined(__clang__)
#define ATTN_UNROLL _Pragma("clang loop unroll_count(4)")
#else
#define ATTN_UNROLL _Pragma("GCC unroll 2")
#endif
