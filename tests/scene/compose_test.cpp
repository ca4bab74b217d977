// Text files and outputs put together: placeholders, conditions, figures, and what is refused.
#include <doctest/doctest.h>

#include <cmath>

#include "scene/text_file.h"
#include "support/languages.h"

namespace {

using namespace attn;
using namespace attn::scene;

core::Check compute(const Inputs& in, Outputs& out, const Progress&) {
  if (in.integer("T") == 3) return core::Error{"Three cannot be computed; choose another."};
  core::Matrix<double> matrix(2, 2);
  matrix << 1, 0.25, std::sqrt(2.0), -0.125;
  out.number("whole", 16640);
  out.number("third", 1.0 / 3);
  out.number("nothing", -1);
  out.flag("yes", true);
  out.flag("no", false);
  out.text("word", "bank");
  out.numbers("list", {1, 0.5});
  out.texts("names", {"a", "b"});
  out.grid("map", matrix, {});
  out.figure("table", lesson::Table{"t", "", {"a"}, {{"1"}}, {}});
  out.blocks("drill", {{lesson::Words{lesson::Words::Style::kText, "{not filled}"}}, {lesson::Question{"q", "a"}}});
  if (in.on("tight")) out.limit("T", 4);
  if (in.on("tight")) out.hide("kind");
  return {};
}

constexpr const char* kParams =
    R"("params": [{"key": "T", "label": "Tokens", "kind": "integer", "min": 1, "max": 9, "preset": "2", "main": true},
                  {"key": "kind", "label": "Mask", "kind": "choice", "options": [["none", "No mask"], ["causal", "Causal"]],
                   "preset": "none"},
                  {"key": "tight", "label": "Tight", "kind": "toggle"},
                  {"key": "temperature", "label": "Temperature", "kind": "number", "min": 0, "max": 2, "preset": "1/2"}])";

std::string fileWith(const std::string& items) {
  return R"({"title": "Title", "look": "Look at {T}.", "says": "It is {word}.", )" + std::string(kParams) + R"(, "page": [)" +
         items + R"(], "further": [{"authors": "A", "year": "1", "title": "t", "section": "s", "measured": "m"}]})";
}

core::Result<Page> composed(const std::string& items, const Settings& settings = {}) {
  return compose("test", fileWith(items), settings, compute, {});
}

Page pageOf(const std::string& items, const Settings& settings = {}) {
  core::Result<Page> page = composed(items, settings);
  REQUIRE_MESSAGE(page.ok(), (page ? "" : page.error().message));
  return page.take();
}

std::string wordsOf(const std::string& text, const Settings& settings = {}) {
  const Page page = pageOf("\"" + text + "\"", settings);
  return std::get<lesson::Words>(page.blocks.at(0).content).text;
}

TEST_CASE("in another language flags and large numbers read otherwise, and conditions hold as in English") {
  const test::Language german("de");
  CHECK(wordsOf("{yes}, {no}, {tight}") == "wahr, falsch, aus");
  CHECK(wordsOf("{whole:grouped}") == "16\u202F640");
  const Page page = pageOf(R"({"text": "1", "when": ["yes=true", "no!=true", "kind=none", "tight=0"]}, {"text": "2", "when": "yes=false"})");
  CHECK(page.blocks.size() == 2);  // the first text, and a source
}

TEST_CASE("placeholders are filled in") {
  struct Case { std::string text, filled; };
  const Case cases[] = {
      {"plain", "plain"}, {"", ""}, {"{whole}", "16640"}, {"{whole:grouped}", "16,640"}, {"{whole:2}", "16640.00"},
      {"{third}", "0.3333"}, {"{third:2}", "0.33"}, {"{third:exact}", "1/3"}, {"{nothing}", "−1"}, {"{nothing:grouped}", "−1"},
      {"{yes}, {no}", "true, false"}, {"{word}s", "banks"}, {"{list}", "1, 0.5000"}, {"{list[1]:1}", "0.5"},
      {"{names}", "a, b"}, {"{names[1]}", "b"}, {"{map[1][0]:exact}", "√2"}, {"{map[0]}", "[1, 0.2500]"},
      {"{map:2}", "[1.00, 0.25], [1.41, −0.12]"}, {"{T}", "2"}, {"{kind}", "No mask"}, {"{tight}", "off"},
      {"{temperature}", "1/2"}, {"{temperature:2}", "0.50"}, {"{{{T}}", "{2}"}, {"{{T}", "{T}"}, {"}", "}"},
  };
  for (const Case& each : cases) {
    CAPTURE(each.text);
    CHECK(wordsOf(each.text) == each.filled);
  }
  CHECK(wordsOf("{kind} {tight}", {{"kind", "causal"}, {"tight", "true"}}) == "Causal on");
}

TEST_CASE("placeholders that mean nothing are refused by name") {
  for (const std::string text : {"{absent}", "{", "{T", "{third:x}", "{third:12}", "{map[2][0]}", "{map[0][0][0]}", "{list[2]}",
                           "{third[0]}", "{map[-1][0]}", "{names[2]}", "{}"}) {
    CAPTURE(text);
    const core::Result<Page> page = composed("\"" + text + "\"");
    REQUIRE_FALSE(page.ok());
    CHECK(page.error().message.rfind("The words name `", 0) == 0);
  }
}

