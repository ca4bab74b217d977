// Searching the catalogue, by titles and by the words that each scene is to be found by.
#include <algorithm>
#include <cassert>
#include <map>
#include <string>

#include "lesson/catalogue.h"
#include "lesson/catalogue_find.h"
#include "lesson/translated.h"

namespace attn::lesson {
namespace {

using io::Json;

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

// The text is our own, and a test reads it.
std::map<std::string, std::string, std::less<>> readWords() {
  std::map<std::string, std::string, std::less<>> words;
  core::Result<Json> json = io::parseJson(texts::catalogue_find_json);
  assert(json.ok());
  translate(json.value());
  for (const Json& each : *json.value().as<Json::Items>()) {
    words[*each.find("id")->as<std::string>()] = *each.find("find")->as<std::string>();
  }
  return words;
}

std::string wordsToFind(const std::string& id) {
  static const auto kWords = readWords();
  const auto found = kWords.find(id);
  return (found == kWords.end() ? "" : found->second) + " " + id;
}

}  // namespace

std::vector<const CatalogueEntry*> searchCatalogue(std::string_view query) {
  const std::vector<std::string> words = wordsOf(query);
  std::vector<const CatalogueEntry*> found;
  const auto look = [&](const CatalogueEntry& entry, const std::string& more) {
    const std::string text = lowered(entry.title + " " + more);
    const auto holds = [&](const std::string& word) { return text.find(word) != std::string::npos; };
    if (!words.empty() && std::all_of(words.begin(), words.end(), holds)) found.push_back(&entry);
  };
  // In the teaching order only, so that a section does not answer for its scene.
  for (const CatalogueOrder& order : catalogue())
    for (const CatalogueEntry& entry : order.entries) look(entry, &order == &catalogue().front() ? wordsToFind(entry.id) : "");
  look(sceneOfFiles(), wordsToFind(sceneOfFiles().id));
  return found;
}

}  // namespace attn::lesson
