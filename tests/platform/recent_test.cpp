// What was opened last: one path a line, newest first, whatever stood in the file before.
#include <doctest/doctest.h>

#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "disk/file.h"
#include "disk/recent.h"

namespace {

namespace fs = std::filesystem;
using namespace attn;
using Paths = std::vector<std::string>;

struct Folder {
  Folder() { REQUIRE(mkdtemp(path.data())); }
  ~Folder() { fs::remove_all(path); }
  std::string path = (fs::temp_directory_path() / "attnscope-recent-XXXXXX").string();
};

void put(const std::string& path, const std::string& text) { std::ofstream(path, std::ios::binary) << text; }

// A variable of the environment for as long as this lives.
struct Variable {
  Variable(const char* variable, const char* value) : name(variable), before(std::getenv(variable) ? std::getenv(variable) : "") {
    value ? setenv(name, value, 1) : unsetenv(name);
  }
  ~Variable() { setenv(name, before.c_str(), 1); }
  const char* name;
  std::string before;
};

}  // namespace

TEST_CASE("the newest file comes first, each once, and the ninth falls off the list") {
  const Folder folder;
  const std::string file = folder.path + "/deep/er/recent";  // folders that are not there yet
  for (int n = 1; n <= 9; ++n) disk::addRecent(file, {"/f/" + std::to_string(n) + ".json"});
  disk::addRecent(file, {"/f/5.json"});
  const Paths wanted{"/f/5.json", "/f/9.json", "/f/8.json", "/f/7.json", "/f/6.json", "/f/4.json", "/f/3.json", "/f/2.json"};
  CHECK(disk::readRecent(file) == wanted);
  CHECK(disk::readFile(file).value() ==
        "/f/5.json\n/f/9.json\n/f/8.json\n/f/7.json\n/f/6.json\n/f/4.json\n/f/3.json\n/f/2.json\n");
  CHECK(disk::addRecent(file, {"/a.npz", "/b.npz"})[1] == "/b.npz");
  CHECK(disk::dropRecent(file, "/a.npz").front() == "/b.npz");
  CHECK(disk::readRecent(file).front() == "/b.npz");
}

TEST_CASE("odd lines are left out of the list of recent files") {
  CHECK(disk::recentIn("") == Paths{});
  CHECK(disk::recentIn("relative.json\n\n/ok.json\n/ok.json\n" + std::string("/nul\0.json\n", 11) + "~/home.json\n/no end") ==
        Paths{"/ok.json", "/no end"});
  const Folder folder;
  CHECK(disk::addRecent(folder.path + "/recent", {"/two\nlines", "/one"}) == Paths{"/one"});
}

TEST_CASE("a list of recent files that cannot be read or written is ignored") {
  const Folder folder;
  CHECK(disk::readRecent(folder.path).empty());  // a folder
  CHECK(disk::readRecent(folder.path + "/none").empty());
  put(folder.path + "/large", "/ok.json\n" + std::string(100'000, 'x'));
  CHECK(disk::readRecent(folder.path + "/large").empty());
  put(folder.path + "/file", "");
  CHECK(disk::addRecent(folder.path + "/file/recent", {"/a.json"}) == Paths{"/a.json"});  // for this visit alone
  CHECK(disk::addRecent("", {"/a.json"}) == Paths{"/a.json"});
}

TEST_CASE("the list of recent files is among what programs keep of their state") {
  const Variable home("HOME", "/home/somebody");
  {
    const Variable state("XDG_STATE_HOME", "/state");
    CHECK(disk::recentFile() == "/state/attnscope/recent");
  }
  {
    const Variable state("XDG_STATE_HOME", "relative");
    CHECK(disk::recentFile() == "/home/somebody/.local/state/attnscope/recent");
  }
  const Variable state("XDG_STATE_HOME", nullptr), none("HOME", nullptr);
  CHECK(disk::recentFile() == "");
}
