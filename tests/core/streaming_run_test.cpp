// One computation of attention over long sequences: block by block, cancelled, short of memory or refused.
#include <doctest/doctest.h>

#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "core/buffer_use.h"
#include "core/streaming/streaming.h"
#include "support/long_attention.h"
#include "support/sanitized.h"

namespace attn::core::streaming {
namespace {

using test::LongAttention;
using test::LongCase;

const float kNan = std::numeric_limits<float>::quiet_NaN();

LongCase square(core::Index length, bool causal) {
  LongCase the;
  the.T = the.S = length;
  the.d_k = the.d_v = 8;
  the.causal = causal;
  return the;
}

}  // namespace

TEST_CASE("Blocks may be computed one by one, in any order, and progress counts them") {
  LongCase the = square(400, true);
  the.heads = 2;
  LongAttention attention(the);
  REQUIRE(!attention.compute(bestKernel()));
  const std::vector<float> whole = attention.z;
  attention.z.assign(whole.size(), 7);
  auto prepared = Attention::prepare(attention.inputs(), attention.outputs());
  REQUIRE(prepared.ok());
  auto scratch = prepared.value().scratch();
  CHECK(std::isnan(prepared.value().progress().seconds_left));
  CHECK(prepared.value().progress().all_rows == 800);
  const Index blocks = prepared.value().blocks();
  REQUIRE(blocks >= 4);
  for (Index n = blocks - 1; n >= 0; --n) {
    CHECK(prepared.value().progress().rows < 800);
    prepared.value().compute(n, n + 1, scratch.value());
    CHECK(prepared.value().progress().seconds_left >= 0);
  }
  CHECK(prepared.value().progress().rows == 800);
  CHECK(prepared.value().progress().seconds_left < 1e-9);
  CHECK(attention.z == whole);
}

TEST_CASE("A cancelled run leaves the rows that are not done as they were") {
  LongAttention attention(square(400, false));
  auto prepared = Attention::prepare(attention.inputs(), attention.outputs());
  REQUIRE(prepared.ok());
  auto scratch = prepared.value().scratch();
  const Index last = prepared.value().blocks() - 1;
  prepared.value().compute(last, last + 1, scratch.value());
  prepared.value().cancel();
  prepared.value().work(scratch.value());
  prepared.value().compute(0, 1, scratch.value());
  CHECK(prepared.value().cancelled());
  CHECK(prepared.value().progress().rows > 0);
  CHECK(prepared.value().progress().rows < 400);
  CHECK(attention.z[0] == 7);
  CHECK(attention.z.back() != 7);
}

TEST_CASE("Memory is in proportion to the length, and where there is none that is said") {
  std::size_t most[2];
  for (int n : {0, 1}) {
    LongAttention attention(square(n ? 4096 : 2048, true));
    core::watchHeldBytes();
    const std::size_t before = core::heldBytes();
    REQUIRE(!attention.compute(bestKernel()));
    most[n] = core::mostHeldBytes() - before;
  }
  const std::size_t packed = std::size_t{4} * 2048 * (8 + 16);
  CHECK(most[1] - most[0] <= packed + (std::size_t{1} << 20));
  CHECK(most[0] <= packed + (std::size_t{1} << 20));
  LongAttention attention(square(100, false));
  for (int n : {1, 2}) {
    core::failAllocation(n);
    const auto failed = attention.compute(bestKernel());
    REQUIRE(failed);
    CHECK(failed->message.find("memory") != std::string::npos);
  }
  core::failAllocation(0);
  LongCase padded = square(100, false);
  padded.padding = true;
  LongAttention third(padded);
  core::failAllocation(1);
  CHECK(third.compute(bestKernel()));
  core::failAllocation(0);
}

TEST_CASE("Long attention refuses what is no attention, in one sentence") {
  const auto refused = [](auto change) {
    LongAttention attention(square(10, false));
    Inputs in = attention.inputs();
    change(in);
    const auto result = Attention::prepare(in, attention.outputs());
    return result ? std::string() : result.error().message;
  };
  CHECK(refused([](Inputs&) {}) == "");
  CHECK(refused([](Inputs& in) { in.T = 0; }) != "");
  CHECK(refused([](Inputs& in) { in.S = 0; }) != "");
  CHECK(refused([](Inputs& in) { in.d_k = 257; }) == "d_k: 257 numbers per head; 1 to 256 are possible here");
  CHECK(refused([](Inputs& in) { in.d_v = 0; }) == "d_v: 0 numbers per head; 1 to 256 are possible here");
  CHECK(refused([](Inputs& in) { in.heads = 3, in.key_value_heads = 2; }) != "");
  CHECK(refused([](Inputs& in) { in.rules.window = 0; }) != "");
  CHECK(refused([](Inputs& in) { in.rules.scale = kNan; }) != "");
  CHECK(refused([](Inputs& in) { in.rules.softcap = 0.f; }) != "");
  CHECK(refused([](Inputs& in) { in.rules.sink = &kNan; }) == "sink[0]: it must be a finite number");
  CHECK(refused([](Inputs& in) { in.rules.alibi = &kNan; }) == "alibi[0]: it must be a finite number");
  if (test::kSanitized) return;  // AddressSanitizer ends the program where malloc returns null
  const std::string endless = refused([](Inputs& in) { in.T = in.S = std::numeric_limits<Index>::max() / 2; });
  CHECK(endless.find("memory") != std::string::npos);
}

}  // namespace attn::core::streaming
