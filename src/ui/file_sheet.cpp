// The sheet "File": what was opened before, opening and saving by name. Writes no document itself and touches no file.
#include <algorithm>
#include <cctype>
#include <memory>
#include <utility>

#include "imgui.h"
#include "ui/file_menu.h"
#include "ui/keep_document.h"
#include "ui/panels.h"
#include "ui/sheets.h"
#include "ui/widgets.h"

namespace attn::ui {
namespace {

constexpr std::string_view kNameField = "files/name";
constexpr std::size_t kMostShown = 200;  // entries of a folder
constexpr std::string_view kOpenKeys = trLater("Ctrl + O"), kSaveKeys = trLater("Ctrl + S");

std::string folderOf(const std::string& path) { return path.substr(0, std::max<std::size_t>(1, path.rfind('/'))); }
std::string nameIn(const std::string& path) { return path.substr(path.rfind('/') + 1); }
std::string pathIn(const std::string& folder, const std::string& name) { return folder + (folder.ends_with('/') ? "" : "/") + name; }

bool beginsLike(const std::string& name, const std::string& beginning) {
  const auto same = [](unsigned char a, unsigned char b) { return std::tolower(a) == std::tolower(b); };
  return name.size() >= beginning.size() && std::equal(beginning.begin(), beginning.end(), name.begin(), same);
}

// The document is what the screen shows, or is about.
bool showsDocument(const Frame& frame) { return frame.session.state().scene.empty() || aboutExample(frame); }

std::string savedAs(const Frame& frame) {
  const auto& places = frame.view.file_menu->places;
  const auto found = places.find(frame.session.state().example);
  return found == places.end() ? "" : found->second;
}

bool save(Frame& frame, const std::string& path) {
  FileMenu& menu = *frame.view.file_menu;
  const core::Check refused = menu.hands.write(path, documentOfMoment(frame));
  frame.view.said = refused ? refused->message : tr("Saved as {0}.", {path});
  frame.view.offers_document = false;
  if (!refused) menu.places[frame.session.state().example] = path;
  return !refused;
}

void ask(Frame& frame, FilePage page) {
  frame.view.file_menu->asked = page;
  if (!frame.view.files_open) turnSheet(frame, &ViewState::files_open, frame.recorder.focused);
}

void askOpen(Frame& frame) { ask(frame, FilePage::kOpen); }

void saveNow(Frame& frame) {
  if (!showsDocument(frame)) {
    frame.view.said = tr("Only an example on the stage is a document; Export saves what this page shows.");
  } else if (const std::string place = savedAs(frame); !place.empty()) {
    save(frame, place);
  } else {
    ask(frame, FilePage::kSave);
  }
}

constexpr KeyBinding kKeys[] = {
    {kOpenKeys, trLater("Open a file"), "files/open", Scope::kAlways, ImGuiKey_O, ImGuiMod_Ctrl, false, false, askOpen},
    {kSaveKeys, trLater("Save the document"), "files/save", Scope::kAlways, ImGuiKey_S, ImGuiMod_Ctrl, false, false, saveNow},
};

class FileSheet {
 public:
  FileSheet(Frame& frame, Panel& panel) : frame_(frame), panel_(panel), menu_(*frame.view.file_menu) {}

  void draw() {
    const int now = ImGui::GetFrameCount();
    if (menu_.asked) begin(*std::exchange(menu_.asked, std::nullopt));
    else if (menu_.drawn < now - 1) begin(FilePage::kMenu);
    menu_.drawn = now;
    if (menu_.page == FilePage::kMenu) list();
    else pick();
  }

 private:
  void begin(FilePage page) {
    menu_.page = page;
    menu_.several = false;
    menu_.chosen.clear();
    const std::string place = savedAs(frame_);
    if (!place.empty()) menu_.folder = folderOf(place);
    else if (menu_.folder.empty() && !menu_.recent.empty()) menu_.folder = folderOf(menu_.recent.front());
    const bool saves = page == FilePage::kSave;
    if (page != FilePage::kMenu) write(!saves ? "" : place.empty() ? fileStem(frame_.session.example()) + ".json" : nameIn(place));
  }

