// One thread, one mailbox each way.
#include "platform/scenes.h"

#include <algorithm>
#include <utility>

#include "disk/shipped.h"
#include "scene/answer.h"
#include "survey/survey.h"

namespace attn::platform {
namespace {

constexpr std::chrono::milliseconds kBetweenProgress{100}, kBetweenPages{250};

app::Action answerOf(const app::SceneRequest& request, desk::Desk& desk, const scene::Progress& progress) {
  const auto scene = desk.find(request.id);
  auto json = scene ? scene::answer(scene.value(), request.settings, progress) : scene.error();
  if (json) return app::action::ScenePage{request.ticket, json.take()};
  return app::action::SceneFailed{request.ticket, json.error().message, true};
}

}  // namespace

app::action::OpenArrays openArrays(survey::Files& files, Opening opening) {
  using survey::Slot;
  auto outcome = files.open(opening.other ? Slot::kOther : Slot::kMain, std::move(opening.sources));
  std::string refused = std::move(opening.refused);
  for (const std::string& sentence : outcome.sentences) refused += (refused.empty() ? "" : " ") + sentence;
  return {std::move(outcome.label), opening.other, std::move(refused)};
}

SceneThread::SceneThread(std::function<void()> wake)
    : wake_(std::move(wake)), desk_(disk::shippedFile), thread_([this] { work(); }) {}

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
  unsigned long unheard = 0;
  for (const auto& answer : answers) {
    const auto before = session.page();
    session.dispatch(answer);
    if (const auto* page = std::get_if<app::action::ScenePage>(&answer); page && session.page() == before) unheard = page->ticket;
  }
  const auto& request = session.sceneRequest();
  const unsigned long ticket = request ? request->ticket : 0;
  {
    const std::lock_guard lock(mutex_);
    unheard_ = std::max(unheard_, unheard);
    if (ticket == newest_) return !answers.empty();
    newest_ = ticket;
    wanted_ = request;
  }
  changed_.notify_one();
  return !answers.empty();
}

void SceneThread::open(Opening opening) {
  {
    const std::lock_guard lock(mutex_);
    openings_.push_back(std::move(opening));
  }
  changed_.notify_one();
}

std::vector<std::string> SceneThread::takeOpened() {
  const std::lock_guard lock(mutex_);
  return std::exchange(opened_, {});
}

void SceneThread::work() {
  for (;;) {
    std::optional<app::SceneRequest> request;
    std::vector<Opening> openings;
    {
      std::unique_lock lock(mutex_);
      const auto reads = [this] { return shown_ && shown_->ticket > unheard_ && (has_news_ || desk_.files.isWanting()); };
      changed_.wait(lock, [&] { return ends_ || wanted_ || !openings_.empty() || reads(); });
      if (ends_) return;
      request = std::exchange(wanted_, std::nullopt);
      openings = std::exchange(openings_, {});
    }
    if (!openings.empty()) shown_.reset();
    for (Opening& opening : openings) openNow(std::move(opening));
    if (request) compute(*request);
    else if (shown_) readOn();
  }
}

void SceneThread::openNow(Opening opening) {
  std::vector<std::string> paths = std::move(opening.paths);
  app::action::OpenArrays opened = openArrays(desk_.files, std::move(opening));
  if (!opened.label.empty()) {
    const std::lock_guard lock(mutex_);
    opened_.insert(opened_.end(), paths.begin(), paths.end());
  }
  tell(std::move(opened));
}

void SceneThread::compute(const app::SceneRequest& request) {
  shown_.reset();
  last_progress_ = std::chrono::steady_clock::now();
  app::Action answer = answerOf(request, desk_, [&](double done) { return goesOn(request.ticket, done); });
  if (!goesOn(request.ticket, -1)) return;
  if (request.id == survey::kSceneId && std::holds_alternative<app::action::ScenePage>(answer)) shown_ = request;
  has_news_ = false;
  last_page_ = std::chrono::steady_clock::now();
  tell(std::move(answer));
}

// A little, and the page once more when it shows something new: now and then, and when all is read.
void SceneThread::readOn() {
  if (desk_.files.step()) has_news_ = true;
  const bool due = std::chrono::steady_clock::now() - last_page_ >= kBetweenPages;
  if (!has_news_ || (desk_.files.isWanting() && !due)) return;
  has_news_ = false;
  app::Action answer = answerOf(*shown_, desk_, [&](double) { return !isWanted(); });
  last_page_ = std::chrono::steady_clock::now();
  if (std::holds_alternative<app::action::ScenePage>(answer)) tell(std::move(answer));
}

// Something newer waits, or the end.
bool SceneThread::isWanted() {
  const std::lock_guard lock(mutex_);
  return ends_ || wanted_ || !openings_.empty();
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

void computeScenes(app::Session& session, desk::Desk& desk) {
  const scene::Progress go_on = [](double) { return true; };
  while (const auto request = session.sceneRequest()) {
    session.dispatch(answerOf(*request, desk, go_on));
    if (session.sceneRequest() == request) return;  // neither a page nor a refusal of it: asking again leads nowhere
    while (!session.computing() && session.page() && desk.files.isWanting()) {
      while (desk.files.isWanting()) desk.files.step();
      session.dispatch(answerOf(*request, desk, go_on));
    }
  }
}

}  // namespace attn::platform
