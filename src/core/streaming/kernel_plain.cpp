// The kernel one number at a time, for any machine.
#include "core/streaming/kernel.h"
#include "core/streaming/kernel_words.h"

namespace attn::core::streaming {
namespace {

typedef float Vector __attribute__((vector_size(4), may_alias));
typedef std::int32_t Whole __attribute__((vector_size(4), may_alias));
constexpr int kLanes = 1, kRows = 4, kVectors = 4, kSources = 256;
constexpr char kName[] = "scalar";

ATTN_INLINE Vector splat(float x) { return Vector{x}; }
ATTN_INLINE Vector load(const float* x) { return Vector{*x}; }
ATTN_INLINE Vector larger(Vector a, Vector b) { return a > b ? a : b; }

}  // namespace
}  // namespace attn::core::streaming

#include "core/streaming/kernel.inc"

namespace attn::core::streaming {
const Kernel* kernelPlain() { return &kKernel; }
}  // namespace attn::core::streaming
