// Every kind of param by its control: mouse, keyboard, and what is typed.
#include <doctest/doctest.h>

#include <cmath>
#include <set>

#include "core/number.h"
#include "ui/reading_order.h"
#include "ui/scene_pages.h"

using attn::test::setting;

namespace {

struct Scene : attn::test::EveryBlockScreen {
  void write(std::string_view id, const char* text) {
    REQUIRE(click(id));
    frame(2);
    type(text);
    key(ImGuiKey_Enter);
  }
  void drag(float x, float y, float to_x, float to_y) {
    moveTo(x, y);
    ImGui::GetIO().AddMouseButtonEvent(ImGuiMouseButton_Left, true);
    frame(2);
    for (int i = 1; i <= 8; ++i) moveTo(x + (to_x - x) * static_cast<float>(i) / 8, y + (to_y - y) * static_cast<float>(i) / 8);
    ImGui::GetIO().AddMouseButtonEvent(ImGuiMouseButton_Left, false);
    frame(3);
  }
  float middleX(std::string_view id) { return find(id)->rect.x + find(id)->rect.w / 2; }
  float middleY(std::string_view id) { return find(id)->rect.y + find(id)->rect.h / 2; }
};

}  // namespace

TEST_CASE("a number is set by its slider, its buttons and by writing it") {
  Scene scene;
  REQUIRE(scene.click("try/layers/more"));
  CHECK(setting(scene, "layers") == "4");
  REQUIRE(scene.click("try/layers/less"));
  CHECK(setting(scene, "layers") == "");  // the preset is no setting
  scene.recorder.setValue("try/layers/slider", 6);
  scene.frame(2);
  CHECK(setting(scene, "layers") == "6");
  CHECK_FALSE(scene.click("try/layers/more"));  // there is no more
  scene.write("try/layers/field", "2");
  CHECK(setting(scene, "layers") == "2");
}

TEST_CASE("written numbers keep their form, come to the end that they pass, and are refused when they are none") {
  Scene scene;
  scene.write("try/temperature/field", "1/3");
  CHECK(setting(scene, "temperature") == "1/3");
  scene.write("try/temperature/field", "99");
  CHECK(setting(scene, "temperature") == "4");
  scene.write("try/temperature/field", "warm");
  CHECK(setting(scene, "temperature") == "4");
  CHECK(scene.view.said.find("“warm” is not a number") != std::string::npos);
  scene.write("try/layers/field", "2.6");
  CHECK(setting(scene, "layers") == "");  // 3, the nearest whole number, is the preset
}

TEST_CASE("Escape leaves a field as it was, and keys of the page do nothing while one writes") {
  Scene scene;
  REQUIRE(scene.click("try/word"));
  scene.frame(2);
  scene.type("wide");
  scene.key(ImGuiKey_RightArrow);
  CHECK(setting(scene, "layers") == "");
  scene.key(ImGuiKey_Escape);
  CHECK(setting(scene, "word") == "");
  scene.write("try/word", "wide ✓");
  CHECK(setting(scene, "word") == "wide ✓");
}

TEST_CASE("Tab leaves a field with what was written in it") {
  Scene scene;
  REQUIRE(scene.click("try/word"));
  scene.frame(2);
  scene.type("wide");
  scene.key(ImGuiKey_Tab);
  scene.frame(2);
  CHECK(setting(scene, "word") == "wide");
  CHECK(scene.recorder.focused != "try/word");
  CHECK_FALSE(ImGui::GetIO().WantTextInput);
}

TEST_CASE("choices, switches, seeds, orders and lists of numbers are set by their controls") {
  Scene scene;
  REQUIRE(scene.click("Padding mask"));
  CHECK(setting(scene, "mask") == "padding");
  REQUIRE(scene.click("try/residual"));
  CHECK(setting(scene, "residual") == "0");
  REQUIRE(scene.click("New random numbers"));
  CHECK(setting(scene, "seed") == "8");
  scene.write("try/seed/field", "123");
  CHECK(setting(scene, "seed") == "123");
  REQUIRE(scene.click("Move dog down"));
  CHECK(setting(scene, "order") == "1,0,2");
  scene.write("try/scores/3", "-2*sqrt(2)");
  CHECK(setting(scene, "scores") == "2,1,0,-2*sqrt(2),0.5");
  scene.write("try/scores/0", "1e9");
  CHECK(setting(scene, "scores") == "50,1,0,-2*sqrt(2),0.5");
}

TEST_CASE("Reset puts everything back") {
  Scene scene;
  CHECK_FALSE(scene.click("Reset"));
  REQUIRE(scene.click("Padding mask"));
  REQUIRE(scene.click("try/layers/more"));
  REQUIRE(scene.click("Reset"));
  CHECK(scene.session.state().settings.empty());
}

