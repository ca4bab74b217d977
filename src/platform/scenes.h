// Computes the scene that a session asks for, on a thread of its own: the newest request wins, an older one is stopped.
// Knows no window.
#pragma once
#include <chrono>
#include <condition_variable>
#include <functional>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "app/session.h"

namespace attn::platform {

class SceneThread {
 public:
  // `wake` is called from the thread when serve() has something to tell.
  explicit SceneThread(std::function<void()> wake);
  ~SceneThread();
  SceneThread(const SceneThread&) = delete;
  SceneThread& operator=(const SceneThread&) = delete;

  // Takes up what the session asks for and tells it what has come; true when it told something. Before every frame.
  bool serve(app::Session& session);

 private:
  void work();
  void compute(const app::SceneRequest& request);
  bool goesOn(unsigned long ticket, double done);
  void tell(app::Action answer);

  std::function<void()> wake_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::optional<app::SceneRequest> wanted_;  // not yet taken up
  unsigned long newest_ = 0;                 // whatever has another ticket stops
  bool ends_ = false;
  std::vector<app::Action> answers_;
  std::chrono::steady_clock::time_point last_progress_;
  std::thread thread_;  // the last member: it uses all others
};

// Until nothing is asked for any more, for whoever has no loop.
void computeScenes(app::Session& session);

}  // namespace attn::platform
