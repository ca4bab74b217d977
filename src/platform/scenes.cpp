// One thread, one mailbox each way.
#include "platform/scenes.h"

#include <chrono>
#include <utility>

#include "scene/answer.h"

namespace attn::platform {
namespace {

constexpr std::chrono::milliseconds kBetweenProgress{100};

app::Action answerOf(const app::SceneRequest& request, const scene::Progress& progress) {
  auto json = scene::answer(request.id, request.settings, progress);
  if (json) return app::action::ScenePage{request.ticket, json.take()};
  return app::action::SceneFailed{request.ticket, json.error().message, true};
}

}  // namespace

SceneThread::SceneThread(std::function<void()> wake) : wake_(std::move(wake)), thread_([this] { work(); }) {}

SceneThread::~SceneThread() {
  {
    const std::lock_guard lock(mutex_);
    ends_ = true;
    newest_ = 0;
  }
  changed_.notify_one();
  thread_.join();
}

bool SceneThread::serve(app::Session& session) {
  std::vector<app::Action> answers;
  {
    const std::lock_guard lock(mutex_);
    answers = std::exchange(answers_, {});
  }
  for (const auto& answer : answers) session.dispatch(answer);
  const auto& request = session.sceneRequest();
  const unsigned long ticket = request ? request->ticket : 0;
  {
    const std::lock_guard lock(mutex_);
    if (ticket == newest_) return !answers.empty();
    newest_ = ticket;
    wanted_ = request;
  }
  changed_.notify_one();
  return !answers.empty();
}

void SceneThread::work() {
  for (;;) {
    app::SceneRequest request;
    {
      std::unique_lock lock(mutex_);
      changed_.wait(lock, [this] { return ends_ || wanted_; });
      if (ends_) return;
      request = *std::exchange(wanted_, std::nullopt);
    }
    compute(request);
  }
}

void SceneThread::compute(const app::SceneRequest& request) {
  last_progress_ = std::chrono::steady_clock::now();
  app::Action answer = answerOf(request, [&](double done) { return goesOn(request.ticket, done); });
  if (goesOn(request.ticket, -1)) tell(std::move(answer));
}

bool SceneThread::goesOn(unsigned long ticket, double done) {
  {
    const std::lock_guard lock(mutex_);
    if (ticket != newest_) return false;
  }
  const auto now = std::chrono::steady_clock::now();
  if (done < 0 || now - last_progress_ < kBetweenProgress) return true;
  last_progress_ = now;
  tell(app::action::SceneProgress{ticket, done});
  return true;
}

void SceneThread::tell(app::Action answer) {
  {
    const std::lock_guard lock(mutex_);
    answers_.push_back(std::move(answer));
  }
  wake_();
}

void computeScenes(app::Session& session) {
  while (const auto request = session.sceneRequest()) {
    session.dispatch(answerOf(*request, [](double) { return true; }));
    if (session.sceneRequest() == request) return;  // neither a page nor a refusal of it: asking again leads nowhere
  }
}

}  // namespace attn::platform
