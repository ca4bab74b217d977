// CSV as RFC 4180 has it.
#include "io/csv_writer.h"

#include <doctest/doctest.h>

namespace {

using attn::io::csvText;

TEST_CASE("cells that would be read otherwise are quoted, and rows end with CR LF") {
  CHECK(csvText({}) == "");
  CHECK(csvText({{"a", "b"}, {"", "1.5"}}) == "a,b\r\n,1.5\r\n");
  CHECK(csvText({{"forbid=2,1", "say \"so\"", "two\nlines", " blank", "plain text", "“sat”"}}) ==
        "\"forbid=2,1\",\"say \"\"so\"\"\",\"two\nlines\",\" blank\",plain text,“sat”\r\n");
}

}  // namespace
