// Attention over long sequences by several threads at once.
#include "core/streaming/threads.h"

#include <doctest/doctest.h>

#include <thread>
#include <vector>

#include "core/buffer.h"
#include "support/long_attention.h"

namespace attn::core::streaming {
namespace {

test::LongCase twoHeads(core::Index length) {
  test::LongCase the;
  the.T = the.S = length;
  the.d_k = the.d_v = 16;
  the.heads = 2;
  the.causal = true;
  return the;
}

}  // namespace

TEST_CASE("Any number of threads computes the same, to the bit") {
  test::LongAttention attention(twoHeads(1000));
  REQUIRE(!attention.compute(bestKernel()));
  const std::vector<float> alone = attention.z;
  for (int threads : {1, 2, 3, 50}) {
    attention.z.assign(alone.size(), 7);
    auto prepared = Attention::prepare(attention.inputs(), attention.outputs());
    REQUIRE(prepared.ok());
    REQUIRE(!attend(prepared.value(), threads));
    CHECK(attention.z == alone);
    CHECK(prepared.value().progress().rows == 2000);
  }
}

TEST_CASE("A run is cancelled from another thread while it goes on") {
  test::LongAttention attention(twoHeads(20000));
  auto prepared = Attention::prepare(attention.inputs(), attention.outputs(), *kernels().front());
  REQUIRE(prepared.ok());
  std::thread running([&] { CHECK(!attend(prepared.value(), 2)); });
  while (prepared.value().progress().rows == 0) std::this_thread::yield();
  prepared.value().cancel();
  running.join();
  CHECK(prepared.value().progress().rows < 40000);
}

TEST_CASE("Where a thread finds no memory, none begins") {
  test::LongAttention attention(twoHeads(300));
  auto prepared = Attention::prepare(attention.inputs(), attention.outputs());
  REQUIRE(prepared.ok());
  core::failAllocation(2);
  CHECK(attend(prepared.value(), 3));
  core::failAllocation(0);
  CHECK(prepared.value().progress().rows == 0);
}

}  // namespace attn::core::streaming
