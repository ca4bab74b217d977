// Files that a window gives away: none takes the place of another.
#include <doctest/doctest.h>

#include <cstdlib>
#include <filesystem>
#include <string>

#include "disk/file.h"

namespace {

namespace fs = std::filesystem;
using namespace attn;

std::span<const unsigned char> bytesOf(const std::string& text) { return {reinterpret_cast<const unsigned char*>(text.data()), text.size()}; }

}  // namespace

TEST_CASE("a file is kept under its name, and under a numbered one where that is taken") {
  std::string folder = (fs::temp_directory_path() / "attnscope-keep-XXXXXX").string();
  REQUIRE(mkdtemp(folder.data()));
  const std::string zeros("a\0b", 3);
  for (const char* expected : {"weights.npy", "weights-2.npy", "weights-3.npy"}) {
    const auto kept = disk::keepFile(folder, "weights.npy", bytesOf(zeros + expected));
    REQUIRE_MESSAGE(kept.ok(), (kept ? "" : kept.error().message));
    CHECK(kept.value() == (fs::path(folder) / expected).string());
  }
  for (const char* name : {"weights.npy", "weights-2.npy", "weights-3.npy"}) {
    CHECK(disk::readFile((fs::path(folder) / name).string()).value() == zeros + name);
  }
  fs::remove_all(folder);
  const auto refused = disk::keepFile(folder, "weights.npy", bytesOf(zeros));
  REQUIRE_FALSE(refused.ok());
  CHECK(refused.error().message.find("cannot be written") != std::string::npos);
}
