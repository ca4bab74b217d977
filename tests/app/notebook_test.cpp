// What is kept of predictions, and how it is written down.
#include "app/notebook.h"

#include <doctest/doctest.h>

#include "app/link.h"
#include "app/session.h"
#include "lesson/page_json.h"

namespace {

using namespace attn;
using app::Notebook;
using lesson::Verdict;
using Judgement = Verdict::Judgement;

Verdict verdict(std::string prediction, Judgement judgement = Judgement::kWrong, std::string note = "") {
  return {"own/softmax", "A softmax", "Which weights?", std::move(prediction),
          "1/4.",        "Words.",    judgement,        std::move(note)};
}

lesson::Page pageWith(const Verdict& shown) {
  lesson::Page page;
  page.id = "task";
  page.title = "Predict first";
  page.says = "It says.";
  page.blocks.push_back({shown});
  lesson::Param numbers, task;
  numbers.key = "numbers", numbers.label = "Your numbers", numbers.kind = lesson::ParamKind::kData;
  task.key = "task", task.label = "Task", task.kind = lesson::ParamKind::kChoice, task.clears = true;
  task.options = {{"a", "A"}, {"b", "B"}}, task.preset = task.value = "a";
  page.params = {numbers, task};
  return page;
}

void answer(app::Session& session, lesson::Page page) {
  REQUIRE(session.sceneRequest());
  for (lesson::Param& param : page.params) param.value = app::valueIn(session.sceneRequest()->settings, param);
  session.dispatch(app::action::ScenePage{session.sceneRequest()->ticket, lesson::pageJson(page)});
}

}  // namespace

TEST_CASE("the first prediction that is revealed counts, and later ones are counted") {
  Notebook notebook;
  CHECK(notebook.keep(verdict("1/3")));
  CHECK_FALSE(notebook.keep(verdict("1/3")));
  CHECK(notebook.keep(verdict("1/4", Judgement::kRight)));
  CHECK_FALSE(notebook.keep(verdict("1/4", Judgement::kRight)));
  CHECK(notebook.keep(verdict("1/5")));
  REQUIRE(notebook.entries().size() == 1);
  const app::NotebookEntry& entry = notebook.entries().front();
  CHECK(entry.first.prediction == "1/3");
  CHECK(entry.first.judgement == Judgement::kWrong);
  CHECK(entry.later == 2);
  CHECK(entry.last == "1/5");
  CHECK_FALSE(entry.last_right);
}

TEST_CASE("who looked first has made no prediction, whatever comes later") {
  Notebook notebook;
  notebook.keep(verdict("", Judgement::kNone));
  notebook.keep(verdict("1/4", Judgement::kRight));
  CHECK(notebook.entries().front().first.judgement == Judgement::kNone);
  CHECK(notebook.entries().front().later == 1);
  CHECK(notebook.markdown().find("Judged: no prediction") != std::string::npos);
}

TEST_CASE("the judgement is said once") {
  Notebook notebook;
  lesson::Verdict right = verdict("1/4", Judgement::kRight);
  right.words = "Right, within 0.005.";
  notebook.keep(right);
  CHECK(notebook.markdown().find("- Judged: Right, within 0.005.\n") != std::string::npos);
}

TEST_CASE("a note is the latest one, and is not lost with another attempt") {
  Notebook notebook;
  notebook.keep(verdict("1/3", Judgement::kWrong, "first thoughts"));
  notebook.keep(verdict("1/3", Judgement::kWrong, "second thoughts"));
  notebook.keep(verdict("1/4", Judgement::kRight));
  CHECK(notebook.entries().front().first.note == "second thoughts");
}

TEST_CASE("Markdown holds every text as it was written, on one line and without meaning anything") {
  Notebook notebook;
  notebook.keep(verdict("*1/4* | `x` <b> _y_ #1", Judgement::kRight, "line one\nline [two](http://x) & \\three"));
  const std::string text = notebook.markdown();
  CHECK(text.find("\\*1/4\\* \\| \\`x\\` \\<b\\> \\_y\\_ \\#1") != std::string::npos);
  CHECK(text.find("line one line \\[two\\](http://x) \\& \\\\three") != std::string::npos);
  CHECK(text.rfind("# Notebook\n", 0) == 0);
  CHECK(text.find("Tasks: 1. Predicted rightly at first: 1.") != std::string::npos);
}

