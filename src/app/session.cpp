// History, playback and the cached computation around the pure functions of update.h.
#include "app/session.h"

#include <algorithm>
#include <cassert>
#include <utility>

#include "app/link.h"
#include "app/names.h"
#include "core/language.h"
#include "lesson/catalogue.h"
#include "lesson/edits.h"

namespace attn::app {
namespace {

constexpr double kSlowest = 0.25, kFastest = 16;

template <class A>
bool is(const Action& action) {
  return std::holds_alternative<A>(action);
}

bool isStep(const Action& action) {
  return is<action::StepBy>(action) || is<action::StageBy>(action) || is<action::First>(action) ||
         is<action::Last>(action) || is<action::Seek>(action);
}

// Choices that change what is walked, so that a running playback would go on somewhere else.
bool changesWalk(const State& a, const State& b) {
  return a.scene != b.scene || a.example != b.example || a.mask != b.mask || a.edits != b.edits || a.order != b.order ||
         a.row != b.row;
}

}  // namespace

Session::Session() {
  const lesson::Example* first = library_.find(State{}.example);
  assert(first);
  [[maybe_unused]] const bool entered = enter(openingState(*first));
  assert(entered);
  notice_.clear();
  revision_ = 0;
}

void Session::say(std::string sentence) {
  if (notice_ == sentence) return;
  notice_ = std::move(sentence);
  ++revision_;
}

void Session::clearNotice() { say(""); }

void Session::notify(std::string sentence) {
  stopWaiting();
  say(std::move(sentence));
}

std::string Session::stopWaiting() {
  document_file_.clear();
  return std::exchange(awaiting_link_, "");
}

void Session::dispatch(const Action& action) {
  if (const auto* time = std::get_if<action::Tick>(&action)) return tick(time->seconds);
  if (isFromComputing(action)) return hear(action);
  clearNotice();
  const bool sets = is<action::Set>(action) || is<action::SetAll>(action) || is<action::StepBy>(action) ||
                    is<action::AddEdit>(action);
  if (!sets) last_set_.clear();
  if (!performScene(action)) perform(action);
}

void Session::perform(const Action& action) {
  if (const auto* a = std::get_if<action::OpenExample>(&action)) return openExample(a->id);
  if (const auto* a = std::get_if<action::OpenDocument>(&action)) return openDocument(*a);
  if (const auto* a = std::get_if<action::OpenArrays>(&action)) return openArrays(*a);
  if (const auto* a = std::get_if<action::LoadLink>(&action)) return loadLink(*a);
  if (const auto* a = std::get_if<action::Present>(&action)) return present(a->presentation);
  if (const auto* a = std::get_if<action::AddEdit>(&action)) return edit(*a);
  if (is<action::ResetEdits>(action)) return resetEdits();
  if (is<action::ClearNotebook>(action)) {
    notebook_.clear();
    ++revision_;
    return;
  }
  if (is<action::Undo>(action)) return travel(undo_, redo_);
  if (is<action::Redo>(action)) return travel(redo_, undo_);
  if (is<action::TogglePlay>(action) || is<action::Pause>(action) || is<action::SetSpeed>(action) ||
      is<action::SetRunOn>(action))
    return play(action);
  auto next = update(state_, action, context());
  if (!next) return say(next.error().message);
  if (isChoice(action)) return choose(next.take());
  if (isStep(action)) play(action::Pause{});
  if (next.value() == state_) return;
  state_ = next.take();
  ++revision_;
}

// A choice becomes one item of the history, unless it changes nothing.
void Session::choose(State next) {
  const State before = state_;
  const auto page = show_.page();
  last_set_.clear();
  if (!enter(std::move(next)) || state_ == before) return;
  leave(before, page.get());
  undo_.push_back(before);
  redo_.clear();
  ++revision_;
  if (changesWalk(before, state_)) play(action::Pause{});
}

// The same keys again and again, as while something is dragged, are one item of the history; without keys, each is its own.
void Session::chooseAgain(State next, std::vector<std::string> keys) {
  const bool goes_on = !keys.empty() && keys == last_set_ && !undo_.empty();
  const std::size_t items = undo_.size();
  choose(std::move(next));
  last_set_ = std::move(keys);
  if (!goes_on || undo_.size() == items) return;
  undo_.pop_back();
  if (undo_.back() == state_) {
    undo_.pop_back();
    last_set_.clear();
  }
}

void Session::edit(const action::AddEdit& request) {
  auto next = update(state_, request, context());
  if (!next) return say(next.error().message);
  const auto tooLong = [&] { return !encodeLink(state_, library_).edits_fit; };
  constexpr std::size_t kFew = 20;  // always fit
  const bool fitted = state_.edits.size() < kFew || !tooLong();
  std::vector<std::string> keys;
  if (request.dragging) keys.push_back(request.edit.substr(0, request.edit.find('=')));
  chooseAgain(next.take(), std::move(keys));
  if (notice_.empty() && fitted && state_.edits.size() >= kFew && tooLong())
    say(tr("The edits have grown too long for a link, so the address no longer holds them; save the document to keep "
           "them."));
}

void Session::resetEdits() {
  State next = state_;
  next.edits = library_.find(state_.example)->edits;
  choose(std::move(next));
}

// Makes `next` the State, with the computation and the walk it stands on. False, with a notice, when it has none.
bool Session::enter(State next) {
  auto computed = computedOf(snapshotOf(next));
  if (!computed) {
    say(computed.error().message);
    return false;
  }
  Computed now = computed.take();
  const Snapshot other = comparedWith(next);
  auto compared = now.is(other) ? core::Result<Computed>(now) : computedOf(other);
  const auto clamped = [](Index value, Index count) { return std::clamp<Index>(value, 0, count - 1); };
  Timeline timeline(*now.trace, next.order, next.grain, clamped(next.row, static_cast<Index>(now.example->tokens.size())),
                    clamped(next.head, static_cast<Index>(now.trace->heads.size())));
  state_ = settle(std::move(next), {*now.example, *now.trace, timeline});
  timeline_ = std::move(timeline);
  now_ = std::move(now);
  before_ = compared ? compared.take() : Computed{};
  show_.follow(state_, sceneContext());
  return true;
}

// From what is at hand, or computed anew.
core::Result<Computed> Session::computedOf(const Snapshot& snapshot) const {
  for (const Computed* known : {&now_, &before_})
    if (known->trace && known->is(snapshot)) return *known;
  return compute(library_, snapshot);
}

// What a scene about the open example needs to know of it; of files, that they are others now.
lesson::Settings Session::sceneContext() const {
  const lesson::CatalogueEntry* scene = lesson::findScene(state_.scene);
  if (scene && scene->of_files) return {{"opened", std::to_string(files_opened_)}};
  if (!scene || !scene->of_example) return {};
  lesson::Settings context;
  const auto add = [&](const std::string& before, const Snapshot& snapshot) {
    const bool opened = library_.isOpened(snapshot.example);
    context.emplace_back(before + "example", opened ? library_.find(snapshot.example)->document : snapshot.example);
    context.emplace_back(before + "mask", nameOf(snapshot.mask));
    context.emplace_back(before + "edits", lesson::joinEdits(snapshot.edits));
    context.emplace_back(before + "head", std::to_string(snapshot.head));
  };
  add("", snapshotOf(state_));
  if (state_.pinned && before_.trace) add("pinned_", *state_.pinned);
  return context;
}

Index Session::headBefore() const {
  const Index last = before_.trace ? static_cast<Index>(before_.trace->heads.size()) - 1 : 0;
  return std::clamp<Index>(state_.pinned ? state_.pinned->head : state_.head, 0, last);
}

// From a scene back to the example that was open before: it goes on where it was left, edits and all.
void Session::openExample(const std::string& id) {
  stopWaiting();
  if (!state_.scene.empty() && id == state_.example) return openScene({"", {}});
  if (const lesson::Example* example = library_.find(id)) return choose(openingState(*example, way_back_.value_or(state_)));
  auto unknown = lesson::builtInExample(id);
  say(unknown ? tr("There is no example “{0}”.", {id}) : unknown.error().message);
}

void Session::openDocument(const action::OpenDocument& request) {
  const std::string file = document_file_;
  const std::string link = stopWaiting();
  if (link.empty() && takesText(request)) return;
  auto parsed = lesson::parseExample(request.text, "");
  if (!parsed) return say((request.name.empty() ? "" : request.name + ": ") + parsed.error().message);
  lesson::Example example = parsed.take();
  if (example.title.empty()) example.title = request.name;
  const lesson::Example& opened = library_.add(std::move(example));
  if (!file.empty()) library_.setBeside(opened.id, file);
  if (link.empty()) return choose(openingState(opened, way_back_.value_or(state_)));
  arrive(decodeLink(link, library_, opened.id));
}

void Session::present(Presentation presentation) {
  if (isLongNote(presentation.note))
    return say(tr("A note has at most {0} characters; shorten it.", {kLongestNote}));
  presentation.note = noteText(presentation.note);
  if (presentation == presentation_) return;
  presentation_ = std::move(presentation);
  ++revision_;
}

void Session::loadLink(const action::LoadLink& request) {
  stopWaiting();
  DecodedLink decoded = decodeLink(request.link, library_);
  if (!request.inside) present(decoded.presentation);
  if (!decoded.document_file.empty()) {
    document_file_ = decoded.document_file;
    awaiting_link_ = request.link;
    ++revision_;
    return;
  }
  if (decoded.walks) awaiting_link_ = request.link;
  const bool arriving = undo_.empty() && redo_.empty() && state_ == openingState(*library_.find(State{}.example));
  arrive(std::move(decoded));
  if (arriving) undo_.clear();  // where a person starts, there is nothing of theirs to undo
}

// Goes where a link leads and says what it could not give.
void Session::arrive(DecodedLink decoded) {
  const std::optional<Step> asked = decoded.state.at;
  const std::optional<CellCursor> cursor = decoded.state.cursor;
  const State from = state_;
  choose(std::move(decoded.state));
  if (!from.scene.empty() && state_.scene.empty()) way_back_ = from;
  if (!notice_.empty()) return;
  if (asked != state_.at)
    decoded.notes.push_back(tr("The moment in the link is not a step of this walk; you are at the nearest one."));
  if (cursor != state_.cursor)
    decoded.notes.push_back(tr("The link's cell {0} does not exist here; no cell is chosen.", {cursorText(*cursor)}));
  std::string notes;
  for (const std::string& note : decoded.notes) notes += (notes.empty() ? "" : " ") + note;
  if (!notes.empty()) say(std::move(notes));
}

void Session::travel(std::vector<State>& from, std::vector<State>& to) {
  if (from.empty()) return;
  State next = std::move(from.back());
  from.pop_back();
  to.push_back(state_);
  play(action::Pause{});
  enter(std::move(next));
  if (!state_.scene.empty()) way_back_.reset();
  ++revision_;
}

void Session::play(const Action& action) {
  Playback next = playback_;
  if (is<action::Pause>(action)) next.playing = false;
  if (is<action::TogglePlay>(action)) {
    next.playing = !playback_.playing;
    due_ = 1;  // the first step answers the press at once
    if (next.playing && state_.scene.empty() && position() == timeline_.size()) {
      next.playing = false;
      say(tr("This is the last step; go back to the first one to play again."));
    }
  }
  if (const auto* speed = std::get_if<action::SetSpeed>(&action)) {
    if (!(speed->steps_per_second >= kSlowest && speed->steps_per_second <= kFastest))
      return say(tr("The speed must lie between 0.25 and 16 steps per second."));
    next.steps_per_second = speed->steps_per_second;
  }
  if (const auto* run_on = std::get_if<action::SetRunOn>(&action)) next.run_on = run_on->on;
  if (next == playback_) return;
  playback_ = next;
  ++revision_;
}

void Session::tick(double seconds) {
  if (!playback_.playing || !(seconds >= 0)) return;
  // A tab that slept in the background does not leap: at most a quarter of a second counts, or one slow step.
  const double speed = playback_.steps_per_second;
  due_ += std::min(seconds, std::max(0.25, 1 / speed)) * speed;
  if (!state_.scene.empty()) return tickScene();
  while (due_ >= 1 && playback_.playing) {
    due_ -= 1;
    const Index next = position() + 1;
    state_.at = timeline_.at(next);
    ++revision_;
    if (next >= timeline_.size() || (!playback_.run_on && timeline_.endsStage(next))) playback_.playing = false;
  }
}

}  // namespace attn::app