  void write(std::string text) {
    menu_.written = std::move(text);
    look();
    frame_.view.edit_asked = EditedText{menu_.written, 0, static_cast<int>(menu_.written.size())};  // where it is written in already
    frame_.recorder.activate(std::string(kNameField));
  }

  void look() {
    menu_.seen = menu_.hands.look(menu_.folder, menu_.written);
    menu_.replaces.clear();
  }

  bool pressed(std::string_view id, const std::string& label, ButtonOptions options = {}) {
    const float usual = frame_.controlHeight();
    const float height = options.left ? std::max(usual, entryHeight(frame_, label, panel_.width(), options.mark)) : usual;
    const float width = options.left ? panel_.width() : std::min(panel_.width(), buttonWidth(frame_, label, options));
    const Rect rect{panel_.x(), panel_.y, width, height};
    panel_.y += height + kUnit / 2;
    return button(frame_, id, label, rect, options);
  }

  void list() {
    const bool document = showsDocument(frame_);
    const std::string place = savedAs(frame_), open_keys = tr(kOpenKeys), save_keys = tr(kSaveKeys);
    if (pressed("files/open", tr("Open…"), {.left = true, .keys = open_keys})) ask(frame_, FilePage::kOpen);
    if (pressed("files/save", tr("Save"), {.enabled = document, .left = true, .keys = save_keys})) saveNow(frame_);
    if (pressed("files/save-as", tr("Save as…"), {.enabled = document, .left = true})) ask(frame_, FilePage::kSave);
    panel_.y += kUnit / 2;
    if (!document) note(frame_, panel_, tr("Only an example on the stage is a document; Export saves what this page shows."));
    else if (place.empty()) note(frame_, panel_, tr("What stands on the stage is in no file yet."));
    else note(frame_, panel_, tr("It is saved with its edits, to {0}.", {place}));
    if (menu_.recent.empty()) return;
    panel_.y += kUnit;
    heading(frame_, panel_, tr("Opened before"));
    const std::vector<std::string> recent = menu_.recent;
    for (std::size_t i = 0; i < recent.size(); ++i) {
      if (pressed("files/recent/" + std::to_string(i), nameIn(recent[i]), {.look = Look::kQuiet, .left = true, .tip = recent[i]}))
        open({recent[i]});
      panel_.y -= kUnit;
      note(frame_, panel_, folderOf(recent[i]));
    }
  }

  void pick() {
    const bool saves = menu_.page == FilePage::kSave;
    heading(frame_, panel_, saves ? tr("Save the document in") : tr("Open a file from"));
    body(frame_, panel_, menu_.seen.path);
    const bool entered = nameField();
    if (saves) {
      const std::string label = menu_.replaces.empty() ? tr("Save") : tr("Replace it");
      if (!menu_.replaces.empty()) note(frame_, panel_, tr("There is a file of that name. Replace it?"));
      if (pressed("files/write", label, {.look = Look::kAccent}) || entered) return saveAs();
    } else {
      if (entered) return openWritten();
      choosing();
    }
    panel_.y += kUnit / 2;
    entries(saves);
  }

  // True when Enter ended it.
  bool nameField() {
    const bool was_writing = frame_.view.edited == kNameField;
    const Rect rect{panel_.x(), panel_.y, panel_.width(), frame_.controlHeight()};
    panel_.y += rect.h + kUnit;
    const auto written = field(frame_, kNameField, tr("Name"), menu_.written, rect,
                               {.hint = tr("a name, or a path"), .tip = tr("A path begins with / or ~."), .live = true});
    if (written) {
      menu_.written = *written;
      look();
    }
    const bool enter = ImGui::IsKeyPressed(ImGuiKey_Enter, false) || ImGui::IsKeyPressed(ImGuiKey_KeypadEnter, false);
    return was_writing && frame_.view.edited != kNameField && enter;
  }

