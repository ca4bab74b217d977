// Colours, text that fits, tokens as they are.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>

#include "core/utf8.h"
#include "figure/color.h"
#include "support/languages.h"
#include "support/sanitized.h"
#include "ui/harness.h"
#include "ui/text.h"
#include "ui/theme.h"
#include "ui/tour.h"

using attn::test::Screen;
using attn::ui::Recorder;
using attn::ui::Rect;

TEST_CASE("text is readable on every ground of every theme") {
  constexpr double kReadable = 4.5;  // WCAG 2.1, 1.4.3
  for (const bool dark : {false, true}) {
    for (const bool high_contrast : {false, true}) {
      CAPTURE(dark);
      CAPTURE(high_contrast);
      const attn::ui::Colors& c = attn::figure::inks(dark, high_contrast);
      for (const auto& ground : {c.ground, c.surface, c.raised}) {
        CHECK(attn::figure::contrast(c.text, ground) >= kReadable);
        CHECK(attn::figure::contrast(c.muted, ground) >= kReadable);
        CHECK(attn::figure::contrast(c.warning, ground) >= kReadable);
      }
      for (const auto& accent : {c.now, c.row, c.parameter}) {  // titles and formulas
        CHECK(attn::figure::contrast(accent, c.ground) >= kReadable);
        CHECK(attn::figure::contrast(accent, c.surface) >= kReadable);
      }
      CHECK(attn::figure::contrast(attn::figure::readableOn(c.now), c.now) >= kReadable);
      CHECK(attn::figure::contrast(c.focus, c.surface) >= 3);  // WCAG 2.1, 1.4.11
    }
  }
}

namespace {

struct Size {
  float width, height, text_scale;
  bool coarse;
};
constexpr Size kSizes[] = {{1280, 800, 1, false},    {1280, 800, 2, false}, {390, 844, 1, true},
                           {390, 844, 2, true},      {320, 640, 1, true},   {640, 400, 1, false},
                           {1024, 700, 0.8f, false}, {760, 600, 1, false},
                           {844, 390, 1, true},      {320, 256, 1, false}};
constexpr float kRoom = 1.5f;  // text is placed on half pixels

struct SizedScreen : Screen {
  explicit SizedScreen(const Size& size) : Screen(size.width, size.height) {
    view.text_scale = size.text_scale;
    view.environment.coarse_pointer = size.coarse;
  }
};

bool within(const Recorder::TextLine& each) {
  const float right = each.rect.x + each.rect.w, bottom = each.rect.y + each.rect.h;
  return each.rect.x >= each.bounds.x - kRoom && right <= each.bounds.x + each.bounds.w + kRoom &&
         each.rect.y >= each.bounds.y - each.bounds.h * 0.2f - kRoom &&
         bottom <= each.bounds.y + each.bounds.h * 1.2f + kRoom;
}

bool overlap(const Rect& a, const Rect& b) {
  return a.x + a.w > b.x + 1 && b.x + b.w > a.x + 1 && a.y + a.h > b.y + 1 && b.y + b.h > a.y + 1;
}

bool isTab(const Screen& screen, const Recorder::TextLine& line) {
  const auto& all = screen.recorder.controls();
  return std::any_of(all.begin(), all.end(), [&](const attn::ui::Control& each) {
    return each.id.rfind("tab/", 0) == 0 && each.label == line.text && overlap(each.rect, line.rect);
  });
}

void checkFit(Screen& screen, float width) {
  for (const Recorder::TextLine& each : screen.recorder.texts) {
    CAPTURE(each.text);
    CHECK(within(each));
    CHECK(each.rect.x >= each.clip.x - kRoom);
    CHECK(each.rect.x + each.rect.w <= each.clip.x + each.clip.w + kRoom);
    if (isTab(screen, each) && !screen.view.stage_scrolls) CHECK(each.rect.y + each.rect.h <= each.clip.y + each.clip.h + kRoom);
    CHECK(each.bounds.x >= -kRoom);
    CHECK(each.bounds.x + each.bounds.w <= width + kRoom);
  }
}

// Controls of one panel; the sheet lies over others on purpose.
bool inBars(const attn::ui::Control& c) {
  for (const char* start :
       {"transport/", "order/", "grain/", "row/", "mask/", "history/", "matrix/", "header/", "tab/"})
    if (c.id.rfind(start, 0) == 0) return c.visible;
  return false;
}

void checkApart(Screen& screen) {
  const auto& all = screen.recorder.controls();
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (!inBars(all[i])) continue;
    for (std::size_t j = i + 1; j < all.size(); ++j) {
      if (!inBars(all[j])) continue;
      CAPTURE(all[i].id);
      CAPTURE(all[j].id);
      CHECK_FALSE(overlap(all[i].rect, all[j].rect));
    }
  }
}

