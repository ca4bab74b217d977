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
      CHECK_FALSE(flagOf(page, "key_outputs_equal"));
      CHECK_FALSE(flagOf(page, "mask_matters_to_key"));
      CHECK(numberOf(page, "key_mixture") > 0);
      CHECK(numberOf(page, "keys_mixture") < 0);
      CHECK(textOf(page, "number") == "singular");
    }
  }
  CHECK(textOf(pageOf("tired-or-wide", {{"sentence", "key"}, {"noun", "keys"}}), "number") == "plural");
  CHECK(textOf(pageOf("tired-or-wide", {{"sentence", "key"}, {"strength", "0"}}), "number") == "neither");
}

}  // namespace