TEST_CASE("items become blocks in their order, and sources end the page") {
  const Page page = pageOf(R"("text", {"heading": "H"}, {"note": "N"}, {"code": "C"},
      {"figure": "map", "beside": true, "title": "Map of {word}", "note": "Shown"}, {"figure": "table"},
      {"claim": "yes", "text": "so"}, {"claim": "no", "text": "so", "otherwise": "not {word}", "mistake": true},
      {"blocks": "drill"}, {"question": "{T}?", "answer": "{third:exact}"}, {"jump": "there", "link": "v=1&scene=x&set.T={T}"})");
  CHECK(page.id == "test");
  CHECK(page.look == "Look at 2.");
  CHECK(page.says == "It is bank.");
  REQUIRE(page.blocks.size() == 13);
  using lesson::Words;
  CHECK(std::get<Words>(page.blocks[1].content) == Words{Words::Style::kHeading, "H"});
  CHECK(std::get<Words>(page.blocks[2].content) == Words{Words::Style::kNote, "N"});
  CHECK(std::get<Words>(page.blocks[3].content) == Words{Words::Style::kCode, "C"});
  const auto& map = std::get<lesson::Grid>(page.blocks[4].content);
  CHECK(map.title == "Map of bank");
  CHECK(map.note == "Shown");
  CHECK(map.values == std::vector<double>{1, 0.25, std::sqrt(2.0), -0.125});
  CHECK(page.blocks[4].beside);
  CHECK(std::get<lesson::Table>(page.blocks[5].content).title == "t");
  CHECK(std::get<lesson::Claim>(page.blocks[6].content) == lesson::Claim{"so", true, false});
  CHECK(std::get<lesson::Claim>(page.blocks[7].content) == lesson::Claim{"not bank", false, true});
  CHECK(std::get<Words>(page.blocks[8].content).text == "{not filled}");
  CHECK(std::get<lesson::Question>(page.blocks[10].content) == lesson::Question{"2?", "1/3"});
  CHECK(std::get<lesson::Jump>(page.blocks[11].content).link == "v=1&scene=x&set.T=2");
  CHECK(std::get<lesson::Source>(page.blocks[12].content).measured == "m");
}

TEST_CASE("a condition keeps an item or leaves it out") {
  struct Case { std::string when; bool kept; };
  const Case cases[] = {
      {R"("kind=none")", true},  {R"("kind!=none")", false}, {R"("tight=0")", true},   {R"("yes=true")", true},
      {R"("no!=true")", true},   {R"("whole=16640")", true}, {R"("word=bank")", true}, {R"("T=3")", false},
      {R"(["kind=none", "T=2"])", true}, {R"(["kind=none", "T=3"])", false},
  };
  for (const Case& each : cases) {
    CAPTURE(each.when);
    CHECK(pageOf(R"({"note": "here", "when": )" + each.when + "}").blocks.size() == (each.kept ? 2 : 1));
  }
  CHECK_FALSE(composed(R"({"note": "here", "when": "absent=1"})").ok());
  CHECK_FALSE(composed(R"({"note": "here", "when": "nothing to say"})").ok());
  CHECK_FALSE(composed(R"({"note": "here", "when": 1})").ok());
}

TEST_CASE("a text file that names what is not there is refused") {
  for (const std::string item : {R"({"figure": "absent"})", R"({"blocks": "absent"})", R"({"claim": "whole", "text": "x"})",
                           R"({"claim": "absent", "text": "x"})", R"({"dance": "x"})", R"({})", "7",
                           R"({"jump": "away", "link": "https://example.org"})"}) {
    CAPTURE(item);
    CHECK_FALSE(composed(item).ok());
  }
  CHECK_FALSE(compose("test", "{", {}, compute, {}).ok());
}

TEST_CASE("a text file with a param that cannot be is refused") {
  const auto refused = [](const std::string& param) { return !readParams("{\"params\": [" + param + "]}").ok(); };
  CHECK_FALSE(refused(R"({"key": "a", "label": "A", "kind": "integer", "min": 1, "max": 2, "preset": "1"})"));
  CHECK(refused(R"({"key": "a", "label": "A", "kind": "integer", "min": 1, "max": 2, "preset": "3"})"));
  CHECK(refused(R"({"key": "a", "label": "A", "kind": "integer", "min": 1, "preset": "1"})"));
  CHECK(refused(R"({"key": "a", "label": "A", "kind": "dance", "preset": "1"})"));
  CHECK(refused(R"({"key": "a", "label": "A", "kind": "choice", "options": [["x"]], "preset": "x"})"));
  CHECK(refused(R"({"key": "a", "label": "A", "kind": "choice", "options": [["x", "X"]]})"));
  CHECK(refused(R"({"key": "a", "label": "A", "kind": "toggle", "colour": "red"})"));
  const auto order = readParams(R"({"params": [{"key": "a", "label": "A", "kind": "order", "options": [["x", "X"], ["y", "Y"]]}]})");
  REQUIRE(order.ok());
  CHECK(order.value()[0].preset == "0,1");
}

TEST_CASE("settings reach the computation, and wrong ones are refused before it") {
  CHECK(wordsOf("{T}", {{"T", "7"}}) == "7");
  const auto error = [](const Settings& settings) {
    const core::Result<Page> page = composed("", settings);
    return page ? std::string() : page.error().message;
  };
  CHECK(error({{"absent", "1"}}).find("T, kind, tight, temperature") != std::string::npos);
  CHECK(error({{"T", "10"}}).find("1..9") != std::string::npos);
  CHECK(error({{"T", "1"}, {"T", "2"}}).find("twice") != std::string::npos);
  CHECK(error({{"T", "3"}}) == "Three cannot be computed; choose another.");
}

TEST_CASE("a computation may hide a control and lower its maximum") {
  const Page page = pageOf("\"{T}\"", {{"T", "8"}, {"tight", "1"}});
  CHECK(page.params[0].maximum == 4);
  CHECK(page.params[0].value == "4");
  CHECK_FALSE(page.params[1].shown);
  CHECK(std::get<lesson::Words>(page.blocks[0].content).text == "4");
}

}  // namespace
