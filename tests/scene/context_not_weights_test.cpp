// What changes with a token and what with a stored number.
#include "support/problems.h"
#include "support/scenes.h"

namespace {

using namespace attn;
using namespace attn::test;
using core::Index;

constexpr Index kRowsPerLayer = 6;  // x, q, k, v, weights, z

TEST_CASE("replacing a token changes no stored number, itself and later rows, and nothing before it") {
  for (int position = 0; position < 5; ++position) {
    const lesson::Page page = pageOf("context-not-weights", {{"position", std::to_string(position)}});
    CHECK(numberOf(page, "stored") == 2 * 4 * 8 * 8);  // two layers of four 8×8 matrices, shared out among heads or not
    CHECK(numberOf(page, "stored_changed") == 0);
    CHECK(flagOf(page, "earlier_unchanged"));
    CHECK(falseClaims(page).empty());
    CHECK(numberOf(page, "outputs_moved") == 5 - position);
    const Matrix changes = matrixOf(page, "changed_by_token");
    for (Index row = 0; row < 4; ++row) {  // x, q, k, v of layer 1: that position alone
      for (Index j = 0; j < 5; ++j) CHECK((changes(row, j) > 0) == (j == position));
    }
    // Rows that may read it and have a choice: every later one, and its own unless it is the first.
    CHECK(numberOf(page, "weight_rows_moved") == (position == 0 ? 4 : 5 - position));
  }
}

TEST_CASE("without a mask a replaced token reaches every row") {
  const lesson::Page page = pageOf("context-not-weights", {{"causal", "0"}, {"position", "4"}});
  CHECK(flagOf(page, "earlier_moved"));
  CHECK(numberOf(page, "outputs_moved") == 5);
  CHECK(numberOf(page, "weight_rows_moved") == 5);
}

TEST_CASE("the same word in its place changes nothing at all") {
  const lesson::Page page = pageOf("context-not-weights", {{"word", "key"}});
  CHECK(matrixOf(page, "changed_by_token").maxCoeff() == 0);
}

TEST_CASE("one stored entry of W_K moves every key and every row that has a choice") {
  for (const char* seed : {"1", "2", "3", "4", "5"}) {
    for (const char* causal : {"0", "1"}) {
      const lesson::Page page = pageOf("context-not-weights", {{"seed", seed}, {"causal", causal}});
      CHECK(numberOf(page, "stored_changed_by_entry") == 1);
      CHECK(flagOf(page, "every_key_moves"));
      CHECK(flagOf(page, "every_row_moves"));
      CHECK(numberOf(page, "rows_with_choice") == (causal[0] == '1' ? 4 : 5));
      const Matrix changes = matrixOf(page, "changed_by_entry");
      for (const Index row : {0, 1, 3})
        CHECK(changes.row(row).maxCoeff() == 0);  // x, q and v of layer 1 do not use W_K
      if (causal[0] == '1') CHECK(changes(kRowsPerLayer - 1, 0) == 0);
    }
  }
  CHECK(numberOf(pageOf("context-not-weights", {{"amount", "0"}}), "stored_changed_by_entry") == 0);
}

TEST_CASE("a sentence that is too long and a replacement that is no word are refused") {
  CHECK_FALSE(scene::run("context-not-weights", {{"sentence", "a b c d e f g h i j k"}}).ok());
  CHECK_FALSE(scene::run("context-not-weights", {{"sentence", "one"}}).ok());
  CHECK_FALSE(scene::run("context-not-weights", {{"word", "two words"}}).ok());
  CHECK(scene::run("context-not-weights", {{"sentence", "two words"}, {"position", "9"}}).ok());
}

TEST_CASE("what is said of a replacement is so with the mask and without, and where nothing is replaced") {
  const lesson::Page open = pageOf("context-not-weights", {{"causal", "0"}, {"position", "4"}});
  CHECK(says(open, "they read it as well"));
  CHECK_FALSE(says(open, "from there on"));
  CHECK_FALSE(says(open, "may not read"));
  CHECK(falseClaims(open).empty());
  const lesson::Page same = pageOf("context-not-weights", {{"word", "key"}});
  CHECK(says(same, "nothing changes at all"));
  CHECK_FALSE(says(same, "change at that position alone"));
  CHECK(says(pageOf("context-not-weights", {{"position", "0"}}), "no position comes before it"));
  CHECK(says(pageOf("context-not-weights", {{"position", "4"}}), "there 1 position of 5 got a new key"));
}

TEST_CASE("adding nothing to a stored number is said to change nothing") {
  const lesson::Page page = pageOf("context-not-weights", {{"amount", "0"}});
  CHECK_FALSE(flagOf(page, "entry_changed"));
  CHECK(falseClaims(page).empty());
  CHECK(says(page, "No stored number was changed"));
}

TEST_CASE("copies of one word keep their attention weights whatever W_K is, and the page says so") {
  const lesson::Page page = pageOf("context-not-weights", {{"sentence", "the the the"}});
  CHECK(flagOf(page, "every_key_moves"));
  CHECK_FALSE(flagOf(page, "every_row_moves"));
  CHECK(says(page, "copies of one word"));
}

TEST_CASE("a position beyond the sentence is said to be its last token") {
  CHECK(says(pageOf("context-not-weights", {{"position", "9"}}), "tokens 0 to 4, so the last one"));
}

}  // namespace
