// Every scene by its id, and what a page wants of web/data from the shelf.
#include "desk/desk.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <map>
#include <string>
#include <vector>

#include "study/study.h"
#include "support/array_files.h"
#include "survey/survey.h"

namespace {

using namespace attn;

// What has been asked of a shelf that holds these files of web/data, and no others.
class Shelf {
 public:
  explicit Shelf(std::vector<std::string> paths) {
    for (const std::string& path : paths) bytes_[path] = test::arrayFile("../../../web/data/" + path);
  }
  desk::Shelf asked() {
    return [this](const std::string& path) -> std::optional<std::string_view> {
      asked_.push_back(path);
      const auto found = bytes_.find(path);
      return found == bytes_.end() ? std::nullopt : std::optional<std::string_view>(found->second);
    };
  }
  long times(const std::string& path) const { return std::count(asked_.begin(), asked_.end(), path); }

 private:
  std::map<std::string, std::string> bytes_;
  std::vector<std::string> asked_;
};

lesson::Page pageOf(desk::Desk& desk, const lesson::Settings& settings = {}) {
  const auto scene = desk.find(study::kSceneId);
  REQUIRE(scene);
  auto page = scene::run(scene.value(), settings);
  REQUIRE_MESSAGE(page.ok(), (page ? "" : page.error().message));
  return page.take();
}

bool isThere(const lesson::Page& page) {
  const auto found = std::find_if(page.results.begin(), page.results.end(), [](const auto& each) { return each.name == "there"; });
  REQUIRE(found != page.results.end());
  return std::get<bool>(found->value);
}

}  // namespace

TEST_CASE("A scene is found by its id, those about files and models too, and an unknown id is refused") {
  desk::Desk desk;
  for (const std::string_view id : {std::string_view("softmax"), survey::kSceneId, study::kSceneId}) {
    const auto found = desk.find(id);
    REQUIRE(found);
    CHECK(found.value().id == id);
  }
  const auto unknown = desk.find("nonsense");
  REQUIRE(!unknown);
  CHECK(unknown.error().message.find("`nonsense`") != std::string::npos);
}

TEST_CASE("A page takes what it wants from the shelf, each file once") {
  Shelf shelf({"model.json", "model.safetensors"});
  desk::Desk desk(shelf.asked());
  CHECK(isThere(pageOf(desk)));
  CHECK(isThere(pageOf(desk, {{"part", "head"}})));
  CHECK(shelf.times("model.safetensors") == 1);
  CHECK(shelf.times("model.json") == 1);
  CHECK(desk.models.wanted().empty());
}

TEST_CASE("What the shelf does not have is named on the page") {
  Shelf shelf({"model.json"});
  desk::Desk desk(shelf.asked());
  const lesson::Page page = pageOf(desk);
  CHECK(!isThere(page));
  CHECK(page.says.find("`model.safetensors`") != std::string::npos);
  CHECK(shelf.times("model.safetensors") == 1);
}

TEST_CASE("Without a shelf the page waits, and says what for") {
  desk::Desk desk;
  CHECK(!isThere(pageOf(desk)));
  const std::vector<std::string>& wanted = desk.models.wanted();
  CHECK(std::find(wanted.begin(), wanted.end(), "model.safetensors") != wanted.end());
}
