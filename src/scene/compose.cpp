// A text file and what was computed, put together into a page.
#include <algorithm>

#include "core/number.h"
#include "io/json.h"
#include "lesson/fields.h"
#include "lesson/translated.h"
#include "lesson/page_json.h"
#include "scene/text_file.h"
#include "scene/words.h"

namespace attn::scene {
namespace {

using io::Json;
using lesson::Block;
using lesson::Fields;
using lesson::Words;

// Everything that one item may say.
struct Item {
  std::string heading, note, code, figure, title, claim, text, otherwise, blocks, question, answer, jump, link;
  bool beside = false, mistake = false;
};

class Composer {
 public:
  Composer(const Outputs& outputs, const Filler& filler, core::Check& failure, lesson::Page& page)
      : outputs_(outputs), filler_(filler), failure_(failure), page_(page) {}

  void addItem(const Json& json, const std::string& path) {
    if (const auto* text = json.as<std::string>()) return addWords(Words::Style::kText, *text);
    Fields fields(json, path, failure_);
    fields.onlyKnown({"heading", "note", "code", "figure", "title", "beside", "claim", "text", "otherwise", "mistake",
                      "blocks", "question", "answer", "jump", "link", "when"});
    if (!wanted(fields)) return;
    const Item item = readItem(fields);
    if (!item.figure.empty()) addFigure(item);
    else if (!item.claim.empty()) addClaim(item);
    else if (!item.blocks.empty()) addBlocks(item.blocks);
    else if (!item.question.empty()) add(lesson::Question{filler_.fill(item.question), filler_.fill(item.answer)});
    else if (!item.jump.empty()) add(lesson::Jump{filler_.fill(item.jump), filler_.fill(item.link)});
    else if (!item.heading.empty()) addWords(Words::Style::kHeading, item.heading);
    else if (!item.note.empty()) addWords(Words::Style::kNote, item.note);
    else if (!item.code.empty()) addWords(Words::Style::kCode, item.code);
    else if (!item.text.empty()) addWords(Words::Style::kText, item.text);
    else fields.refuse("heading", json, "and every other kind of item are missing; see text_file.h");
  }

  // A text, or the first of a list whose "when" holds.
  std::string sentence(Fields& fields, std::string_view name) {
    std::string text;
    const Json* json = fields.find(name);
    const auto* list = json ? json->as<Json::Items>() : nullptr;
    if (!list) fields.text(name, text);
    for (std::size_t i = 0; list && i < list->size() && text.empty(); ++i) {
      Fields each((*list)[i], fields.fullName(name) + "[" + std::to_string(i) + "]", failure_);
      each.onlyKnown({"text", "when"});
      if (wanted(each)) each.text("text", text);
    }
    return filler_.fill(text);
  }

  void addSource(const Json& json, const std::string& path) {
    lesson::Source source;
    Fields fields(json, path, failure_);
    fields.onlyKnown({"authors", "year", "title", "section", "measured", "when"});
    if (!wanted(fields)) return;
    fields.text("authors", source.authors);
    fields.text("year", source.year);
    fields.text("title", source.title);
    fields.text("section", source.section);
    fields.text("measured", source.measured);
    add(std::move(source));
  }

 private:
  template <class Content>
  void add(Content content) { page_.blocks.push_back({std::move(content)}); }
  void addWords(Words::Style style, std::string_view text) { add(Words{style, filler_.fill(text)}); }

  static Item readItem(Fields& fields) {
    Item item;
    const std::pair<const char*, std::string*> texts[] = {
        {"heading", &item.heading}, {"note", &item.note},     {"code", &item.code},         {"figure", &item.figure},
        {"title", &item.title},     {"claim", &item.claim},   {"text", &item.text},         {"otherwise", &item.otherwise},
        {"blocks", &item.blocks},   {"answer", &item.answer}, {"question", &item.question}, {"jump", &item.jump},
        {"link", &item.link}};
    for (const auto& [name, text] : texts) fields.text(name, *text);
    fields.flag("beside", item.beside);
    fields.flag("mistake", item.mistake);
    return item;
  }

  bool wanted(Fields& fields) const {
    const Json* when = fields.find("when");
    if (!when) return !failure_;
    if (const auto* condition = when->as<std::string>()) return filler_.holds(*condition);
    std::vector<std::string> conditions;
    fields.texts("when", conditions);
    return std::all_of(conditions.begin(), conditions.end(), [&](const auto& each) { return filler_.holds(each); });
  }

  void addFigure(const Item& item) {
    const auto named = [&](const Outputs::Named& each) { return each.name == item.figure; };
    const auto found = std::find_if(outputs_.figures.begin(), outputs_.figures.end(), named);
    if (found == outputs_.figures.end()) return missing("figure", item.figure);
    Block block = found->block;
    block.beside = item.beside;
    std::visit([&](auto& content) { dress(content, item); }, block.content);
    page_.blocks.push_back(std::move(block));
  }

