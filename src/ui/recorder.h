// What is on the screen, in words: every control and visible matrix cell of the last frame with its rectangle. Feeds
// the UI tests, the accessibility mirror and layout(). Controls can be worked from here as if they had been clicked.
#pragma once
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace attn::ui {

struct Rect {
  float x = 0, y = 0, w = 0, h = 0;  // CSS pixels
};

enum class Role { kButton, kToggle, kRadio, kSlider, kField, kCell, kHeading, kText };

struct Control {
  std::string id;  // stable across frames: "transport/next"
  std::string label;  // what a person reads: "Next step"
  Role role = Role::kButton;
  Rect rect;
  bool visible = true;  // some of it is inside the screen
  bool enabled = true;
  bool checked = false;  // kToggle, kRadio
  double value = 0, minimum = 0, maximum = 0;  // kSlider
  std::string value_text = {};  // kSlider: "step 4 of 10"; kField: what stands in it
  std::string keys = {};  // "→": as tooltips and help show them
  double step = 1;  // kSlider: what one arrow key adds
  std::string group = {};  // what it belongs to, when its id does not say so: "Mask"
  bool handle = false;  // kButton: arrows move it
  bool lines = false;   // kField: of several lines
  std::string about = {};  // more than the label says: what its tooltip adds, and the small print beside it
  bool in_sheet = false;   // of the sheet that is open; set by the recorder
};

class Recorder {
 public:
  void beginFrame();
  void add(Control control);
  // Small print beside the controls that were added since there were `from`: one of them tells it.
  void describe(std::size_t from, std::string_view words);
  const std::vector<Control>& controls() const { return controls_; }
  const Control* find(std::string_view label) const;  // by label; null when absent
  const Control* byId(std::string_view id) const;

  // Ask for a control to act in the next frame, as a click or a value would. What no widget takes in that frame lapses.
  void activate(std::string id) { activated_ = std::move(id), activated_age_ = 0; }
  void setValue(std::string id, double value) { valued_ = std::move(id), value_ = value, valued_age_ = 0; }
  void setText(std::string id, std::string text) { written_ = std::move(id), text_ = std::move(text), written_age_ = 0; }
  // An arrow key on a handle: steps to the right and up.
  void nudge(std::string id, int x, int y) { nudged_ = std::move(id), nudge_ = {x, y}, nudged_age_ = 0; }
  // Asked by widgets while they draw; true once.
  bool takeActivation(std::string_view id);
  std::optional<double> takeValue(std::string_view id);
  std::optional<std::string> takeText(std::string_view id);
  std::optional<std::pair<int, int>> takeNudge(std::string_view id);

  // The control that holds the keyboard focus ("" = the stage): widgets draw their focus ring from it.
  std::string focused;
  std::string brought_into_view;  // the focused control for which a panel has last scrolled
  bool in_sheet = false;  // what is added now is the open sheet's

  // Every line of text that a panel drew, and what it must stay within: kept only for tests.
  struct TextLine {
    std::string text;
    Rect rect, bounds, clip;
  };
  bool keep_texts = false;
  std::vector<TextLine> texts;

 private:
  std::vector<Control> controls_;
  std::string activated_, valued_, written_, text_, nudged_;
  double value_ = 0;
  std::pair<int, int> nudge_;
  int activated_age_ = 0, valued_age_ = 0, written_age_ = 0, nudged_age_ = 0;
};

}  // namespace attn::ui
