// Computes the scene that a session asks for, on a thread of its own: the newest request wins, an older one is stopped.
// Opens files of arrays there too, and reads on in them while nothing is asked for; what a page wants of web/data is built
// into the program. Knows no window.
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
#include "desk/desk.h"

namespace attn::platform {

// Files of arrays to be opened together.
struct Opening {
  std::vector<opened::NamedSource> sources;
  bool other = false;   // to be compared with what is open
  std::string refused;  // sentences about those that are not among them
  std::vector<std::string> paths;  // where they were found, for whoever asks what has been opened
};

class SceneThread {
 public:
  // `wake` is called from the thread when serve() has something to tell.
  explicit SceneThread(std::function<void()> wake);
  ~SceneThread();
  SceneThread(const SceneThread&) = delete;
  SceneThread& operator=(const SceneThread&) = delete;

  // Takes up what the session asks for and tells it what has come; true when it told something. Before every frame.
  bool serve(app::Session& session);

  // serve() tells what has come of it.
  void open(Opening opening);
  // The paths of the openings of which something could be opened since the last time.
  std::vector<std::string> takeOpened();

 private:
  void work();
  void openNow(Opening opening);
  void compute(const app::SceneRequest& request);
  void readOn();
  bool goesOn(unsigned long ticket, double done);
  bool isWanted();
  void tell(app::Action answer);

  std::function<void()> wake_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::optional<app::SceneRequest> wanted_;  // not yet taken up
  std::vector<Opening> openings_;            // not yet taken up
  unsigned long newest_ = 0;                 // whatever has another ticket stops
  unsigned long unheard_ = 0;                // a page of this ticket meant nothing any more
  bool ends_ = false;
  std::vector<app::Action> answers_;
  std::vector<std::string> opened_;
  // Of the thread alone.
  desk::Desk desk_;
  std::optional<app::SceneRequest> shown_;  // whose page comes again when more is known
  bool has_news_ = false;
  std::chrono::steady_clock::time_point last_progress_, last_page_;
  std::thread thread_;  // the last member: it uses all others
};

// For whoever has no loop: opens, and computes until nothing is asked for any more and everything is read.
app::action::OpenArrays openArrays(survey::Files& files, Opening opening);
void computeScenes(app::Session& session, desk::Desk& desk);

}  // namespace attn::platform
