// What links ask of the screen: presentations, notes, what is left out, and the panel that makes them.
#include <doctest/doctest.h>

#include <rapidjson/document.h>

#include <algorithm>
#include <string>

#include "app/explain.h"
#include "app/link.h"
#include "ui/mirror.h"
#include "ui/presenting.h"
#include "ui/scene_pages.h"
#include "ui/theme.h"

namespace {

using attn::app::Part;
using attn::app::Presentation;
using attn::test::Screen;
namespace action = attn::app::action;
namespace lesson = attn::lesson;

Presentation hiding(Part part) {
  Presentation shown;
  shown.hidden[static_cast<std::size_t>(part)] = true;
  return shown;
}

void present(Screen& screen, const Presentation& shown) {
  screen.dispatch(action::Present{shown});
  screen.frame(2);
}

// A screen at the weights of the opening example.
struct WeightsScreen : Screen {
  explicit WeightsScreen(const Presentation& shown, float width = 1280, float height = 720) : Screen(width, height) {
    dispatch(action::StepBy{7});
    present(*this, shown);
  }
};

std::string mirrored(const Screen& screen) { return attn::ui::mirrorJson(screen.session, screen.view, screen.recorder); }

bool has(const std::string& text, std::string_view part) { return text.find(part) != std::string::npos; }

bool anyWith(const Screen& screen, std::string_view start) {
  const auto& all = screen.recorder.controls();
  return std::any_of(all.begin(), all.end(), [&](const auto& each) { return each.id.rfind(start, 0) == 0; });
}

}  // namespace

TEST_CASE("body text of a presentation has at least 28 of 720 pixels, and never less than the person prefers") {
  Presentation shown;
  CHECK(attn::ui::presentedScale(shown, 1, 1280, 720) == 1);
  shown.present = true;
  CHECK(attn::ui::kBody * attn::ui::presentedScale(shown, 1, 1280, 720) >= 28);
  CHECK(attn::ui::kBody * attn::ui::presentedScale(shown, 1, 1920, 1080) >= 42);
  CHECK(attn::ui::presentedScale(shown, 2, 390, 844) == 2);
  WeightsScreen screen({.present = true});
  CHECK(attn::ui::kBody * screen.view.scale >= 28);
  CHECK(screen.view.text_scale == 1);
}

TEST_CASE("a presentation has the note, the stage, one sentence and the transport, and nothing else") {
  const WeightsScreen screen({.present = true, .note = "Which position is read most?"});
  CHECK(screen.shows("Which position is read most?"));
  CHECK(screen.shows("The scores of position 3 become weights."));
  CHECK(screen.find("weights[2][1]"));
  CHECK(screen.find("Next step"));
  for (const char* start : {"header/", "contents/", "tab/", "scenes/", "settings/", "grain/"}) {
    CAPTURE(start);
    CHECK_FALSE(anyWith(screen, start));
  }
}

TEST_CASE("Page Down and Page Up step through a presentation, and Esc or its button leaves it") {
  WeightsScreen screen({.present = true});
  screen.key(ImGuiKey_PageDown);
  CHECK(screen.session.position() == 8);
  screen.key(ImGuiKey_PageUp);
  screen.key(ImGuiKey_PageUp);
  CHECK(screen.session.position() == 6);
  screen.key(ImGuiKey_Escape);
  CHECK_FALSE(screen.session.presentation().present);
  CHECK(screen.session.position() == 6);
  screen.frame(2);
  CHECK(screen.find("header/help"));
  present(screen, {.present = true, .note = "Stays"});
  REQUIRE(screen.click("Leave the presentation"));
  CHECK(screen.session.presentation() == Presentation{.note = "Stays"});
}

TEST_CASE("clicker keys step while a button has the focus, and not while a panel is open") {
  WeightsScreen screen({.present = true});
  screen.recorder.focused = "transport/play";
  screen.key(ImGuiKey_PageDown);
  CHECK(screen.session.position() == 8);
  screen.view.help_open = true;
  screen.frame(2);
  screen.key(ImGuiKey_PageDown);
  CHECK(screen.session.position() == 8);
}

TEST_CASE("outside a presentation Page Down does not step") {
  WeightsScreen screen({});
  screen.key(ImGuiKey_PageDown);
  CHECK(screen.session.position() == 7);
}

