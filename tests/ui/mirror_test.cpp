// The mirror says what the core says.
#include <doctest/doctest.h>

#include <rapidjson/document.h>

#include <algorithm>
#include <string>
#include <vector>

#include "app/explain.h"
#include "ui/harness.h"
#include "ui/mirror.h"
#include "ui/mirror_table.h"

using attn::core::Array;
using attn::test::Screen;
using attn::ui::cellWords;
using attn::ui::tableOf;

TEST_CASE("a cell is not yet known, then what the core computed, or blocked with its reason") {
  Screen screen;
  CHECK(cellWords(screen.session, Array::kWeights, 2, 2) == "not yet known");
  CHECK(cellWords(screen.session, Array::kX, 0, 0) == "1");
  screen.dispatch(attn::app::action::SetOrder{attn::app::Order::kStage});
  screen.dispatch(attn::app::action::Last{});
  const auto& weights = screen.session.trace().heads[0].softmax.weights;
  for (attn::core::Index i = 0; i < 3; ++i) {
    for (attn::core::Index j = 0; j < 3; ++j) {
      const std::string expected =
          j > i ? "blocked: causal" : attn::app::valueText(screen.session.state(), weights(i, j));
      CHECK(cellWords(screen.session, Array::kWeights, i, j) == expected);
    }
  }
  CHECK(cellWords(screen.session, Array::kWeights, 2, 2) == "1/2");
}

TEST_CASE("a row without a source says so") {
  Screen screen;
  screen.open(R"({"attnscope":1,"tokens":["a","b"],"q":[[1],[1]],"k":[[1],[1]],"v":[[1],[2]],
                  "mask":{"allowed":[[false,false],[true,true]]}})");
  screen.dispatch(attn::app::action::SetOrder{attn::app::Order::kStage});
  screen.dispatch(attn::app::action::Last{});
  CHECK(cellWords(screen.session, Array::kWeights, 0, 0) == "no source allowed");
  CHECK(cellWords(screen.session, Array::kZ, 0, 0) == "no source allowed");
  CHECK(cellWords(screen.session, Array::kMasked, 0, 0) == "blocked: not allowed");
  CHECK(cellWords(screen.session, Array::kZ, 1, 0) == "3/2");
}

TEST_CASE("a table has the tokens at its heads and marks the cursor") {
  Screen screen;
  screen.dispatch(attn::app::action::OpenExample{"cat-sat-down"});
  screen.dispatch(attn::app::action::Last{});
  screen.dispatch(attn::app::action::ChooseCell{{Array::kWeights, 2, 1}});
  const attn::ui::MatrixTable table = tableOf(screen.session, Array::kWeights);
  REQUIRE(table.rows.size() == 4);
  REQUIRE(table.columns.size() == 4);
  CHECK(table.columns[1].find("cat") != std::string::npos);
  CHECK(table.rows[2].head.find("sat") != std::string::npos);
  CHECK(table.cursor_row == 2);
  CHECK(table.cursor_column == 1);
  CHECK(table.caption.find("each row reads") != std::string::npos);
}

TEST_CASE("a table beyond 64×64 shows the part around the selection and says so") {
  std::string tokens, vectors;
  for (int i = 0; i < 100; ++i) {
    tokens += std::string(i ? "," : "") + "\"t" + std::to_string(i) + "\"";
    vectors += std::string(i ? "," : "") + "[" + std::to_string(i % 3) + "]";
  }
  Screen screen;
  screen.open("{\"attnscope\":1,\"tokens\":[" + tokens + "],\"q\":[" + vectors + "],\"k\":[" + vectors + "],\"v\":[" +
              vectors + "]}");
  screen.dispatch(attn::app::action::ChooseCell{{Array::kWeights, 99, 50}});
  const attn::ui::MatrixTable table = tableOf(screen.session, Array::kWeights);
  CHECK(table.rows.size() == 64);
  CHECK(table.columns.size() == 64);
  CHECK(table.rows.back().head.find("t99") != std::string::npos);
  CHECK(table.cursor_row == 63);
  CHECK(table.columns[static_cast<std::size_t>(table.cursor_column)].find("t50") != std::string::npos);
  CHECK(table.caption.find("rows 36 to 99") != std::string::npos);
}

