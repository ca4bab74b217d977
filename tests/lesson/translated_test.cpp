// Which texts of our JSON files a table of another language reaches.
#include "lesson/translated.h"

#include <doctest/doctest.h>

#include "lesson/example.h"
#include "support/languages.h"

using namespace attn;

namespace {

io::Json translated(std::string_view text, core::Translations translations) {
  const test::Language language(std::move(translations));
  io::Json json = io::parseJson(text).take();
  lesson::translate(json);
  return json;
}

std::string textOf(const io::Json* json) { return json && json->as<std::string>() ? *json->as<std::string>() : "?"; }

}  // namespace

TEST_CASE("what is said is translated, and what names something is not") {
  const io::Json json = translated(R"({"key": "one", "label": "one", "page": ["one", {"figure": "one", "note": "one", "when": "one"}]})",
                                   {{"one", "eins"}});
  CHECK(textOf(json.find("key")) == "one");
  CHECK(textOf(json.find("label")) == "eins");
  const auto& page = *json.find("page")->as<io::Json::Items>();
  CHECK(textOf(&page[0]) == "eins");
  CHECK(textOf(page[1].find("note")) == "eins");
  CHECK(textOf(page[1].find("figure")) == "one");
  CHECK(textOf(page[1].find("when")) == "one");
}

TEST_CASE("of options the labels are translated, and of a work nothing but what it measured") {
  const io::Json json = translated(R"({"options": [["one", "one"]], "further": [{"authors": "A", "title": "one", "measured": "one"}]})",
                                   {{"one", "eins"}});
  const auto& option = *(*json.find("options")->as<io::Json::Items>())[0].as<io::Json::Items>();
  CHECK(textOf(&option[0]) == "one");
  CHECK(textOf(&option[1]) == "eins");
  const io::Json& work = (*json.find("further")->as<io::Json::Items>())[0];
  CHECK(textOf(work.find("title")) == "one");
  CHECK(textOf(work.find("measured")) == "eins");
}

TEST_CASE("built-in examples and tasks are in the language that is set, under the same names") {
  const test::Language language(core::Translations{{"The cat sat down", "Die Katze"}, {"A softmax by hand", "Von Hand"}});
  const auto cat = lesson::builtInExample("cat-sat-down");
  const std::vector<lesson::Example> documents = lesson::taskDocuments();
  CHECK(cat.value().title == "Die Katze");
  CHECK(cat.value().tokens[0] == "the");
  CHECK(documents[0].tasks[0].title == "Von Hand");
  CHECK(documents[0].tasks[0].name == "A softmax by hand");
}
