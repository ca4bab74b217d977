// Stepping and choosing by the controls' labels, as a person with a mouse does.
#include <doctest/doctest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "app/explain.h"
#include "app/link.h"
#include "ui/harness.h"

using attn::app::Grain;
using attn::app::MaskChoice;
using attn::app::Order;
using attn::core::Stage;
using attn::test::Screen;

TEST_CASE("the first screen shows a worked example, paused, and says what to press") {
  Screen screen;
  CHECK(screen.session.position() == 0);
  CHECK_FALSE(screen.session.playback().playing);
  CHECK(screen.shows("Press →"));
  CHECK(screen.find("Next step"));
  CHECK(screen.find("Show the whole result"));
}

TEST_CASE("one press steps forward and one press steps back") {
  Screen screen;
  REQUIRE(screen.click("Next step"));
  CHECK(screen.session.position() == 1);
  REQUIRE(screen.click("Next step"));
  CHECK(screen.session.position() == 2);
  REQUIRE(screen.click("Previous step"));
  CHECK(screen.session.position() == 1);
  REQUIRE(screen.click("Next stage"));
  CHECK(screen.session.position() == 2);
  REQUIRE(screen.click("Previous stage"));
  CHECK(screen.session.position() == 1);
  REQUIRE(screen.click("Back to the start"));
  CHECK(screen.session.position() == 0);
}

TEST_CASE("nothing goes before the start or past the end") {
  Screen screen;
  CHECK_FALSE(screen.click("Previous step"));
  REQUIRE(screen.click("Show the whole result"));
  CHECK(screen.session.position() == screen.session.timeline().size());
  CHECK_FALSE(screen.click("Next step"));
}

TEST_CASE("playing stops at the end of a stage and goes on when it should") {
  Screen screen;
  REQUIRE(screen.click("Cell"));
  REQUIRE(screen.click("transport/play"));
  CHECK(screen.session.playback().playing);
  for (int i = 0; i < 100 && screen.session.playback().playing; ++i) screen.dispatch(attn::app::action::Tick{0.2});
  CHECK_FALSE(screen.session.playback().playing);
  CHECK(screen.session.timeline().endsStage(screen.session.position()));
  REQUIRE(screen.session.state().at);
  CHECK(screen.session.state().at->stage == Stage::kQ);
  REQUIRE(screen.click("Run on"));
  REQUIRE(screen.click("transport/play"));
  for (int i = 0; i < 1000 && screen.session.playback().playing; ++i) screen.dispatch(attn::app::action::Tick{0.2});
  CHECK(screen.session.position() == screen.session.timeline().size());
}

TEST_CASE("a row is chosen, and the step is about it") {
  Screen screen;
  screen.click("Next step");
  REQUIRE(screen.click("Previous row"));
  CHECK(screen.session.state().row == 1);
  CHECK(screen.session.state().at->row == 1);
  CHECK(screen.session.position() == 1);
  REQUIRE(screen.click("Next row"));
  CHECK(screen.session.state().row == 2);
  CHECK_FALSE(screen.click("Next row"));
}

TEST_CASE("grain and order change by their names") {
  Screen screen;
  for (const auto& choice :
       {std::pair{"Stage", Grain::kStage}, {"Cell", Grain::kCell}, {"Term", Grain::kTerm}, {"Row", Grain::kRow}}) {
    CAPTURE(choice.first);
    REQUIRE(screen.click(choice.first));
    CHECK(screen.session.state().grain == choice.second);
    CHECK(screen.find(choice.first)->checked);
  }
  REQUIRE(screen.click("Stage by stage"));
  CHECK(screen.session.state().order == Order::kStage);
  REQUIRE(screen.click("Follow one row"));
  CHECK(screen.session.state().order == Order::kRow);
}

TEST_CASE("a mask that an edit sets is the one that is chosen, and M goes on from there") {
  Screen screen;
  screen.dispatch(attn::app::action::AddEdit{"mask=causal"});
  screen.frame();
  REQUIRE(screen.find("mask/causal"));
  CHECK(screen.find("mask/causal")->checked == true);
  CHECK(screen.find("mask/document")->checked == false);
  screen.key(ImGuiKey_M);
  screen.frame();
  CHECK(screen.find("mask/document")->checked == true);
}

