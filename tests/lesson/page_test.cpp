// Pages there and back through JSON, what is refused on the way, and the JSON of the terminal.
#include <doctest/doctest.h>

#include <cmath>
#include <limits>

#include "io/json.h"
#include "lesson/page_json.h"
#include "support/pages.h"
#include "support/sanitized.h"

namespace {

using namespace attn;
using namespace attn::lesson;

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();
constexpr double kInfinity = std::numeric_limits<double>::infinity();

std::string errorOf(const std::string& json) {
  const core::Result<Page> page = parsePage(json);
  return page ? "" : page.error().message;
}

std::string replaced(std::string text, const std::string& what, const std::string& with) {
  const std::size_t at = text.find(what);
  REQUIRE(at != std::string::npos);
  return text.replace(at, what.size(), with);
}

TEST_CASE("a page is the same after its way through JSON") {
  for (std::uint64_t seed = 0; seed < (test::kSanitized ? 30 : 200); ++seed) {
    CAPTURE(seed);
    const Page page = test::randomPage(seed, true);
    const core::Result<Page> back = parsePage(pageJson(page));
    REQUIRE_MESSAGE(back.ok(), (back ? "" : back.error().message));
    CHECK(test::samePage(back.value(), page));
    CHECK(pageJson(back.value()) == pageJson(page));  // −0 stays −0, which == does not see
  }
}

TEST_CASE("numbers that are not finite survive") {
  for (std::uint64_t seed = 0; seed < (test::kSanitized ? 20 : 100); ++seed) {
    const Page page = test::randomPage(seed, false);
    const core::Result<Page> back = parsePage(pageJson(page));
    REQUIRE_MESSAGE(back.ok(), (back ? "" : back.error().message));
    CHECK(pageJson(back.value()) == pageJson(page));
  }
  Page page;
  Grid grid;
  grid.rows = 1, grid.columns = 4, grid.values = {kNaN, kInfinity, -kInfinity, -0.0};
  page.blocks.push_back({grid});
  const core::Result<Page> back = parsePage(pageJson(page));
  REQUIRE(back.ok());
  const auto& values = std::get<Grid>(back.value().blocks[0].content).values;
  CHECK(std::isnan(values[0]));
  CHECK(values[1] == kInfinity);
  CHECK(values[2] == -kInfinity);
  CHECK(std::signbit(values[3]));
}

TEST_CASE("the same page has the same JSON, and the results stay out of it") {
  Page page = test::randomPage(7, true);
  const std::string json = pageJson(page);
  page.results.push_back({"secret", 12345.0});
  CHECK(pageJson(page) == json);
}

TEST_CASE("a JSON that is no page is refused in one sentence") {
  Page page;
  page.id = "masks";
  page.blocks.push_back({Claim{"so it is", true, false}});
  page.blocks.push_back({Table{"", "", {"a"}, {{"1"}}, {0}}});
  const std::string json = pageJson(page);
  REQUIRE(errorOf(json) == "");
  struct Case { std::string json, holds; };
  const Case cases[] = {
      {"", "line 1"},
      {"[]", "object"},
      {"{}", "`id`"},
      {replaced(json, "\"look\":\"\",", ""), "`look` is missing"},
      {replaced(json, "\"holds\":true", "\"holds\":1"), "`blocks[0].holds` holds a number"},
      {replaced(json, "\"type\":\"claim\"", "\"type\":\"dance\""), "`blocks`"},
      {replaced(json, "\"mistake\":false", "\"mistake\":false,\"more\":1"), "no page has"},
      {replaced(json, "\"marked\":[0]", "\"marked\":[0.5]"), "`blocks[1].marked`"},
      {replaced(json, "\"marked\":[0]", "\"marked\":[1e300]"), "`blocks[1].marked`"},
      {replaced(json, "\"marked\":[0]", "\"marked\":[1e15]"), "lock"},  // too large for 32 bits, outside the table for 64
      {replaced(json, "\"marked\":[0]", "\"marked\":[1]"), "Block 1"},
      {replaced(json, "[[\"1\"]]", "[[\"1\",\"2\"]]"), "Block 1"},
      {replaced(json, "[[\"1\"]]", "[1]"), "`blocks[1].rows`"},
  };
  for (const Case& each : cases) {
    CAPTURE(each.json);
    const std::string error = errorOf(each.json);
    CHECK(error.find(each.holds) != std::string::npos);
    CHECK_MESSAGE(error.find('\n') == std::string::npos, error);
  }
}

TEST_CASE("a page cut off anywhere is refused") {
  const std::string json = pageJson(test::randomPage(3, false));
  for (std::size_t length = 0; length < json.size(); length += test::kSanitized ? 50 : 7)
    CHECK_FALSE(parsePage(json.substr(0, length)).ok());
}

TEST_CASE("blocks that nobody could show are refused") {
  const auto refused = [](auto content) {
    Page page;
    page.blocks.push_back({std::move(content)});
    return checkPage(page).has_value() && !parsePage(pageJson(page)).ok();
  };
  Grid grid;
  grid.rows = 2, grid.columns = 3, grid.values = {1, 2, 3, 4, 5};
  CHECK(refused(grid));
  grid.values.push_back(6);
  CHECK_FALSE(refused(grid));
  for (auto change : {+[](Grid& g) { g.row_labels = {"a"}; }, +[](Grid& g) { g.column_labels = {"a", "b"}; },
                      +[](Grid& g) { g.blocked = {""}; }, +[](Grid& g) { g.marked = {{2, 0}}; },
                      +[](Grid& g) { g.marked = {{0, -1}}; }, +[](Grid& g) { g.decimals = 18; }, +[](Grid& g) { g.limit = -1; },
                      +[](Grid& g) { g.rows = -2, g.columns = -3; }, +[](Grid& g) { g.rows = g.columns = Index(1) << 16; }}) {
    Grid wrong = grid;
    change(wrong);
    CHECK(refused(wrong));
  }
  Plot plot;
  plot.series.push_back({"", Plot::Kind::kLine, {1, 2}, {1}});
  CHECK(refused(plot));
  Plane plane;
  plane.points.push_back({"", 0, 0, Plane::Role::kKey, "nothing", ""});
  CHECK(refused(plane));
  plane = {};
  plane.reach = 0;
  CHECK(refused(plane));
  Strip strip;
  strip.order_key = "nothing";
  CHECK(refused(strip));
  Flow flow;
  flow.layers = {"input", "1"}, flow.positions = {"a", "b"};
  flow.edges = {{1, 0, 0, 1, false}};  // from the uppermost row there is nowhere to go
  CHECK(refused(flow));
  flow.edges = {{0, 0, 2, 1, false}};
  CHECK(refused(flow));
  flow.edges = {{0, 0, 1, 1, false}};
  CHECK_FALSE(refused(flow));
  CHECK(refused(Jump{"away", "https://example.org"}));
  Maps maps;
  maps.rows = 2, maps.columns = 1;
  maps.items = {{"a head", "0.0", "", "A.", {}}, {"another", "0.1", "", "", {}}};
  CHECK_FALSE(refused(maps));
  const std::vector<void (*)(Maps&)> mistakes = {
      [](Maps& m) { m.items[0].shades = "A"; },
      [](Maps& m) { m.items[0].shades = "A+"; },
      [](Maps& m) { m.items[0].values = {"1"}; },
      [](Maps& m) { m.line = -1; },
      [](Maps& m) { m.keys = {"nothing"}, m.items[0].values = m.items[1].values = {"1"}; },
  };
  for (const auto& change : mistakes) {
    Maps wrong = maps;
    change(wrong);
    CHECK(refused(wrong));
  }
}

TEST_CASE("controls of one key, several main ones and empty ranges are refused") {
  Page page;
  page.params.resize(2);
  page.params[0].key = "a", page.params[1].key = "b";
  CHECK_FALSE(checkPage(page));
  page.params[1].key = "a";
  CHECK(checkPage(page));
  page.params[1].key = "b", page.params[0].main = page.params[1].main = true;
  CHECK(checkPage(page));
  page.params[1].main = false, page.params[1].minimum = 2;
  CHECK(checkPage(page));
}

TEST_CASE("the terminal gets params of their types and every result") {
  Page page;
  page.id = "masks", page.says = "so \"it\" is";
  const auto param = [&](const char* key, ParamKind kind, const char* value) {
    Param p;
    p.key = key, p.kind = kind, p.value = value;
    page.params.push_back(p);
  };
  param("T", ParamKind::kInteger, "4");
  param("scale", ParamKind::kNumber, "1/4");
  param("on", ParamKind::kToggle, "1");
  param("off", ParamKind::kToggle, "0");
  param("kind", ParamKind::kChoice, "causal");
  param("seed", ParamKind::kSeed, "4294967295");
  param("order", ParamKind::kOrder, "1,0");
  param("list", ParamKind::kNumbers, "1,2.5");
  param("word", ParamKind::kText, "7");
  core::Matrix<double> matrix(1, 2);
  matrix << 1, -kInfinity;
  page.results = {{"number", 0.1}, {"nan", kNaN}, {"flag", false}, {"text", std::string("a")},
                  {"list", std::vector<double>{}}, {"texts", std::vector<std::string>{"a", "b"}}, {"matrix", matrix}};
  CHECK(sceneJson(page) ==
        R"({"scene":"masks","params":{"T":4,"scale":0.25,"on":true,"off":false,"kind":"causal","seed":4294967295,)"
        R"("order":"1,0","list":"1,2.5","word":"7"},"results":{"number":0.10000000000000001,"nan":"nan","flag":false,)"
        R"("text":"a","list":[],"texts":["a","b"],"matrix":[[1,"-inf"]]},"says":"so \"it\" is"})");
}

}  // namespace
