// The controls, in our look: besides their .cpp and text_field.cpp no file makes ImGui items. Each records itself, so that a
// mouse, a keyboard, a screen reader and a test work it alike.
#pragma once
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "ui/frame.h"
#include "ui/icons.h"

namespace attn::ui {

enum class Look { kQuiet, kRaised, kAccent };

struct ButtonOptions {
  Icon icon = Icon::kNone;
  bool icon_only = false;  // the label is for the tooltip, the mirror and tests
  Look look = Look::kRaised;
  bool enabled = true;
  bool checked = false;  // drawn as chosen: the entry of a list that is open
  bool left = false;  // text at the left: entries of lists
  Icon mark = Icon::kNone;  // at the right of an entry
  bool bare = false;  // whoever asks for it draws the words
  std::string_view shown = {};  // a shorter text to draw; the label stays its name
  std::string_view keys = {};  // for the tooltip; otherwise those that the table of keys has for this id
  std::string_view tip = {};  // more than the label says
  std::string_view group = {};  // what it belongs to, for whoever cannot see where it stands
  std::string_view value = {};  // what it changes, as it is now: written beside it on the screen
  bool handle = false;  // arrow keys move it: whoever asks for it takes the nudges
};

// True when pressed. `id` is stable and unique ("transport/next"); `label` is never read as an ImGui label or format.
bool button(Frame& frame, std::string_view id, std::string_view label, const Rect& rect,
            const ButtonOptions& options = {});
float entryHeight(const Frame& frame, std::string_view label, float width, Icon mark = Icon::kNone);  // of a button with `left`, wrapped
float buttonWidth(const Frame& frame, std::string_view label, const ButtonOptions& options = {});

// A switch with its words; true when the person turned it.
bool toggle(Frame& frame, std::string_view id, std::string_view label, bool on, const Rect& rect,
            std::string_view tip = {}, std::string_view group = {});
float toggleHeight(const Frame& frame, std::string_view label, float width);  // of its words, where they wrap
float toggleWidth(const Frame& frame, std::string_view label);

struct Option {
  std::string_view key;  // ends the id: "grain/" + "row"
  std::string label;  // "Row"
  std::string tip = {};
  bool enabled = true;
};
// Joined radio buttons in one or more lines of the width of `rect`; the option just chosen, or −1.
int choice(Frame& frame, std::string_view id, std::span<const Option> options, int current, const Rect& rect,
           std::string_view group = {});
float choiceWidth(const Frame& frame, std::span<const Option> options);  // on one line
float choiceHeight(const Frame& frame, std::span<const Option> options, float width);

struct SliderOptions {
  double minimum = 0, maximum = 1, step = 1;
  std::string_view value_text = {};  // "step 4 of 10"
  std::string_view tip = {};
  std::string_view group = {};
  bool logarithmic = false;  // from minimum > 0
};
// True when `value` changed.
bool slider(Frame& frame, std::string_view id, std::string_view label, double& value, const Rect& rect,
            const SliderOptions& options);

struct FieldOptions {
  bool figures = false;  // in the face of numbers
  std::string_view hint = {};  // stands in it while it is empty
  std::string_view tip = {};
  std::string_view group = {};
  bool live = false;  // every character counts, not only what has been finished with Enter or by leaving it
  // Of several lines: what is pasted counts at once, and Enter begins a new line; Ctrl + Enter, Tab and a press elsewhere
  // end what is typed.
  bool lines = false;
};
// A text to write in, with caret, selection, copy and paste. What was written, when that is another text.
std::optional<std::string> field(Frame& frame, std::string_view id, std::string_view label, const std::string& text,
                                 const Rect& rect, const FieldOptions& options = {});

// Something in a picture that is held and moved: `rect` is what a pointer takes hold of. The caller draws it.
struct Grip {
  bool hovered = false, held = false, pressed = false, released = false, focused = false;
  std::optional<std::pair<int, int>> nudge;  // by arrow keys: steps to the right and up
};
Grip handle(Frame& frame, std::string_view id, std::string_view label, const Rect& rect, std::string_view value_text,
            std::string_view group);

}  // namespace attn::ui
