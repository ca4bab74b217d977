// Small maps: where they stand, what they say, and how they are pressed, by pointer, by key and from the page.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "ui/mirror.h"
#include "ui/scene_pages.h"
#include "ui/scene_view.h"

using namespace attn;
using attn::test::Screen;
using lesson::Maps;

namespace {

Maps headMaps(int count, core::Index line) {
  Maps maps;
  maps.title = "Heads by layer";
  maps.rows = maps.columns = 2;
  maps.line = line;
  maps.keys = {"part", "head"};
  for (int i = 0; i < count; ++i)
    maps.items.push_back({"head " + std::to_string(i), std::to_string(i), "note " + std::to_string(i), "A_.A", {"head", std::to_string(i)}});
  return maps;
}

lesson::Page pageOf(const Maps& maps) {
  lesson::Page page;
  page.id = test::kScene;
  page.title = "A page";
  for (const char* key : {"part", "head"}) {
    lesson::Param param;
    param.key = key;
    param.kind = lesson::ParamKind::kText;
    param.shown = false;
    page.params.push_back(std::move(param));
  }
  page.blocks.push_back({maps});
  return page;
}

const ui::Control* cell(const Screen& screen, const std::string& label) {
  for (const ui::Control& each : screen.recorder.controls())
    if (each.label == label && each.role == ui::Role::kCell) return &each;
  return nullptr;
}
const ui::Control& control(const Screen& screen) {
  const ui::Control* found = screen.recorder.byId("page/maps/0");
  REQUIRE(found);
  return *found;
}

// How many maps stand on each line, from the top.
std::vector<int> lines(const Screen& screen) {
  std::map<float, int> found;
  for (const ui::Control& each : screen.recorder.controls())
    if (each.role == ui::Role::kCell) ++found[std::round(each.rect.y)];
  std::vector<int> counts;
  for (const auto& line : found) counts.push_back(line.second);
  return counts;
}

void focus(Screen& screen) {
  for (int i = 0; i < 200 && screen.recorder.focused != "page/maps/0"; ++i) screen.key(ImGuiKey_Tab);
  REQUIRE(screen.recorder.focused == "page/maps/0");
}

}  // namespace

TEST_CASE("a map that is pressed sets what it leads to") {
  Screen screen;
  test::openPage(screen, pageOf(headMaps(6, 3)));
  screen.frame(2);
  REQUIRE(screen.click("head 4"));
  CHECK(test::setting(screen, "part") == "head");
  CHECK(test::setting(screen, "head") == "4");
}

TEST_CASE("maps of one layer share a line where there is room, and equal parts of one where there is not") {
  Screen screen(1280, 3000);
  test::openPage(screen, pageOf(headMaps(24, 8)));
  screen.frame(2);
  CHECK(lines(screen) == std::vector<int>{8, 8, 8});
  Screen narrow(390, 3000);
  narrow.view.phone_tab = 1;
  test::openPage(narrow, pageOf(headMaps(24, 12)));
  narrow.frame(2);
  const std::vector<int> counts = lines(narrow);
  CHECK(counts.size() > 2);
  CHECK(std::all_of(counts.begin(), counts.end(), [&](int count) { return count == counts[0]; }));
  for (const ui::Control& each : narrow.recorder.controls())
    if (each.role == ui::Role::kCell) CHECK(each.rect.x + each.rect.w <= 390);
}

TEST_CASE("a map can be hit by a finger at every width") {
  for (const float width : {320.f, 390.f, 1280.f}) {
    Screen screen(width, 3000);
    screen.view.environment.coarse_pointer = true;
    screen.view.phone_tab = 1;
    test::openPage(screen, pageOf(headMaps(64, 32)));
    screen.frame(2);
    REQUIRE(cell(screen, "head 0"));
    CHECK(cell(screen, "head 0")->rect.w >= 44);
    CHECK(cell(screen, "head 0")->rect.h >= 44);
  }
}

TEST_CASE("all maps are one picture, in which what is not read is empty") {
  Screen screen(1280, 3000);
  Maps maps = headMaps(200, 10);
  maps.items[1].shades.clear();
  test::openPage(screen, pageOf(maps));
  screen.frame(2);
  REQUIRE(screen.view.heatmaps.size() == 1);
  const figure::HeatmapData& data = *screen.view.heatmaps[0].data;
  int values = 0, missing = 0;
  for (const std::uint8_t mark : data.marks) values += mark == 0, missing += mark == 3;
  CHECK(values == 199 * 3);
  CHECK(missing == 199);
  CHECK(data.marks[0] == 0);
  CHECK(data.values[0] == 0);
  CHECK(data.values[1] == 1);  // the second shade of the first row is the last of all
}

