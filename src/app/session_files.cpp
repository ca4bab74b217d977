// Files of arrays in a session: which are open, and the example that their page may give way to. Reads no file.
#include <algorithm>
#include <utility>

#include "app/link.h"
#include "app/session.h"
#include "lesson/catalogue.h"

namespace attn::app {
namespace {

bool showsSample(const State& state) {
  const auto is_sample = [](const auto& setting) { return setting.first == kSample; };
  return std::any_of(state.settings.begin(), state.settings.end(), is_sample);
}

}  // namespace

void Session::openArrays(const action::OpenArrays& opened) {
  stopWaiting();
  say(opened.refused);
  if (opened.label.empty()) return;
  ++files_opened_;
  State next = state_;
  if (!opened.other) {
    const std::string& scene = lesson::sceneOfFiles().id;
    const bool awaited = files_.empty() && state_.scene == scene && !showsSample(state_);  // what a link set before is about these
    files_ = opened.label;
    left_.erase(scene);
    if (!awaited) next.settings.clear();
    next.scene = scene;
  }
  choose(std::move(next));
  ++revision_;
}

bool Session::filesGoToOther() const {
  const lesson::Settings compares = {{"part", "compare"}};
  return (!files_.empty() || showsSample(state_)) && state_.scene == lesson::sceneOfFiles().id &&
         std::search(state_.settings.begin(), state_.settings.end(), compares.begin(), compares.end()) != state_.settings.end();
}

// The example takes the place of the page that is shown, to which undo and the way back lead.
void Session::giveWay(const lesson::Page& arrived) {
  State asked = state_;
  if (!arrived.made_with.empty())
    asked.settings = withSetting(std::move(asked.settings), std::string(lesson::kMadeWith), arrived.made_with);
  if (page()) state_.settings = show_.settings();
  std::erase_if(state_.settings, [](const auto& setting) { return setting.first == kWalk; });
  show_.follow(state_, sceneContext());
  if (!undo_.empty() && undo_.back() == state_) undo_.pop_back();
  const State back = state_;
  // The moment of a link comes before that of the page.
  if (!arrived.moment.empty()) {
    if (awaiting_link_.empty()) awaiting_link_ = "v=1&doc=opened.json";
    awaiting_link_ += "&" + arrived.moment;
  }
  openDocument({arrived.document, ""});
  if (state_.scene.empty()) {
    way_back_ = back;
    walks_[state_.example] = std::move(asked);
  }
  ++revision_;
}

}  // namespace attn::app
