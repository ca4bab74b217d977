// Sharing a vector out among heads: nothing is lost, and what the wrong way does.
#include <cmath>
#include <string>

#include "support/scenes.h"

namespace {

using namespace attn;
using namespace attn::test;
using core::Index;

TEST_CASE("(1, 10, 64) becomes (1, 4, 10, 16) and back without a loss") {
  const lesson::Page page = pageOf("split-heads");
  CHECK(textOf(page, "shape_before") == "(1, 10, 64)");
  CHECK(textOf(page, "shape_split") == "(1, 4, 10, 16)");
  CHECK(flagOf(page, "lossless"));
  CHECK(numberOf(page, "d_head") == 16);
}

TEST_CASE("the followed number is where the formula says, before and after a copy") {
  for (const char* heads : {"1", "2", "4", "8", "16"}) {
    for (int column = 0; column < 64; column += 7) {
      const lesson::Page page =
          pageOf("split-heads", {{"heads", heads}, {"column", std::to_string(column)}, {"t", "3"}});
      const int width = 64 / std::atoi(heads);
      CHECK(numberOf(page, "head") == column / width);
      CHECK(numberOf(page, "coordinate") == column % width);
      CHECK(numberOf(page, "offset") == 3 * 64 + column);
      CHECK(numberOf(page, "copied_offset") == column / width * 10 * width + 3 * width + column % width);
      CHECK(flagOf(page, "offset_holds_it"));
      CHECK(flagOf(page, "lossless"));
    }
  }
}

TEST_CASE("a view without the transpose mixes up tokens, except with one head or one token") {
  const lesson::Page page = pageOf("split-heads");
  CHECK_FALSE(flagOf(page, "wrong_keeps_tokens"));
  const core::Matrix<double> wrong = matrixOf(page, "rows_wrong");
  for (Index h = 0; h < 4; ++h) {
    for (Index t = 0; t < 10; ++t) CHECK(wrong(h, t) == std::floor(static_cast<double>(h * 10 + t) / 4));
  }
  CHECK(flagOf(pageOf("split-heads", {{"heads", "1"}}), "wrong_keeps_tokens"));
  CHECK(flagOf(pageOf("split-heads", {{"tokens", "1"}}), "wrong_keeps_tokens"));
}

TEST_CASE("a head reads every input number, and only its slice when the input is cut instead") {
  const lesson::Page page = pageOf("split-heads");
  CHECK(flagOf(page, "every_head_reads_every_input"));
  CHECK_FALSE(flagOf(page, "sliced_reads_every_input"));
  CHECK(numberOf(page, "inputs_read") == 64);
  CHECK(numberOf(page, "inputs_read_sliced") == 16);
}

TEST_CASE("more heads of less width cost the same") {
  for (const char* width : {"16", "64", "128"}) {
    const lesson::Page page = pageOf("split-heads", {{"d_model", width}, {"tokens", "7"}});
    const double D = std::atof(width);
    for (const double total : listOf(page, "multiply_adds")) CHECK(total == 4 * 7 * D * D + 2 * 7 * 7 * D);
    CHECK(flagOf(page, "same_cost"));
  }
}

TEST_CASE("with one head or one token nothing is called wrong that is right") {
  const lesson::Page one = pageOf("split-heads", {{"heads", "1"}});
  CHECK(mistakesOf(one).empty());
  CHECK_FALSE(says(one, "Wrong:"));
  const lesson::Page token = pageOf("split-heads", {{"tokens", "1"}});
  CHECK(mistakesOf(token).size() == 1);  // cutting the input stays wrong
  CHECK_FALSE(says(token, "1 tokens"));
  CHECK(mistakesOf(pageOf("split-heads")).size() == 2);
}

}  // namespace