void checkStepsInView(Screen& screen, const Size& size) {
  const attn::ui::Control* next = screen.find("transport/next");
  REQUIRE(next);
  CHECK(next->rect.y + next->rect.h <= size.height + kRoom);
}

}  // namespace

namespace {

void checkEverySize() {
  for (const Size& size : kSizes) {
    CAPTURE(size.width);
    CAPTURE(size.text_scale);
    SizedScreen screen(size);
    for (const bool at_end : {false, true}) {
      if (at_end) screen.dispatch(attn::app::action::Last{});
      for (int tab = 0; tab < 4; ++tab) {
        screen.view.phone_tab = tab;
        screen.frame(2);
        checkFit(screen, size.width);
      }
      screen.view.phone_tab = 0;
      screen.frame(2);
      checkApart(screen);
    }
    screen.key(ImGuiKey_Enter);  // into a matrix
    REQUIRE(screen.view.in_matrix);
    checkFit(screen, size.width);
    checkApart(screen);
    screen.key(ImGuiKey_Escape);
    for (bool attn::ui::ViewState::*sheet :
         {&attn::ui::ViewState::help_open, &attn::ui::ViewState::about_open, &attn::ui::ViewState::settings_open}) {
      screen.view.*sheet = true;
      screen.frame(2);
      checkFit(screen, size.width);
      screen.view.*sheet = false;
    }
  }
}

}  // namespace

TEST_CASE("all text fits its panel and no two controls overlap, at every size") { checkEverySize(); }

TEST_CASE("in German all text fits as well" * doctest::skip(attn::test::kSanitized)) {
  const attn::test::Language german("de");
  checkEverySize();
}

TEST_CASE("presentations, frames and what is left out fit every size as well" *
          doctest::skip(attn::test::kSlow)) {
  attn::app::Presentation all{.note = std::string(280, 'w')};
  all.hidden.fill(true);
  const attn::app::Presentation shown[] = {{.present = true, .note = "Which position does the last row read most, and why?"},
                                           {.embed = true}, all, {.present = true, .embed = true, .hidden = all.hidden}};
  for (const Size& size : kSizes) {
    CAPTURE(size.width);
    CAPTURE(size.text_scale);
    SizedScreen screen(size);
    for (const auto& each : shown) {
      CAPTURE(attn::app::partsText(each));
      CAPTURE(each.present);
      screen.dispatch(attn::app::action::Present{each});
      screen.frame(2);
      checkFit(screen, size.width);
      if (each.present || !each.hides(attn::app::Part::kExplain)) checkApart(screen);  // else the choices scroll there
      checkStepsInView(screen, size);
      screen.view.share_open = true;
      screen.frame(2);
      checkFit(screen, size.width);
      screen.view.share_open = false;
      screen.frame(2);
    }
  }
}

