// Writing several lines, the card of a verdict, and the notebook: by mouse, by keyboard, and for who cannot see them.
#include <doctest/doctest.h>

#include <string>

#include "scene/answer.h"
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

// The tasks themselves, computed whenever something is set.
struct Tasks : attn::test::Screen {
  explicit Tasks(attn::lesson::Settings settings) {
    dispatch(attn::app::action::OpenScene{"task", std::move(settings)});
    compute();
  }
  void compute() {
    const auto request = session.sceneRequest();
    REQUIRE(request);
    const auto page = attn::scene::answer(*attn::scene::find(request->id), request->settings, [](double) { return true; });
    REQUIRE(page.ok());
    dispatch(attn::app::action::ScenePage{request->ticket, page.value()});
    frame(4);
  }
  void set(const char* key, const std::string& value) {
    dispatch(attn::app::action::Set{key, value});
    compute();
  }
  std::string task(std::string_view title) const {
    for (const auto& param : session.page()->params)
      for (const auto& option : param.options)
        if (param.key == "task" && option.label == title) return option.id;
    return "";
  }
  // The whole of it is on the screen, above the bar at the bottom.
  bool inView(std::string_view label_or_id) const {
    const attn::ui::Control* control = find(label_or_id);
    return control && control->visible && control->rect.y >= 40 && control->rect.y + control->rect.h <= 750;
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

TEST_CASE("opened from the page, the notebook takes the focus, and clearing it is asked and told where the keyboard is") {
  Scene scene;
  scene.view.environment.page_owns_focus = true;
  const auto press = [&](const char* id) {
    scene.recorder.focused = id;
    scene.recorder.activate(id);
    scene.frame(4);
  };
  press("page/notebook");
  CHECK(scene.view.focus_asked == 1);
  CHECK(scene.view.focus_target == "sheet/close");
  REQUIRE(scene.find("notebook/clear"));
  CHECK(scene.find("notebook/clear")->in_sheet);
  press("notebook/clear");
  CHECK(scene.view.focus_target == "notebook/keep");
  CHECK(scene.view.said.find("cannot be brought back") != std::string::npos);
  press("notebook/keep");
  CHECK(scene.view.focus_target == "notebook/clear");
  press("notebook/clear");
  press("notebook/clear-now");
  CHECK(scene.view.focus_target == "sheet/close");
  CHECK(scene.view.said == "The notebook is empty.");
  CHECK(scene.session.notebook().entries().empty());
}

TEST_CASE("where the page has the keyboard, its field's text and selection stand in ours, however long") {
  Scene scene;
  scene.view.environment.page_owns_focus = true;
  scene.recorder.activate("try/word");
  scene.frame(4);
  REQUIRE(scene.view.edited == "try/word");
  CHECK(scene.view.edited_text.text == "tired");
  CHECK(scene.view.edited_text.from == 0);  // all of it is selected
  CHECK(scene.view.edited_text.to == 5);
  const std::string all(700, 'a');
  scene.view.edit_asked = {all, 3, 2};
  scene.frame(2);
  CHECK(scene.view.edited_text.text == all);
  CHECK(scene.view.edited_text.from == 3);
  CHECK(scene.view.edited_text.to == 2);
  CHECK(setting(scene, "word") == "");
  scene.key(ImGuiKey_Enter);
  CHECK(setting(scene, "word") == all);
  CHECK_FALSE(scene.view.edit_asked);
}

TEST_CASE("small print beside a control is told with it") {
  Scene scene;
  CHECK(scene.find("try/layers/field")->about.find("One layer per token") != std::string::npos);
  CHECK(scene.find("try/pasted")->about == "Paste what your program prints.");
  scene.recorder.setText("try/pasted", "1 0\n0 1");
  scene.frame(2);
  CHECK(scene.find("try/pasted")->about == "7 characters in 2 lines taken. Paste what your program prints.");
  const std::string mirror = attn::ui::mirrorJson(scene.session, scene.view, scene.recorder);
  CHECK(mirror.find("\"about\":\"7 characters in 2 lines taken.") != std::string::npos);
}

TEST_CASE("the verdict comes into view when the answer is revealed, and the next task begins at the top of both panels") {
  Tasks tasks(attn::lesson::Settings{});
  tasks.set("task", tasks.task("Implement the output"));
  tasks.set("numbers", "1 0 0 1 1 1 .5 .5");
  CHECK_FALSE(tasks.find("page/notebook"));
  tasks.set("reveal", "1");
  tasks.key(ImGuiKey_End);
  REQUIRE_FALSE(tasks.inView("page/title"));
  tasks.set("numbers", "1 2 3");
  CHECK(tasks.inView("page/title"));
  CHECK(tasks.shows("You gave 1×3 numbers, and 4×2 are wanted"));
  tasks.set("numbers", "1 0 0 1 1 1 .5 .5");
  CHECK(tasks.inView("page/notebook"));
  CHECK_FALSE(tasks.inView("page/title"));
  for (int i = 0; i < 200 && tasks.recorder.focused != "try/reset"; ++i) tasks.key(ImGuiKey_Tab);
  REQUIRE(tasks.recorder.focused == "try/reset");
  CHECK_FALSE(tasks.inView("try/numbers"));
  tasks.set("task", tasks.task("A query of zeros"));
  CHECK(tasks.inView("page/title"));
  CHECK(tasks.inView("try/typed"));
}

TEST_CASE("from the stage a way leads back to the task as it was left, and tasks that were revealed are marked") {
  Tasks tasks(attn::lesson::Settings{{"typed", "1/4, 1/4, 1/2"}});
  CHECK_FALSE(tasks.find("A softmax by hand (done)"));
  tasks.set("reveal", "1");
  CHECK(tasks.find("A softmax by hand (done)"));
  tasks.key(ImGuiKey_End);
  tasks.frame(2);
  REQUIRE(tasks.click("See it on the stage"));
  tasks.frame(2);
  CHECK(tasks.session.state().scene.empty());
  REQUIRE(tasks.click("Back to the task"));
  tasks.compute();
  CHECK(tasks.session.state().settings == attn::lesson::Settings{{"reveal", "1"}, {"typed", "1/4, 1/4, 1/2"}});
}
