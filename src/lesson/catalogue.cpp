// The catalogue that is built in, and searching it. Knows no scene beyond its id.
#include "lesson/catalogue.h"

#include <algorithm>
#include <cassert>

#include "core/language.h"
#include "io/json.h"
#include "lesson/catalogue_text.h"
#include "lesson/fields.h"
#include "lesson/translated.h"

namespace attn::lesson {
namespace {

using io::Json;

struct Catalogue {
  std::vector<CatalogueOrder> orders;
  std::vector<std::string> find;  // of each entry of the teaching order: its words to be found by
  CatalogueEntry of_files;        // in no order
  std::string find_of_files;
};

// The scene that a link opens.
std::string sceneOf(std::string_view link) {
  constexpr std::string_view kKey = "&scene=";
  const std::size_t at = link.find(kKey);
  if (at == std::string_view::npos) return "walkthrough";
  const std::string_view rest = link.substr(at + kKey.size());
  return std::string(rest.substr(0, rest.find('&')));
}

void readScene(const Json& json, Catalogue& catalogue, core::Check& failure) {
  CatalogueEntry entry;
  std::string find;
  Fields fields(json, "scenes", failure);
  fields.onlyKnown({"id", "title", "link", "find", "of_example", "of_model", "of_files"});
  fields.text("id", entry.id);
  fields.text("title", entry.title);
  fields.text("link", entry.link);
  fields.text("find", find);
  fields.flag("of_example", entry.of_example);
  fields.flag("of_model", entry.of_model);
  fields.flag("of_files", entry.of_files);
  if (entry.link.empty()) entry.link = "v=1&scene=" + entry.id;
  if (entry.of_files) {
    catalogue.of_files = std::move(entry);
    catalogue.find_of_files = std::move(find);
    return;
  }
  catalogue.orders.front().entries.push_back(std::move(entry));
  catalogue.find.push_back(std::move(find));
}

const Json::Items& itemsOf(const Json& json, std::string_view name) {
  static const Json::Items kNone;
  const Json* list = json.find(name);
  const auto* items = list ? list->as<Json::Items>() : nullptr;
  return items ? *items : kNone;
}

CatalogueOrder readOrder(const Json& json, core::Check& failure) {
  CatalogueOrder order;
  Fields fields(json, "orders", failure);
  fields.onlyKnown({"id", "title", "entries"});
  fields.text("id", order.id);
  fields.text("title", order.title);
  for (const Json& item : itemsOf(json, "entries")) {
    CatalogueEntry entry;
    Fields entry_fields(item, "entries", failure);
    entry_fields.onlyKnown({"title", "link"});
    entry_fields.text("title", entry.title);
    entry_fields.text("link", entry.link);
    entry.id = sceneOf(entry.link);
    order.entries.push_back(std::move(entry));
  }
  return order;
}

// The text is our own, and a test reads it: what is wrong with it is a programmer's mistake.
Catalogue readCatalogue() {
  Catalogue catalogue;
  catalogue.orders.push_back({"teaching", tr("Teaching order"), {}});
  core::Result<Json> json = io::parseJson(texts::catalogue_json);
  assert(json.ok());
  translate(json.value());
  core::Check failure;
  for (const Json& scene : itemsOf(json.value(), "scenes")) readScene(scene, catalogue, failure);
  for (const Json& order : itemsOf(json.value(), "orders")) catalogue.orders.push_back(readOrder(order, failure));
  assert(!failure);
  return catalogue;
}

const Catalogue& read() {
  static const Catalogue kCatalogue = readCatalogue();
  return kCatalogue;
}

// Case aside for the letters that our titles have; everything else byte for byte.
std::string lowered(std::string_view text) {
  std::string lower(text);
  for (char& c : lower) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  }
  return lower;
}

std::vector<std::string> wordsOf(std::string_view text) {
  std::vector<std::string> words;
  std::string lower = lowered(text);
  for (std::size_t start = 0; start < lower.size();) {
    const std::size_t end = std::min(lower.find(' ', start), lower.size());
    if (end > start) words.push_back(lower.substr(start, end - start));
    start = end + 1;
  }
  return words;
}

// The words that its scene is found by: in the teaching order only, so that a section does not answer for its scene.
std::string findOf(const CatalogueOrder& order, std::size_t at) {
  return &order == &read().orders.front() ? read().find[at] + " " + order.entries[at].id : std::string();
}

}  // namespace

const std::vector<CatalogueOrder>& catalogue() { return read().orders; }

const CatalogueEntry* findScene(std::string_view id) {
  const std::vector<CatalogueEntry>& entries = read().orders.front().entries;
  if (read().of_files.id == id) return &read().of_files;
  const auto found = std::find_if(entries.begin(), entries.end(), [&](const auto& entry) { return entry.id == id; });
  return found == entries.end() ? nullptr : &*found;
}

const CatalogueEntry& sceneOfFiles() { return read().of_files; }

std::vector<const CatalogueEntry*> searchCatalogue(std::string_view query) {
  const std::vector<std::string> words = wordsOf(query);
  std::vector<const CatalogueEntry*> found;
  const auto look = [&](const CatalogueEntry& entry, const std::string& find) {
    const std::string text = lowered(entry.title + " " + find);
    const auto holds = [&](const std::string& word) { return text.find(word) != std::string::npos; };
    if (!words.empty() && std::all_of(words.begin(), words.end(), holds)) found.push_back(&entry);
  };
  for (const CatalogueOrder& order : catalogue())
    for (std::size_t i = 0; i < order.entries.size(); ++i) look(order.entries[i], findOf(order, i));
  look(read().of_files, read().find_of_files);
  return found;
}

}  // namespace attn::lesson
