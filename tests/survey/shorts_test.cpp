// Numbers of two bytes for which NumPy has no type: read as they are meant, once somebody says so.
#include <doctest/doctest.h>

#include <cstdint>
#include <cstring>
#include <string>

#include "support/array_files.h"
#include "support/opened_pages.h"

namespace {

using namespace attn;
using survey::Slot;
using test::OpenPages;

// Rows of 0.75 and 0.25, which bfloat16 holds exactly.
std::string shortsOf(const char* type, double first = 0.75) {
  std::string data;
  for (const double value : {first, 1 - first, 0.25, 0.75}) {
    const auto single = static_cast<float>(value);
    std::uint32_t bits = 0;
    std::memcpy(&bits, &single, sizeof bits);
    data += test::little(bits >> 16, 2);
  }
  return test::npy(test::npyText(type, "(2, 2)"), data);
}

bool isShown(const lesson::Page& page, const char* key) {
  for (const lesson::Param& param : page.params)
    if (param.key == key) return param.shown;
  return false;
}

void readAll(survey::Files& files) {
  while (files.isWanting()) files.step();
}

}  // namespace

TEST_CASE("integers of two bytes are the bits of bfloat16 numbers where that is said, and integers again where not") {
  for (const char* type : {"<u2", "<i2"}) {
    CAPTURE(type);
    OpenPages pages;
    pages.open(Slot::kMain, "weights.npy", shortsOf(type));
    const auto largest = [&](const char* shorts) {
      const lesson::Page page = pages.page({{"shorts", shorts}});
      CHECK(isShown(page, "shorts"));
      CHECK(pages.files.factsOf(0) == nullptr);
      readAll(pages.files);
      REQUIRE(pages.files.factsOf(0));
      return pages.files.factsOf(0)->summary.max;
    };
    CHECK(largest("integers") == 0x3F40);
    CHECK(largest("bfloat16") == 0.75);
    CHECK(pages.files.main()->file.arrays[0].note == (std::string(type) == "<u2" ? "stored as uint16, read as bfloat16"
                                                                                   : "stored as int16, read as bfloat16"));
    CHECK(largest("integers") == 0x3F40);
    CHECK(pages.files.main()->file.arrays[0].note == "");
  }
}

TEST_CASE("what is compared is read in the same way on both sides, whichever was opened first") {
  OpenPages pages;
  const lesson::Settings settings = {{"part", "compare"}, {"shorts", "bfloat16"}};
  pages.open(Slot::kMain, "a.npy", shortsOf("<u2"));
  pages.page(settings);
  pages.open(Slot::kOther, "b.npy", shortsOf("<u2", 0.5));
  CHECK(test::numberOf(pages.page(settings), "largest") == 0.25);
}

TEST_CASE("a file without integers of two bytes does not ask about them") {
  OpenPages pages;
  pages.open(Slot::kMain, "a.npy", test::npy(test::npyText("<V2", "(1,)"), "ab"));
  CHECK_FALSE(isShown(pages.page({}), "shorts"));
}
