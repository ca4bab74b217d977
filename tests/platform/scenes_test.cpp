// Scenes computed on a thread: the newest request is answered, older ones are stopped. Natively only.
#include "platform/scenes.h"

#include <doctest/doctest.h>

#include <condition_variable>
#include <mutex>

namespace {

using namespace attn;
using namespace attn::app;

// What a window's loop is to the thread: woken, it serves.
class Loop {
 public:
  void wake() {
    {
      const std::lock_guard lock(mutex_);
      ++woken_;
    }
    changed_.notify_one();
  }
  // Serves the session until `done`, sleeping between.
  template <class Done>
  void run(platform::SceneThread& scenes, Session& session, Done done) {
    for (;;) {
      scenes.serve(session);
      if (done()) return;
      std::unique_lock lock(mutex_);
      changed_.wait(lock, [this] { return woken_ > 0; });
      woken_ = 0;
    }
  }

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  int woken_ = 0;
};

// Far longer than any test should take; it asks for leave to go on many times.
const action::OpenScene kLong{"scaling", {{"d", "1024"}, {"pairs", "1000000"}}};

}  // namespace

TEST_CASE("A scene that is asked for arrives from the thread") {
  Loop loop;
  platform::SceneThread scenes([&] { loop.wake(); });
  Session session;
  session.dispatch(action::OpenScene{"why-context", {{"layers", "3"}, {"colour", "red"}}});
  loop.run(scenes, session, [&] { return !session.computing(); });
  REQUIRE(session.page());
  CHECK(session.page()->id == "why-context");
  CHECK(session.state().settings == lesson::Settings{{"layers", "3"}});
  CHECK(session.notice().find("colour") != std::string::npos);
}

TEST_CASE("A long computation tells its progress and gives way to a newer request") {
  Loop loop;
  platform::SceneThread scenes([&] { loop.wake(); });
  Session session;
  session.dispatch(kLong);
  loop.run(scenes, session, [&] { return session.sceneProgress() >= 0; });
  CHECK(!session.page());
  session.dispatch(action::OpenScene{"why-context", {}});
  loop.run(scenes, session, [&] { return !session.computing(); });
  CHECK(session.page()->id == "why-context");
  CHECK(session.notice().empty());
}

TEST_CASE("Leaving a scene, and the program, stops what is being computed") {
  Loop loop;
  platform::SceneThread scenes([&] { loop.wake(); });
  Session session;
  session.dispatch(kLong);
  loop.run(scenes, session, [&] { return session.sceneProgress() >= 0; });
  session.dispatch(action::OpenScene{"", {}});
  scenes.serve(session);
  CHECK(!session.computing());
  session.dispatch(kLong);
  loop.run(scenes, session, [&] { return session.sceneProgress() >= 0; });
}

TEST_CASE("Without a loop the scene is computed on the spot") {
  Session session;
  session.dispatch(action::OpenScene{"why-context", {{"layers", "99"}}});
  platform::computeScenes(session);
  REQUIRE(session.page());
  CHECK(!session.computing());
  CHECK(session.notice().find("99") != std::string::npos);
}
