// Writing several lines, the card of a verdict, and the notebook: by mouse, by keyboard, and for who cannot see them.
#include <doctest/doctest.h>

#include <string>

#include "ui/mirror.h"
#include "ui/scene_pages.h"

using attn::test::setting;

namespace {

struct Scene : attn::test::EveryBlockScreen {
  // By Tab alone; false when it cannot be reached.
  bool tabTo(const std::string& id) {
    for (int i = 0; i < 200; ++i) {
      if (recorder.focused == id) return true;
      key(ImGuiKey_Tab);
    }
    return false;
  }
};

}  // namespace

TEST_CASE("a field of several lines takes line breaks, and what is typed counts when it is left") {
  Scene scene;
  REQUIRE(scene.click("try/pasted"));
  scene.frame(2);
  scene.type("1 0");
  scene.key(ImGuiKey_Enter);
  scene.type("0 1");
  CHECK(setting(scene, "pasted") == "");
  scene.key(ImGuiKey_Tab);
  CHECK(setting(scene, "pasted") == "1 0\n0 1");
  CHECK(scene.view.edited.empty());
  CHECK(scene.shows("7 characters in 2 lines taken."));
  REQUIRE(scene.click("Empty the field"));
  CHECK(setting(scene, "pasted") == "");
}

TEST_CASE("Ctrl and Enter end what is typed, Escape takes it back") {
  Scene scene;
  REQUIRE(scene.click("try/pasted"));
  scene.frame(2);
  scene.type("1 2");
  scene.key(ImGuiKey_Enter, true);
  CHECK(setting(scene, "pasted") == "1 2");
  REQUIRE(scene.click("try/pasted"));
  scene.frame(2);
  scene.type("3");
  scene.key(ImGuiKey_Escape);
  CHECK(setting(scene, "pasted") == "1 2");
}

TEST_CASE("what is pasted keeps its lines and its length, and counts at once") {
  Scene scene;
  std::string text;
  for (int i = 0; i < 500; ++i) text += "0.125 -0.5 1e-05 nan\n";
  ImGui::SetClipboardText(text.c_str());
  REQUIRE(scene.click("try/pasted"));
  scene.frame(2);
  scene.key(ImGuiKey_V, true);
  CHECK(setting(scene, "pasted") == text);
}

TEST_CASE("a field of several lines is one in the mirror, and is written in from there") {
  Scene scene;
  const std::string mirror = attn::ui::mirrorJson(scene.session, scene.view, scene.recorder);
  const std::size_t at = mirror.find("\"id\":\"try/pasted\"");
  REQUIRE(at != std::string::npos);
  CHECK(mirror.substr(at, mirror.find('}', at) - at).find("\"lines\":true") != std::string::npos);
  scene.recorder.setText("try/pasted", "1\n2");
  scene.frame(2);
  CHECK(setting(scene, "pasted") == "1\n2");
}

TEST_CASE("a verdict says in words what was predicted, what came out and whether they agree") {
  Scene scene;
  for (const char* line : {"Not within 0.005: off by up to 0.0833.", "Yours: 1/3, 2/3 of what is left",
                           "Computed: [1/4, 3/4].", "Your note: Mind the sum."}) {
    CAPTURE(line);
    CHECK(scene.shows(line));
    CHECK(attn::ui::mirrorJson(scene.session, scene.view, scene.recorder).find(line) != std::string::npos);
  }
}

TEST_CASE("the notebook opens by keyboard, is kept as Markdown, and asks once before it is cleared") {
  Scene scene;
  REQUIRE(scene.session.notebook().entries().size() == 1);
  REQUIRE(scene.tabTo("try/notebook"));
  scene.key(ImGuiKey_Enter);
  scene.frame(2);
  CHECK(scene.view.notebook_open);
  CHECK(scene.shows("Two rows"));
  CHECK(scene.shows("Wrong. Yours: 1/3"));
  CHECK(scene.shows("Your note: Mind the sum."));
  const std::string mirror = attn::ui::mirrorJson(scene.session, scene.view, scene.recorder);
  CHECK(mirror.find("\"title\":\"Notebook\"") != std::string::npos);
  CHECK(mirror.find("Wrong. Yours: 1/3, 2/3 of what is left. Computed: [1/4, 3/4].") != std::string::npos);
  REQUIRE(scene.tabTo("notebook/save"));
  scene.key(ImGuiKey_Enter);
  scene.frame(2);
  CHECK(std::string(ImGui::GetClipboardText()).find("## Two rows") != std::string::npos);
  CHECK(scene.view.said == "The notebook is on the clipboard as Markdown.");
  REQUIRE(scene.click("Clear the notebook"));
  CHECK(scene.session.notebook().entries().size() == 1);
  REQUIRE(scene.click("Keep it"));
  REQUIRE(scene.click("Clear the notebook"));
  REQUIRE(scene.click("Clear all of it"));
  CHECK(scene.session.notebook().entries().empty());
  CHECK(scene.shows("Nothing yet."));
}

TEST_CASE("where files can be kept, the notebook is one") {
  Scene scene;
  std::string name, text;
  scene.view.save_file = [&](const std::string& n, const std::string& t) { name = n, text = t; };
  scene.frame(2);
  REQUIRE(scene.click("try/notebook"));
  scene.frame(2);
  REQUIRE(scene.click("Save as Markdown"));
  CHECK(name == "attnscope-notebook.md");
  CHECK(text.find("# Notebook") == 0);
}