TEST_CASE("another width lays the same maps out anew") {
  Screen screen(1280, 900);
  test::openPage(screen, pageOf(headMaps(40, 0)));
  screen.frame(2);
  const auto before = screen.view.heatmaps.at(0).data;
  screen.frame();
  CHECK(screen.view.heatmaps.at(0).data == before);
  screen.resize(1000, 900);
  CHECK(screen.view.heatmaps.at(0).data != before);
}

TEST_CASE("the keyboard has one stop for all maps, goes over them with the arrows and opens one with Enter") {
  Screen screen(1280, 900);
  test::openPage(screen, pageOf(headMaps(24, 8)));
  screen.frame(2);
  focus(screen);
  CHECK(control(screen).label == "head 0");
  CHECK(control(screen).value_text == "1 of 24");
  CHECK(control(screen).about == "note 0");
  screen.key(ImGuiKey_RightArrow);
  CHECK(control(screen).label == "head 1");
  screen.key(ImGuiKey_DownArrow);
  CHECK(control(screen).label == "head 9");
  screen.key(ImGuiKey_DownArrow);
  screen.key(ImGuiKey_DownArrow);
  CHECK(control(screen).label == "head 17");  // the last line
  screen.key(ImGuiKey_LeftArrow);
  screen.key(ImGuiKey_UpArrow);
  CHECK(control(screen).label == "head 8");
  CHECK(test::setting(screen, "head").empty());
  CHECK(screen.recorder.focused == "page/maps/0");
  screen.key(ImGuiKey_Enter);
  CHECK(test::setting(screen, "head") == "8");
  screen.key(ImGuiKey_Tab);
  CHECK(screen.recorder.focused != "page/maps/0");
}

TEST_CASE("below the last map of a shorter line the arrows stay among the maps") {
  Screen screen(1280, 900);
  test::openPage(screen, pageOf(headMaps(10, 8)));
  screen.frame(2);
  focus(screen);
  for (int i = 0; i < 5; ++i) screen.key(ImGuiKey_RightArrow);
  screen.key(ImGuiKey_DownArrow);
  CHECK(control(screen).label == "head 9");
  screen.key(ImGuiKey_RightArrow);
  CHECK(control(screen).label == "head 9");
}

TEST_CASE("what the arrows came to stays chosen when the page is computed again in another order") {
  Screen screen(1280, 900);
  Maps maps = headMaps(6, 0);
  test::openPage(screen, pageOf(maps));
  screen.frame(2);
  focus(screen);
  screen.key(ImGuiKey_RightArrow);
  std::reverse(maps.items.begin(), maps.items.end());
  screen.dispatch(app::action::Set{"part", "heads"});  // so that a page is asked for
  test::answer(screen, pageOf(maps));
  screen.frame(2);
  CHECK(control(screen).label == "head 1");
  CHECK(control(screen).value_text == "5 of 6");
}

TEST_CASE("the focus brings a map that is out of view into it") {
  Screen screen(1280, 500);
  test::openPage(screen, pageOf(headMaps(400, 0)));
  screen.frame(2);
  focus(screen);
  for (int i = 0; i < 30; ++i) screen.key(ImGuiKey_DownArrow);
  screen.frame(3);
  CHECK(control(screen).rect.y > 0);
  CHECK(control(screen).rect.y + control(screen).rect.h < 500);
}

TEST_CASE("a pointer that rests on a map tells its note") {
  Screen screen(1280, 900);
  test::openPage(screen, pageOf(headMaps(6, 3)));
  screen.frame(2);
  const ui::Control* map = cell(screen, "head 5");
  REQUIRE(map);
  screen.moveTo(map->rect.x + 4, map->rect.y + 4);
  screen.frame(120);
  CHECK(screen.shows("note 5"));
}

TEST_CASE("maps that lead nowhere are told and not pressed") {
  Screen screen(1280, 900);
  Maps maps = headMaps(1, 0);
  maps.keys.clear();
  maps.items[0].values.clear();
  test::openPage(screen, pageOf(maps));
  screen.frame(2);
  CHECK(screen.recorder.byId("page/maps/0") == nullptr);
  CHECK(screen.shows("0"));
  const std::string mirror = ui::mirrorJson(screen.session, screen.view, screen.recorder);
  CHECK(mirror.find("note 0") != std::string::npos);
}

TEST_CASE("a pointer that rests on a map leaves the arrows their way, and takes over when it moves") {
  Screen screen(1280, 900);
  test::openPage(screen, pageOf(headMaps(6, 3)));
  screen.frame(2);
  focus(screen);
  const ui::Rect there = cell(screen, "head 5")->rect, first = cell(screen, "head 0")->rect;
  screen.moveTo(there.x + 4, there.y + 4);
  CHECK(control(screen).label == "head 5");
  screen.key(ImGuiKey_LeftArrow);
  CHECK(control(screen).label == "head 4");
  screen.moveTo(first.x + 4, first.y + 4);
  CHECK(control(screen).label == "head 0");
}
