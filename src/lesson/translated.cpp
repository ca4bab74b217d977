// Which texts of our JSON files are said to people. See translated.h.
#include "lesson/translated.h"

#include <algorithm>
#include <string_view>

#include "core/language.h"

namespace attn::lesson {
namespace {

using io::Json;

constexpr std::string_view kWords[] = {"title", "look", "label", "hint", "text", "heading", "note", "otherwise", "question",
                                       "answer", "jump", "says", "measured", "section", "year", "instruction", "why", "find"};

bool isWords(std::string_view name) { return std::find(std::begin(kWords), std::end(kWords), name) != std::end(kWords); }

void translateText(Json& json) {
  if (auto* text = std::get_if<std::string>(&json.value)) *text = trText(*text);
}

// [["id", "label"], …], or a list of labels.
void translateOptions(Json& json) {
  auto* options = std::get_if<Json::Items>(&json.value);
  if (!options) return;
  for (Json& option : *options) {
    auto* pair = std::get_if<Json::Items>(&option.value);
    translateText(pair && pair->size() == 2 ? (*pair)[1] : option);
  }
}

// A list whose texts are paragraphs.
void translatePage(Json& json) {
  auto* items = std::get_if<Json::Items>(&json.value);
  if (items) std::for_each(items->begin(), items->end(), translateText);
}

}  // namespace

void translate(Json& json) {
  if (auto* items = std::get_if<Json::Items>(&json.value)) {
    for (Json& item : *items) translate(item);
  }
  auto* members = std::get_if<Json::Members>(&json.value);
  if (!members) return;
  const bool of_a_work = json.find("authors");  // its title is its own
  for (io::JsonMember& member : *members) {
    if (isWords(member.name) && !(of_a_work && member.name == "title")) translateText(member.value);
    if (member.name == "options") translateOptions(member.value);
    if (member.name == "page") translatePage(member.value);
    translate(member.value);
  }
}

}  // namespace attn::lesson
