// State, its history and the cached Trace, behind one door: dispatch(Action). Knows no screen; time comes in as a
// number.
#pragma once
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "app/action.h"
#include "app/computed.h"
#include "app/notebook.h"
#include "app/presentation.h"
#include "app/scene_show.h"
#include "app/state.h"
#include "app/timeline.h"
#include "app/update.h"
#include "core/trace.h"
#include "lesson/example.h"

namespace attn::app {

struct DecodedLink;

// Opened documents, immutable, by id. States refer to them; undo can go back to them.
class Library {
 public:
  // Adds a document under an id made from its content; the same document twice is one entry.
  const lesson::Example& add(lesson::Example example);
  // Built-in or opened; null when there is none.
  const lesson::Example* find(std::string_view id) const;
  // Opened by a person or a link, rather than built in.
  bool isOpened(std::string_view id) const;
  // All opened documents, the first one opened first.
  const std::vector<const lesson::Example*>& opened() const { return opened_; }
  // The file beside the page from which a link had it opened, for the next link; "" for all others.
  void setBeside(std::string_view id, std::string file) { beside_[std::string(id)] = std::move(file); }
  std::string beside(std::string_view id) const;
  // An opened document as links carry it, "" when it is too large for any; worked out once.
  const std::string& packed(std::string_view id) const;

 private:
  mutable std::map<std::string, std::unique_ptr<const lesson::Example>, std::less<>> examples_;
  std::vector<const lesson::Example*> opened_;
  mutable std::map<std::string, std::string, std::less<>> packed_;
  std::map<std::string, std::string, std::less<>> beside_;
};

struct Playback {
  bool playing = false;
  double steps_per_second = 1;
  bool run_on = false;
  bool operator==(const Playback&) const = default;
};

class Session {
 public:
  // Starts with `three-positions` in its opening state.
  Session();

  // Bad requests change nothing and leave one sentence in notice().
  void dispatch(const Action& action);

  const State& state() const { return state_; }
  // How the last link from outside wants the screen to be, or whoever makes one.
  const Presentation& presentation() const { return presentation_; }
  // With the edits of the State carried out, and what is computed from it.
  const lesson::Example& example() const { return *now_.example; }
  const core::Trace<double>& trace() const { return *now_.trace; }
  // The same, kept alive by whoever caches by it: another Trace never has its address meanwhile.
  std::shared_ptr<const core::Trace<double>> sharedTrace() const { return now_.trace; }
  // What it is compared with; its `trace` is null where that cannot be computed. Equal to the present one when nothing
  // has been edited or pinned.
  const Computed& before() const { return before_; }
  Index headBefore() const;
  // Edited, or compared with something pinned: there is a before and an after.
  bool compares() const { return before_.trace && before_.trace != now_.trace; }
  const Timeline& timeline() const { return timeline_; }
  Index position() const { return timeline_.positionOf(state_.at); }
  const Playback& playback() const { return playback_; }
  const Library& library() const { return library_; }
  bool canUndo() const { return !undo_.empty(); }
  bool canRedo() const { return !redo_.empty(); }

  // What went wrong or was adjusted last ("" when nothing): one sentence for the person.
  const std::string& notice() const { return notice_; }
  void clearNotice();
  // Something outside went wrong that the person should know: a file that cannot be read, say. Ends waiting for one.
  void notify(std::string sentence);
  // Until playback makes its next step; 0 when it is not playing.
  double secondsToNextStep() const {
    return playback_.playing && due_ < 1 ? (1 - due_) / playback_.steps_per_second : 0;
  }
  // The file that the last loaded link asks for with doc=…, for the platform to fetch from the page's own folder and
  // to dispatch as OpenDocument: the rest of that link then applies to it. "" when none is awaited.
  const std::string& documentFile() const { return document_file_; }

  // The last page that arrived for the open scene, null before the first and in the walkthrough.
  const std::shared_ptr<const lesson::Page>& page() const { return show_.page(); }
  // What links say: the state, and what the page was made with.
  State linkedState() const;
  // What should be computed now; nothing when the page shown is that of the newest ticket, or when it has failed.
  const std::optional<SceneRequest>& sceneRequest() const { return show_.request(); }
  bool computing() const { return show_.request().has_value(); }
  double sceneProgress() const { return show_.done(); }  // 0–1; −1 when not known
  // Why there is no page for what is set ("" when there is one, or will be): RetryScene tries again.
  const std::string& sceneFailure() const { return show_.failure(); }

  // How things stood in the scene from which a link led to the walkthrough; nothing once another one or another example
  // is open.
  const std::optional<State>& wayBack() const { return way_back_; }

  // The names of the open files of arrays, "" while none are.
  const std::string& files() const { return files_; }
  // Files that are opened now are what the open ones are compared with.
  bool filesGoToOther() const;

  // The open scene has a field of several lines: OpenDocument puts a text into it that is no document.
  bool takesText() const { return textParam() != nullptr; }

  // What has been revealed of predictions; restored from what its json() once gave.
  const Notebook& notebook() const { return notebook_; }
  void restoreNotebook(std::string_view json);

  // Counts dispatches that changed anything: views and mirrors compare it.
  unsigned long revision() const { return revision_; }

 private:
  Context context() const { return {*now_.example, *now_.trace, timeline_}; }
  void perform(const Action& action);
  void openExample(const std::string& id);
  void openDocument(const action::OpenDocument& request);
  void openArrays(const action::OpenArrays& opened);
  void loadLink(const action::LoadLink& request);
  void present(Presentation presentation);
  void arrive(DecodedLink decoded);
  bool performScene(const Action& action);
  bool takesText(const action::OpenDocument& request);
  const lesson::Param* textParam() const;
  void openScene(const action::OpenScene& request);
  void leave(const State& before, const lesson::Page* page);
  void set(const lesson::Settings& values);
  bool chooses(const std::string& key) const;
  void stepScene(int by);
  const lesson::Param* playedParam() const;
  void playScene();
  void tickScene();
  void stopScene();
  void leadOn(int by);
  void hear(const Action& answer);
  void arrive(const action::ScenePage& answer);
  void giveWay(const lesson::Page& arrived);
  void travel(std::vector<State>& from, std::vector<State>& to);
  void play(const Action& action);
  void tick(double seconds);
  void edit(const action::AddEdit& request);
  void resetEdits();
  lesson::Settings sceneContext() const;
  void choose(State next);
  void chooseAgain(State next, std::vector<std::string> keys);
  bool enter(State next);
  core::Result<Computed> computedOf(const Snapshot& snapshot) const;
  void say(std::string sentence);
  std::string stopWaiting();  // gives the link that waited

  State state_;
  Presentation presentation_;
  Library library_;
  Computed now_, before_;
  Timeline timeline_;
  Playback playback_;
  double due_ = 0;  // steps that playback owes, below 1
  std::vector<State> undo_, redo_;
  SceneShow show_;
  std::optional<State> way_back_;
  std::map<std::string, State> walks_;  // by the example to which it gave way: the page, as it was asked for
  // Of scenes in which something was written, as they were left last, and about which example.
  std::map<std::string, std::pair<std::string, lesson::Settings>> left_;
  Notebook notebook_;
  std::vector<std::string> last_set_;  // what the last item of the history set by dragging, when nothing came after it
  std::string notice_;
  std::string document_file_, awaiting_link_;
  std::string files_;
  unsigned long files_opened_ = 0;  // how often
  unsigned long revision_ = 0;
};

}  // namespace attn::app