TEST_CASE("the arrows change the main control, and Shift with them leads to the next scene") {
  Scene scene;
  scene.key(ImGuiKey_RightArrow);
  CHECK(setting(scene, "layers") == "4");
  scene.key(ImGuiKey_LeftArrow);
  scene.key(ImGuiKey_LeftArrow);
  CHECK(setting(scene, "layers") == "2");
  REQUIRE(scene.click("scenes/more"));
  CHECK(setting(scene, "layers") == "");
  const std::string here = scene.session.state().scene;
  scene.key(ImGuiKey_RightArrow, false, true);
  const std::string next = scene.session.state().scene;
  CHECK(next != here);
  scene.key(ImGuiKey_LeftArrow, false, true);
  CHECK(scene.session.state().scene == here);
  REQUIRE(scene.click("scenes/next"));
  CHECK(scene.session.state().scene == next);
}

TEST_CASE("a handle of a plane follows the pointer and sets both coordinates") {
  Scene scene;
  const std::string id = "page/plane/13/arrow/1";
  REQUIRE(scene.find(id));
  const float x = scene.middleX(id), y = scene.middleY(id), to_x = x - 40, to_y = y - 60;
  scene.drag(x, y, to_x, to_y);
  const double kx = attn::core::parseNumber(setting(scene, "kx")).value_or(1.5);
  const double ky = attn::core::parseNumber(setting(scene, "ky")).value_or(0.5);
  CHECK(kx < 1.5);
  CHECK(ky > 0.5);
  // Equal axes: as many pixels per unit across as up, up to half a step of rounding each way, and the handle is where
  // the pointer left it within half a step.
  const double per_unit = 60 / (ky - 0.5);
  CHECK(std::abs(40 / (1.5 - kx) - per_unit) < per_unit * 0.12);
  CHECK(std::abs(scene.middleX(id) - to_x) <= per_unit * 0.051 + 1);
  CHECK(std::abs(scene.middleY(id) - to_y) <= per_unit * 0.051 + 1);
  CHECK(std::abs(kx * 10 - std::round(kx * 10)) < 1e-9);  // steps of 0.1
  CHECK(scene.session.canUndo());
}

TEST_CASE("a handle of a plane is moved by the arrow keys, and stays in its range") {
  Scene scene;
  scene.recorder.focused = "page/plane/13/arrow/1";
  scene.key(ImGuiKey_RightArrow);
  scene.key(ImGuiKey_UpArrow);
  CHECK(setting(scene, "kx") == "1.6");
  CHECK(setting(scene, "ky") == "0.6");
  for (int i = 0; i < 30; ++i) scene.recorder.nudge("page/plane/13/arrow/1", 1, 0), scene.frame(2);
  CHECK(setting(scene, "kx") == "3");
  CHECK(setting(scene, "layers") == "");  // the page's own arrows rest meanwhile
}

TEST_CASE("words of a sentence are dragged to another place, or moved by the arrow keys") {
  Scene scene;
  const std::string first = "page/strip/14/0", last = "page/strip/14/2";
  REQUIRE(scene.find(first));
  scene.drag(scene.middleX(first), scene.middleY(first), scene.middleX(last) + 4, scene.middleY(last));
  CHECK(setting(scene, "order") == "1,2,0");
  scene.session.dispatch(attn::app::action::ResetScene{});
  answer(scene, attn::test::everyBlock());
  scene.recorder.focused = first;
  scene.key(ImGuiKey_RightArrow);
  CHECK(setting(scene, "order") == "1,0,2");
  CHECK(scene.recorder.focused == "page/strip/14/1");  // the keyboard goes with the word
}

TEST_CASE("Tab reaches every control of a scene") {
  Scene scene;
  std::set<std::string> missing;
  for (const attn::ui::Control& each : scene.recorder.controls())
    if (each.enabled && (each.id.rfind("try/", 0) == 0 || each.id.rfind("scenes/", 0) == 0 ||
                         (each.id.rfind("page/", 0) == 0 && attn::ui::isControl(each))))
      missing.insert(each.id);
  CHECK(missing.size() > 30);
  for (int i = 0; i < 200 && !missing.empty(); ++i) {
    scene.key(ImGuiKey_Tab);
    missing.erase(scene.recorder.focused);
  }
  for (const std::string& each : missing) MESSAGE(each);
  CHECK(missing.empty());
}

TEST_CASE("Enter begins to write in a focused field") {
  Scene scene;
  scene.recorder.focused = "try/word";
  scene.key(ImGuiKey_Enter);
  scene.frame(2);
  REQUIRE(ImGui::GetIO().WantTextInput);
  scene.type("long");
  scene.key(ImGuiKey_Enter);
  CHECK(setting(scene, "word") == "long");
}
