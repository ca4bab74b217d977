// What can be opened: the built-in examples and the documents of this visit.
#include <vector>

#include "ui/panels.h"
#include "ui/text.h"
#include "ui/widgets.h"

namespace attn::ui {
namespace {

struct Entry {
  std::string id, title, about;
};

const std::vector<Entry>& examples() {
  static const std::vector<Entry> all = [] {
    std::vector<Entry> out;
    for (const lesson::BuiltIn& each : lesson::builtIns())
      if (const auto example = lesson::builtInExample(each.id))
        out.push_back({std::string(each.id), example.value().title, std::string(each.about)});
    return out;
  }();
  return all;
}

void entry(Frame& frame, Panel& panel, const Entry& each) {
  const bool open = frame.session.state().example == each.id;
  const ButtonOptions options{.look = Look::kQuiet, .checked = open, .left = true, .tip = each.about};
  const std::string& label = each.title.empty() ? each.id : each.title;
  const float height =
      std::max(entryHeight(frame, label, panel.width()), std::max(frame.controlHeight(), frame.size(36)));
  const Rect rect{panel.x(), panel.y, panel.width(), height};
  if (button(frame, "contents/" + each.id, label, rect, options)) frame.dispatch(app::action::OpenExample{each.id});
  panel.y += rect.h + kUnit / 4;
}

}  // namespace

void drawContents(Frame& frame, Panel& panel) {
  heading(frame, panel, "Examples");
  for (const Entry& each : examples()) entry(frame, panel, each);
  const std::vector<const lesson::Example*>& opened = frame.session.library().opened();
  if (!opened.empty()) {
    panel.y += kUnit;
    heading(frame, panel, "Opened");
    for (const lesson::Example* each : opened) entry(frame, panel, {each->id, each->title, "Opened in this visit."});
  }
  panel.y += kUnit;
  if (frame.view.open_file) {
    const Rect rect{panel.x(), panel.y, panel.width(), frame.controlHeight()};
    if (button(frame, "contents/open", "Open a document…", rect)) frame.view.open_file();
    panel.y += rect.h + kUnit;
  }
  note(frame, panel, "What you open stays on your machine.");
}

}  // namespace attn::ui
