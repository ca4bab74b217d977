// What is said in a language, and in English where there is no other.
#include "core/language.h"

#include <doctest/doctest.h>

#include <cstdint>
#include <limits>

#include "support/languages.h"

using namespace attn;
using test::Language;

TEST_CASE("without a table English is said, with its places filled in") {
  CHECK(tr("One layer") == "One layer");
  CHECK(tr("Row {1} of {0}", {"the map", 7}) == "Row 7 of the map");
  CHECK(tr("{0}{0}", {std::string("ab")}) == "abab");
  CHECK(tr("", {}) == "");
  CHECK(tr("{0}, {1}", {std::numeric_limits<std::int64_t>::min(), std::numeric_limits<std::uint64_t>::max()}) ==
        "-9223372036854775808, 18446744073709551615");
}

TEST_CASE("the form of a word follows its number") {
  for (const auto& [count, text] : {std::pair(0, "0 layers fit"), std::pair(1, "1 layer fits"), std::pair(21, "21 layers fit")}) {
    CHECK(tr("{0} {0|layer|layers} {0|fits|fit}", {count}) == text);
  }
  CHECK(tr("{0} {0|row|rows}", {"1,001"}) == "1,001 rows");
}

TEST_CASE("a table gives other words, in another order and with forms of their own") {
  const Language german(core::Translations{{"{0} of {1} {1|layer|layers}", "von {1} {1|Schicht|Schichten} {0}"}});
  CHECK(tr("{0} of {1} {1|layer|layers}", {2, 1}) == "von 1 Schicht 2");
  CHECK(tr("{0} of {1} {1|layer|layers}", {2, 3}) == "von 3 Schichten 2");
  CHECK(tr("not there {0}", {1}) == "not there 1");
}

TEST_CASE("what is filled in is not read again, and a doubled brace is a brace") {
  CHECK(tr("{0} stays", {"{1}|{0}"}) == "{1}|{0} stays");
  CHECK(tr("{{\"tokens\": …}") == "{\"tokens\": …}");
}

TEST_CASE("texts of files keep their braces for whoever fills them in") {
  const Language german(core::Translations{{"With T = {T:grouped}", "Mit T = {T:grouped}"}});
  CHECK(trText("With T = {T:grouped}") == "Mit T = {T:grouped}");
  CHECK(trText("{name} alone") == "{name} alone");
}