  template <class Content>
  void dress(Content& content, const Item& item) const {
    if constexpr (requires { content.title; content.note; }) {
      if (!item.title.empty()) content.title = filler_.fill(item.title);
      if (!item.note.empty()) content.note = filler_.fill(item.note);
    }
  }

  void addClaim(const Item& item) {
    const bool holds = filler_.flag(item.claim);
    const std::string& text = !holds && !item.otherwise.empty() ? item.otherwise : item.text;
    add(lesson::Claim{filler_.fill(text), holds, item.mistake});
  }

  void addBlocks(const std::string& name) {
    const auto named = [&](const auto& each) { return each.first == name; };
    const auto found = std::find_if(outputs_.lists.begin(), outputs_.lists.end(), named);
    if (found == outputs_.lists.end()) return missing("list of blocks", name);
    page_.blocks.insert(page_.blocks.end(), found->second.begin(), found->second.end());
  }

  void missing(const char* what, const std::string& name) {
    if (!failure_) failure_ = core::Error{std::string("The page names the ") + what + " `" + name +
                                          "`, which was not made; make it, or take it out of the page."};
  }

  const Outputs& outputs_;
  const Filler& filler_;
  core::Check& failure_;
  lesson::Page& page_;
};

const Json::Items& itemsOf(Fields& fields, std::string_view name) {
  static const Json::Items kNone;
  const Json* list = fields.find(name);
  const auto* items = list ? list->as<Json::Items>() : nullptr;
  if (list && !items) fields.refuse(name, *list, "is not a list of items; see text_file.h");
  return items ? *items : kNone;
}

void giveOptions(lesson::Param& param, const std::vector<lesson::ParamOption>& list) {
  const auto known = [&](const lesson::ParamOption& option) { return option.id == param.value; };
  param.options = list;
  if (param.preset.empty()) param.preset = list.front().id;
  if (std::none_of(list.begin(), list.end(), known)) param.value = param.preset;
}

// What the computation decided about the controls.
void adjustParams(const Outputs& outputs, std::vector<lesson::Param>& params) {
  for (lesson::Param& param : params) {
    const auto& hidden = outputs.hidden;
    if (std::find(hidden.begin(), hidden.end(), param.key) != hidden.end()) param.shown = false;
    for (const auto& [key, id] : outputs.standards)
      if (key == param.key && param.preset.empty()) param.preset = id;
    for (const auto& [key, text] : outputs.hints)
      if (key == param.key) param.hint = text;
    for (const auto& [key, list] : outputs.choices)
      if (key == param.key && !list.empty()) giveOptions(param, list);
    for (const auto& [key, maximum] : outputs.limits) {
      if (key != param.key) continue;
      param.maximum = maximum;
      // A preset beyond it means the last: nobody has set what it is then.
      for (std::string* text : {&param.value, &param.preset})
        if (core::parseNumber(*text).value_or(0) > maximum) *text = core::fullText(maximum);
    }
  }
}

core::Check arrange(const Json& json, const Outputs& outputs, lesson::Page& page) {
  core::Check failure;
  const Filler filler(page.params, page.results, failure);
  Fields fields(json, "", failure);
  fields.onlyKnown({"title", "look", "params", "page", "says", "further"});
  fields.text("title", page.title);
  Composer composer(outputs, filler, failure, page);
  page.look = composer.sentence(fields, "look");
  page.says = composer.sentence(fields, "says");
  const Json::Items& items = itemsOf(fields, "page");
  for (std::size_t i = 0; i < items.size(); ++i) composer.addItem(items[i], "page[" + std::to_string(i) + "]");
  const Json::Items& further = itemsOf(fields, "further");
  for (std::size_t i = 0; i < further.size(); ++i) {
    composer.addSource(further[i], "further[" + std::to_string(i) + "]");
  }
  return failure;
}

}  // namespace

core::Result<lesson::Page> compose(std::string_view id, std::string_view text, const Settings& settings, const Compute& compute,
                                   const Progress& progress) {
  core::Result<Json> json = io::parseJson(text);
  if (!json) return json.error();
  lesson::translate(json.value());
  core::Result<std::vector<lesson::Param>> params = readParams(text);
  if (!params) return params.error();
  lesson::Page page;
  page.id = id;
  page.params = params.take();
  if (core::Check wrong = applySettings(id, settings, page.params)) return *wrong;
  Outputs outputs;
  const Progress go_on = [](double) { return true; };
  if (core::Check wrong = compute(Inputs(page.params), outputs, progress ? progress : go_on)) return *wrong;
  adjustParams(outputs, page.params);
  page.results = std::move(outputs.results);
  page.document = std::move(outputs.opens);
  page.moment = std::move(outputs.moment);
  page.made_with = std::move(outputs.made_with);
  if (core::Check wrong = arrange(json.value(), outputs, page)) return *wrong;
  std::erase_if(page.params, [](const lesson::Param& param) { return param.context; });
  if (core::Check wrong = lesson::checkPage(page)) return *wrong;
  return page;
}

}  // namespace attn::scene
