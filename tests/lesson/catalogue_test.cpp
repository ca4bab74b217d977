// The contents as data: orders, titles, links and search.
#include "lesson/catalogue.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <set>

namespace {

using namespace attn::lesson;

TEST_CASE("the catalogue has the teaching order and one order for each lesson") {
  std::vector<std::string> ids;
  for (const CatalogueOrder& order : catalogue()) {
    ids.push_back(order.id);
    CHECK_FALSE(order.title.empty());
    CHECK_FALSE(order.entries.empty());
  }
  CHECK(ids == std::vector<std::string>{"teaching", "2.2", "6.3"});
  CHECK(catalogue().front().entries.front().id == "walkthrough");
}

TEST_CASE("every entry has a title and a link to its scene, and a scene is listed once in the teaching order") {
  std::set<std::string> scenes;
  for (const CatalogueOrder& order : catalogue()) {
    for (const CatalogueEntry& entry : order.entries) {
      CAPTURE(entry.title);
      CHECK_FALSE(entry.title.empty());
      CHECK(entry.link.rfind("v=1", 0) == 0);
      CHECK((entry.id == "walkthrough") == (entry.link.find("scene=") == std::string::npos));
      if (&order == &catalogue().front()) CHECK(scenes.insert(entry.id).second);
      else CHECK(scenes.count(entry.id) == 1);
    }
  }
}

TEST_CASE("a scene is found by its id only") {
  REQUIRE(findScene("walkthrough"));
  CHECK(findScene("walkthrough")->link == "v=1");
  CHECK_FALSE(findScene("no-such-scene"));
  CHECK_FALSE(findScene(""));
}

TEST_CASE("the scene about opened files is found by its id and its words, and stands in no order") {
  const CatalogueEntry* entry = findScene("arrays");
  REQUIRE(entry);
  CHECK(entry->of_files);
  CHECK(entry->link == "v=1&scene=arrays");
  CHECK(searchCatalogue("your OWN arrays") == std::vector<const CatalogueEntry*>{entry});
  CHECK(searchCatalogue("bertviz npz") == std::vector<const CatalogueEntry*>{entry});
  for (const CatalogueOrder& order : catalogue())
    for (const CatalogueEntry& each : order.entries) CHECK_FALSE(each.of_files);
}

TEST_CASE("every title is found by its own words, whatever their case and order") {
  for (const CatalogueOrder& order : catalogue()) {
    for (const CatalogueEntry& entry : order.entries) {
      std::string upper = entry.title;
      for (char& c : upper) c = c >= 'a' && c <= 'z' ? static_cast<char>(c - 32) : c;
      const std::size_t space = upper.find(' ');
      const std::string turned = space == std::string::npos ? upper : upper.substr(space + 1) + " " + upper.substr(0, space);
      const std::vector<const CatalogueEntry*> found = searchCatalogue(turned);
      CAPTURE(turned);
      CHECK(std::find(found.begin(), found.end(), &entry) != found.end());
    }
  }
}

TEST_CASE("a search wants every word, finds a scene by words that are not in its title, and nothing by nothing") {
  const auto finds = [](const char* query, const char* id) {
    const std::vector<const CatalogueEntry*> found = searchCatalogue(query);
    return std::any_of(found.begin(), found.end(), [&](const CatalogueEntry* entry) { return entry->id == id; });
  };
  CHECK(finds("river MONEY", "why-context"));
  CHECK(finds("why-context", "why-context"));
  CHECK_FALSE(finds("river xylophone", "why-context"));
  CHECK(searchCatalogue("").empty());
  CHECK(searchCatalogue("   ").empty());
}

}  // namespace