TEST_CASE("the mask switches, and undo and redo take it back and forth") {
  Screen screen;
  CHECK_FALSE(screen.click("Undo"));
  REQUIRE(screen.click("None"));
  CHECK(screen.session.state().mask == MaskChoice::kNone);
  CHECK(screen.session.trace().mask.allowed(0, 2));
  REQUIRE(screen.click("Undo"));
  CHECK(screen.session.state().mask == MaskChoice::kDocument);
  CHECK_FALSE(screen.session.trace().mask.allowed(0, 2));
  REQUIRE(screen.click("Redo"));
  CHECK(screen.session.state().mask == MaskChoice::kNone);
}

TEST_CASE("another example opens from the contents") {
  Screen screen;
  REQUIRE(screen.click("contents/cat-sat-down"));
  CHECK(screen.session.state().example == "cat-sat-down");
  CHECK(screen.find("contents/cat-sat-down")->checked);
  REQUIRE(screen.click("Undo"));
  CHECK(screen.session.state().example == "three-positions");
}

TEST_CASE("scrubbing seeks") {
  Screen screen;
  screen.recorder.setValue("transport/scrub", 7);
  screen.frame(2);
  CHECK(screen.session.position() == 7);
  CHECK(screen.find("transport/scrub")->value == 7);
}

TEST_CASE("a link brings the same screen back") {
  Screen screen;
  screen.click("Term");
  screen.click("None");
  for (int i = 0; i < 9; ++i) screen.click("Next step");
  const auto link = attn::app::encodeLink(screen.session.state(), screen.session.library()).link;
  Screen other;
  other.dispatch(attn::app::action::LoadLink{link});
  CHECK(other.session.state() == screen.session.state());
  screen.moveTo(700, 20);  // away from the button and its tooltip
  CHECK(other.texts() == screen.texts());
}

TEST_CASE("settings change how numbers look, beside the picture") {
  Screen screen;
  REQUIRE(screen.click("Settings"));
  REQUIRE(screen.click("Exact form where there is one"));
  CHECK_FALSE(screen.session.state().exact);
  REQUIRE(screen.click("decimals/6"));
  CHECK(screen.session.state().decimals == 6);
  REQUIRE(screen.click("Dark"));
  CHECK(screen.view.theme == attn::ui::Theme::kDark);
  REQUIRE(screen.click("Close"));
  CHECK_FALSE(screen.view.settings_open);
}

TEST_CASE("a notice is one sentence that can be put away") {
  Screen screen;
  screen.open("{\"attnscope\": 1}");
  REQUIRE_FALSE(screen.session.notice().empty());
  REQUIRE(screen.find("Dismiss"));
  REQUIRE(screen.click("Dismiss"));
  CHECK_FALSE(screen.find("Dismiss"));
}

TEST_CASE("a notice shows a name without the ticks around it") {
  Screen screen;
  screen.view.said = "There is no `a b`.";
  screen.frame();
  CHECK(screen.shows("There is no a b."));
  REQUIRE(screen.find("notice/text"));
  CHECK(screen.find("notice/text")->label == "There is no a b.");
}

TEST_CASE("a click on a cell of the picture points at it") {
  Screen screen;
  screen.click("Show the whole result");
  const attn::ui::Control* cell = screen.find("weights[2][1]");
  REQUIRE(cell);
  REQUIRE(screen.click("weights[2][1]"));
  REQUIRE(screen.session.state().cursor);
  CHECK(*screen.session.state().cursor == attn::app::CellCursor{attn::core::Array::kWeights, 2, 1});
}

TEST_CASE("under a finger no words speak of keys or of hovering") {
  Screen screen(390, 844);
  screen.view.environment.coarse_pointer = true;
  screen.frame(2);
  CHECK_FALSE(screen.shows("Press"));
  CHECK(screen.shows("Next step:"));
  screen.dispatch(attn::app::action::OpenExample{"cat-sat-down"});
  bool rounded = false;
  for (attn::app::Index i = 1; i <= screen.session.timeline().size(); ++i) {
    screen.dispatch(attn::app::action::Seek{i});
    rounded = rounded || screen.shows("(rounded");
    CHECK_FALSE(screen.shows("hover"));
    CHECK_FALSE(screen.shows("Press"));
  }
  CHECK(rounded);
}

TEST_CASE("on a phone the choices have a tab of their own") {
  Screen screen(390, 844);
  screen.view.environment.coarse_pointer = true;
  screen.frame(2);
  REQUIRE(screen.click("Choices"));
  REQUIRE(screen.click("Stage by stage"));
  CHECK(screen.session.state().order == Order::kStage);
  REQUIRE(screen.click("Cell"));
  CHECK(screen.session.state().grain == Grain::kCell);
}