TEST_CASE("the mirror is JSON with the step, the controls and the matrix of the step") {
  Screen screen;
  for (int i = 0; i < 4; ++i) screen.click("Next step");
  rapidjson::Document json;
  json.Parse(attn::ui::mirrorJson(screen.session, screen.view, screen.recorder).c_str());
  REQUIRE_FALSE(json.HasParseError());
  const auto explanation = attn::app::explain(screen.session);
  CHECK(std::string(json["live"].GetString()).rfind(explanation.headline, 0) == 0);
  CHECK(json["explanation"].Size() >= 3);
  CHECK(std::string(json["table"]["caption"].GetString()).rfind("scores", 0) == 0);
  bool next = false;
  for (const auto& control : json["controls"].GetArray())
    if (std::string(control["id"].GetString()) == "transport/next") {
      next = true;
      CHECK(std::string(control["label"].GetString()) == "Next step");
      CHECK(std::string(control["role"].GetString()) == "button");
      CHECK(control["enabled"].GetBool());
      CHECK(std::string(control["group"].GetString()) == "Stepping");
    }
  CHECK(next);
}

namespace {

std::vector<std::string> mirrored(Screen& screen, const char* field) {
  rapidjson::Document json;
  json.Parse(attn::ui::mirrorJson(screen.session, screen.view, screen.recorder).c_str());
  std::vector<std::string> all;
  for (const auto& each : json["controls"].GetArray()) all.emplace_back(each[field].GetString());
  return all;
}

bool has(const std::vector<std::string>& all, const char* text) {
  return std::find(all.begin(), all.end(), text) != all.end();
}

}  // namespace

TEST_CASE("the groups of the mirror begin with stepping, and none is torn apart") {
  Screen screen;
  std::vector<std::string> groups;
  for (const std::string& each : mirrored(screen, "group"))
    if (groups.empty() || groups.back() != each) groups.push_back(each);
  CHECK(groups == std::vector<std::string>{"Stepping", "Order", "Step by", "Row", "Mask", "Cells", "Page",
                                           "Order of the contents", "Contents", "Picture"});
}

TEST_CASE("without a picture the mirror leaves out what only moves it, and says the next step once") {
  Screen screen;
  CHECK(has(mirrored(screen, "id"), "stage/zoom-in"));
  screen.view.environment.painted = false;
  const auto ids = mirrored(screen, "id");
  for (const char* id : {"stage/zoom-in", "stage/zoom-out", "stage/fit", "header/contents"}) CHECK_FALSE(has(ids, id));
  CHECK(has(ids, "transport/next"));
  rapidjson::Document json;
  json.Parse(attn::ui::mirrorJson(screen.session, screen.view, screen.recorder).c_str());
  const std::string live = json["live"].GetString();
  CHECK(live == attn::app::explain(screen.session).next);
  for (const auto& each : json["explanation"].GetArray()) CHECK(std::string(each.GetString()) != live);
}

TEST_CASE("the layout lists widgets and visible cells in pixels of the page") {
  Screen screen;
  screen.dispatch(attn::app::action::Last{});
  rapidjson::Document json;
  json.Parse(attn::ui::layoutJson(screen.recorder).c_str());
  REQUIRE_FALSE(json.HasParseError());
  bool cell = false, button = false;
  for (const auto& each : json.GetArray()) {
    cell = cell || std::string(each["label"].GetString()) == "weights[2][1]";
    button = button || std::string(each["label"].GetString()) == "Next step";
    CHECK(each["w"].GetDouble() > 0);
  }
  CHECK(cell);
  CHECK(button);
}

TEST_CASE("the mirror says in words what the screen shows by place or colour") {
  Screen screen;
  rapidjson::Document json;
  const auto read = [&] {
    json.Parse(attn::ui::mirrorJson(screen.session, screen.view, screen.recorder).c_str());
    std::vector<std::string> lines;
    for (const auto& each : json["explanation"].GetArray()) lines.emplace_back(each.GetString());
    return lines;
  };
  // At the opening: what the example is about, and what is given rather than what is not yet known.
  CHECK(read().front() == screen.session.example().about);
  CHECK(std::string(json["table"]["caption"].GetString()).rfind("x, 3×2", 0) == 0);
  CHECK(std::string(json["table"]["rows"][0]["cells"][0].GetString()) == "1");
  // The title of the distribution is a heading.
  screen.dispatch(attn::app::action::Last{});
  const auto lines = read();
  const std::string title = attn::app::explain(screen.session).distribution_title;
  const auto at = std::find(lines.begin(), lines.end(), title) - lines.begin();
  REQUIRE(at < static_cast<std::ptrdiff_t>(lines.size()));
  bool heading = false;
  for (const auto& each : json["headings"].GetArray()) heading = heading || each.GetInt() == at;
  CHECK(heading);
  // The row that is followed is said where it is changed, and what zooms is called so.
  CHECK(screen.find("row/previous")->value_text == "position 3");
  CHECK(screen.find("stage/zoom-in")->label == "Zoom in");
  CHECK(screen.find("stage/zoom-out")->label == "Zoom out");
  CHECK(screen.find("transport/scrub")->label == "Step");
}

