// The kernel in vectors of 512 bits: AVX-512. Knows no machine.
#include "core/streaming/kernel.h"
#include "core/streaming/kernel_words.h"

#if defined(__AVX512F__)
#include <immintrin.h>

namespace attn::core::streaming {
namespace {

typedef float Vector __attribute__((vector_size(64), may_alias));
typedef std::int32_t Whole __attribute__((vector_size(64), may_alias));
constexpr int kLanes = 16, kRows = 6, kVectors = 4, kSources = 512;
constexpr char kName[] = "AVX-512";

ATTN_INLINE Vector splat(float x) { return (Vector)_mm512_set1_ps(x); }
ATTN_INLINE Vector load(const float* x) { return (Vector)_mm512_set1_ps(*x); }
ATTN_INLINE Vector larger(Vector a, Vector b) { return (Vector)_mm512_max_ps((__m512)a, (__m512)b); }

}  // namespace
}  // namespace attn::core::streaming

#include "core/streaming/kernel.inc"

namespace attn::core::streaming {
const Kernel* kernel512() { return &kKernel; }
}  // namespace attn::core::streaming
#else
namespace attn::core::streaming {
const Kernel* kernel512() { return nullptr; }
}  // namespace attn::core::streaming
#endif