TEST_CASE("opened documents stand in the order of opening, however long their titles are") {
  Screen screen;
  const std::string rest = R"(","tokens":["a"],"q":[[1]],"k":[[1]],"v":[[1]]})";
  std::vector<std::string> ids;
  for (const char* title : {"Zebra", "Aardvark", "Mole", "Heron", "Ibex"}) {
    screen.open(R"({"attnscope":1,"title":")" + std::string(title) + rest);
    ids.push_back("contents/" + screen.session.state().example);
  }
  std::string words;
  for (int i = 0; i < 80; ++i) words += "word ";
  screen.open(R"({"attnscope":1,"title":")" + words + rest);
  ids.push_back("contents/" + screen.session.state().example);
  screen.open(R"({"attnscope":1,"title":"Zebra)" + rest);  // again
  float last = 0;
  for (const std::string& id : ids) {
    CAPTURE(id);
    REQUIRE(screen.find(id));
    CHECK(screen.find(id)->rect.y > last);
    CHECK(screen.find(id)->rect.h < 60);
    last = screen.find(id)->rect.y;
  }
}

TEST_CASE("reasons stand whole in the place of the bar that is not there") {
  Screen screen;
  screen.click("Previous row");
  screen.dispatch(attn::app::action::Last{});
  const auto explanation = attn::app::explain(screen.session);
  for (const attn::app::Bar& each : explanation.distribution) {
    if (each.blocked) CHECK(screen.shows(each.text + "\n"));
  }
  CHECK(explanation.distribution.back().blocked);
}

TEST_CASE("a long row shows its largest weights, drawn against the largest") {
  std::string tokens, keys;
  for (int i = 0; i < 200; ++i) {
    tokens += std::string(i ? "," : "") + "\"t" + std::to_string(i) + "\"";
    keys += std::string(i ? "," : "") + (i == 150 ? "[1]" : "[0]");
  }
  Screen screen(1280, 1200);
  screen.open("{\"attnscope\":1,\"tokens\":[" + tokens + "],\"q\":[" + keys + "],\"k\":[" + keys + "],\"v\":[" + keys +
              "]}");
  screen.dispatch(attn::app::action::ChooseRow{150});
  screen.dispatch(attn::app::action::Last{});
  CHECK(screen.shows("largest of 200 sources"));
  CHECK(screen.shows("A full bar is the largest weight"));
  CHECK(screen.shows("150 “t150”"));
  CHECK_FALSE(screen.shows("199 “t199”"));
}

TEST_CASE("what does not fit into a link can be kept as a document") {
  unsigned noise = 1;
  const auto vectors = [&noise] {
    std::string text;
    for (int i = 0; i < 60; ++i) {
      for (int j = 0; j < 16; ++j) {
        noise = noise * 1664525u + 1013904223u;
        text += (j > 0 ? "," : i > 0 ? "],[" : "[[") + std::to_string(noise >> 8);
      }
    }
    return text + "]]";
  };
  std::string tokens;
  for (int i = 0; i < 60; ++i) tokens += std::string(i ? "," : "") + "\"t" + std::to_string(i) + "\"";
  std::string document = "{\"attnscope\":1,\"title\":\"Big: one\",\"tokens\":[" + tokens + "]";
  for (const char* name : {"q", "k", "v"}) document += ",\"" + std::string(name) + "\":" + vectors();
  document += "}";
  Screen screen;
  screen.open(document);
  REQUIRE(screen.click("Copy link"));
  REQUIRE(screen.click("Copy document"));
  const bool on_clipboard = ImGui::GetClipboardText() == document;
  CHECK(on_clipboard);
  CHECK(screen.shows("The document is on the clipboard."));
  std::string name, text;
  screen.view.save_file = [&](const std::string& n, const std::string& t) { name = n, text = t; };
  REQUIRE(screen.click("Copy link"));
  REQUIRE(screen.click("Save document"));
  CHECK(name == "Big-one.json");
  const bool whole = text == document;
  CHECK(whole);
  screen.dispatch(attn::app::action::OpenExample{"cat-sat-down"});
  REQUIRE(screen.click("Copy link"));
  CHECK_FALSE(screen.find("Save document"));
}

TEST_CASE("the help says what a row and a column are by what is open") {
  Screen screen;
  screen.dispatch(attn::app::action::OpenExample{"cat-sat-down"});
  REQUIRE(screen.click("Help"));
  std::string flat = screen.texts();
  std::replace(flat.begin(), flat.end(), '\n', ' ');
  const auto& example = screen.session.example();
  const std::string last = attn::app::positionText(example, 3, false, true);
  CHECK(flat.find("the row of " + last) != std::string::npos);
}
