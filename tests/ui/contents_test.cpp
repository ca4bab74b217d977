// Three orders, a search, marks, and the way back to where one was.
#include <doctest/doctest.h>

#include "lesson/catalogue.h"
#include "support/sanitized.h"
#include "ui/scene_pages.h"

using attn::test::Screen;

namespace {

const attn::lesson::CatalogueOrder& orderCalled(const char* id) {
  for (const auto& each : attn::lesson::catalogue())
    if (each.id == id) return each;
  return attn::lesson::catalogue().front();
}

int entries(const Screen& screen) {
  int count = 0;
  for (const attn::ui::Control& each : screen.recorder.controls()) count += each.id.rfind("contents/entry/", 0) == 0;
  return count;
}

}  // namespace

TEST_CASE("the contents list the scenes of the chosen order") {
  Screen screen(1280, 3000);
  for (const auto& order : attn::lesson::catalogue()) {
    CAPTURE(order.id);
    REQUIRE(screen.click("contents-order/" + order.id));
    std::size_t expected = 0;
    for (const auto& each : order.entries) {
      const bool above = order.id == "teaching" && each.id == "walkthrough";  // has its examples
      expected += above ? 0 : 1;
      if (!above) CHECK(screen.find(each.title));
    }
    CHECK(entries(screen) == static_cast<int>(expected));
  }
}

TEST_CASE("an entry opens its moment, and the walkthrough's examples lead back") {
  Screen screen(1280, 3000);
  const attn::lesson::CatalogueEntry* entry = attn::lesson::findScene(attn::test::kScene);
  REQUIRE(entry);
  REQUIRE(screen.click(entry->title));
  CHECK(screen.session.state().scene == attn::test::kScene);
  CHECK(screen.find(entry->title)->checked);
  REQUIRE(screen.click("contents/cat-sat-down"));
  CHECK(screen.session.state().scene.empty());
  CHECK(screen.session.state().example == "cat-sat-down");
}

TEST_CASE("the search finds entries by words and leaves the others out") {
  Screen screen(1280, 3000);
  screen.view.search = "mask";
  screen.frame(2);
  CHECK(entries(screen) > 0);
  CHECK(entries(screen) < static_cast<int>(orderCalled("teaching").entries.size()));
  screen.view.search = "zzzz";
  screen.frame(2);
  CHECK(entries(screen) == 0);
  CHECK(screen.shows("Nothing is called so"));
}

TEST_CASE("what is typed into the search counts at once") {
  Screen screen(1280, 3000);
  REQUIRE(screen.click("contents/search"));
  screen.frame(2);
  ImGui::GetIO().AddInputCharactersUTF8("mask");
  screen.frame(3);
  CHECK(screen.view.search == "mask");
}

TEST_CASE("scenes that have been seen are marked, in words too") {
  Screen screen(1280, 3000);
  const attn::lesson::CatalogueEntry* entry = attn::lesson::findScene(attn::test::kScene);
  REQUIRE(entry);
  CHECK(screen.find(entry->title));
  screen.view.visited.insert(attn::test::kScene);
  screen.frame(2);
  CHECK(screen.find(entry->title + ", visited"));
}

TEST_CASE("one goes on where one was") {
  Screen screen(1280, 3000);
  CHECK_FALSE(screen.find("Go on where you were"));
  screen.view.resume_link = std::string("v=1&scene=") + attn::test::kScene + "&set.layers=5";
  screen.frame(2);
  REQUIRE(screen.click("Go on where you were"));
  CHECK(screen.session.state().scene == attn::test::kScene);
  CHECK(attn::test::setting(screen, "layers") == "5");
  CHECK_FALSE(screen.find("Go on where you were"));
}

TEST_CASE("from a scene that a lesson does not lead to, the teaching order leads on") {
  for (const char* order : {"2.2", "6.3"}) {
    if (attn::test::kSanitized && order == std::string_view("6.3")) continue;  // the same scenes once more
    for (const auto& scene : orderCalled("teaching").entries) {
      if (scene.id == "walkthrough") continue;
      Screen screen;
      screen.view.order = order;
      screen.dispatch(attn::app::action::OpenScene{scene.id, {}});
      screen.frame(2);
      CAPTURE(order);
      CAPTURE(scene.id);
      const auto* next = screen.find("scenes/next");
      const auto* previous = screen.find("scenes/previous");
      REQUIRE(next);
      REQUIRE(previous);
      CHECK((next->enabled || previous->enabled));
    }
  }
}

TEST_CASE("the last number of the walkthrough leads on to the first scene") {
  Screen screen;
  CHECK_FALSE(screen.find("scenes/next"));
  screen.dispatch(attn::app::action::Last{});
  screen.frame(2);
  REQUIRE(screen.click("scenes/next"));
  CHECK(screen.session.state().scene == "why-context");
}

TEST_CASE("one's own files stand by themselves: how to open some, and what is open") {
  Screen screen(1280, 3000);
  CHECK_FALSE(screen.find("Your own arrays"));  // where nothing can be chosen and nothing is open
  int asked = 0;
  screen.view.open_file = [&] { ++asked; };
  screen.frame(2);
  REQUIRE(screen.click("contents/open"));
  CHECK(asked == 1);
  REQUIRE(screen.click("Your own arrays"));
  CHECK(screen.session.state().scene == "arrays");
  CHECK(screen.find("contents/arrays")->checked);
  screen.dispatch(attn::app::action::OpenArrays{"attn.npz"});
  screen.frame(2);
  CHECK(screen.find("Your own arrays: attn.npz"));
}

TEST_CASE("the page of one's own files has no scene before or after it") {
  for (const bool phone : {false, true}) {
    Screen screen(phone ? 390.f : 1280.f, 800);
    screen.dispatch(attn::app::action::OpenArrays{"attn.npz"});
    screen.frame(2);
    CHECK_FALSE(screen.find("scenes/next"));
    CHECK_FALSE(screen.find("scenes/previous"));
    screen.dispatch(attn::app::action::StageBy{1});
    CHECK(screen.session.state().scene == "arrays");
  }
}
