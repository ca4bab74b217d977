// The sheet "File" with real files behind it: folders that are looked into, documents that are saved, what was opened.
#include "platform/files.h"

#include <doctest/doctest.h>

#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "disk/file.h"
#include "disk/recent.h"
#include "lesson/example.h"
#include "ui/harness.h"

namespace {

namespace fs = std::filesystem;
using namespace attn;
using test::Screen;
using Paths = std::vector<std::string>;

std::string newFolder() {
  std::string path = (fs::temp_directory_path() / "attnscope-files-XXXXXX").string();
  REQUIRE(mkdtemp(path.data()));
  return path;
}

// A folder with some files, and a window whose sheet is about it.
struct Window {
  Window() {
    fs::create_directories(folder + "/below");
    for (const char* name : {"/b.npz", "/A.json", "/.hidden", "/below/c.npy"}) std::ofstream(folder + name) << "x";
    screen.view.file_menu->folder = folder;
    screen.frame(2);
  }
  ~Window() { fs::remove_all(folder); }

  const std::string folder = newFolder();
  Screen screen;
  platform::Files files{screen.view, folder + "/state/recent"};
};

std::string namesOf(const ui::FolderView& seen) {
  std::string all;
  for (const ui::FolderEntry& each : seen.entries) all += each.name + (each.is_folder ? "/ " : " ");
  return all;
}

lesson::Example documentIn(const std::string& path) {
  auto parsed = lesson::parseExample(disk::readFile(path).value(), "");
  REQUIRE(parsed.ok());
  return parsed.take();
}

}  // namespace

TEST_CASE("a folder shows its folders first and then its files, by name, and hidden ones when a dot is written") {
  const Window window;
  CHECK(namesOf(platform::lookInto(window.folder, "")) == "below/ A.json b.npz ");
  CHECK(namesOf(platform::lookInto(window.folder, ".h")).find(".hidden ") != std::string::npos);
  const ui::FolderView below = platform::lookInto("/", window.folder + "/below/c");
  CHECK(below.path == window.folder + "/below");
  CHECK(below.beginning == "c");
  CHECK(namesOf(below) == "c.npy ");
  CHECK(platform::lookInto(window.folder + "/below", "../").path == window.folder);
  CHECK(platform::lookInto("/", "").path == "/");
  CHECK(platform::lookInto("", "").path == fs::current_path().string());
  const ui::FolderView none = platform::lookInto(window.folder, "none/");
  CHECK(none.refused.find("none\" cannot be listed (") != std::string::npos);
}

TEST_CASE("the document is saved with its edits under the name that is written, and then to the same file") {
  Window window;
  Screen& screen = window.screen;
  screen.dispatch(app::action::AddEdit{"v[1]=0,0"});
  screen.key(ImGuiKey_S, true);
  const std::string path = window.folder + "/mine.json";
  REQUIRE(screen.view.edited == "files/name");
  ImGui::GetIO().AddInputCharactersUTF8("mine.json");
  screen.frame(3);
  screen.key(ImGuiKey_Enter);
  CHECK(screen.view.said == "Saved as " + path + ".");
  CHECK_FALSE(screen.view.files_open);
  CHECK(documentIn(path).edits.size() == 1);
  screen.dispatch(app::action::AddEdit{"v[2]=0,0"});
  screen.key(ImGuiKey_S, true);
  CHECK_FALSE(screen.view.files_open);
  CHECK(documentIn(path).edits.size() == 2);
  for (const auto& each : fs::directory_iterator(window.folder))
    CHECK(each.path().filename().string().find("mine.json.") == std::string::npos);  // no half of a file is left
}

TEST_CASE("saving asks before it replaces a file, and what cannot be written is one sentence") {
  Window window;
  Screen& screen = window.screen;
  REQUIRE(screen.click("header/files"));
  REQUIRE(screen.press("files/save-as"));
  REQUIRE(screen.press("files/entry/A.json"));
  CHECK(screen.find("files/name")->value_text == "A.json");
  REQUIRE(screen.press("files/write"));
  CHECK(screen.shows("Replace it?"));
  CHECK(disk::readFile(window.folder + "/A.json").value() == "x");
  REQUIRE(screen.press("Replace it"));
  CHECK(documentIn(window.folder + "/A.json").tokens.size() == 3);
  screen.view.file_menu->places[screen.session.state().example] = window.folder + "/gone/x.json";
  screen.key(ImGuiKey_S, true);
  CHECK(screen.view.said.find("gone/x.json\" cannot be written (") != std::string::npos);
}

TEST_CASE("what was opened is listed, chosen again, and dropped with a sentence when it is gone") {
  Window window;
  Screen& screen = window.screen;
  window.files.opened({window.folder + "/b.npz", window.folder + "/nothing", window.folder + "/below"});
  window.files.openedDocument(window.folder + "/below/../A.json", screen.session.state().example);
  const Paths wanted{window.folder + "/A.json", window.folder + "/b.npz"};
  CHECK(disk::readRecent(window.folder + "/state/recent") == wanted);
  REQUIRE(screen.click("header/files"));
  CHECK(screen.shows("with its edits, to"));
  REQUIRE(screen.press("files/recent/1"));
  CHECK(window.files.takeAsked() == Paths{wanted[1]});
  CHECK(window.files.takeAsked().empty());
  fs::remove(wanted[1]);
  REQUIRE(screen.click("header/files"));
  REQUIRE(screen.press("files/recent/1"));
  CHECK(window.files.takeAsked().empty());
  CHECK(screen.view.said == "\"" + wanted[1] + "\" is no longer there; it is off the list.");
  CHECK(disk::readRecent(window.folder + "/state/recent") == Paths{wanted[0]});
}
