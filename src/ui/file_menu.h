// Files of this machine by name, where the platform has them: what the sheet "File" is set to and what it asks of the
// platform. Touches no file.
#pragma once
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "core/result.h"
#include "ui/keys.h"
#include "ui/layout.h"

namespace attn::ui {

struct FolderEntry {
  std::string name;
  bool is_folder = false;
};

// A folder as it was when it was looked at.
struct FolderView {
  std::string path;                  // absolute
  std::string beginning;             // of a name in it: what was written after the last slash
  std::vector<FolderEntry> entries;  // folders first, each by name
  std::string refused;               // why there are none to show, in one sentence; "" otherwise
};

// What the platform does. Paths are absolute.
struct FileHands {
  // What a text names: a path from / or ~, or one below `folder`; with both empty the folder that the program runs in.
  std::function<FolderView(const std::string& folder, const std::string& written)> look;
  std::function<void(std::vector<std::string> paths)> open;  // after this frame
  std::function<core::Check(const std::string& path, const std::string& bytes)> write;  // whole or not at all
};

enum class FilePage { kMenu, kOpen, kSave };

struct FileMenu {
  FileHands hands;
  std::vector<std::string> recent;            // paths of files that were opened, newest first
  std::map<std::string, std::string> places;  // of an example → the path that it was opened from or saved to last

  // Of the sheet.
  FilePage page = FilePage::kMenu;
  std::optional<FilePage> asked;  // to be shown next
  int drawn = -2;                 // the frame in which it was drawn last
  std::string folder, written;    // where one is, and what stands in the field
  FolderView seen;                // what these two name
  bool several = false;           // files are chosen first, and then opened together
  std::set<std::string> chosen;   // their paths
  std::string replaces;           // the file about which it was asked whether it may be written over
  void (*draw)(Frame&, Panel&) = nullptr;
  std::span<const KeyBinding> keys;
};

// The header has an entry "File" from now on. Only who calls this pays for the code of the sheet.
void offerFiles(ViewState& view, FileHands hands);

}  // namespace attn::ui
