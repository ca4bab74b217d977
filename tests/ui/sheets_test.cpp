// Settings, help and about: told in the mirror, reached and left by the keyboard.
#include <doctest/doctest.h>

#include <rapidjson/document.h>

#include <string>
#include <vector>

#include "ui/harness.h"
#include "ui/keys.h"
#include "ui/mirror.h"

using attn::test::Screen;

namespace {

rapidjson::Document mirrorOf(const Screen& screen) {
  rapidjson::Document json;
  json.Parse(attn::ui::mirrorJson(screen.session, screen.view, screen.recorder).c_str());
  REQUIRE_FALSE(json.HasParseError());
  return json;
}

std::string wordsOf(const Screen& screen) {
  std::string all;
  const rapidjson::Document json = mirrorOf(screen);
  if (!json.HasMember("panel")) return all;
  for (const auto& each : json["panel"]["words"].GetArray())
    all += std::string(each["kind"].GetString()) + ": " + each["text"].GetString() + "\n";
  return all;
}

bool inPanel(const Screen& screen, const std::string& id) {
  const rapidjson::Document json = mirrorOf(screen);
  for (const auto& each : json["controls"].GetArray())
    if (each["id"].GetString() == id) return each["panel"].GetBool();
  return false;
}

}  // namespace

TEST_CASE("help and about are in the mirror while they are open, every key and every licence of them") {
  Screen screen;
  screen.view.sounds = true;
  CHECK_FALSE(mirrorOf(screen).HasMember("panel"));
  REQUIRE(screen.click("header/help"));
  CHECK(std::string(mirrorOf(screen)["panel"]["title"].GetString()) == "Help");
  const std::string help = wordsOf(screen);
  for (const attn::ui::KeyBinding& each : attn::ui::keyBindings()) {
    if (each.scope != attn::ui::Scope::kStage) continue;
    CHECK(help.find("text: " + std::string(each.shown) + ": " + std::string(each.does)) != std::string::npos);
  }
  CHECK(help.find("heading: With the picture in focus") != std::string::npos);
  CHECK(help.find("to the end of the stage") != std::string::npos);
  CHECK(inPanel(screen, "sheet/close"));
  REQUIRE(screen.click("header/about"));
  CHECK(std::string(mirrorOf(screen)["panel"]["title"].GetString()) == "About");
  CHECK(wordsOf(screen).find("text: Version ") != std::string::npos);
  CHECK(wordsOf(screen).find("heading: Dear ImGui\ntext: MIT licence") != std::string::npos);
  screen.key(ImGuiKey_Escape);
  CHECK_FALSE(mirrorOf(screen).HasMember("panel"));
}

TEST_CASE("the settings are controls of the panel in the mirror, and a step's controls are not") {
  Screen screen;
  REQUIRE(screen.click("header/settings"));
  for (const char* id : {"settings/exact", "decimals/4", "theme/dark", "sheet/close"}) CHECK(inPanel(screen, id));
  CHECK_FALSE(inPanel(screen, "transport/next"));
}

TEST_CASE("a sheet that the keyboard opens takes the focus, Esc closes it and gives the focus back") {
  for (const char* id : {"header/help", "header/about", "header/settings"}) {
    CAPTURE(id);
    Screen screen;
    screen.recorder.focused = id;
    screen.key(ImGuiKey_Enter);
    CHECK(screen.recorder.focused == "sheet/close");
    screen.key(ImGuiKey_Escape);
    CHECK_FALSE(screen.find("sheet/close"));
    CHECK(screen.recorder.focused == id);
  }
  Screen screen;
  screen.key(ImGuiKey_Slash, false, true);  // ?
  CHECK(screen.recorder.focused == "sheet/close");
  screen.key(ImGuiKey_Enter);
  CHECK_FALSE(screen.find("sheet/close"));
  CHECK(screen.recorder.focused.empty());
  REQUIRE(screen.click("header/help"));  // by the mouse: the keys stay the stage's
  CHECK(screen.recorder.focused.empty());
}

TEST_CASE("where the page owns the focus it is asked to move it") {
  Screen screen;
  screen.view.environment.page_owns_focus = true;
  screen.recorder.focused = "header/help";
  screen.recorder.activate("header/help");
  screen.frame(2);
  rapidjson::Document json = mirrorOf(screen);
  CHECK(json["focus"]["asked"].GetInt() == 1);
  CHECK(std::string(json["focus"]["control"].GetString()) == "sheet/close");
  screen.key(ImGuiKey_Escape);
  json = mirrorOf(screen);
  CHECK(json["focus"]["asked"].GetInt() == 2);
  CHECK(std::string(json["focus"]["control"].GetString()) == "header/help");
}

