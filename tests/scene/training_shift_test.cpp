// A head that copies its target: no loss without a mask, nothing to say afterwards.
#include <cmath>

#include "support/scenes.h"

namespace {

using namespace attn;
using namespace attn::test;

TEST_CASE("without a mask the built head has no loss in training") {
  const lesson::Page page = pageOf("training-shift");
  CHECK(numberOf(page, "loss_none") == 0);  // a score of 40 leaves less than double precision can hold
  CHECK(flagOf(page, "loss_is_zero"));
  CHECK(numberOf(page, "targets") == 6);
}

TEST_CASE("its loss is what two softmaxes by hand give") {
  for (const double match : {1.0, 3.0, 6.0}) {
    const lesson::Page page = pageOf("training-shift", {{"match", std::to_string(match)}, {"sentence", "a b c d"}});
    // Weight on the target's position, then logits match·weight for it and match·(1 − weight)/3 for three other words.
    const double weight = std::exp(match) / (std::exp(match) + 3), rest = (1 - weight) / 3;
    const double loss = -std::log(std::exp(match * weight) / (std::exp(match * weight) + 3 * std::exp(match * rest)));
    for (const double each : listOf(page, "losses_none"))
      CHECK(each == doctest::Approx(loss).epsilon(1e-12));  // a few terms
  }
}

TEST_CASE("with the mask the route is gone, and generation fails either way") {
  const lesson::Page page = pageOf("training-shift", {{"mask", "causal"}});
  CHECK(numberOf(page, "loss_causal") > numberOf(page, "guessing"));
  for (const char* mask : {"none", "causal", "strict"}) {
    const lesson::Page each = pageOf("training-shift", {{"mask", mask}, {"sentence", "a b c d e f"}, {"prompt", "2"}});
    CHECK(numberOf(each, "generated_asked") == 4);
    CHECK(numberOf(each, "generated_right") == 0);  // it says a word that it has been given, and none returns here
  }
}

TEST_CASE("under the causal mask training computes what generation will, bit for bit, and without it does not") {
  for (const char* sentence : {"the key beside the cabinets is old", "a b a b a", "one two three"}) {
    for (const char* match : {"0.5", "5", "40"}) {
      const lesson::Page page = pageOf("training-shift", {{"sentence", sentence}, {"match", match}});
      CHECK(numberOf(page, "causal_difference") == 0);
      CHECK(flagOf(page, "causal_training_is_generation"));
      CHECK_FALSE(flagOf(page, "open_training_is_generation"));
    }
  }
}

TEST_CASE("blocking the diagonal too leaves the first row without a source, and its prediction at chance") {
  const lesson::Page page = pageOf("training-shift", {{"mask", "strict"}});
  CHECK(matrixOf(page, "weights_strict").row(0).cwiseAbs().maxCoeff() == 0);
  CHECK(listOf(page, "losses_strict")[0] ==
        doctest::Approx(numberOf(page, "guessing")).epsilon(1e-12));  // ln 6, two ways
}

TEST_CASE("a missing mask is called the mistake, and only while it is missing") {
  CHECK(mistakesOf(pageOf("training-shift")).size() == 1);
  CHECK(mistakesOf(pageOf("training-shift", {{"match", "2"}})).size() == 1);
  for (const char* mask : {"causal", "strict"}) {
    const lesson::Page page = pageOf("training-shift", {{"mask", mask}});
    CHECK(mistakesOf(page).empty());
    CHECK_FALSE(says(page, "Without a mask this head"));
  }
}

TEST_CASE("with a score of 0 training agrees with generation, and nothing is called false") {
  const lesson::Page page = pageOf("training-shift", {{"mask", "causal"}, {"match", "0"}});
  CHECK(numberOf(page, "open_difference") == 0);
  CHECK(falseClaims(page).empty());
}

TEST_CASE("each step of generation shows the words that it starts from") {
  const lesson::Page page = pageOf("training-shift", {{"sentence", "a b c d e f"}, {"prompt", "1"}});
  const auto* table = figureOf<lesson::Table>(page, "One word at a time");
  REQUIRE(table);
  CHECK(table->rows[0][1] == "a");
  CHECK(table->rows[1][1] == "a " + table->rows[0][2]);
  CHECK(says(page, "Given the first word,"));
}

TEST_CASE("a text of one word only leaves nothing to guess and is refused") {
  CHECK_FALSE(scene::run("training-shift", {{"sentence", "so so so"}}).ok());
}

}  // namespace
