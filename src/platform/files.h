// The hands of the sheet "File" in a window: looks into folders, writes, and remembers what was opened. Opens nothing
// itself, since that changes the session: whoever runs the loop takes up what was asked for. Knows no window.
#pragma once
#include <string>
#include <vector>

#include "ui/file_menu.h"

namespace attn::platform {

// See ui::FileHands. Names that begin with a dot are listed where `written` names one.
ui::FolderView lookInto(const std::string& folder, const std::string& written);

class Files {
 public:
  // Offers the sheet in `view`. `kept` is the file of what was opened last: disk/recent.h.
  Files(ui::ViewState& view, std::string kept);
  Files(const Files&) = delete;
  Files& operator=(const Files&) = delete;

  // What the person has chosen since the last time. One that was opened before and is gone is said, and left out.
  std::vector<std::string> takeAsked();
  // These have just been opened, together. Relative ones are from the folder that the program runs in; what is no plain
  // file cannot be opened again, and is not remembered.
  void opened(const std::vector<std::string>& paths);
  // The example `id` is the document in this file: there it is saved.
  void openedDocument(const std::string& path, const std::string& id);

 private:
  ui::ViewState& view_;
  std::string kept_;
  std::vector<std::string> asked_;
};

}  // namespace attn::platform
