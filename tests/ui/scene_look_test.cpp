// Every kind of block at every size: nothing is cut, nothing lies over something else.
#include <doctest/doctest.h>

#include <algorithm>

#include "lesson/page_json.h"
#include "ui/keys.h"
#include "ui/open_scene.h"
#include "ui/scene_pages.h"
#include "ui/scene_view.h"

using attn::test::Screen;
using attn::ui::Recorder;
using attn::ui::Rect;

namespace {

struct PageSize {
  float width, height, text_scale;
  bool coarse;
};
constexpr PageSize kPageSizes[] = {{1280, 800, 1, false}, {1280, 800, 2, false}, {390, 844, 1, true}, {390, 844, 2, true},
                           {320, 640, 1, true},   {844, 390, 1, true},   {1920, 1080, 1, false}};

using Line = Recorder::TextLine;

bool sameClip(const Line& a, const Line& b) {
  return a.clip.x == b.clip.x && a.clip.y == b.clip.y && a.clip.w == b.clip.w && a.clip.h == b.clip.h;
}

// Letters fill about three quarters of a line's height, so lines may touch; beside each other they may not.
bool overlap(const Line& a, const Line& b) {
  const auto low = [](const Line& t) { return t.rect.y + t.rect.h * 0.2f; };
  const auto high = [](const Line& t) { return t.rect.y + t.rect.h * 0.8f; };
  return a.rect.x + a.rect.w > b.rect.x + 1 && b.rect.x + b.rect.w > a.rect.x + 1 && high(a) > low(b) + 1 && high(b) > low(a) + 1;
}

long wordsOf(const Screen& screen, const std::string& words) {
  return std::count_if(screen.recorder.texts.begin(), screen.recorder.texts.end(), [&](const Line& line) { return line.text == words; });
}

const Line& lineOf(const Screen& screen, const std::string& words) {
  const auto found = std::find_if(screen.recorder.texts.begin(), screen.recorder.texts.end(), [&](const Line& line) { return line.text == words; });
  REQUIRE(found != screen.recorder.texts.end());
  return *found;
}

void checkTexts(const Screen& screen) {
  const auto& all = screen.recorder.texts;
  for (std::size_t i = 0; i < all.size(); ++i) {
    CAPTURE(all[i].text);
    CHECK(all[i].rect.x >= all[i].clip.x - 1.5f);
    CHECK(all[i].rect.x + all[i].rect.w <= all[i].clip.x + all[i].clip.w + 1.5f);
    if (all[i].bounds.w > 0) {
      CHECK(all[i].rect.x >= all[i].bounds.x - 2.5f);
      CHECK(all[i].rect.x + all[i].rect.w <= all[i].bounds.x + all[i].bounds.w + 2.5f);
      CHECK(all[i].rect.y + all[i].rect.h * 0.8f <= all[i].bounds.y + all[i].bounds.h + 2.5f);
    }
    for (std::size_t k = i + 1; k < all.size(); ++k) {
      if (!sameClip(all[i], all[k])) continue;
      CAPTURE(all[k].text);
      CHECK_FALSE(overlap(all[i], all[k]));
    }
  }
}

void checkControls(const Screen& screen) {
  const auto& all = screen.recorder.controls();
  const auto counts = [](const attn::ui::Control& c) {
    return c.id.rfind("try/", 0) == 0 || c.id.rfind("scenes/", 0) == 0;
  };
  for (std::size_t i = 0; i < all.size(); ++i) {
    for (std::size_t k = i + 1; k < all.size(); ++k) {
      if (!counts(all[i]) || !counts(all[k]) || all[i].id.substr(0, 4) != all[k].id.substr(0, 4)) continue;
      CAPTURE(all[i].id);
      CAPTURE(all[k].id);
      const Rect &a = all[i].rect, &b = all[k].rect;
      CHECK_FALSE((a.x + a.w > b.x + 1 && b.x + b.w > a.x + 1 && a.y + a.h > b.y + 1 && b.y + b.h > a.y + 1));
    }
  }
}

}  // namespace

