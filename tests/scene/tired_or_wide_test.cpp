// What the ending of a sentence can change at "it", and what the mask takes away.
#include <cmath>

#include "support/scenes.h"

namespace {

using namespace attn;
using namespace attn::test;

TEST_CASE("\"it\" reads the noun that the ending speaks of, and under a causal mask both nouns alike") {
  const lesson::Page open = pageOf("tired-or-wide");
  CHECK(numberOf(open, "animal_tired") > .5);
  CHECK(numberOf(open, "street_wide") > .5);
  CHECK(numberOf(open, "animal_tired") ==
        doctest::Approx(numberOf(open, "street_wide")).epsilon(1e-12));  // mirror images
  CHECK_FALSE(flagOf(open, "endings_equal"));
  CHECK(flagOf(open, "ending_matters"));
  const lesson::Page causal = pageOf("tired-or-wide", {{"causal", "1"}});
  CHECK(flagOf(causal, "endings_equal"));
  CHECK(numberOf(causal, "ending_difference") == 0);  // the same operations on the same numbers: exactly
  CHECK(numberOf(causal, "animal_tired") == 0.125);   // eight words up to "it", all alike
  CHECK(numberOf(causal, "last_chosen") == 0);
}

TEST_CASE("the weights on the two nouns are those of two layers worked out by hand") {
  for (const double s : {0.5, 2.0, 4.0, 9.0}) {
    const lesson::Page page = pageOf("tired-or-wide", {{"strength", std::to_string(s)}});
    // Layer 1 scores the ending s and ten words 0; layer 2 scores animal s·content, street −s·content, nine words 0.
    const double content = std::exp(s) / (std::exp(s) + 10);
    const double sum = std::exp(s * content) + std::exp(-s * content) + 9;
    CHECK(numberOf(page, "taken_up") == doctest::Approx(content).epsilon(1e-12));  // eleven terms
    CHECK(numberOf(page, "animal_tired") == doctest::Approx(std::exp(s * content) / sum).epsilon(1e-12));
    CHECK(numberOf(page, "street_tired") == doctest::Approx(std::exp(-s * content) / sum).epsilon(1e-12));
  }
}

TEST_CASE("with no score for a match the endings make no difference, mask or not") {
  CHECK(flagOf(pageOf("tired-or-wide", {{"strength", "0"}}), "endings_equal"));
}

TEST_CASE("one layer cannot tell the endings apart by its weights") {
  for (const char* causal : {"0", "1"}) {
    for (const char* pieces : {"0", "1"}) {
      CHECK(flagOf(pageOf("tired-or-wide", {{"causal", causal}, {"pieces", pieces}}), "first_layer_equal"));
    }
  }
}

TEST_CASE("cutting words as a tokenizer does adds a token to share with, and changes nothing else") {
  const lesson::Page words = pageOf("tired-or-wide"), pieces = pageOf("tired-or-wide", {{"pieces", "1"}});
  CHECK(numberOf(words, "tokens") == 11);
  CHECK(numberOf(pieces, "tokens") == 12);
  CHECK(numberOf(pieces, "animal_tired") < numberOf(words, "animal_tired"));
  CHECK(flagOf(pageOf("tired-or-wide", {{"pieces", "1"}, {"causal", "1"}}), "endings_equal"));
}

TEST_CASE("the position after the cabinets finds the subject with the same weights and learns another number") {
  for (const char* causal : {"0", "1"}) {
    for (const char* others : {"cabinet", "cabinets"}) {
      const lesson::Page page = pageOf("tired-or-wide", {{"sentence", "key"}, {"causal", causal}, {"others", others}});
      CHECK(flagOf(page, "key_weights_equal"));
      CHECK(flagOf(page, "key_outputs_differ"));
      CHECK(flagOf(page, "key_same_with_either_mask"));
      CHECK(numberOf(page, "key_mixture") > 0);
      CHECK(numberOf(page, "keys_mixture") < 0);
      CHECK(textOf(page, "number") == "singular");
    }
  }
  CHECK(textOf(pageOf("tired-or-wide", {{"sentence", "key"}, {"noun", "keys"}}), "number") == "plural");
  CHECK(textOf(pageOf("tired-or-wide", {{"sentence", "key"}, {"strength", "0"}}), "number") == "neither");
}

TEST_CASE("the noun of the other sign scores below zero, and the scores are shown before their weights") {
  for (const char* word : {"tired", "wide"}) {
    const lesson::Page page = pageOf("tired-or-wide", {{"word", word}});
    const core::Matrix<double> scores = matrixOf(page, "it_scores");
    const double sign = word[0] == 't' ? 1 : -1;
    CHECK(sign * numberOf(page, "animal_score") > 3);
    CHECK(numberOf(page, "street_score") == -numberOf(page, "animal_score"));
    CHECK(scores(0, 1) == -scores(1, 1));
    CHECK((scores.array() != 0).count() == 4);  // two nouns for each ending
    CHECK(says(page, "scores below 0"));
  }
}

TEST_CASE("no claim fails but where nothing is looked for, and then the page says so") {
  for (const char* sentence : {"it", "key"}) {
    for (const char* causal : {"0", "1"}) {
      for (const char* pieces : {"0", "1"}) {
        const lesson::Page page =
            pageOf("tired-or-wide", {{"sentence", sentence}, {"causal", causal}, {"pieces", pieces}});
        CHECK(falseClaims(page).empty());
      }
    }
    const lesson::Page page = pageOf("tired-or-wide", {{"sentence", sentence}, {"strength", "0"}});
    CHECK(says(page, "looks for nothing"));
    CHECK_FALSE(says(page, "both are subjects"));
  }
}

TEST_CASE("a masked word is told from one of little weight") {
  const lesson::Page page = pageOf("tired-or-wide", {{"causal", "1"}});
  for (const lesson::Block& block : page.blocks) {
    const auto* strip = std::get_if<lesson::Strip>(&block.content);
    if (!strip) continue;
    for (std::size_t j = 0; j < strip->items.size(); ++j) {
      CHECK((strip->items[j].weight < 0) == (j > 7));
      CHECK((strip->items[j].note == "masked") == (j > 7));
    }
  }
}

}  // namespace
