// What takes long tells somebody who looks on how far it is and how long it will still take. Knows nothing of what it is.
#pragma once
#include <atomic>
#include <functional>
#include <thread>

namespace attn::cli {

// While it lives, and standard error is a terminal: a line there twice a second, which goes again.
class Telling {
 public:
  struct Stand {
    double part = 0;          // 0 to 1
    double seconds_left = 0;  // NaN: not known
  };
  // `stand` is called by another thread.
  explicit Telling(std::function<Stand()> stand);
  ~Telling();
  Telling(const Telling&) = delete;
  Telling& operator=(const Telling&) = delete;

 private:
  std::atomic<bool> done_ = false;
  std::thread thread_;
};

// As many as this machine runs at once.
int threadsHere();

}  // namespace attn::cli
