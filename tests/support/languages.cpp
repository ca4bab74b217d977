// See languages.h.
#include "support/languages.h"

#include <doctest/doctest.h>

#include "io/language.h"
#include "support/array_files.h"

namespace attn::test {

Language::Language(const std::string& code) {
  if (code == "en") return;
  auto table = io::readTranslations(arrayFile("../../../src/language/" + code + ".json"));
  REQUIRE_MESSAGE(table.ok(), (table ? "" : table.error().message));
  core::setTranslations(table.take());
}

Language::Language(core::Translations translations) { core::setTranslations(std::move(translations)); }

Language::~Language() { core::setTranslations({}); }

}  // namespace attn::test