TEST_CASE("every kind of block and control is drawn inside its panel without overlap, at every size") {
  for (const bool crowded : {false, true}) {
    for (const PageSize& size : kPageSizes) {
      CAPTURE(crowded);
      CAPTURE(size.width);
      CAPTURE(size.text_scale);
      Screen screen(size.width, size.height);
      screen.view.text_scale = size.text_scale;
      screen.view.environment.coarse_pointer = size.coarse;
      screen.view.phone_tab = 1;
      openPage(screen, crowded ? attn::test::crowdedPage() : attn::test::everyBlock());
      screen.frame(2);
      checkTexts(screen);
      checkControls(screen);
    }
  }
}

TEST_CASE("what a page says is on the screen, with truths and mistakes in words") {
  Screen screen;
  openPage(screen, attn::test::everyBlock());
  for (const char* text : {"Why a word needs its context", "Look at the two rows", "Reading the maps", "true", "false",
                           "Wrong on purpose:", "Weights of the first head", "0.4181", "reads ↓", "is read →",
                           "Read further", "Vaswani et al. (2017)", "The two outputs agree"})
    CHECK(screen.shows(text));
}

TEST_CASE("an answer is hidden until it is asked for") {
  Screen screen(1280, 6000);
  openPage(screen, attn::test::everyBlock());
  CHECK_FALSE(screen.shows("Equal things have equal images."));
  REQUIRE(screen.click("Show the answer"));
  CHECK(screen.shows("Equal things have equal images."));
  REQUIRE(screen.click("Hide the answer"));
  CHECK_FALSE(screen.shows("Equal things have equal images."));
}

TEST_CASE("a jump leads to its moment") {
  Screen screen(1280, 6000);
  openPage(screen, attn::test::everyBlock());
  REQUIRE(screen.click("See it with another mask"));
  CHECK(attn::test::setting(screen, "mask") == "none");
}

TEST_CASE("a press meant for a jump that has gone meanwhile does not follow the one in its place") {
  Screen screen(1280, 6000);
  attn::lesson::Page page = attn::test::everyBlock();
  screen.dispatch(attn::app::action::OpenScene{page.id, {}});
  REQUIRE(screen.session.sceneRequest().has_value());
  const auto ticket = screen.session.sceneRequest()->ticket;
  attn::test::answer(screen, page);
  const auto* jump = screen.find("See it with another mask");
  REQUIRE(jump);
  const std::string before = jump->id;
  const auto block = std::find_if(page.blocks.begin(), page.blocks.end(),
                                  [](const auto& each) { return std::holds_alternative<attn::lesson::Jump>(each.content); });
  std::get<attn::lesson::Jump>(block->content).label = "See it without a mask";
  screen.dispatch(attn::app::action::ScenePage{ticket, attn::lesson::pageJson(page)});  // more is known
  REQUIRE(screen.find("See it without a mask"));
  CHECK_FALSE(screen.press(before));
  CHECK(attn::test::setting(screen, "mask").empty());
  CHECK(screen.press("See it without a mask"));
  CHECK(attn::test::setting(screen, "mask") == "none");
}

TEST_CASE("the pointer over a cell tells its number in full") {
  Screen screen(1280, 3000);
  attn::lesson::Page page = attn::test::everyBlock();
  std::get<attn::lesson::Grid>(page.blocks[7].content).values[4] = 0.123456789;
  openPage(screen, page);
  const auto& texts = screen.recorder.texts;
  const auto cell = std::find_if(texts.begin(), texts.end(), [](const Line& t) { return t.text == "0.123"; });
  REQUIRE(cell != texts.end());
  screen.moveTo(cell->rect.x + 3, cell->rect.y + 3);
  CHECK(screen.shows("river reads the: 0.123456789"));
}