TEST_CASE("on a phone help begins with what fingers do, and the link can be copied from the settings") {
  Screen screen(390, 844);
  screen.view.environment.coarse_pointer = true;
  screen.view.help_open = true;
  screen.frame(2);
  const std::string words = wordsOf(screen);
  REQUIRE(words.find("Tap a cell to read it in full") != std::string::npos);
  CHECK(words.find("Tap a cell") < words.find("→: Next step"));
  screen.view.help_open = false;
  screen.view.phone_tab = 3;
  screen.frame(2);
  screen.recorder.activate("settings/link");
  screen.frame(2);
  CHECK(screen.view.said.find("on the clipboard") != std::string::npos);
}

TEST_CASE("play says how far it goes, and the switch for it is in sight among the choices of a phone") {
  Screen screen(390, 844);
  screen.view.environment.coarse_pointer = true;
  screen.view.phone_tab = 1;
  screen.frame(2);
  CHECK(screen.find("transport/play")->label == "Play to the end of this stage");
  const attn::ui::Control* run_on = screen.find("transport/run-on");
  REQUIRE(run_on);
  const attn::ui::Control* bar = screen.find("transport/first");
  CHECK(run_on->rect.y + run_on->rect.h <= bar->rect.y);
  screen.dispatch(attn::app::action::SetRunOn{true});
  screen.frame(2);
  CHECK(screen.find("transport/play")->label == "Play to the end");
}

namespace {

// Where a line of the panels stands, in pixels from the top of the screen.
float topOf(const Screen& screen, const std::string& part) {
  for (const attn::ui::Recorder::TextLine& each : screen.recorder.texts)
    if (each.text.find(part) != std::string::npos) return each.rect.y;
  return -1e6f;
}

}  // namespace

TEST_CASE("the keys scroll a sheet whatever in it has the focus") {
  Screen screen(1280, 560);
  screen.key(ImGuiKey_Slash, false, true);  // ?
  REQUIRE(screen.recorder.focused == "sheet/close");
  const std::string first = "Each press shows", last = "On a Mac";
  const float top = topOf(screen, first);
  REQUIRE(topOf(screen, last) > 560);
  screen.key(ImGuiKey_DownArrow);
  CHECK(topOf(screen, first) < top);
  screen.key(ImGuiKey_UpArrow);
  CHECK(topOf(screen, first) == top);
  screen.key(ImGuiKey_PageDown);
  CHECK(topOf(screen, first) < top - 200);
  screen.key(ImGuiKey_End);
  CHECK(topOf(screen, last) < 560);
  CHECK(topOf(screen, last) > 300);
  screen.key(ImGuiKey_Home);
  CHECK(topOf(screen, first) == top);
  CHECK(screen.session.position() == 0);  // none of it was the stage's
  screen.key(ImGuiKey_Escape);
  screen.recorder.focused = "header/settings";
  screen.key(ImGuiKey_Enter);
  screen.recorder.focused = "decimals/4";  // arrows are its own
  const float decimals = screen.find("decimals/4")->rect.y;
  screen.key(ImGuiKey_PageDown);
  CHECK(screen.find("decimals/4")->rect.y < decimals);
}

TEST_CASE("Tab goes through an open sheet in the order of the eye, without a detour") {
  Screen screen;
  screen.dispatch(attn::app::action::AddEdit{"v[1]=0,0"});
  screen.recorder.focused = "header/lab";
  screen.key(ImGuiKey_Enter);
  REQUIRE(screen.recorder.focused == "sheet/close");
  float last = screen.find("sheet/close")->rect.y;
  for (int i = 0; i < 6; ++i) {
    screen.key(ImGuiKey_Tab);
    const attn::ui::Control* now = screen.find(screen.recorder.focused);
    REQUIRE(now);
    CAPTURE(now->id);
    CHECK(now->in_sheet);
    CHECK(now->rect.y > last - 12);
    last = now->rect.y;
  }
  CHECK(inPanel(screen, "lab/clear"));
}

TEST_CASE("after a key the stage shows that it has the focus, after a press of the mouse it does not") {
  Screen screen;
  const auto rings = [&] {
    screen.frame();
    return ImGui::GetForegroundDrawList()->VtxBuffer.Size > 0;
  };
  CHECK_FALSE(rings());
  screen.key(ImGuiKey_RightArrow);
  CHECK(rings());
  screen.clickAt(600, 300);
  CHECK_FALSE(rings());
  screen.key(ImGuiKey_Z, true);
  CHECK(rings());
}

TEST_CASE("what the screen says about itself is told, on the stage as in a scene") {
  Screen screen;
  std::string kept;
  screen.view.save_file = [&](const std::string& name, const std::string&) { kept = name; };
  screen.frame(2);
  REQUIRE(screen.click("Copy link"));
  CHECK(std::string(mirrorOf(screen)["live"].GetString()) == "The link to this moment is on the clipboard.");
  REQUIRE(screen.click("Edit"));
  screen.frame(2);
  screen.recorder.activate("lab/save");
  screen.frame(2);
  REQUIRE_FALSE(kept.empty());
  CHECK(std::string(mirrorOf(screen)["live"].GetString()) == "The document is saved as " + kept + ".");
}
