// Hearing a row of weights: only when it is switched on, by the key and by the button, and told to a screen reader.
#include <doctest/doctest.h>

#include <string>
#include <utility>

#include "app/row_sound.h"
#include "ui/harness.h"
#include "ui/mirror.h"

namespace {

using namespace attn;
using test::Screen;

// Where sound can be played and is switched on.
void switchOn(Screen& screen) {
  screen.view.plays_sounds = true;
  screen.frame();
  REQUIRE(screen.click("Settings"));
  REQUIRE(screen.press("Sound of a row"));
  REQUIRE(screen.view.sounds);
  screen.key(ImGuiKey_Escape);
}

// What the platform would play now.
std::string taken(Screen& screen) { return std::exchange(screen.view.sound, ""); }

std::string soundOf(const Screen& screen, app::Index row) { return app::rowSound(app::distributionOf(screen.session, row)); }

}  // namespace

TEST_CASE("nothing is heard of a row, and nothing offers it, until it is switched on; without a loudspeaker it cannot be") {
  Screen screen;
  screen.key(ImGuiKey_End);
  screen.key(ImGuiKey_H);
  CHECK(screen.view.sound.empty());
  CHECK_FALSE(screen.find("explain/hear"));
  REQUIRE(screen.click("Settings"));
  CHECK_FALSE(screen.find("Sound of a row"));
  screen.view.plays_sounds = true;
  screen.frame();
  REQUIRE(screen.find("Sound of a row"));
  CHECK_FALSE(screen.find("Sound of a row")->checked);
  screen.key(ImGuiKey_Escape);
  screen.key(ImGuiKey_H);
  CHECK(screen.view.sound.empty());
  REQUIRE(screen.click("Help"));
  CHECK_FALSE(screen.shows("Hear the row"));
}

TEST_CASE("while the part of the program that makes sounds is being fetched, the key does nothing and the panel says why") {
  Screen screen;
  screen.view.sounds = true;
  screen.view.environment.rest_loaded = false;
  screen.key(ImGuiKey_End);
  screen.key(ImGuiKey_H);
  CHECK(screen.view.sound.empty());
  CHECK(screen.view.asks_for_rest);
  CHECK(screen.shows("This part is being fetched…"));
}

TEST_CASE("the key and the button play the row whose weights are shown, and in the matrix of weights the row of the cell") {
  Screen screen;
  switchOn(screen);
  screen.key(ImGuiKey_H);
  CHECK(screen.view.sound.empty());
  CHECK(screen.view.said == "The weights of position 3 are not known yet; go on to them first.");
  screen.key(ImGuiKey_O);
  screen.key(ImGuiKey_End);
  screen.key(ImGuiKey_H);
  CHECK(taken(screen) == soundOf(screen, 2));
  REQUIRE(screen.press("Hear how position 3 reads"));
  CHECK(taken(screen) == soundOf(screen, 2));
  screen.dispatch(app::action::ChooseCell{{core::Array::kWeights, 1, 0}});
  screen.frame();
  REQUIRE(screen.find("Hear how position 2 reads"));
  screen.key(ImGuiKey_H);
  CHECK(taken(screen) == soundOf(screen, 1));
  CHECK(soundOf(screen, 1) != soundOf(screen, 2));
  screen.view.letter_keys = false;
  screen.key(ImGuiKey_H);
  CHECK(screen.view.sound.empty());
}

TEST_CASE("the button tells its key and, in words, what will be heard") {
  Screen screen;
  switchOn(screen);
  screen.key(ImGuiKey_End);
  const ui::Control* hear = screen.find("explain/hear");
  REQUIRE(hear);
  CHECK(hear->keys == "H");
  CHECK(hear->about.find("220 Hz for the weight 0, an octave higher for each third, 1760 Hz for 1") != std::string::npos);
  CHECK(hear->about.find("A blocked source clicks. Pressing again stops it.") != std::string::npos);
  CHECK(ui::mirrorJson(screen.session, screen.view, screen.recorder).find("Hear how position 3 reads") != std::string::npos);
}

TEST_CASE("on a phone the button stands below the bars of the row, within the screen") {
  Screen screen(390, 844);
  switchOn(screen);
  screen.view.phone_tab = 0;
  screen.key(ImGuiKey_End);
  const ui::Control* hear = screen.find("explain/hear");
  REQUIRE(hear);
  CHECK(hear->rect.x >= 0);
  CHECK(hear->rect.x + hear->rect.w <= 390);
}

TEST_CASE("the row is exported as a WAV file, whatever the setting, once its weights are known") {
  Screen screen;
  std::string name, bytes;
  screen.view.save_file = [&](const std::string& file, const std::string& content) { name = file, bytes = content; };
  screen.key(ImGuiKey_X);
  REQUIRE(screen.press("This moment"));
  REQUIRE(screen.press("Row as sound"));
  CHECK(screen.shows("The weights of position 3 are not known yet"));
  CHECK_FALSE(screen.find("Save"));
  screen.dispatch(app::action::Last{});
  screen.frame(2);
  CHECK(screen.shows("One tone for each source, from left to right"));
  REQUIRE(screen.press("Save"));
  CHECK(name == "Three-positions-worked-exactly-row-3.wav");
  CHECK(bytes == soundOf(screen, 2));
}
