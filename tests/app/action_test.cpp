// Actions as JSON, and the state as JSON.
#include "app/action.h"

#include <doctest/doctest.h>

#include "app/api.h"
#include "io/json.h"

namespace {

using namespace attn;
using namespace attn::app;

template <class A>
A parsed(std::string_view json) {
  const auto action = parseAction(json);
  REQUIRE(action.ok());
  const A* as = std::get_if<A>(&action.value());
  REQUIRE(as != nullptr);
  return *as;
}

std::string refusal(std::string_view json) {
  const auto action = parseAction(json);
  return action ? "accepted" : action.error().message;
}

}  // namespace

TEST_CASE("Each action is read from its type and fields") {
  CHECK(parsed<action::StepBy>(R"({"type":"step"})").by == 1);
  CHECK(parsed<action::StepBy>(R"({"type":"step","by":-2})").by == -2);
  CHECK(parsed<action::StageBy>(R"({"type":"stage","by":3})").by == 3);
  parsed<action::First>(R"({"type":"first"})");
  parsed<action::Last>(R"({"type":"last"})");
  CHECK(parsed<action::Seek>(R"({"type":"seek","position":7})").position == 7);
  parsed<action::TogglePlay>(R"({"type":"play"})");
  parsed<action::Pause>(R"({"type":"pause"})");
  CHECK(parsed<action::ChooseRow>(R"({"type":"row","row":2})").row == 2);
  CHECK(parsed<action::ChooseHead>(R"({"type":"head","head":1})").head == 1);
  CHECK(parsed<action::ChooseCell>(R"({"type":"select","row":2,"col":1})").cell ==
        CellCursor{core::Array::kWeights, 2, 1});
  CHECK(parsed<action::ChooseCell>(R"({"type":"select","row":2,"col":1,"array":"q"})").cell.array == core::Array::kQ);
  parsed<action::LeaveCell>(R"({"type":"leave"})");
  CHECK(parsed<action::SetOrder>(R"({"type":"order","order":"stage"})").order == Order::kStage);
  CHECK(parsed<action::SetGrain>(R"({"type":"grain","grain":"term"})").grain == Grain::kTerm);
  CHECK(parsed<action::SetMask>(R"({"type":"mask","mask":"causal"})").mask == MaskChoice::kCausal);
  CHECK(parsed<action::OpenExample>(R"({"type":"example","id":"cat-sat-down"})").id == "cat-sat-down");
  CHECK(parsed<action::OpenDocument>(R"({"type":"open","text":"{}","name":"a"})").name == "a");
  CHECK(parsed<action::OpenDocument>(R"({"type":"open","text":"{}"})").text == "{}");
  CHECK(parsed<action::LoadLink>(R"({"type":"link","link":"v=1"})").link == "v=1");
  CHECK(!parsed<action::SetExact>(R"({"type":"exact","on":false})").on);
  CHECK(parsed<action::SetDecimals>(R"({"type":"decimals","decimals":2})").decimals == 2);
  CHECK(parsed<action::SetPalette>(R"({"type":"palette","palette":"magma"})").palette == Palette::kMagma);
  CHECK(parsed<action::SetShowSpaces>(R"({"type":"spaces","on":true})").on);
  CHECK(parsed<action::SetSpeed>(R"({"type":"speed","speed":2.5})").steps_per_second == 2.5);
  CHECK(parsed<action::SetRunOn>(R"({"type":"run_on","on":true})").on);
  CHECK(parsed<action::OpenScene>(R"({"type":"scene","id":"masks"})").settings.empty());
  CHECK(parsed<action::OpenScene>(R"({"type":"scene","id":"masks","set":{"d":4,"on":true,"kind":"a"}})").settings ==
        lesson::Settings{{"d", "4"}, {"on", "1"}, {"kind", "a"}});
  CHECK(parsed<action::Set>(R"({"type":"set","key":"d","value":0.1})").value == "0.1");
  CHECK(parsed<action::Set>(R"({"type":"set","key":"d","value":"1/3"})").value == "1/3");
  CHECK(parsed<action::Set>(R"({"type":"set","key":"d","value":false})").value == "0");
  CHECK(parsed<action::SetAll>(R"({"type":"set","values":{"x":1,"y":-2}})").values ==
        lesson::Settings{{"x", "1"}, {"y", "-2"}});
  parsed<action::ResetScene>(R"({"type":"reset"})");
  parsed<action::ReturnToScene>(R"({"type":"return"})");
  parsed<action::RetryScene>(R"({"type":"retry"})");
  parsed<action::StopScene>(R"({"type":"stop"})");
  parsed<action::Undo>(R"({"type":"undo"})");
  parsed<action::Redo>(R"({"type":"redo"})");
}