TEST_CASE("where not every character fits, both axes of a map are numbered") {
  attn::lesson::Page page;
  page.id = attn::test::kScene;
  page.title = page.look = page.says = "A page.";
  attn::lesson::Grid grid;
  grid.rows = grid.columns = 60;
  grid.values.assign(3600, 0.5);
  for (int n = 0; n < 60; ++n) grid.row_labels.push_back(std::string(1, static_cast<char>('A' + n % 26)));
  grid.column_labels = grid.row_labels;
  page.blocks.push_back({grid});
  Screen screen;
  screen.recorder.keep_texts = true;
  openPage(screen, page);
  CHECK(wordsOf(screen, "10 K") == 1);
  CHECK(wordsOf(screen, "K") == 0);
  CHECK(wordsOf(screen, "10") == 1);
  page.blocks.clear();
  grid.rows = grid.columns = 6;
  grid.values.resize(36);
  grid.row_labels.resize(6);
  grid.column_labels.resize(6);
  page.blocks.push_back({grid});
  Screen other;
  other.recorder.keep_texts = true;
  openPage(other, page);
  CHECK(wordsOf(other, "C") == 2);
}

TEST_CASE("the words of upright lines stand above the plot, one below the other where they would meet") {
  attn::lesson::Page page;
  page.id = attn::test::kScene;
  page.title = page.look = page.says = "A page.";
  attn::lesson::Plot plot;
  plot.series.push_back({"loss", attn::lesson::Plot::Kind::kLine, {0, 1, 2}, {0, 2, 4}});
  plot.marks = {{"chosen", 0, true}, {"beside", 0, true}, {"far", 2, true}};
  page.blocks.push_back({plot});
  Screen screen;
  screen.recorder.keep_texts = true;
  openPage(screen, page);
  const auto rect = [&](const char* words) { return lineOf(screen, words).rect; };
  CHECK(rect("beside").y >= rect("chosen").y + rect("chosen").h * 0.8f);
  CHECK(rect("far").y == rect("chosen").y);
  for (const char* words : {"chosen", "beside", "far"}) CHECK(rect(words).y + rect(words).h < rect("4").y + rect("4").h / 2);
}

TEST_CASE("a number that a mistake lets through stays readable on its hatched cell") {
  Screen screen(1280, 3000);
  attn::lesson::Page page = attn::test::everyBlock();
  std::get<attn::lesson::Grid>(page.blocks[7].content).values[1] = 0.025;
  openPage(screen, page);
  CHECK(screen.shows("0.025"));
}

TEST_CASE("on a phone a control that is worked brings a figure into view") {
  Screen screen(390, 844);
  screen.view.environment.coarse_pointer = true;
  screen.view.phone_tab = 1;
  openPage(screen, attn::test::everyBlock());
  const auto titleAt = [&] {
    const auto& texts = screen.recorder.texts;
    const auto at = std::find_if(texts.begin(), texts.end(), [](const Line& t) { return t.text == "Weights of the first head"; });
    return at == texts.end() ? 1e9f : at->rect.y;
  };
  CHECK(titleAt() > 480);
  screen.recorder.setValue("try/layers/slider", 5);
  screen.frame(3);
  CHECK(attn::test::setting(screen, "layers") == "5");
  CHECK(titleAt() < 200);
}

TEST_CASE("a map that is drawn as a texture stays within the page as it scrolls by") {
  Screen screen(390, 844);
  screen.view.environment.coarse_pointer = true;
  openPage(screen, attn::test::everyBlock());
  const auto* tabs = screen.find("tab/try");
  REQUIRE(tabs);
  const float bottom = tabs->rect.y;
  bool seen = false;
  for (int n = 0; n < 200 && !(seen && screen.view.heatmaps.empty()); ++n) {
    screen.key(ImGuiKey_DownArrow);
    for (const auto& map : screen.view.heatmaps) {
      seen = true;
      CHECK(map.clip_y >= 40);
      CHECK(map.clip_y + map.clip_height <= bottom);
    }
  }
  CHECK(seen);
}

