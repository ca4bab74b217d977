// What a person does in a scene: opening, setting, stepping, going on. The page that comes of it is computed elsewhere.
#include <algorithm>
#include <utility>

#include "app/link.h"
#include "app/session.h"
#include "core/language.h"
#include "io/text.h"
#include "lesson/catalogue.h"
#include "lesson/page_json.h"

namespace attn::app {
namespace {

const std::string kWalkthrough = "walkthrough";

// Those of the walkthrough's stage, which is not there while a scene is open.
bool concernsStage(const Action& action) {
  return std::visit(
      [](const auto& a) {
        using A = std::decay_t<decltype(a)>;
        return std::is_same_v<A, action::First> || std::is_same_v<A, action::Last> || std::is_same_v<A, action::Seek> ||
               std::is_same_v<A, action::TogglePlay> || std::is_same_v<A, action::ChooseRow> ||
               std::is_same_v<A, action::ChooseHead> || std::is_same_v<A, action::ChooseCell> ||
               std::is_same_v<A, action::SetOrder> || std::is_same_v<A, action::SetGrain> ||
               std::is_same_v<A, action::SetMask> || std::is_same_v<A, action::SetShown>;
      },
      action);
}

const std::vector<lesson::CatalogueEntry>& teachingOrder() {
  const auto& orders = lesson::catalogue();
  const auto found = std::find_if(orders.begin(), orders.end(), [](const auto& order) { return order.id == "teaching"; });
  return (found == orders.end() ? orders.front() : *found).entries;
}

}  // namespace

// False when the action does not concern scenes, or means something else in the walkthrough.
bool Session::performScene(const Action& action) {
  if (const auto* a = std::get_if<action::OpenScene>(&action)) return openScene(*a), true;
  if (std::holds_alternative<action::ReturnToScene>(action)) {
    if (way_back_) choose(State(*way_back_));
    return true;
  }
  const bool only_in_scene = std::holds_alternative<action::Set>(action) ||
                             std::holds_alternative<action::SetAll>(action) ||
                             std::holds_alternative<action::ResetScene>(action) ||
                             std::holds_alternative<action::RetryScene>(action) ||
                             std::holds_alternative<action::StopScene>(action);
  if (state_.scene.empty()) {
    if (only_in_scene) say(tr("No scene is open, so there is nothing to set; open one from the contents."));
    return only_in_scene;
  }
  if (const auto* a = std::get_if<action::Set>(&action)) return set({{a->key, a->value}}), true;
  if (const auto* a = std::get_if<action::SetAll>(&action)) return set(a->values), true;
  if (const auto* a = std::get_if<action::StepBy>(&action)) return stepScene(a->by), true;
  if (const auto* a = std::get_if<action::StageBy>(&action)) return leadOn(a->by), true;
  if (std::holds_alternative<action::ResetScene>(action)) {
    State next = state_;
    std::erase_if(next.settings, [&](const auto& setting) { return !chooses(setting.first); });
    return choose(std::move(next)), true;
  }
  if (std::holds_alternative<action::RetryScene>(action)) {
    show_.retry();
    ++revision_;
    return true;
  }
  if (std::holds_alternative<action::StopScene>(action)) return stopScene(), true;
  if (std::holds_alternative<action::TogglePlay>(action) && playedParam()) return playScene(), true;
  if (!concernsStage(action)) return false;
  say(tr("That belongs to the walkthrough of an example; open it from the contents first."));
  return true;
}

// A control such as the choice among tasks says what all the others are about: setting these back leaves it.
bool Session::chooses(const std::string& key) const {
  if (!page()) return false;
  const auto& params = page()->params;
  return std::any_of(params.begin(), params.end(), [&](const auto& p) { return p.key == key && p.clears; });
}

void Session::openScene(const action::OpenScene& request) {
  stopWaiting();
  const std::string id = request.id == kWalkthrough ? "" : request.id;
  if (!id.empty() && !lesson::findScene(id)) return say(tr("There is no scene “{0}”; choose one from the contents.", {id}));
  State next = state_;
  next.scene = id;
  next.settings.clear();
  for (const auto& [key, value] : request.settings) next.settings = withSetting(std::move(next.settings), key, value);
  const auto left = left_.find(id);
  // What was written about a document means nothing about another example.
  const auto about = [&](const std::string& example) {
    return id == lesson::sceneOfFiles().id || example == state_.example || !(library_.isOpened(example) || library_.isOpened(state_.example));
  };
  if (request.settings.empty() && state_.scene != id && left != left_.end() && about(left->second.first))
    next.settings = left->second.second;
  choose(std::move(next));
}

// After another scene or example has been chosen: keeps what was written in the one before.
void Session::leave(const State& before, const lesson::Page* page) {
  if (!state_.scene.empty() || (before.scene.empty() && state_.example != before.example)) way_back_.reset();
  if (before.scene.empty() || before.scene == state_.scene || !page) return;
  const bool writes = std::any_of(page->params.begin(), page->params.end(), [](const lesson::Param& param) {
    return param.kind == lesson::ParamKind::kText || param.kind == lesson::ParamKind::kData;
  });
  if (writes) left_[before.scene] = {before.example, before.settings};
}

// The same keys again and again, as while a control is dragged, are one item of the history.
void Session::set(const lesson::Settings& values) {
  if (document_file_.empty()) awaiting_link_.clear();  // a walk that somebody sets out on begins where the page says
  State next = state_;
  // What is set here is not what the link was made with.
  std::erase_if(next.settings, [](const auto& setting) { return setting.first == lesson::kMadeWith; });
  std::vector<std::string> keys;
  for (const auto& [key, value] : values) {
    keys.push_back(key);
    next.settings = withSetting(std::move(next.settings), key, value);
    if (!page()) continue;
    const auto& params = page()->params;
    const auto param = std::find_if(params.begin(), params.end(), [&, k = key](const auto& p) { return p.key == k; });
    if (param == params.end())
      return say(tr("This scene has nothing called “{0}”; its controls say what can be set.", {key}));
    if (const std::string why_not = refusal(*param, value); !why_not.empty()) return say(why_not);
    if (param->clears && value != valueIn(state_.settings, *param)) next.settings = {{key, value}};
    if (value == param->preset)
      std::erase_if(next.settings, [&, k = key](const auto& setting) { return setting.first == k; });
  }
  if (next == state_) return;
  chooseAgain(std::move(next), std::move(keys));
}

State Session::linkedState() const {
  State state = state_;
  const auto walk = walks_.find(state.example);
  if (state.scene.empty() && walk != walks_.end() && library_.packed(state.example).empty()) {
    state.scene = walk->second.scene;
    state.settings = walk->second.settings;
    return state;
  }
  if (awaiting_link_.empty()) std::erase_if(state.settings, [](const auto& setting) { return setting.first == kWalk; });
  if (!page() || page()->id != state_.scene || page()->made_with.empty()) return state;
  const auto set = [](const auto& setting) { return setting.first == lesson::kMadeWith; };
  if (std::none_of(state.settings.begin(), state.settings.end(), set))
    state.settings = withSetting(std::move(state.settings), std::string(lesson::kMadeWith), page()->made_with);
  return state;
}

const lesson::Param* Session::textParam() const {
  if (!page() || state_.scene == lesson::sceneOfFiles().id) return nullptr;  // there they are files
  for (const lesson::Param& param : page()->params)
    if (param.kind == lesson::ParamKind::kData && param.shown) return &param;
  return nullptr;
}

// A text that is no document goes into the field of the open scene that takes one.
bool Session::takesText(const action::OpenDocument& request) {
  const std::size_t first = request.text.find_first_not_of(" \t\r\n");
  const lesson::Param* param = textParam();
  if (!param || first == std::string::npos || request.text[first] == '{') return false;
  auto text = io::decodeText(request.text);
  if (text) set({{param->key, text.take()}});
  else say((request.name.empty() ? "" : request.name + ": ") + text.error().message);
  return true;
}

// The main param, by its steps.
void Session::stepScene(int by) {
  if (!page()) return;
  for (const lesson::Param& param : page()->params) {
    if (!param.main || !param.shown) continue;
    if (const auto value = stepped(param, valueIn(state_.settings, param), by)) return set({{param.key, *value}});
  }
  last_set_.clear();
}

// What can step on by itself; null when there is nothing of the kind.
const lesson::Param* Session::playedParam() const {
  if (!page()) return nullptr;
  const auto& params = page()->params;
  const auto played = std::find_if(params.begin(), params.end(), [](const auto& p) { return p.main && p.shown && p.plays; });
  return played == params.end() ? nullptr : &*played;
}

void Session::playScene() {
  const lesson::Param& param = *playedParam();
  const std::string now = valueIn(state_.settings, param);
  if (!playback_.playing && stepped(param, now, 1) == now)
    return say(tr("This is the last step; set “{0}” back to play again.", {param.label}));
  play(action::TogglePlay{});
}

// A step at a time, once the page of the one before is there, to the end.
void Session::tickScene() {
  const lesson::Param* param = playedParam();
  if (!param) return play(action::Pause{});
  if (due_ < 1 || computing()) return void(due_ = std::min(due_, 1.0));
  due_ = 0;
  const std::string before = valueIn(state_.settings, *param);
  stepScene(1);
  if (valueIn(state_.settings, *param) == before) play(action::Pause{});
}

// What is set becomes what the page shows, so that both say the same.
void Session::stopScene() {
  if (!computing()) return;
  if (!page()) {
    show_.fail(tr("The computation was stopped before there was anything to show; try again to see it."));
    ++revision_;
    return say(show_.failure());
  }
  show_.keepPage();
  State next = state_;
  next.settings = show_.settings();
  choose(std::move(next));
  ++revision_;
  say(tr("Stopped: what you see is what was there before."));
}

// To another entry of the teaching order; past its ends nothing happens.
void Session::leadOn(int by) {
  const auto& entries = teachingOrder();
  const auto now = std::find_if(entries.begin(), entries.end(), [&](const auto& e) { return e.id == state_.scene; });
  if (now == entries.end()) return;
  const Index last = static_cast<Index>(entries.size()) - 1;
  const Index to = std::clamp<Index>(now - entries.begin() + static_cast<Index>(by), 0, last);
  if (entries[static_cast<std::size_t>(to)].id != state_.scene)
    openScene({entries[static_cast<std::size_t>(to)].id, {}});
}

void Session::restoreNotebook(std::string_view json) {
  if (notebook_.restore(json)) ++revision_;
}

// Answers that come too late for what is set now mean nothing; neither do they take a notice away.
void Session::hear(const Action& answer) {
  if (const auto* a = std::get_if<action::ScenePage>(&answer)) return arrive(*a);
  if (const auto* a = std::get_if<action::SceneProgress>(&answer)) {
    if ((show_.awaits(a->ticket) || show_.shows(a->ticket)) && show_.progress(a->done)) ++revision_;
  }
  if (const auto* a = std::get_if<action::SceneFailed>(&answer)) {
    if (!show_.awaits(a->ticket) && !show_.shows(a->ticket)) return;
    ++revision_;
    if (!a->refused || page() || state_.settings.empty()) {
      show_.fail(a->sentence);
      return say(a->sentence);
    }
    // A link to what cannot be computed still opens the scene, where it can be set right.
    state_.settings.clear();
    show_.follow(state_, sceneContext());
    say(a->sentence + " " + tr("The scene is shown as it begins."));
  }
}

void Session::arrive(const action::ScenePage& answer) {
  const bool again = show_.shows(answer.ticket);
  if (!again && !show_.awaits(answer.ticket)) return;
  auto parsed = lesson::parsePage(answer.json);
  if (!parsed || parsed.value().id != state_.scene) {
    show_.fail(tr("The scene came back damaged: {0} Reload, or try again.",
                  {parsed ? tr("it is “{0}”.", {parsed.value().id}) : parsed.error().message}));
    ++revision_;
    return say(show_.failure());
  }
  if (!parsed.value().document.empty()) return giveWay(parsed.value());
  std::string told = again ? "" : refusedSettings(state_.settings, parsed.value());
  const std::string limited = limitedSettings(show_.newSettings(), parsed.value());
  const bool told_before = again && limited == limitedSettings(show_.newSettings(), *page());
  if (!told_before) told += (told.empty() || limited.empty() ? "" : " ") + limited;
  state_.settings = settingsOf(parsed.value(), state_.settings);
  show_.arrive(parsed.take(), state_.settings);
  for (const lesson::Block& block : page()->blocks)
    if (const auto* verdict = std::get_if<lesson::Verdict>(&block.content)) notebook_.keep(*verdict);
  ++revision_;
  if (!told.empty()) say(told);
}

}  // namespace attn::app
