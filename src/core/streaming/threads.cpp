// Starts threads and waits for them.
#include "core/streaming/threads.h"

#include <cassert>
#include <thread>
#include <utility>
#include <vector>

namespace attn::core::streaming {

Check attend(Attention& attention, int threads) {
  assert(threads >= 1);
  std::vector<Scratch> scratch;
  for (int n = 0; n < threads; ++n) {
    auto one = attention.scratch();
    if (!one) return one.error();
    scratch.push_back(one.take());
  }
  std::vector<std::thread> others;
  for (std::size_t n = 1; n < scratch.size(); ++n)
    others.emplace_back([&attention, mine = &scratch[n]] { attention.work(*mine); });
  attention.work(scratch.front());
  for (std::thread& other : others) other.join();
  return {};
}

}  // namespace attn::core::streaming
