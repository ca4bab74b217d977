// Tables of languages as they are read.
#include "io/language.h"

#include <doctest/doctest.h>

using namespace attn;

TEST_CASE("the table of a language gives a text for each English one") {
  const auto table = io::readTranslations(R"({"{0} of {1}": "{0} von {1}", "a \"b\"": "ä „b“"})");
  REQUIRE(table.ok());
  CHECK(table.value() == core::Translations{{"{0} of {1}", "{0} von {1}"}, {"a \"b\"", "ä „b“"}});
  CHECK(io::readTranslations("{}").value().empty());
}

TEST_CASE("what is no table of a language is refused") {
  for (const char* wrong : {"", "[]", "\"a\"", R"({"a": 1})", R"({"a": {"b": "c"}})", R"({"a": "b")"}) {
    INFO(wrong);
    CHECK_FALSE(io::readTranslations(wrong).ok());
  }
}
