// The catalogue that is built in. Knows no scene beyond its id.
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
  CatalogueEntry of_files;        // in no order
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
  Fields fields(json, "scenes", failure);
  fields.onlyKnown({"id", "title", "link", "of_example", "of_model", "of_files"});
  fields.text("id", entry.id);
  fields.text("title", entry.title);
  fields.text("link", entry.link);
  fields.flag("of_example", entry.of_example);
  fields.flag("of_model", entry.of_model);
  fields.flag("of_files", entry.of_files);
  if (entry.link.empty()) entry.link = "v=1&scene=" + entry.id;
  if (entry.of_files) {
    catalogue.of_files = std::move(entry);
    return;
  }
  catalogue.orders.front().entries.push_back(std::move(entry));
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

}  // namespace

const std::vector<CatalogueOrder>& catalogue() { return read().orders; }

const CatalogueEntry* findScene(std::string_view id) {
  const std::vector<CatalogueEntry>& entries = read().orders.front().entries;
  if (read().of_files.id == id) return &read().of_files;
  const auto found = std::find_if(entries.begin(), entries.end(), [&](const auto& entry) { return entry.id == id; });
  return found == entries.end() ? nullptr : &*found;
}

const CatalogueEntry& sceneOfFiles() { return read().of_files; }

}  // namespace attn::lesson
