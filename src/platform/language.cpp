// The tables are built into the program. See language.h.
#include "platform/language.h"

#include <algorithm>
#include <cstdlib>
#include <iterator>

#include "core/language.h"
#include "io/language.h"
#include "platform/languages.h"

namespace attn::platform {
namespace {

struct Table {
  std::string_view code, json;
};
constexpr Table kTables[] = {{"de", languages::de_json}};

const Table* findTable(std::string_view code) {
  const auto* found = std::find_if(std::begin(kTables), std::end(kTables), [&](const Table& each) { return each.code == code; });
  return found == std::end(kTables) ? nullptr : found;
}

}  // namespace

core::Check setLanguage(std::string_view code) {
  if (code == "en") return std::nullopt;
  const Table* table = findTable(code);
  if (!table) {
    std::string codes = "en";
    for (const Table& each : kTables) codes += ", " + std::string(each.code);
    return core::Error{"--language: there is no \"" + std::string(code) + "\"; there are " + codes + "."};
  }
  auto read = io::readTranslations(table->json);
  if (!read) return read.error();
  core::setTranslations(read.take());
  return std::nullopt;
}

std::string languageOfSystem() {
  for (const char* name : {"LC_ALL", "LC_MESSAGES", "LANG"}) {
    const char* value = std::getenv(name);
    if (!value || !*value) continue;
    const std::string_view text = value;
    const std::string_view code = text.substr(0, text.find_first_of("_.@"));
    return findTable(code) ? std::string(code) : "en";
  }
  return "en";
}

}  // namespace attn::platform
