// The screen in another language than English.
#include <doctest/doctest.h>

#include "support/languages.h"
#include "ui/harness.h"
#include "ui/mirror.h"

using attn::test::Language;
using attn::test::Screen;

TEST_CASE("controls, their tooltips and their keys are said in the language that is set") {
  const Language german("de");
  Screen screen;
  const attn::ui::Control* next = screen.find("transport/next");
  REQUIRE(next);
  CHECK(next->label == "Nächster Schritt");
  CHECK(screen.find("transport/next-stage")->keys == "Umschalt + →");
  CHECK(screen.find("grain/cell")->label == "Zelle");
  CHECK(screen.find("grain/cell")->about == "Ein Druck ist eine Zahl.");
  CHECK(screen.shows("Nächster Schritt"));
}

TEST_CASE("groups, sheets and what is said aloud are in the language that is set") {
  const Language german("de");
  Screen screen;
  screen.view.help_open = true;
  screen.frame(2);
  const std::string mirror = attn::ui::mirrorJson(screen.session, screen.view, screen.recorder);
  for (const char* words : {"\"title\":\"Hilfe\"", "\"group\":\"Schritte\"", "Ziehe das Bild, um es zu verschieben",
                            "Eingabetaste: Mit der Tastatur in die Matrix gehen"}) {
    CAPTURE(words);
    CHECK(mirror.find(words) != std::string::npos);
  }
}

TEST_CASE("ids of controls are the same in every language") {
  const auto ids = [](const std::string& code) {
    const Language language(code);
    Screen screen;
    screen.dispatch(attn::app::action::Last{});
    std::string all;
    for (const attn::ui::Control& each : screen.recorder.controls()) all += each.id + "\n";
    return all;
  };
  CHECK(ids("de") == ids("en"));
}

TEST_CASE("the language can be chosen where the platform takes the choice up") {
  Screen screen;
  screen.view.settings_open = true;
  screen.frame(2);
  CHECK_FALSE(screen.find("language/de"));
  screen.view.language = "en";
  screen.frame(2);
  REQUIRE(screen.press("language/de"));
  CHECK(screen.view.language == "de");
  CHECK(screen.find("language/de")->label == "Deutsch");
}
