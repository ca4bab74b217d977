// The page of the open scene and what is being computed for it. Knows no history and computes nothing.
#pragma once
#include <memory>
#include <optional>
#include <string>

#include "app/state.h"
#include "lesson/page.h"

namespace attn::app {

// What should be computed now. A new ticket whenever the scene or its settings have changed.
struct SceneRequest {
  unsigned long ticket = 0;
  std::string id;
  lesson::Settings settings;
  bool operator==(const SceneRequest&) const = default;
};

class SceneShow {
 public:
  // To be called whenever the State has changed. `context` goes along with the settings: what the scene needs to know of
  // the open example.
  void follow(const State& state, const lesson::Settings& context);
  void retry();
  // Goes back to the page that is shown: whoever calls it gives the State what that page stands for.
  void keepPage();

  // False for a ticket that is not the newest, or that has been answered.
  bool awaits(unsigned long ticket) const { return request_ && request_->ticket == ticket; }
  // The page that is shown answers this ticket, the newest.
  bool shows(unsigned long ticket) const { return shown_request_ && shown_request_->ticket == ticket; }
  // Only for what is awaited or shown. `settings`: what the page stands for.
  void arrive(lesson::Page page, lesson::Settings settings);
  void fail(std::string sentence);
  // For what is awaited or shown: a page that is computed again is awaited again. False when there is nothing new in it.
  bool progress(double done);

  const std::shared_ptr<const lesson::Page>& page() const { return page_; }
  const lesson::Settings& settings() const { return shown_settings_; }  // what the page stands for
  // Of what was asked for last: what the page that was shown then did not stand for.
  lesson::Settings newSettings() const;
  const std::optional<SceneRequest>& request() const { return request_; }
  const std::string& failure() const { return failure_; }
  double done() const { return done_; }

 private:
  void ask();

  std::string scene_;
  lesson::Settings settings_, context_;
  lesson::Settings shown_settings_;  // those that the page stands for
  lesson::Settings before_;          // those of the page that was shown when the newest ticket was made
  std::shared_ptr<const lesson::Page> page_;
  std::optional<SceneRequest> request_;
  std::optional<SceneRequest> shown_request_;  // what the page answers, until another one is asked for
  std::string failure_;
  double done_ = -1;
  unsigned long tickets_ = 0;
};

// The value that the State gives a param: what was set, a number up to the param's maximum, or its preset.
std::string valueIn(const lesson::Settings& settings, const lesson::Param& param);

// What of the page's params differs from their presets, sorted by key. Where the page could take a number up to its maximum
// only, what was asked for stays: the maximum may depend on a text that is being written.
lesson::Settings settingsOf(const lesson::Page& page, const lesson::Settings& asked);

// The same settings with one more, or another value of it; sorted, one value per key.
lesson::Settings withSetting(lesson::Settings settings, const std::string& key, const std::string& value);

// One sentence for each setting that the page did not take: no such key, or a value that is not possible.
std::string refusedSettings(const lesson::Settings& asked, const lesson::Page& page);

// One sentence for each number that the page took up to its maximum only.
std::string limitedSettings(const lesson::Settings& asked, const lesson::Page& page);

// Why this value cannot be set, in one sentence; "" when it can, as far as the param alone says.
std::string refusal(const lesson::Param& param, const std::string& value);

// The value `by` steps away, inside the param's range: numbers (twice or half as much where their slider is logarithmic),
// seeds, choices and switches. Nothing for what has no steps.
std::optional<std::string> stepped(const lesson::Param& param, const std::string& value, Index by);

}  // namespace attn::app
