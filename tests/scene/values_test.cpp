// What each kind of control takes, and in which form it keeps it.
#include "scene/values.h"

#include <doctest/doctest.h>

namespace {

using namespace attn;
using lesson::Param;
using lesson::ParamKind;

Param paramOf(ParamKind kind) {
  Param param;
  param.key = "p", param.kind = kind, param.minimum = -2, param.maximum = 10;
  param.options = {{"none", "None"}, {"causal", "Causal"}, {"window", "Window"}};
  param.preset = kind == ParamKind::kNumbers ? "1,2,3" : "";
  return param;
}

TEST_CASE("values are kept in one form") {
  struct Case { ParamKind kind; std::string text, value; };
  const Case cases[] = {
      {ParamKind::kInteger, " 07", "7"},     {ParamKind::kInteger, "-2", "-2"},      {ParamKind::kInteger, "1e1", "10"},
      {ParamKind::kNumber, " 1/3 ", "1/3"},  {ParamKind::kNumber, "0.50", "0.50"},   {ParamKind::kChoice, "causal", "causal"},
      {ParamKind::kToggle, "true", "1"},     {ParamKind::kToggle, "0", "0"},         {ParamKind::kToggle, "off", "0"},
      {ParamKind::kSeed, "3", "3"},          {ParamKind::kOrder, "2, 0,1", "2,0,1"}, {ParamKind::kNumbers, "1, -2,1/2", "1,-2,1/2"},
      {ParamKind::kText, " as it is ", " as it is "}, {ParamKind::kText, "", ""},
  };
  for (const Case& each : cases) {
    CAPTURE(each.text);
    const core::Result<std::string> value = scene::checkedValue(paramOf(each.kind), each.text);
    REQUIRE(value.ok());
    CHECK(value.value() == each.value);
    CHECK(scene::checkedValue(paramOf(each.kind), value.value()).value() == each.value);
  }
}

TEST_CASE("other values are refused with the key, the value and what is allowed") {
  struct Case { ParamKind kind; std::string text; };
  const Case cases[] = {
      {ParamKind::kInteger, "11"},   {ParamKind::kInteger, "1.5"},   {ParamKind::kInteger, ""},    {ParamKind::kInteger, "nan"},
      {ParamKind::kNumber, "-2.1"},  {ParamKind::kNumber, "much"},   {ParamKind::kChoice, "None"}, {ParamKind::kChoice, ""},
      {ParamKind::kToggle, "2"},     {ParamKind::kSeed, "-3"},       {ParamKind::kOrder, "0,1"},   {ParamKind::kOrder, "0,1,1"},
      {ParamKind::kOrder, "0,1,3"},  {ParamKind::kOrder, "0,1,0.5"}, {ParamKind::kOrder, "-1,0,1"}, {ParamKind::kNumbers, "1,2"},
      {ParamKind::kNumbers, "1,2,"}, {ParamKind::kNumbers, "1,2,11"},
  };
  for (const Case& each : cases) {
    CAPTURE(each.text);
    const core::Result<std::string> value = scene::checkedValue(paramOf(each.kind), each.text);
    REQUIRE_FALSE(value.ok());
    const std::string& sentence = value.error().message;
    CHECK(sentence.find("`p`") != std::string::npos);
    CHECK(sentence.find("\"" + each.text + "\"") != std::string::npos);
    CHECK(sentence.find(scene::rangeText(paramOf(each.kind))) != std::string::npos);
  }
}

TEST_CASE("a text may have four hundred characters, however many bytes they are") {
  std::string most;
  for (int i = 0; i < 400; ++i) most += "√";
  CHECK(scene::checkedValue(paramOf(ParamKind::kText), most).ok());
  CHECK_FALSE(scene::checkedValue(paramOf(ParamKind::kText), most + "a").ok());
  CHECK(scene::checkedValue(paramOf(ParamKind::kText), std::string(400, '\xF0')).ok());
}

TEST_CASE("every kind has a name that reads back") {
  for (int kind = 0; kind < 8; ++kind) {
    CHECK(scene::parseKind(scene::kindName(static_cast<ParamKind>(kind))) == static_cast<ParamKind>(kind));
  }
  CHECK_FALSE(scene::parseKind("dance"));
}

}  // namespace
