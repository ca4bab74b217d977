// Loops of nothing but multiplications and additions.
#include "bench/peak.h"

#include <cstring>
#include <ctime>

#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace attn::bench {
namespace {

#if defined(__x86_64__)
constexpr int kSums = 12;
constexpr long kRepeats = 4'000'000;

// So that the compiler cannot know what is computed, and computes it.
volatile float factor = 0.999f, term = 0.001f, result = 0;

__attribute__((target("avx512f"))) void rounds512() {
  const __m512 a = _mm512_set1_ps(factor), b = _mm512_set1_ps(term);
  __m512 sum[kSums];
#pragma GCC unroll 16
  for (int n = 0; n < kSums; ++n) sum[n] = _mm512_set1_ps(static_cast<float>(n));
  for (long time = 0; time < kRepeats; ++time)
#pragma GCC unroll 16
    for (int n = 0; n < kSums; ++n) sum[n] = _mm512_fmadd_ps(sum[n], a, b);
#pragma GCC unroll 16
  for (int n = 0; n < kSums; ++n) result = _mm512_cvtss_f32(sum[n]);
}

__attribute__((target("avx2,fma"))) void rounds256() {
  const __m256 a = _mm256_set1_ps(factor), b = _mm256_set1_ps(term);
  __m256 sum[kSums];
#pragma GCC unroll 16
  for (int n = 0; n < kSums; ++n) sum[n] = _mm256_set1_ps(static_cast<float>(n));
  for (long time = 0; time < kRepeats; ++time)
#pragma GCC unroll 16
    for (int n = 0; n < kSums; ++n) sum[n] = _mm256_fmadd_ps(sum[n], a, b);
#pragma GCC unroll 16
  for (int n = 0; n < kSums; ++n) result = _mm256_cvtss_f32(sum[n]);
}

void rounds128() {
  const __m128 a = _mm_set1_ps(factor), b = _mm_set1_ps(term);
  __m128 sum[kSums];
#pragma GCC unroll 16
  for (int n = 0; n < kSums; ++n) sum[n] = _mm_set1_ps(static_cast<float>(n));
  for (long time = 0; time < kRepeats; ++time)
#pragma GCC unroll 16
    for (int n = 0; n < kSums; ++n) sum[n] = _mm_add_ps(_mm_mul_ps(sum[n], a), b);
#pragma GCC unroll 16
  for (int n = 0; n < kSums; ++n) result = _mm_cvtss_f32(sum[n]);
}

double flopsPerSecond(void (*rounds)(), int lanes) {
  rounds();  // until the clock is what it will be
  const double start = threadSeconds();
  rounds();
  return 2.0 * lanes * kSums * kRepeats / (threadSeconds() - start);
}
#endif

}  // namespace

double threadSeconds() {
  timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

double peakFlopsPerSecond([[maybe_unused]] const char* kernel) {
#if defined(__x86_64__)
  if (std::strcmp(kernel, "AVX-512") == 0) return flopsPerSecond(rounds512, 16);
  if (std::strcmp(kernel, "AVX2") == 0) return flopsPerSecond(rounds256, 8);
  if (std::strcmp(kernel, "SSE4.2") == 0) return flopsPerSecond(rounds128, 4);
#endif
  return 0;
}

}  // namespace attn::bench