TEST_CASE("the cards of the tour fit every size, and leave room for the steps" *
          doctest::skip(attn::test::kSlow)) {
  for (const Size& size : kSizes) {
    CAPTURE(size.width);
    CAPTURE(size.text_scale);
    SizedScreen screen(size);
    for (int card = 1; card <= attn::ui::kTourCards; ++card) {
      CAPTURE(card);
      screen.view.tour = card;
      screen.frame(2);
      checkFit(screen, size.width);
      checkApart(screen);
      CHECK((screen.find("tour/next") != nullptr) == (size.height >= 400 * size.text_scale));
      checkStepsInView(screen, size);
    }
  }
}

TEST_CASE("controls under a finger are at least 44 pixels high, and stepping stays in view") {
  for (const Size& size : kSizes) {
    if (!size.coarse) continue;
    SizedScreen screen(size);
    screen.frame(2);
    for (const char* id : {"transport/previous", "transport/play", "transport/next", "transport/last"}) {
      const attn::ui::Control* control = screen.find(id);
      REQUIRE(control);
      CHECK(control->rect.h >= 44);
      CHECK(control->rect.w >= 44);
      CHECK(control->rect.x >= 0);
      CHECK(control->rect.x + control->rect.w <= size.width);
      CHECK(control->rect.y + control->rect.h <= size.height);
    }
  }
}

TEST_CASE("on a low screen the controls leave the picture most of the height") {
  Screen screen(844, 390);
  screen.view.environment.coarse_pointer = true;
  screen.frame(2);
  const attn::ui::Control* next = screen.find("transport/next");
  const attn::ui::Control* help = screen.find("header/help");
  REQUIRE(next);
  REQUIRE(help);
  const float bars = help->rect.y + help->rect.h + (390 - next->rect.y);
  CHECK(bars < 390 * 0.3f);
}

TEST_CASE("a tooltip waits for half a second and never covers the panel that is read") {
  for (const char* id : {"header/help", "header/link", "transport/run-on"}) {
    CAPTURE(id);
    Screen screen;
    const attn::ui::Control* control = screen.find(id);
    REQUIRE(control);
    const std::size_t before = screen.recorder.texts.size();
    screen.moveTo(control->rect.x + 5, control->rect.y + 5);
    screen.frame(20);
    CHECK(screen.recorder.texts.size() == before);
    screen.frame(20);
    REQUIRE(screen.recorder.texts.size() > before);
    for (std::size_t i = before; i < screen.recorder.texts.size(); ++i)
      CHECK_FALSE(overlap(screen.recorder.texts[i].bounds, screen.view.kept_clear));
  }
}

TEST_CASE("the count of steps is never cut, however many there are") {
  std::string tokens, vectors;
  for (int i = 0; i < 100; ++i) {
    tokens += std::string(i ? "," : "") + "\"t" + std::to_string(i) + "\"";
    vectors += std::string(i ? "," : "") + "[1,2,3,4,5,6,7,8]";
  }
  Screen screen;
  screen.open("{\"attnscope\":1,\"tokens\":[" + tokens + "],\"q\":[" + vectors + "],\"k\":[" + vectors +
              "],\"v\":[" + vectors + "]}");
  screen.dispatch(attn::app::action::SetOrder{attn::app::Order::kStage});
  screen.dispatch(attn::app::action::SetGrain{attn::app::Grain::kTerm});
  screen.dispatch(attn::app::action::Last{});
  const std::string size = std::to_string(screen.session.timeline().size());
  CHECK(size.size() == 6);
  CHECK(screen.shows("step " + size + " of " + size + "\n"));
}

TEST_CASE("tokens that look like markup, formats or ids appear literally") {
  const char* document = R"({"attnscope":1,"tokens":["<b>","</script>","a<b<c","&lt;","%s%n","##id","x###y"],
    "q":[[1],[1],[1],[1],[1],[1],[1]],"k":[[1],[1],[1],[1],[1],[1],[1]],"v":[[1],[1],[1],[1],[1],[1],[1]]})";
  Screen screen(1280, 1400);
  screen.open(document);
  REQUIRE(screen.session.notice() == "");
  screen.dispatch(attn::app::action::Last{});
  for (const char* token : {"<b>", "</script>", "a<b<c", "&lt;", "%s%n", "##id", "x###y"}) {
    CAPTURE(token);
    CHECK(screen.shows(token));
  }
}