TEST_CASE("several reasons for a blocked cell are listed in words") {
  Screen screen;
  screen.open(R"({"attnscope":1,"tokens":["a","b","c"],"q":[[1],[1],[1]],"k":[[1],[1],[1]],"v":[[1],[2],[3]],
                  "mask":{"window":2,"padding":[false,true,true]}})");
  screen.dispatch(attn::app::action::SetOrder{attn::app::Order::kStage});
  screen.dispatch(attn::app::action::Last{});
  CHECK(cellWords(screen.session, Array::kWeights, 2, 0) == "blocked: outside the window and padding");
}

TEST_CASE("a chosen cell is told in full, until the next step") {
  Screen screen;
  screen.open(R"({"attnscope":1,"tokens":["a","b"],"q":[[1],[1]],"k":[[0.3],[0.7]],"v":[[1],[2]]})");
  screen.dispatch(attn::app::action::Last{});
  screen.dispatch(attn::app::action::ChooseCell{{Array::kZ, 1, 0}});
  const auto live = [&] {
    rapidjson::Document json;
    json.Parse(attn::ui::mirrorJson(screen.session, screen.view, screen.recorder).c_str());
    for (const auto& each : json["explanation"].GetArray())
      CHECK(std::string(each.GetString()).find("hover") == std::string::npos);
    return std::string(json["live"].GetString());
  };
  const std::string words = attn::app::cellText(screen.session, {Array::kZ, 1, 0});
  CHECK(words.find("1.598687660112") != std::string::npos);  // 1 + 1 / (1 + e^−0.4)
  CHECK(live() == words);
  CHECK(screen.shows("1.598687660112"));  // beside the cell, without a pointer
  screen.dispatch(attn::app::action::StepBy{-1});
  CHECK(live() != words);
}

namespace {

rapidjson::Document mirrorOf(const Screen& screen) {
  rapidjson::Document json;
  json.Parse(attn::ui::mirrorJson(screen.session, screen.view, screen.recorder).c_str());
  REQUIRE_FALSE(json.HasParseError());
  return json;
}

bool explains(const rapidjson::Document& json, const std::string& words) {
  for (const auto& each : json["explanation"].GetArray())
    if (std::string(each.GetString()).find(words) != std::string::npos) return true;
  return false;
}

}  // namespace

TEST_CASE("with the difference in the picture the table tells differences, and the switch is told") {
  Screen screen;
  screen.dispatch(attn::app::action::Last{});
  screen.dispatch(attn::app::action::AddEdit{"v[1]=9,9"});
  screen.dispatch(attn::app::action::ChooseCell{{Array::kV, 1, 0}});
  screen.dispatch(attn::app::action::ChooseCell{{Array::kV, 0, 0}});
  const double before = attn::core::arrayOf(*screen.session.before().trace, 0, Array::kV)(1, 0);
  const auto cell = [&] { return std::string(mirrorOf(screen)["table"]["rows"][1]["cells"][0].GetString()); };
  CHECK(cell() == "9");
  REQUIRE(screen.click("Difference"));
  rapidjson::Document json = mirrorOf(screen);
  CHECK(cell() == attn::app::valueText(screen.session.state(), 9 - before));
  CHECK(std::string(json["table"]["caption"].GetString()).find("difference, after − before") != std::string::npos);
  CHECK(std::string(json["live"].GetString()).find("The picture shows the difference") == 0);
  CHECK(explains(json, "These words are about the example as it is edited"));
  REQUIRE(screen.click("Before"));
  CHECK(cell() == attn::app::valueText(screen.session.state(), before));
  REQUIRE(screen.click("After"));
  json = mirrorOf(screen);
  CHECK_FALSE(explains(json, "These words are about"));
  screen.dispatch(attn::app::action::StepBy{-1});
  CHECK(std::string(mirrorOf(screen)["live"].GetString()).find("The picture shows") == std::string::npos);
}

TEST_CASE("after an edit the title of the step is still told, and before the first step everything given") {
  Screen screen;
  rapidjson::Document json = mirrorOf(screen);
  std::string given;
  for (const auto& each : json["given"].GetArray()) given += std::string(each["caption"].GetString()) + "\n";
  for (const char* name : {"wq, ", "wk, ", "wv, "}) CHECK(given.find(name) != std::string::npos);
  for (int i = 0; i < 8; ++i) screen.click("Next step");
  CHECK(mirrorOf(screen)["given"].Empty());
  const std::string title = attn::app::explain(screen.session).headline;
  CHECK_FALSE(explains(mirrorOf(screen), title));  // it is the spoken line
  screen.dispatch(attn::app::action::AddEdit{"v[1]=0,0"});
  CHECK(explains(mirrorOf(screen), title));
}
