// What can be opened: the walkthrough with its examples and documents, and every scene in the order that one prefers.
#include <algorithm>
#include <vector>

#include "lesson/catalogue.h"
#include "ui/contents_order.h"
#include "ui/open_scene.h"
#include "ui/panels.h"
#include "ui/rest.h"
#include "ui/text.h"
#include "ui/widgets.h"

namespace attn::ui {
namespace {

using lesson::CatalogueEntry;
using lesson::CatalogueOrder;

struct ListEntry {
  std::string id, title, about;
};

const std::vector<ListEntry>& examples() {
  static const std::vector<ListEntry> all = [] {
    std::vector<ListEntry> out;
    for (const lesson::BuiltIn& each : lesson::builtIns())
      if (const auto example = lesson::builtInExample(each.id))
        out.push_back({std::string(each.id), example.value().title, example.value().about});
    return out;
  }();
  return all;
}

// True when pressed. `name` is the label with what the eye sees otherwise: that it has been visited.
bool listed(Frame& frame, Panel& panel, const std::string& id, const std::string& title, const std::string& name,
            const ButtonOptions& look) {
  ButtonOptions options = look;
  options.look = Look::kQuiet;
  options.left = true;
  options.shown = title;
  const float height = std::max(entryHeight(frame, title, panel.width(), options.mark),
                                std::max(frame.controlHeight(), frame.size(34)));
  const Rect rect{panel.x(), panel.y, panel.width(), height};
  panel.y += rect.h + kUnit / 4;
  return button(frame, id, name, rect, options);
}

void entry(Frame& frame, Panel& panel, const ListEntry& each) {
  const bool open = !inScene(frame) && frame.session.state().example == each.id;
  const std::string& label = each.title.empty() ? each.id : each.title;
  if (listed(frame, panel, "contents/" + each.id, label, label, {.checked = open, .tip = each.about}))
    frame.dispatch(app::action::OpenExample{each.id});
}

void walkthrough(Frame& frame, Panel& panel) {
  heading(frame, panel, tr("Walkthrough"));
  for (const ListEntry& each : examples()) entry(frame, panel, each);
  for (const lesson::Example* each : frame.session.library().opened())
    entry(frame, panel, {each->id, each->title, tr("Opened in this visit.")});
  panel.y += 2 * kUnit;
}

// Documents and arrays are opened in one way; arrays have one page, documents stand among the examples.
void ownFiles(Frame& frame, Panel& panel) {
  const std::string& files = frame.session.files();
  const CatalogueEntry& page = lesson::sceneOfFiles();
  const bool open = frame.session.state().scene == page.id;
  if (!frame.view.open_file && !open && files.empty()) return;
  heading(frame, panel, tr("Your own files"));
  const std::string title = files.empty() ? page.title : page.title + ": " + files;
  if (listed(frame, panel, "contents/arrays", title, title,
             {.checked = open, .tip = tr("What is in files of arrays, such as .npz.")}))
    frame.dispatch(app::action::OpenScene{page.id, {}});
  if (frame.view.open_file) {
    panel.y += kUnit / 2;
    const Rect rect{panel.x(), panel.y, panel.width(), frame.controlHeight()};
    if (button(frame, "contents/open", tr("Open a file…"), rect, {.tip = tr("What you open stays on your machine.")}))
      frame.view.open_file();
    panel.y += rect.h;
  }
  panel.y += 2 * kUnit;
}

void scene(Frame& frame, Panel& panel, const CatalogueEntry& each, std::size_t at) {
  const CatalogueEntry* now = neighbours(frame).current;
  const bool here = now && now->id == each.id && now->link == each.link;
  const bool visited = frame.view.visited.count(each.id) > 0;
  const std::string name = visited ? tr("{0}, visited", {each.title}) : each.title;
  if (!listed(frame, panel, "contents/entry/" + std::to_string(at), each.title, name,
              {.checked = here, .mark = visited ? Icon::kCheck : Icon::kNone}))
    return;
  openEntry(frame, each);
}

void orders(Frame& frame, Panel& panel) {
  const auto& all = lesson::catalogue();
  if (all.size() < 2) return;
  std::vector<Option> options;
  int now = 0;
  for (const CatalogueOrder& each : all) {
    if (each.id == chosenOrder(frame).id) now = static_cast<int>(options.size());
    options.push_back({each.id, each.id == "teaching" ? tr("Teaching") : tr("Lesson {0}", {each.id}), each.title});
  }
  const float height = choiceHeight(frame, options, panel.width());
  const int chosen = choice(frame, "contents-order", options, now, {panel.x(), panel.y, panel.width(), height});
  if (chosen >= 0) frame.view.order = all[static_cast<std::size_t>(chosen)].id;
  panel.y += height + kUnit;
}

void results(Frame& frame, Panel& panel) {
  if (!restIsHere(frame, panel)) return;
  const std::vector<const CatalogueEntry*> found = lesson::searchCatalogue(frame.view.search);
  std::size_t at = 0;
  std::vector<std::string> shown;  // an entry of several orders is shown once
  for (const CatalogueEntry* each : found) {
    const std::string key = each->title + each->link;
    if (std::find(shown.begin(), shown.end(), key) != shown.end()) continue;
    shown.push_back(key);
    scene(frame, panel, *each, at++);
  }
  if (at == 0) note(frame, panel, tr("Nothing is called so; try another word, or fewer letters."));
}

void goOn(Frame& frame, Panel& panel) {
  if (frame.view.resume_link.empty()) return;
  const std::string label = tr("Go on where you were");
  const Rect rect{panel.x(), panel.y, panel.width(), std::max(frame.controlHeight(), entryHeight(frame, label, panel.width()))};
  if (button(frame, "contents/resume", label, rect, {.left = true})) {
    const std::string link = frame.view.resume_link;
    frame.view.resume_link.clear();
    frame.view.entry.clear();
    frame.dispatch(app::action::LoadLink{link, true});
  }
  panel.y += rect.h + 2 * kUnit;
}

}  // namespace

void drawContents(Frame& frame, Panel& panel) {
  goOn(frame, panel);
  walkthrough(frame, panel);
  ownFiles(frame, panel);
  heading(frame, panel, tr("Scenes"));
  const Rect search{panel.x(), panel.y, panel.width(), frame.controlHeight()};
  if (const auto written = field(frame, "contents/search", tr("Search the scenes"), frame.view.search, search,
                                 {.hint = tr("Search"), .live = true}))
    frame.view.search = *written;
  panel.y += search.h + kUnit;
  if (frame.view.search.find_first_not_of(' ') != std::string::npos) return results(frame, panel);
  orders(frame, panel);
  note(frame, panel, chosenOrder(frame).title);
  const std::vector<CatalogueEntry>& entries = chosenOrder(frame).entries;
  for (std::size_t i = 0; i < entries.size(); ++i)
    if (frame.view.order != "teaching" || entries[i].id != kWalkthrough) scene(frame, panel, entries[i], i);
}

}  // namespace attn::ui
