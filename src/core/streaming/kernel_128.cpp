// The kernel in vectors of 128 bits: SSE4.2, NEON, and the SIMD of WebAssembly. Knows no machine.
#include "core/streaming/kernel.h"
#include "core/streaming/kernel_words.h"

#if defined(__SSE4_2__) || defined(__ARM_NEON) || defined(__wasm_simd128__)
#if defined(__SSE4_2__)
#include <immintrin.h>
#elif defined(__ARM_NEON)
#include <arm_neon.h>
#else
#include <wasm_simd128.h>
#endif

namespace attn::core::streaming {
namespace {

typedef float Vector __attribute__((vector_size(16), may_alias));
typedef std::int32_t Whole __attribute__((vector_size(16), may_alias));

#if defined(__SSE4_2__)
constexpr int kLanes = 4, kRows = 2, kVectors = 4, kSources = 256;
constexpr char kName[] = "SSE4.2";
ATTN_INLINE Vector splat(float x) { return (Vector)_mm_set1_ps(x); }
ATTN_INLINE Vector load(const float* x) { return splat(*x); }
ATTN_INLINE Vector larger(Vector a, Vector b) { return (Vector)_mm_max_ps((__m128)a, (__m128)b); }
#elif defined(__ARM_NEON)
constexpr int kLanes = 4, kRows = 4, kVectors = 4, kSources = 256;
constexpr char kName[] = "NEON";
ATTN_INLINE Vector splat(float x) { return (Vector)vdupq_n_f32(x); }
ATTN_INLINE Vector load(const float* x) { return (Vector)vld1q_dup_f32(x); }
ATTN_INLINE Vector larger(Vector a, Vector b) { return a > b ? a : b; }
#else
constexpr int kLanes = 4, kRows = 4, kVectors = 2, kSources = 256;
constexpr char kName[] = "WebAssembly SIMD";
ATTN_INLINE Vector splat(float x) { return (Vector)wasm_f32x4_splat(x); }
ATTN_INLINE Vector load(const float* x) { return (Vector)wasm_v128_load32_splat(x); }
ATTN_INLINE Vector larger(Vector a, Vector b) { return (Vector)wasm_f32x4_pmax((v128_t)b, (v128_t)a); }
#endif

}  // namespace
}  // namespace attn::core::streaming

#include "core/streaming/kernel.inc"

namespace attn::core::streaming {
const Kernel* kernel128() { return &kKernel; }
}  // namespace attn::core::streaming
#else
namespace attn::core::streaming {
const Kernel* kernel128() { return nullptr; }
}  // namespace attn::core::streaming
#endif
