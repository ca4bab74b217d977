// A page for who cannot see it.
#include <doctest/doctest.h>
#include <rapidjson/document.h>

#include "app/explain.h"
#include "ui/mirror.h"
#include "ui/scene_pages.h"

using attn::test::Screen;

namespace {

rapidjson::Document mirrorOf(Screen& screen) {
  rapidjson::Document json;
  json.Parse(attn::ui::mirrorJson(screen.session, screen.view, screen.recorder).c_str());
  REQUIRE_FALSE(json.HasParseError());
  return json;
}

const rapidjson::Value* tableCalled(const rapidjson::Document& json, const std::string& start) {
  for (const auto& each : json["page"].GetArray())
    if (std::string(each["kind"].GetString()) == "table" && std::string(each["caption"].GetString()).rfind(start, 0) == 0)
      return &each;
  return nullptr;
}

std::string texts(const rapidjson::Document& json) {
  std::string all;
  for (const auto& each : json["page"].GetArray())
    if (each.HasMember("text")) all += std::string(each["kind"].GetString()) + ": " + each["text"].GetString() + "\n";
  return all;
}

std::string cell(const rapidjson::Value& table, unsigned row, unsigned column) {
  return table["rows"][row]["cells"][column].GetString();
}

}  // namespace

TEST_CASE("the mirror says every word of a page, and what came out aloud") {
  Screen screen;
  openPage(screen, attn::test::everyBlock());
  const auto json = mirrorOf(screen);
  CHECK(std::string(json["title"].GetString()) == "Why a word needs its context");
  CHECK(std::string(json["live"].GetString()) == attn::test::everyBlock().says);
  const std::string all = texts(json);
  for (const char* line : {"text: Look at the two rows", "text: The same word stands", "heading: Reading the maps", "note: The numbers",
                           "code: for row in scores:\n    weights", "claim: Both outputs are equal. true",
                           "claim: Attention makes them equal. false",
                           "claim: Wrong on purpose: The mask came after the softmax.", "question: Why are they equal?",
                           "heading: Read further", "source: Vaswani et al. (2017), Attention Is All You Need, section 3.2."}) {
    CAPTURE(line);
    CHECK(all.find(line) != std::string::npos);
  }
}

TEST_CASE("names of a file are said and copied without the ticks around them, and code as it is written") {
  using attn::lesson::Words;
  Screen screen;
  attn::lesson::Page page = attn::test::everyBlock();
  page.says = "`q` (4×3) and `k` (4×5) differ.";
  page.blocks = {{Words{Words::Style::kText, "The softmax of `a`, ` alone."}}, {Words{Words::Style::kCode, "x = `y`"}}};
  openPage(screen, page);
  const auto json = mirrorOf(screen);
  CHECK(std::string(json["live"].GetString()) == "q (4×3) and k (4×5) differ.");
  CHECK(texts(json).find("text: The softmax of a, ` alone.\ncode: x = `y`\n") != std::string::npos);
  const std::string copied = attn::app::plainText(screen.session);
  CHECK(copied.find("The softmax of a, ` alone.\nx = `y`\nq (4×3) and k (4×5) differ.\n") != std::string::npos);
}

TEST_CASE("the mirror says an answer once it is shown") {
  Screen screen(1280, 6000);
  openPage(screen, attn::test::everyBlock());
  CHECK(texts(mirrorOf(screen)).find("Equal things") == std::string::npos);
  REQUIRE(screen.click("Show the answer"));
  CHECK(texts(mirrorOf(screen)).find("answer: Equal things have equal images.") != std::string::npos);
}

TEST_CASE("every figure is a table with heads in the mirror") {
  Screen screen;
  openPage(screen, attn::test::everyBlock());
  const auto json = mirrorOf(screen);
  const auto* weights = tableCalled(json, "Weights of the first head");
  REQUIRE(weights);
  CHECK(std::string((*weights)["caption"].GetString()).find("Each row reads, each column is read") != std::string::npos);
  CHECK(std::string((*weights)["columns"][1].GetString()) == "river");
  CHECK(std::string((*weights)["rows"][2]["head"].GetString()) == "bank");
  CHECK(cell(*weights, 2, 2) == "0.500");
  CHECK(cell(*weights, 0, 1) == "may not be read: causal");
  const auto* big = tableCalled(json, "Position vectors");
  REQUIRE(big);
  CHECK((*big)["columns"].Size() == 64);
  CHECK(std::string((*big)["caption"].GetString()).find("The first 64 of 128 columns") != std::string::npos);
  const auto* changes = tableCalled(json, "What changed");
  REQUIRE(changes);
  CHECK(cell(*changes, 1, 2) == "0.4181");
  const auto* spread = tableCalled(json, "Spread of scores");
  REQUIRE(spread);
  CHECK((*spread)["rows"].Size() == 11);
  CHECK(cell(*spread, 0, 1) == "1.0000");
  const auto* bars = tableCalled(json, "Weights of one row");
  REQUIRE(bars);
  CHECK(std::string((*bars)["rows"][1]["head"].GetString()) == "cat");
  CHECK(cell(*bars, 1, 1) == "0.5000");
  const auto* plane = tableCalled(json, "Queries and keys");
  REQUIRE(plane);
  CHECK(cell(*plane, 1, 0) == "key arrow");
  CHECK(cell(*plane, 1, 1) == "1.5000, 0.5000");
  const auto* sentence = tableCalled(json, "Sentence");
  REQUIRE(sentence);
  CHECK(cell(*sentence, 1, 0) == "0.6300");
  const auto* flow = tableCalled(json, "What reads what");
  REQUIRE(flow);
  CHECK(flow->HasMember("rows"));
}

TEST_CASE("controls of a scene have roles, values and the group that their name stands for") {
  Screen screen(1280, 6000);
  openPage(screen, attn::test::everyBlock());
  const auto json = mirrorOf(screen);
  bool field = false, radio = false, handle = false;
  for (const auto& each : json["controls"].GetArray()) {
    const std::string id = each["id"].GetString(), role = each["role"].GetString(), group = each["group"].GetString();
    if (id == "try/temperature/field") field = role == "textbox" && std::string(each["valueText"].GetString()) == "1" && group == "Temperature";
    if (id == "try/mask/causal") radio = role == "radio" && each["checked"].GetBool() && group == "Mask";
    if (id == "page/plane/13/arrow/1") handle = each["handle"].GetBool() && std::string(each["valueText"].GetString()) == "1.50, 0.50";
  }
  CHECK(field);
  CHECK(radio);
  CHECK(handle);
}
