// Nothing that a scene says escapes the table of a language.
#include <doctest/doctest.h>

#include <algorithm>
#include <cctype>

#include "core/language.h"
#include "io/json.h"
#include "io/language.h"
#include "lesson/page_json.h"
#include "scene/scene.h"
#include "support/array_files.h"
#include "support/languages.h"

namespace {

using namespace attn;
using io::Json;

// Each text in brackets that nothing else has: what stands outside of them has not come through the table.
core::Translations bracketed() {
  core::Translations all = io::readTranslations(test::arrayFile("../../../src/language/de.json")).take();
  for (auto& [english, other] : all) other = "⟦" + english + "⟧";
  return all;
}

std::string outside(const std::string& text) {
  std::string rest;
  int depth = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text.compare(i, 3, "⟦") == 0) ++depth, i += 2;
    else if (text.compare(i, 3, "⟧") == 0) --depth, i += 2;
    else if (depth == 0) rest += text[i];
  }
  return rest;
}

bool hasWord(const std::string& text) {
  int letters = 0;
  for (const char c : text) {
    letters = std::isalpha(static_cast<unsigned char>(c)) ? letters + 1 : 0;
    if (letters == 3) return true;
  }
  return false;
}

constexpr std::string_view kNames[] = {"id", "key", "kind", "preset", "value", "values", "link", "type", "style", "scale", "role",
                                       "x_key", "y_key", "order_key", "authors", "judgement", "keys", "blocked"};
// Where the tokens of an example, code and edits may stand.
constexpr std::string_view kOfExamples[] = {"row_labels", "column_labels", "columns", "rows", "text", "positions"};

template <class Names>
bool isOne(const Names& names, std::string_view name) {
  return std::find(std::begin(names), std::end(names), name) != std::end(names);
}

// Words that only a sentence has.
bool hasGlue(const std::string& text) {
  for (const char* glue : {" of ", " and ", " is ", " with ", " for ", " which ", " than ", " from "}) {
    if (text.find(glue) != std::string::npos) return true;
  }
  return false;
}

void collect(const Json& json, std::string_view name, std::vector<std::string>& found) {
  if (isOne(kNames, name)) return;
  if (const auto* text = json.as<std::string>()) {
    const std::string rest = outside(*text);
    if (isOne(kOfExamples, name) || rest.rfind("→ ", 0) == 0 ? hasGlue(rest) : hasWord(rest)) found.push_back(std::string(name) + ": " + *text);
  } else if (const auto* items = json.as<Json::Items>()) {
    for (const Json& item : *items) collect(item, name, found);
  } else if (const auto* members = json.as<Json::Members>()) {
    for (const io::JsonMember& member : *members) {
      if (!(json.find("authors") && member.name == "title")) collect(member.value, member.name, found);
    }
  }
}

}  // namespace

TEST_CASE("every scene says all that it says through the table of the language") {
  const test::Language language(bracketed());
  for (const scene::Scene& each : scene::scenes()) {
    std::vector<lesson::Settings> variants = {{}};
    const auto params = scene::paramsOf(each.id).take();
    for (const lesson::Param& param : params) {
      for (const lesson::ParamOption& option : param.options) {
        if (param.kind == lesson::ParamKind::kChoice) variants.push_back({{param.key, option.id}});
      }
    }
    std::vector<std::string> found;
    for (const lesson::Settings& settings : variants) {
      const core::Result<lesson::Page> page = scene::run(each, settings);
      if (page) collect(io::parseJson(lesson::pageJson(page.value())).take(), "", found);
      else if (hasWord(outside(page.error().message))) found.push_back(page.error().message);
    }
    std::sort(found.begin(), found.end());
    found.erase(std::unique(found.begin(), found.end()), found.end());
    std::string all;
    for (const std::string& text : found) all += "\n" + text;
    CHECK_MESSAGE(found.empty(), (std::string(each.id) + all));
  }
}
