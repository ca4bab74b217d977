// The kernel in vectors of 256 bits: AVX2 with fused multiply and add. Knows no machine.
#include "core/streaming/kernel.h"
#include "core/streaming/kernel_words.h"

#if defined(__AVX2__) && defined(__FMA__)
#include <immintrin.h>

namespace attn::core::streaming {
namespace {

typedef float Vector __attribute__((vector_size(32), may_alias));
typedef std::int32_t Whole __attribute__((vector_size(32), may_alias));
constexpr int kLanes = 8, kRows = 6, kVectors = 2, kSources = 256;
constexpr char kName[] = "AVX2";

ATTN_INLINE Vector splat(float x) { return (Vector)_mm256_set1_ps(x); }
ATTN_INLINE Vector load(const float* x) { return (Vector)_mm256_set1_ps(*x); }
ATTN_INLINE Vector larger(Vector a, Vector b) { return (Vector)_mm256_max_ps((__m256)a, (__m256)b); }

}  // namespace
}  // namespace attn::core::streaming

#include "core/streaming/kernel.inc"

namespace attn::core::streaming {
const Kernel* kernel256() { return &kKernel; }
}  // namespace attn::core::streaming
#else
namespace attn::core::streaming {
const Kernel* kernel256() { return nullptr; }
}  // namespace attn::core::streaming
#endif