TEST_CASE("the keyboard scrolls the page, which another scene begins at its top") {
  Screen screen;
  openPage(screen, attn::test::everyBlock());
  const auto top = [&] { return screen.find("page/title")->rect.y; };
  const float start = top();
  screen.key(ImGuiKey_DownArrow);
  CHECK(top() < start);
  screen.key(ImGuiKey_PageDown);
  CHECK(top() < start - 300);
  screen.key(ImGuiKey_Home);
  CHECK(top() == start);
  screen.key(ImGuiKey_End);
  CHECK(top() < start - 1000);
  screen.dispatch(attn::app::action::OpenScene{"masks", {}});
  screen.dispatch(attn::app::action::OpenScene{attn::test::kScene, {}});
  answer(screen, attn::test::everyBlock());
  screen.frame(2);
  CHECK(top() == start);
}

TEST_CASE("another part of a page begins at its top, another value of anything else leaves it where it is") {
  Screen screen;
  attn::lesson::Page page = attn::test::everyBlock();
  page.params[0].turns = true;
  openPage(screen, page);
  const auto top = [&] { return screen.find("page/title")->rect.y; };
  const float start = top();
  screen.key(ImGuiKey_PageDown);
  const float scrolled = top();
  REQUIRE(scrolled < start);
  screen.dispatch(attn::app::action::Set{page.params[1].key, "32"});
  answer(screen, page);
  screen.frame(2);
  CHECK(top() == scrolled);
  screen.dispatch(attn::app::action::Set{page.params[0].key, page.params[0].value == "1" ? "2" : "1"});
  answer(screen, page);
  screen.frame(2);
  CHECK(top() == start);
}

TEST_CASE("what is shown fades while another page is awaited for long, and not before") {
  Screen screen;
  openPage(screen, attn::test::everyBlock());
  screen.frame(80);
  CHECK(attn::ui::fading(screen.view) == 0);
  screen.dispatch(attn::app::action::Set{"layers", "6"});
  screen.frame(24);  // four tenths of a second
  CHECK(attn::ui::fading(screen.view) == 0);
  screen.frame(40);
  CHECK(attn::ui::fading(screen.view) > 0.5);
  answer(screen, attn::test::everyBlock());
  screen.frame();
  CHECK(attn::ui::fading(screen.view) == 0);
}

TEST_CASE("a computation that lasts says how far it is and can be stopped") {
  Screen screen;
  openPage(screen, attn::test::everyBlock());
  screen.dispatch(attn::app::action::Set{"layers", "6"});
  CHECK_FALSE(screen.find("scenes/stop"));
  screen.dispatch(attn::app::action::SceneProgress{screen.session.sceneRequest()->ticket, 0.4});
  screen.frame(40);  // two thirds of a second
  REQUIRE(screen.find("scenes/stop"));
  CHECK(screen.shows("computing, 40 %"));
  REQUIRE(screen.click("Stop"));
  CHECK_FALSE(screen.session.computing());
  CHECK_FALSE(screen.find("scenes/stop"));
}

TEST_CASE("a page that did not come says why and can be asked for again") {
  Screen screen;
  screen.dispatch(attn::app::action::OpenScene{attn::test::kScene, {}});
  screen.dispatch(attn::app::action::SceneFailed{screen.session.sceneRequest()->ticket, "The scene could not be fetched."});
  CHECK(screen.shows("The scene could not be fetched."));
  REQUIRE(screen.click("Try again"));
  CHECK(screen.session.computing());
}

TEST_CASE("the help of a scene lists its keys, and every one has a control on the screen") {
  Screen screen(1280, 2400);
  openPage(screen, attn::test::everyBlock());
  std::vector<std::string> ids;
  for (const attn::ui::Control& each : screen.recorder.controls()) ids.push_back(each.id);
  screen.key(ImGuiKey_Slash, false, true);
  REQUIRE(screen.view.help_open);
  std::string help = screen.texts();
  std::replace(help.begin(), help.end(), '\n', ' ');  // a long line is broken
  int listed = 0;
  for (const attn::ui::KeyBinding& each : attn::ui::keyBindings()) {
    if (each.scope != attn::ui::Scope::kScene && each.scope != attn::ui::Scope::kScroll) continue;
    CAPTURE(each.does);
    CHECK(help.find(each.does) != std::string::npos);
    CHECK(std::find(ids.begin(), ids.end(), each.control) != ids.end());
    ++listed;
  }
  CHECK(listed >= 8);
}