TEST_CASE("What is no action is refused by name") {
  struct Row {
    const char* json;
    const char* names;
  };
  const Row rows[] = {
      {"", "JSON"},
      {"step", "JSON"},
      {"[]", "object"},
      {"3", "object"},
      {"{}", "type"},
      {R"({"type":3})", "type"},
      {R"({"type":"jump"})", "jump"},
      {R"({"type":"step","by":"1"})", "by"},
      {R"({"type":"step","by":1.5})", "by"},
      {R"({"type":"step","by":1e300})", "by"},
      {R"({"type":"step","bye":1})", "bye"},
      {R"({"type":"first","by":1})", "by"},
      {R"({"type":"seek"})", "position"},
      {R"({"type":"row","row":null})", "row"},
      {R"({"type":"select","row":1})", "col"},
      {R"({"type":"select","row":1,"col":1,"array":"everything"})", "array"},
      {R"({"type":"order","order":"random"})", "order"},
      {R"({"type":"grain","grain":1})", "grain"},
      {R"({"type":"exact","on":"true"})", "on"},
      {R"({"type":"speed","speed":Infinity})", "speed"},
      {R"({"type":"open"})", "text"},
      {R"({"type":"step","type":"first"})", "type"},
      {R"({"type":"scene"})", "id"},
      {R"({"type":"scene","id":"masks","set":[1]})", "set"},
      {R"({"type":"scene","id":"masks","set":{"d":[1]}})", "set"},
      {R"({"type":"set","key":"d"})", "value"},
      {R"({"type":"set","value":1})", "key"},
      {R"({"type":"set","key":"d","value":null})", "value"},
      {R"({"type":"set","key":"d","value":Infinity})", "value"},
      {R"({"type":"set","values":{"d":1},"key":"d"})", "key"},
  };
  for (const Row& row : rows) {
    CAPTURE(row.json);
    CHECK(refusal(row.json).find(row.names) != std::string::npos);
  }
}

TEST_CASE("The state is one object with the link's keys, defaults included, flat but for what is set in a scene") {
  Session session;
  session.dispatch(action::StepBy{8});
  const auto json = io::parseJson(stateJson(session));
  REQUIRE(json.ok());
  const auto text = [&](std::string_view key) { return *json.value().find(key)->as<std::string>(); };
  const auto number = [&](std::string_view key) { return *json.value().find(key)->as<double>(); };
  const auto flag = [&](std::string_view key) { return *json.value().find(key)->as<bool>(); };
  CHECK(number("v") == 1);
  CHECK(text("ex") == "three-positions");
  CHECK(text("mask") == "document");
  CHECK(text("order") == "row");
  CHECK(text("grain") == "row");
  CHECK(text("stage") == "z");
  CHECK(number("row") == 2);
  CHECK(number("at") == 2);
  CHECK(number("col") == -1);
  CHECK(number("term") == -1);
  CHECK(number("head") == 0);
  CHECK(text("cursor") == "");
  CHECK(flag("exact"));
  CHECK(number("dec") == 4);
  CHECK(text("palette") == "viridis");
  CHECK(!flag("spaces"));
  CHECK(number("position") == 8);
  CHECK(number("steps") == 10);
  CHECK(!flag("playing"));
  CHECK(!flag("can_undo"));
  CHECK(!flag("can_redo"));
  CHECK(text("notice") == "");
  for (const auto& member : *json.value().as<io::Json::Members>()) CHECK(member.value.isObject() == (member.name == "set"));
}
