// Stepping and choosing by the controls' labels, as a person with a mouse does.
#include <doctest/doctest.h>

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
  REQUIRE(screen.click("Play"));
  CHECK(screen.session.playback().playing);
  for (int i = 0; i < 100 && screen.session.playback().playing; ++i) screen.dispatch(attn::app::action::Tick{0.2});
  CHECK_FALSE(screen.session.playback().playing);
  CHECK(screen.session.timeline().endsStage(screen.session.position()));
  REQUIRE(screen.session.state().at);
  CHECK(screen.session.state().at->stage == Stage::kQ);
  REQUIRE(screen.click("Run on"));
  REQUIRE(screen.click("Play"));
  for (int i = 0; i < 1000 && screen.session.playback().playing; ++i) screen.dispatch(attn::app::action::Tick{0.2});
  CHECK(screen.session.position() == screen.session.timeline().size());
}

TEST_CASE("a row is chosen, and its walk begins") {
  Screen screen;
  screen.click("Next step");
  REQUIRE(screen.click("Previous row"));
  CHECK(screen.session.state().row == 1);
  CHECK(screen.session.position() == 0);
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
  CHECK(screen.find("Position")->value == 7);
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

TEST_CASE("a click on a cell of the picture points at it") {
  Screen screen;
  screen.click("Show the whole result");
  const attn::ui::Control* cell = screen.find("weights[2][1]");
  REQUIRE(cell);
  REQUIRE(screen.click("weights[2][1]"));
  REQUIRE(screen.session.state().cursor);
  CHECK(*screen.session.state().cursor == attn::app::CellCursor{attn::core::Array::kWeights, 2, 1});
}
