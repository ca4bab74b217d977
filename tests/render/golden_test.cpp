// The screen of every scene and of the walkthrough against the pictures in tests/golden, which were looked at before they
// were kept. ATTN_PROGRAM is the desktop program; with ATTN_RENEW=1 what it draws now takes their place, to be looked at.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <string>

#define STB_IMAGE_IMPLEMENTATION
#define STBI_ONLY_PNG
#include "stb/stb_image.h"

#include "lesson/catalogue.h"

#include <doctest/doctest.h>

namespace {

namespace fs = std::filesystem;

std::string setting(const char* name, const char* otherwise) {
  const char* value = std::getenv(name);
  return value ? value : otherwise;
}

// "" when the program ended well.
std::string draw(const std::string& link, const fs::path& out) {
  const std::string command = setting("ATTN_PROGRAM", "build/desktop/attnscope") + " render --link '" + link +
                              "' --size 1280x800 --theme light --out '" + out.string() + "'";
  return std::system(command.c_str()) == 0 ? "" : command;
}

struct Pixels {
  explicit Pixels(const fs::path& path) : data(stbi_load(path.c_str(), &width, &height, &channels, 3), stbi_image_free) {}
  std::size_t size() const { return static_cast<std::size_t>(width) * static_cast<std::size_t>(height); }
  int width = 0, height = 0, channels = 0;
  std::unique_ptr<stbi_uc, void (*)(void*)> data;
};

// The share of pixels that differ to the eye: another driver shades edges a little differently. 1 when one is missing.
double difference(const Pixels& a, const Pixels& b) {
  constexpr int kVisible = 24;  // of 255, in one channel
  if (!a.data || !b.data || a.width != b.width || a.height != b.height) return 1;
  std::size_t differ = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    int most = 0;
    for (std::size_t c = 3 * i; c < 3 * i + 3; ++c) most = std::max(most, std::abs(a.data.get()[c] - b.data.get()[c]));
    differ += most > kVisible;
  }
  return static_cast<double>(differ) / static_cast<double>(a.size());
}

void compare(const std::string& name, const std::string& link) {
  CAPTURE(name);
  const fs::path golden = fs::path("tests/golden") / (name + ".png"), folder = "build/log/golden";
  if (setting("ATTN_RENEW", "") == "1") {
    CHECK(draw(link, golden) == "");
    return;
  }
  fs::create_directories(folder);
  const fs::path now = folder / (name + ".png");
  CHECK(draw(link, now) == "");
  const Pixels expected(golden), drawn(now);
  CHECK_MESSAGE(fs::exists(golden), golden.string() << " is missing; draw it with ATTN_RENEW=1 and look at it");
  constexpr double kMostDifferent = 0.0002;  // a changed word is more
  CHECK_MESSAGE(difference(expected, drawn) <= kMostDifferent, now.string() << " is not as " << golden.string() << " was");
}

}  // namespace

TEST_CASE("the screen of the walkthrough is as it was when it was looked at") {
  compare("stage", "v=1&stage=weights");
}

TEST_CASE("the screen of every scene is as it was when it was looked at") {
  const auto& orders = attn::lesson::catalogue();
  const auto teaching = std::find_if(orders.begin(), orders.end(), [](const auto& order) { return order.id == "teaching"; });
  REQUIRE(teaching != orders.end());
  for (const auto& entry : teaching->entries)
    if (entry.id != "walkthrough") compare(entry.id, entry.link);
}

TEST_CASE("the comparison of an edited example is as it was when it was looked at") {
  compare("compare-edited", "v=1&scene=compare&edits=forbid%3D2%2C1");
}
