// The sheet "File", worked by label and by keys: only where the platform has files, opening by name, several together.
#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "ui/file_menu.h"
#include "ui/harness.h"

using attn::test::Screen;
using attn::ui::FolderView;

namespace {

using Paths = std::vector<std::string>;

// A screen over two folders that are nowhere but here.
struct FileScreen : Screen {
  explicit FileScreen(float width = 1280, float height = 800) : Screen(width, height) {
    attn::ui::offerFiles(view, {look, [this](Paths paths) { opened = std::move(paths); },
                                [](const std::string&, const std::string&) { return attn::core::Check(); }});
    frame(2);
  }

  static FolderView look(const std::string& folder, const std::string& written) {
    const std::string path = written.starts_with('/') ? written : (folder.empty() ? "/home" : folder) + "/" + written;
    FolderView seen{path.substr(0, path.rfind('/')), path.substr(path.rfind('/') + 1), {}, ""};
    if (seen.path == "/home") seen.entries = {{"models", true}, {"attn.npz", false}, {"attn2.npz", false}, {"Mine.json", false}};
    else if (seen.path == "/home/models") seen.entries = {{"model.safetensors", false}, {"vocab.json", false}};
    else seen.refused = "\"" + seen.path + "\" cannot be listed.";
    return seen;
  }

  void type(const char* text) {
    ImGui::GetIO().AddInputCharactersUTF8(text);
    frame(3);
  }

  Paths opened;
};

}  // namespace

TEST_CASE("without files of the platform there is no entry for them, and their keys do nothing") {
  Screen screen;
  CHECK_FALSE(screen.find("header/files"));
  screen.key(ImGuiKey_O, true);
  screen.key(ImGuiKey_S, true);
  CHECK_FALSE(screen.view.files_open);
  REQUIRE(screen.click("header/help"));
  CHECK_FALSE(screen.shows("Open a file"));
}

TEST_CASE("Open asks for a file among those of a folder, by the mouse") {
  FileScreen screen;
  REQUIRE(screen.click("File"));
  REQUIRE(screen.click("Open…"));
  CHECK(screen.shows("/home"));
  REQUIRE(screen.click("models/"));
  CHECK(screen.shows("/home/models"));
  REQUIRE(screen.click("The folder above"));
  REQUIRE(screen.click("attn.npz"));
  CHECK(screen.opened == Paths{"/home/attn.npz"});
  CHECK_FALSE(screen.view.files_open);
}

TEST_CASE("Ctrl + O asks for a name at once: its beginning is enough, and Enter opens") {
  FileScreen screen;
  screen.key(ImGuiKey_O, true);
  REQUIRE(screen.view.edited == "files/name");
  screen.type("mi");
  CHECK(screen.find("files/entry/Mine.json"));
  CHECK_FALSE(screen.find("files/entry/attn.npz"));
  screen.key(ImGuiKey_Enter);
  CHECK(screen.opened == Paths{"/home/Mine.json"});
  screen.key(ImGuiKey_O, true);
  screen.type("/home/models");
  screen.key(ImGuiKey_Enter);
  CHECK(screen.find("files/entry/vocab.json"));
  screen.type("other.npy");  // in no list: whoever opens it says so
  screen.key(ImGuiKey_Enter);
  CHECK(screen.opened == Paths{"/home/models/other.npy"});
}

TEST_CASE("several files are chosen first, and opened together") {
  FileScreen screen;
  screen.view.open_file();  // as the contents do
  screen.frame(2);
  REQUIRE(screen.press("files/several"));
  CHECK_FALSE(screen.find("files/open-chosen")->enabled);
  REQUIRE(screen.press("models/"));
  REQUIRE(screen.press("model.safetensors"));
  REQUIRE(screen.press("vocab.json"));
  REQUIRE(screen.press("vocab.json"));
  CHECK(screen.find("Open 1 file"));
  REQUIRE(screen.press("vocab.json"));
  REQUIRE(screen.press("Open 2 files"));
  CHECK(screen.opened == Paths{"/home/models/model.safetensors", "/home/models/vocab.json"});
}

TEST_CASE("a page that shows no document says why there is nothing to save") {
  FileScreen screen;
  screen.dispatch(attn::app::action::OpenScene{"scaling", {}});
  screen.key(ImGuiKey_S, true);
  CHECK(screen.view.said.starts_with("Only an example on the stage is a document"));
  REQUIRE(screen.click("header/files"));
  CHECK_FALSE(screen.find("files/save")->enabled);
  CHECK_FALSE(screen.find("files/save-as")->enabled);
  CHECK(screen.find("files/open")->enabled);
}

TEST_CASE("help lists the keys of files where there are files, and the tooltip of Open names its own") {
  FileScreen screen;
  REQUIRE(screen.click("header/files"));
  CHECK(screen.find("files/open")->keys == "Ctrl + O");
  REQUIRE(screen.click("header/help"));
  CHECK(screen.shows("Save the document"));
}

TEST_CASE("on a narrow screen the files are among the settings") {
  FileScreen screen(390, 844);
  REQUIRE(screen.press("tab/settings"));
  REQUIRE(screen.press("settings/files"));
  CHECK(screen.find("files/open"));
}
