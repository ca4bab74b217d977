// See language.h.
#include "io/language.h"

#include <string>

#include "io/json.h"

namespace attn::io {

core::Result<core::Translations> readTranslations(std::string_view json) {
  const auto parsed = parseJson(json);
  if (!parsed) return parsed.error();
  const auto* members = parsed.value().as<Json::Members>();
  if (!members) return core::Error{tr("The table of a language is an object of texts, not {0}.", {parsed.value().kindText()})};
  core::Translations all;
  for (const JsonMember& each : *members) {
    const auto* text = each.value.as<std::string>();
    if (!text) return core::Error{tr("“{0}” has {1} in the table of a language; it needs a text.", {each.name, each.value.kindText()})};
    all.emplace(each.name, *text);
  }
  return all;
}

}  // namespace attn::io
