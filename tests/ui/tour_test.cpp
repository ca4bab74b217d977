// The tour: four cards, by mouse and keys, to the end or not, and again.
#include "ui/tour.h"

#include <doctest/doctest.h>

#include <string>

#include "ui/harness.h"
#include "ui/mirror.h"

namespace {

using attn::test::Screen;

std::string card(const Screen& screen) {
  const attn::ui::Control* text = screen.find("tour/text");
  return text ? text->label : "";
}

void begin(Screen& screen) {
  screen.view.tour = 1;
  screen.frame(2);
}

}  // namespace

TEST_CASE("nobody is taken on a tour who was not asked") {
  Screen screen;
  CHECK(card(screen).empty());
}

TEST_CASE("four cards tell of the picture, the words, the choices and the contents, and then it is over for good") {
  Screen screen;
  begin(screen);
  std::string last;
  for (const char* about : {"1 of 4. The picture", "2 of 4. The words", "3 of 4. The choices", "4 of 4. The contents"}) {
    CAPTURE(about);
    CHECK(card(screen).find(about) != std::string::npos);
    CHECK(card(screen) != last);
    last = card(screen);
    REQUIRE(screen.press("tour/next"));
    screen.frame(2);
  }
  CHECK(card(screen).empty());
  CHECK(screen.view.visited.count("tour") == 1);
}

TEST_CASE("the steps go on beside a card") {
  Screen screen;
  begin(screen);
  screen.key(ImGuiKey_RightArrow);
  CHECK(screen.session.position() == 1);
  CHECK(card(screen).find("1 of 4") != std::string::npos);
}

TEST_CASE("a button and Esc end it, and Help begins it again") {
  Screen screen;
  begin(screen);
  REQUIRE(screen.press("End the tour"));
  screen.frame(2);
  CHECK(card(screen).empty());
  begin(screen);
  screen.key(ImGuiKey_Escape);
  screen.frame();
  CHECK(card(screen).empty());
  screen.key(ImGuiKey_Slash, false, true);  // ?
  screen.frame();
  REQUIRE(screen.press("Take the tour"));
  screen.frame(2);
  CHECK_FALSE(screen.view.help_open);
  CHECK(card(screen).find("1 of 4") != std::string::npos);
}

TEST_CASE("a card is in the mirror, and makes room for a scene, a presentation and a panel") {
  Screen screen;
  begin(screen);
  CHECK(attn::ui::mirrorJson(screen.session, screen.view, screen.recorder).find("Tour, 1 of 4. The picture") != std::string::npos);
  screen.dispatch(attn::app::action::Present{{.present = true}});
  screen.frame(2);
  CHECK(card(screen).empty());
  screen.dispatch(attn::app::action::Present{});
  screen.view.settings_open = true;
  screen.frame(2);
  CHECK(card(screen).empty());
  screen.view.settings_open = false;
  screen.dispatch(attn::app::action::OpenScene{"why-context", {}});
  screen.frame(2);
  CHECK(card(screen).empty());
  screen.dispatch(attn::app::action::OpenScene{"", {}});
  screen.frame(2);
  CHECK_FALSE(card(screen).empty());
}

TEST_CASE("under a finger and on a narrow screen the cards speak of what is there") {
  Screen screen(390, 844);
  screen.view.environment.coarse_pointer = true;
  begin(screen);
  CHECK(card(screen).find("key") == std::string::npos);
  screen.view.tour = 2;
  screen.frame();
  CHECK(card(screen).find("Touch a cell") != std::string::npos);
  screen.view.tour = 4;
  screen.frame();
  CHECK(card(screen).find("Under Contents") != std::string::npos);
}