TEST_CASE("tokens of white space can be told apart") {
  const char* document = R"({"attnscope":1,"tokens":[" the","the","\n","\t",""," ","Ġthe","▁the"],
    "q":[[1],[1],[1],[1],[1],[1],[1],[1]],"k":[[1],[1],[1],[1],[1],[1],[1],[1]],
    "v":[[1],[1],[1],[1],[1],[1],[1],[1]]})";
  Screen screen(1280, 1400);
  screen.open(document);
  screen.dispatch(attn::app::action::Last{});
  for (const char* token : {"␣the", "“the”", "⏎", "⇥", "∅", "Ġthe", "▁the"}) {
    CAPTURE(token);
    CHECK(screen.shows(token));
  }
}

TEST_CASE("characters of the faces stay, broken bytes are spelt out") {
  Screen screen;
  CHECK(attn::ui::displayable("a\xF0z") == "a\\xF0z");
  CHECK(attn::ui::displayable("é Ġ ▁ √Σ∞·×÷−≤≥≈∅ᵀ → ⏎⇥␣ x₀₉ᵢⱼ Ж λ") == "é Ġ ▁ √Σ∞·×÷−≤≥≈∅ᵀ → ⏎⇥␣ x₀₉ᵢⱼ Ж λ");
}

TEST_CASE("tokens of other scripts, of joined emoji and of pieces of one are drawn, each in its own row") {
  Screen screen(1280, 1000);
  screen.open(R"({"attnscope":1,"tokens":["\ud83d\udc68\u200d\ud83d\udc69","\u0633\u0644","\u6ce8\u610f","\ud83d","\u00f0","end"],
    "q":[[1],[2],[3],[4],[5],[6]],"k":[[0],[0],[0],[0],[0],[0]],"v":[[1],[2],[3],[4],[5],[9]]})");
  screen.dispatch(attn::app::action::SetOrder{attn::app::Order::kStage});
  screen.dispatch(attn::app::action::Last{});
  screen.frame(2);
  // What is said keeps the characters; what is drawn stands for those that no face has.
  for (const std::string token : {"0 “\xF0\x9F\x91\xA8", "1 “سل”", "2 “注意”", "3 “U+D83D”", "4 “ð”", "5 “end”"}) {
    CAPTURE(token);
    CHECK(screen.shows(token));
    CHECK(attn::ui::displayable(token).find('\xF0') == std::string::npos);
  }
  // Equal scores: every row mixes to the mean, whatever its token is made of.
  CHECK(screen.session.trace().heads[0].z(5, 0) == doctest::Approx(4));
}

TEST_CASE("broken UTF-8 is taken byte by byte and never past its end") {
  for (const char* broken : {"\xC0\x80", "\xE2\x82", "\xED\xA0\x80", "\xF5\x80\x80\x80", "\x80", "\xF0\x9F\x98"}) {
    const std::string_view text = broken;
    for (std::size_t at = 0; at < text.size();) {
      const attn::core::Utf8Char next = attn::core::nextChar(text, at);
      CHECK_FALSE(next.valid);
      CHECK(next.bytes == 1);
      at += next.bytes;
    }
  }
  const attn::core::Utf8Char face = attn::core::nextChar("\xF0\x9F\x98\x80", 0);
  CHECK(face.valid);
  CHECK(face.code == 0x1F600);
  CHECK(face.bytes == 4);
}

