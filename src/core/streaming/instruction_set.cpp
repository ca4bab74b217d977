// Asks the processor, once, for the instructions that kernels were compiled for.
#include "core/streaming/instruction_set.h"

#include <array>
#include <cstddef>

namespace attn::core::streaming {
namespace {

#if defined(__x86_64__) || defined(__i386__)
bool has128() { return __builtin_cpu_supports("sse4.2"); }
bool has256() { return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma"); }
bool has512() {
  return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512bw") &&
         __builtin_cpu_supports("avx512dq");
}
#else
// What is compiled for other machines is there on all of them.
bool has128() { return true; }
bool has256() { return true; }
bool has512() { return true; }
#endif

struct Found {
  std::array<const Kernel*, 4> kernels;
  std::size_t count = 0;

  Found() {
    add(kernelPlain(), true);
    add(kernel128(), has128());
    add(kernel256(), has256());
    add(kernel512(), has512());
  }
  void add(const Kernel* kernel, bool runs) {
    if (kernel && runs) kernels[count++] = kernel;
  }
};

}  // namespace

std::span<const Kernel* const> kernels() {
  static const Found found;
  return {found.kernels.data(), found.count};
}

}  // namespace attn::core::streaming