TEST_CASE("a scene is presented with its figures and what came out, and clickers change its main control") {
  Screen screen(1280, 720);
  attn::test::openPage(screen, attn::test::everyBlock());
  present(screen, {.present = true});
  const lesson::Page& page = *screen.session.page();
  CHECK(screen.shows(page.says));
  CHECK(screen.find("presentation/leave"));
  const std::string words = mirrored(screen);
  CHECK(has(words, "\"kind\":\"table\""));
  CHECK_FALSE(has(words, "\"kind\":\"question\""));
  CHECK_FALSE(has(words, "\"kind\":\"source\""));
  CHECK_FALSE(anyWith(screen, "page/answer"));
  CHECK_FALSE(anyWith(screen, "page/csv"));
}

TEST_CASE("a presented scene shows the figures that open it whole") {
  lesson::Page page = attn::test::everyBlock();
  lesson::Grid grid;
  grid.title = "Weights";
  grid.rows = grid.columns = 6;
  grid.map = true;
  grid.values.assign(36, 1.0 / 6);
  grid.row_labels = grid.column_labels = {"to", "be", "or", "not", "2", "last"};
  page.blocks.insert(page.blocks.begin(), {grid});
  for (const auto& size : {std::pair{1280.f, 720.f}, {1920.f, 1080.f}, {390.f, 844.f}}) {
    CAPTURE(size.first);
    Screen screen(size.first, size.second);
    screen.recorder.keep_texts = true;
    attn::test::openPage(screen, page);
    present(screen, {.present = true});
    int rows = 0;
    for (const auto& each : screen.recorder.texts) {
      if (each.text != "last") continue;
      ++rows;
      CHECK(each.rect.y + each.rect.h <= each.clip.y + each.clip.h);
    }
    CHECK(rows >= 2);  // of the last row and the last column
  }
}

TEST_CASE("hidden contents leave no way to other scenes") {
  WeightsScreen screen(hiding(Part::kContents));
  CHECK_FALSE(screen.find("header/contents"));
  CHECK_FALSE(anyWith(screen, "contents/"));
  screen.dispatch(action::Last{});
  screen.frame(2);
  CHECK_FALSE(screen.find("scenes/next"));
  attn::test::openPage(screen, attn::test::everyBlock());
  CHECK_FALSE(screen.find("scenes/next"));
  CHECK_FALSE(screen.find("scenes/previous"));
  screen.resize(390, 844);
  screen.frame(2);
  CHECK_FALSE(screen.find("tab/contents"));
}

TEST_CASE("a hidden explanation is neither shown nor told") {
  WeightsScreen screen({});
  const std::string sentence = "Plain exponentials";
  CHECK(screen.shows(sentence));
  present(screen, hiding(Part::kExplain));
  CHECK_FALSE(screen.shows(sentence));
  CHECK(has(mirrored(screen), "\"explanation\":[]"));
  screen.resize(390, 844);
  screen.frame(2);
  CHECK_FALSE(screen.find("tab/explanation"));
  CHECK_FALSE(screen.shows(sentence));
  screen.resize(1280, 800);
  attn::test::openPage(screen, attn::test::everyBlock());
  const std::string words = mirrored(screen);
  CHECK_FALSE(has(words, screen.session.page()->look));
  CHECK(has(words, "\"kind\":\"question\""));
  CHECK(anyWith(screen, "try/"));
}

TEST_CASE("hidden answers cannot be shown") {
  Screen screen(1280, 4000);
  attn::test::openPage(screen, attn::test::everyBlock());
  REQUIRE(anyWith(screen, "page/answer"));
  REQUIRE(screen.press("Show the answer"));
  screen.frame(2);
  CHECK(has(mirrored(screen), "\"kind\":\"answer\""));
  present(screen, hiding(Part::kAnswers));
  CHECK_FALSE(anyWith(screen, "page/answer"));
  CHECK_FALSE(has(mirrored(screen), "\"kind\":\"answer\""));
  CHECK(has(mirrored(screen), "\"kind\":\"question\""));
}

TEST_CASE("hidden numbers are in no cell, no sentence and no word, and a chosen cell says so") {
  WeightsScreen screen({}, 1280, 800);
  screen.recorder.keep_texts = true;
  screen.frame(2);
  CHECK(has(attn::app::plainText(screen.session), "1/2"));
  Presentation shown = hiding(Part::kNumbers);
  shown.hidden[static_cast<std::size_t>(Part::kContents)] = true;  // which name some
  present(screen, shown);
  CHECK_FALSE(has(attn::app::plainText(screen.session), "1/2"));
  CHECK_FALSE(has(mirrored(screen), "1/2"));
  CHECK_FALSE(screen.shows("1/2"));
  CHECK(has(mirrored(screen), "hidden"));
  CHECK(attn::app::cellText(screen.session, {attn::core::Array::kWeights, 2, 1}) ==
        "weights: its number is hidden; query 3 (row) reads key 2 (column)");
}

