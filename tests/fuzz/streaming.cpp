// Any bytes as a shape and rules: attention over long sequences is within its error of attention over the whole grid, with
// every instruction set. Run it with scripts/fuzz streaming.
#include <cstdint>
#include <cstring>

#include "core/streaming/streaming.h"
#include "core/trace.h"
#include "fuzz/require.h"
#include "support/long_attention.h"

namespace {

using namespace attn;
using core::Index;
using fuzz::require;

class Bytes {
 public:
  Bytes(const std::uint8_t* data, std::size_t size) : data_(data), size_(size) {}
  unsigned next() { return size_ > 0 ? (--size_, *data_++) : 0; }
  Index below(Index n) { return static_cast<Index>(next() | next() << 8) % n; }

 private:
  const std::uint8_t* data_;
  std::size_t size_;
};

test::LongCase caseOf(Bytes& bytes) {
  test::LongCase the;
  the.T = 1 + bytes.below(200);
  the.S = 1 + bytes.below(bytes.next() % 8 == 0 ? 1200 : 200);
  the.d_k = 1 + bytes.below(bytes.next() % 4 == 0 ? 256 : 20);
  the.d_v = 1 + bytes.below(bytes.next() % 4 == 0 ? 256 : 20);
  the.key_value_heads = 1 + bytes.below(2);
  the.heads = the.key_value_heads * (1 + bytes.below(2));
  const unsigned rules = bytes.next();
  the.causal = rules & 1;
  the.align = rules & 2 ? core::Align::kBottomRight : core::Align::kTopLeft;
  if (rules & 4) the.window = 1 + bytes.below(300);
  the.padding = rules & 8;
  if (rules & 16) the.pattern = {1 + bytes.below(100), 1 + bytes.below(100)};
  the.alibi = rules & 32;
  the.sink = rules & 64;
  if (rules & 128) the.softcap = (1 + bytes.next()) / 32.0;
  the.seed = bytes.next();
  return the;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  Bytes bytes(data, size);
  test::LongAttention attention(caseOf(bytes));
  const auto trace = core::computeTrace(attention.problem());
  require(trace.ok());
  for (const core::streaming::Kernel* kernel : core::streaming::kernels()) {
    require(!attention.compute(*kernel));
    const test::LongError error = test::longError(attention, trace.value());
    // Scores of unit variance at most, of which the cap and the slopes make no more than 60.
    require(error.status && error.z <= 3e-5 && error.weight <= 3e-5);
  }
  return 0;
}
