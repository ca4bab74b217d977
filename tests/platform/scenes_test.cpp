// Scenes computed on a thread: the newest request is answered, older ones are stopped; files are opened and read there.
// Natively only.
#include "platform/scenes.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <condition_variable>
#include <memory>
#include <mutex>

#include "support/array_files.h"

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

// Each name with the bytes of a file; what begins with "broken" is none.
platform::Opening opening(std::initializer_list<const char*> names, bool other = false) {
  platform::Opening files;
  files.other = other;
  for (const std::string name : names) {
    const std::string bytes = name.starts_with("broken") ? "\x89HDF\r\n\x1A\n" : test::arrayFile("f4.npy");
    core::Buffer buffer = core::Buffer::allocate(bytes.size()).take();
    std::copy_n(test::bytesOf(bytes).begin(), bytes.size(), buffer.bytes().begin());
    files.sources.push_back({name, std::make_unique<io::BufferSource>(std::move(buffer))});
  }
  return files;
}

// What the page says of the array that has been read: its largest number.
bool hasRead(const Session& session) {
  if (!session.page()) return false;
  for (const lesson::Block& block : session.page()->blocks)
    if (const auto* table = std::get_if<lesson::Table>(&block.content))
      for (const auto& row : table->rows)
        for (const std::string& cell : row)
          if (cell.find("…") != std::string::npos) return true;
  return false;
}

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
  desk::Desk desk;
  platform::computeScenes(session, desk);
  REQUIRE(session.page());
  CHECK(!session.computing());
  CHECK(session.notice().find("99") != std::string::npos);
}

TEST_CASE("Files are opened beside the screen, and their page comes again when they have been read") {
  Loop loop;
  platform::SceneThread scenes([&] { loop.wake(); });
  Session session;
  scenes.open(opening({"a.npy", "broken.h5"}));
  loop.run(scenes, session, [&] { return hasRead(session); });
  CHECK(session.files() == "a.npy");
  CHECK(session.state().scene == "arrays");
  CHECK(!session.computing());
  CHECK(session.notice().find("broken.h5") != std::string::npos);
}

TEST_CASE("Files that cannot be opened leave those that are open, and their page") {
  Loop loop;
  platform::SceneThread scenes([&] { loop.wake(); });
  Session session;
  scenes.open(opening({"a.npy"}));
  loop.run(scenes, session, [&] { return hasRead(session); });
  const auto page = session.page();
  scenes.open(opening({"broken.h5"}));
  loop.run(scenes, session, [&] { return !session.notice().empty(); });
  CHECK(session.files() == "a.npy");
  CHECK(session.page() == page);
  session.dispatch(action::OpenScene{"", {}});
  session.dispatch(action::OpenScene{"arrays", {}});
  loop.run(scenes, session, [&] { return !session.computing(); });
  CHECK(hasRead(session));
}

TEST_CASE("The paths of files are known as opened once something of them is") {
  Loop loop;
  platform::SceneThread scenes([&] { loop.wake(); });
  Session session;
  platform::Opening broken = opening({"broken.h5"}), whole = opening({"a.npy"});
  broken.paths = {"/f/broken.h5"};
  whole.paths = {"/f/a.npy"};
  scenes.open(std::move(broken));
  scenes.open(std::move(whole));
  loop.run(scenes, session, [&] { return hasRead(session); });
  CHECK(scenes.takeOpened() == std::vector<std::string>{"/f/a.npy"});
  CHECK(scenes.takeOpened().empty());
}

TEST_CASE("Without a loop files are opened and read on the spot") {
  Session session;
  desk::Desk desk;
  session.dispatch(platform::openArrays(desk.files, opening({"a.npy"})));
  platform::computeScenes(session, desk);
  CHECK(!desk.files.isWanting());
  CHECK(hasRead(session));
}

TEST_CASE("The page about the trained model comes whole from the thread: the program holds the model") {
  Loop loop;
  platform::SceneThread scenes([&] { loop.wake(); });
  Session session;
  session.dispatch(action::OpenScene{"model", {}});
  loop.run(scenes, session, [&] { return !session.computing(); });
  REQUIRE(session.page());
  CHECK(session.page()->id == "model");
  CHECK_MESSAGE(session.page()->says.find("probability") != std::string::npos, session.page()->says);
}