TEST_CASE("hidden editing leaves no way into the laboratory") {
  WeightsScreen screen(hiding(Part::kEdits));
  CHECK_FALSE(screen.find("header/lab"));
  screen.key(ImGuiKey_E);
  CHECK_FALSE(screen.view.lab_open);
  screen.key(ImGuiKey_Enter);  // into the matrix
  REQUIRE(screen.view.in_matrix);
  screen.key(ImGuiKey_Enter);
  screen.frame(2);
  CHECK_FALSE(screen.view.lab_open);
  screen.resize(390, 844);
  screen.frame(2);
  CHECK_FALSE(screen.find("tab/edit"));
}

TEST_CASE("a frame in a page has no line at the top, no contents and one line of steps") {
  const WeightsScreen plain({}, 1000, 600), slim({.embed = true}, 1000, 600);
  CHECK_FALSE(anyWith(slim, "header/"));
  CHECK_FALSE(anyWith(slim, "contents/"));
  CHECK(slim.find("Next step"));
  REQUIRE(plain.find("Next step"));
  CHECK(slim.find("Next step")->rect.y > plain.find("Next step")->rect.y);
}

TEST_CASE("what is chosen for a link shows at once, is in it, and goes when the panel closes") {
  Screen screen(1280, 1600);
  screen.view.link_base = "https://example.org/attnscope/";
  const std::string before = attn::app::linkOf(screen.session).link;
  REQUIRE(screen.click("Make a link"));
  REQUIRE(screen.press("share/hide/answers"));
  REQUIRE(screen.press("share/present"));
  screen.frame(2);
  CHECK(attn::app::linkOf(screen.session).link == "v=1&present=1&hide=answers");
  CHECK(has(mirrored(screen), "https://example.org/attnscope/#v=1&present=1&hide=answers\""));
  CHECK(screen.find("presentation/leave"));
  CHECK(screen.view.scale > 1.5f);
  CHECK(screen.find("share/qr"));
  CHECK(has(mirrored(screen), "<iframe src="));
  REQUIRE(screen.press("share/copy"));
  CHECK(std::string(ImGui::GetClipboardText()) == "https://example.org/attnscope/#v=1&present=1&hide=answers");
  REQUIRE(screen.press("share/copy-frame"));
  CHECK(has(ImGui::GetClipboardText(), "#v=1&amp;present=1&amp;embed=1&amp;hide=answers\""));
  screen.key(ImGuiKey_Escape);
  screen.frame(2);
  CHECK(attn::app::linkOf(screen.session).link == before);
  CHECK(screen.view.scale == 1);
}

TEST_CASE("without an address there is no picture and no frame, and that is said") {
  Screen screen(1280, 1600);
  REQUIRE(screen.click("Make a link"));
  CHECK_FALSE(screen.find("share/qr"));
  CHECK_FALSE(screen.find("share/copy-frame"));
  CHECK(screen.find("share/copy"));
  CHECK(screen.shows("This needs the address of a page"));
}

TEST_CASE("a note that is written stands above the stage") {
  Screen screen(1280, 1600);
  REQUIRE(screen.click("Make a link"));
  screen.recorder.setText("share/note", "Look at row 3.");
  screen.frame(3);
  CHECK(screen.session.presentation().note == "Look at row 3.");
  const attn::ui::Control* strip = screen.find("note/text");
  REQUIRE(strip);
  CHECK(strip->label == "Look at row 3.");
  CHECK(has(mirrored(screen), "\"explanation\":[\"Look at row 3.\""));
  attn::test::openPage(screen, attn::test::everyBlock());
  CHECK(has(mirrored(screen), "\"explanation\":[\"Look at row 3.\"]"));
  screen.dispatch(action::OpenScene{"", {}});
  screen.frame(2);
  strip = screen.find("note/text");
  REQUIRE(strip);
  CHECK(strip->rect.y + strip->rect.h <= screen.find("x[0][0]")->rect.y);
}