  void choosing() {
    const std::string label = tr("Several files together");
    const float height = std::max(frame_.controlHeight(), toggleHeight(frame_, label, panel_.width()));
    if (toggle(frame_, "files/several", label, menu_.several, {panel_.x(), panel_.y, panel_.width(), height},
               tr("Of a model, say, with the files beside it.")))
      menu_.several = !menu_.several, menu_.chosen.clear();
    panel_.y += height + kUnit / 2;
    if (!menu_.several) return;
    const std::string opens = tr("Open {0} {0|file|files}", {menu_.chosen.size()});
    if (pressed("files/open-chosen", opens, {.look = Look::kAccent, .enabled = !menu_.chosen.empty()}))
      open({menu_.chosen.begin(), menu_.chosen.end()});
  }

  void entries(bool saves) {
    const FolderView seen = menu_.seen;
    if (seen.path != "/" && pressed("files/up", tr("The folder above"), {.icon = Icon::kUp, .look = Look::kQuiet}))
      enter(folderOf(seen.path));
    if (!seen.refused.empty()) return note(frame_, panel_, seen.refused);
    std::size_t found = 0;
    for (const FolderEntry& each : seen.entries) {
      if (!saves && !beginsLike(each.name, seen.beginning)) continue;
      if (found++ >= kMostShown) continue;
      const std::string path = pathIn(seen.path, each.name);
      const Icon mark = menu_.chosen.count(path) > 0 ? Icon::kCheck : Icon::kNone;
      if (pressed("files/entry/" + each.name, each.name + (each.is_folder ? "/" : ""), {.look = Look::kQuiet, .left = true, .mark = mark}))
        take(each, path);
    }
    if (found == 0) note(frame_, panel_, tr("Nothing here is called so."));
    if (found > kMostShown) note(frame_, panel_, tr("{0} more; write how the name begins.", {found - kMostShown}));
  }

  void enter(const std::string& folder) {
    menu_.folder = folder;
    write(menu_.page == FilePage::kSave ? nameIn(menu_.written) : "");
  }

  void take(const FolderEntry& entry, const std::string& path) {
    if (entry.is_folder) return enter(path);
    if (menu_.page == FilePage::kSave) return write(entry.name);
    if (!menu_.several) return open({path});
    if (menu_.chosen.erase(path) == 0) menu_.chosen.insert(path);
  }

  void open(std::vector<std::string> paths) {
    menu_.hands.open(std::move(paths));
    closeSheets(frame_);
  }

  // The entry of that name, else the only one that begins so, else what was written.
  void openWritten() {
    const FolderView seen = menu_.seen;
    if (menu_.written.empty()) return;
    if (seen.beginning.empty()) return enter(seen.path);
    const FolderEntry* only = nullptr;
    int found = 0;
    for (const FolderEntry& each : seen.entries) {
      if (each.name == seen.beginning) return take(each, pathIn(seen.path, each.name));
      if (beginsLike(each.name, seen.beginning)) ++found, only = &each;
    }
    if (found == 1) return take(*only, pathIn(seen.path, only->name));
    open({pathIn(seen.path, seen.beginning)});
  }

  void saveAs() {
    const FolderView& seen = menu_.seen;
    if (seen.beginning.empty()) return enter(seen.path);
    const std::string path = pathIn(seen.path, seen.beginning);
    const auto there = std::find_if(seen.entries.begin(), seen.entries.end(), [&](const FolderEntry& each) { return each.name == seen.beginning; });
    if (there != seen.entries.end() && there->is_folder) return enter(path);
    const bool asks = there != seen.entries.end() && path != savedAs(frame_) && menu_.replaces != path;
    if (asks) menu_.replaces = path;
    else if (save(frame_, path)) closeSheets(frame_);
  }

  Frame& frame_;
  Panel& panel_;
  FileMenu& menu_;
};

}  // namespace

void offerFiles(ViewState& view, FileHands hands) {
  view.file_menu = std::make_shared<FileMenu>();
  view.file_menu->hands = std::move(hands);
  view.file_menu->draw = [](Frame& frame, Panel& panel) { FileSheet(frame, panel).draw(); };
  view.file_menu->keys = kKeys;
  view.open_file = [&view] {
    if (const Sheet* other = openSheet(view)) view.*other->open = false;
    view.files_open = true;
    view.file_menu->asked = FilePage::kOpen;
  };
}

}  // namespace attn::ui
