// A thread that writes one line again and again. See telling.h.
#include "cli/telling.h"

#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <utility>

namespace attn::cli {

Telling::Telling(std::function<Stand()> stand) {
  if (!isatty(STDERR_FILENO)) return;
  thread_ = std::thread([this, stand = std::move(stand)] {
    for (bool told = false;; told = true) {
      for (int n = 0; n < 10 && !done_; ++n) std::this_thread::sleep_for(std::chrono::milliseconds(50));
      if (done_) return void(told && std::fputs("\r\033[K", stderr));
      const Stand now = stand();
      std::fprintf(stderr, "\r\033[K%.0f %%", 100 * now.part);
      if (!std::isnan(now.seconds_left)) std::fprintf(stderr, ", about %.0f s left", std::ceil(now.seconds_left));
    }
  });
}

Telling::~Telling() {
  done_ = true;
  if (thread_.joinable()) thread_.join();
}

int threadsHere() { return std::max(1, static_cast<int>(std::thread::hardware_concurrency())); }

}  // namespace attn::cli