TEST_CASE("a notebook comes back from its own JSON, and from nothing else") {
  Notebook notebook, other;
  notebook.keep(verdict("a \"quoted\" ∞ \xF0", Judgement::kRight, "note\nnote"));
  Verdict second = verdict("", Judgement::kNone);
  second.task = "another";
  notebook.keep(second);
  notebook.keep(verdict("later", Judgement::kWrong));
  CHECK(other.restore(notebook.json()));
  CHECK(other.entries() == notebook.entries());
  for (const char* wrong : {"", "{}", "[]", "{\"notebook\": 1}", "{\"notebook\": 1, \"entries\": [{}]}",
                            "{\"notebook\": 1, \"entries\": [7]}"}) {
    CAPTURE(wrong);
    CHECK_FALSE(other.restore(wrong));
    CHECK(other.entries() == notebook.entries());
  }
}

TEST_CASE("a page that arrives with a verdict fills the notebook; nothing of it is undone or in a link") {
  app::Session session;
  session.dispatch(app::action::OpenScene{"task", {}});
  answer(session, pageWith(verdict("1/3", Judgement::kWrong, "secret note")));
  REQUIRE(session.notebook().entries().size() == 1);
  const auto link = app::encodeLink(session.state(), session.library()).link;
  CHECK(link.find("secret") == std::string::npos);
  CHECK(link.find("1/3") == std::string::npos);
  session.dispatch(app::action::Undo{});
  CHECK(session.notebook().entries().size() == 1);
  session.dispatch(app::action::ClearNotebook{});
  CHECK(session.notebook().entries().empty());
}

TEST_CASE("another task begins with nothing set, and undo brings back what was") {
  app::Session session;
  session.dispatch(app::action::OpenScene{"task", {}});
  answer(session, pageWith(verdict("")));
  session.dispatch(app::action::Set{"numbers", "1 2 3"});
  answer(session, pageWith(verdict("")));
  CHECK(session.state().settings == lesson::Settings{{"numbers", "1 2 3"}});
  session.dispatch(app::action::Set{"task", "b"});
  CHECK(session.state().settings == lesson::Settings{{"task", "b"}});
  session.dispatch(app::action::Undo{});
  CHECK(session.state().settings == lesson::Settings{{"numbers", "1 2 3"}});
}

TEST_CASE("a text that is no document goes into the field of the open scene, a document is opened") {
  app::Session session;
  CHECK_FALSE(session.takesText());
  session.dispatch(app::action::OpenScene{"task", {}});
  answer(session, pageWith(verdict("")));
  CHECK(session.takesText());
  session.dispatch(app::action::OpenDocument{"array([[1, 2],\n [3, 4]])", "weights.txt"});
  CHECK(session.state().scene == "task");
  CHECK(session.state().settings == lesson::Settings{{"numbers", "array([[1, 2],\n [3, 4]])"}});
  session.dispatch(app::action::OpenDocument{std::string("1 \xFF\xFE 2"), "noise.bin"});
  CHECK(session.notice().find("noise.bin") != std::string::npos);
  CHECK(session.state().settings == lesson::Settings{{"numbers", "array([[1, 2],\n [3, 4]])"}});
  session.dispatch(
      app::action::OpenDocument{R"({"attnscope": 1, "tokens": ["a"], "q": [[1]], "k": [[1]], "v": [[1]]})", "a.json"});
  CHECK(session.state().scene.empty());
}

TEST_CASE("more text than a field takes is refused with its size, not quoted") {
  app::Session session;
  session.dispatch(app::action::OpenScene{"task", {}});
  answer(session, pageWith(verdict("")));
  session.dispatch(app::action::Set{"numbers", std::string((1 << 20) + 1, '1')});
  CHECK(session.state().settings.empty());
  CHECK(session.notice().find("1048577 bytes") != std::string::npos);
  CHECK(session.notice().size() < 200);
}