TEST_CASE("the pointer over rounded numbers shows them in full precision") {
  Screen screen;
  screen.open(R"({"attnscope":1,"tokens":["a","b"],"q":[[1],[1]],"k":[[0.3],[0.7]],"v":[[1],[2]]})");
  screen.dispatch(attn::app::action::Last{});
  const Recorder::TextLine* rounded = nullptr;
  for (const Recorder::TextLine& each : screen.recorder.texts)
    if (each.text.find("0.5987") != std::string::npos && !rounded) rounded = &each;  // 1 / (1 + e^−0.4)
  REQUIRE(rounded);
  screen.moveTo(rounded->rect.x + 4, rounded->rect.y + 4);
  screen.frame(60);  // a pointer at rest
  CHECK(screen.shows("1.598687"));  // z = 1 + 0.59868766…
}

TEST_CASE("at twice the text on a phone, and at four times the page, every control is there and no words are cut") {
  for (const Size& size : {Size{390, 844, 2, true}, Size{320, 256, 1, false}}) {
    CAPTURE(size.width);
    SizedScreen screen(size);
    screen.frame(2);
    for (const char* id : {"history/undo", "history/redo", "transport/first", "transport/previous-stage",
                           "transport/previous", "transport/play", "transport/next", "transport/next-stage",
                           "transport/last", "tab/settings"}) {
      CAPTURE(id);
      const attn::ui::Control* control = screen.find(id);
      REQUIRE(control);
      CHECK(control->visible);
      CHECK(control->rect.x + control->rect.w <= size.width);
    }
    // A tab brings what it shows into view: the better part of the screen, whole words.
    for (const char* tab : {"tab/choices", "tab/settings"}) {
      REQUIRE(screen.click(tab));
      screen.frame(3);
      float lowest = 0;
      for (const Recorder::TextLine& each : screen.recorder.texts) {
        const bool seen = each.rect.y >= each.clip.y - 1 && each.rect.y + each.rect.h <= each.clip.y + each.clip.h + 1;
        if (seen && each.clip.h < size.height) lowest = std::max(lowest, each.rect.y + each.rect.h);
        if (each.text.rfind("Exact form", 0) == 0) CHECK(each.text.find("…") == std::string::npos);
      }
      CHECK(lowest > size.height * 0.5f);
      screen.view.phone_tab = 0;
      screen.resize(size.width, size.height);
    }
    CHECK(screen.view.stage_scrolls);
  }
}

TEST_CASE("a text of a hundred thousand characters is wrapped whole and shortened, in time that its length allows") {
  Screen screen;
  attn::ui::Recorder recorder;
  const attn::ui::Dispatch dispatch = [](attn::app::Action) {};
  const attn::ui::Frame frame{screen.session, screen.view, recorder, dispatch, attn::ui::colors(screen.view)};
  const attn::ui::TextStyle style{.color = {}};
  const std::string word(100000, 'm'), words = [] {
    std::string text;
    for (int i = 0; i < 20000; ++i) text += (i ? " " : "") + std::string("word");
    return text;
  }();
  std::string joined;
  for (const std::string& each : attn::ui::wrap(frame, style, word, 300)) joined += each;
  CHECK(joined == word);
  joined.clear();
  for (const std::string& each : attn::ui::wrap(frame, style, words, 300)) joined += (joined.empty() ? "" : " ") + each;
  CHECK(joined == words);
  const std::string shown = attn::ui::elided(frame, style, word, 300);
  CHECK(shown.size() < 100);
  CHECK(shown.rfind("m…") == shown.size() - 4);
}

TEST_CASE("what stands in ticks is shown as it is written, without the ticks, and only letters outside have indices") {
  const auto shown = [](std::string_view text) {
    std::string all;
    for (const attn::ui::Run& run : attn::ui::richRuns(text)) all += run.index ? "[" + std::string(run.text) + "]" : std::string(run.text);
    return all;
  };
  CHECK(shown("`q_0` and d_k") == "q_0 and d[k]");
  CHECK(shown("W_Q of `a.npz: k_1`") == "W[Q] of a.npz: k_1");
  CHECK(shown("`q_0`") == "q_0");
  CHECK(shown("a lone ` before q_0") == "a lone ` before q[0]");
  CHECK(shown("``") == "");
}
