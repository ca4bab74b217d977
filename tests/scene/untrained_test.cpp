// Maps of a module that has learned nothing, and their spread over seeds.
#include <cmath>

#include "support/scenes.h"

namespace {

using namespace attn;
using namespace attn::test;

TEST_CASE("the lesson's text has 28 characters, and an even share is .036") {
  const lesson::Page page = pageOf("untrained");
  CHECK(numberOf(page, "characters") == 28);
  CHECK(std::abs(numberOf(page, "uniform") - 0.036) < 5e-4);  // half a unit of the last printed digit
  CHECK(flagOf(page, "nothing_above_diagonal"));
}

TEST_CASE("the last row computed alone is the last row of the whole map") {
  for (const char* head : {"0", "1", "3"}) {
    for (const char* weights : {"linear", "xavier", "gpt2"}) {
      const lesson::Page page = pageOf("untrained", {{"draws", "20"}, {"head", head}, {"weights", weights}, {"seed", "7"}});
      const std::vector<double> row = listOf(page, "last_row");
      CHECK(row.size() == 28);
      double sum = 0, largest = 0;
      for (const double weight : row) {
        sum += weight;
        largest = std::max(largest, weight);
      }
      CHECK(std::abs(sum - 1) < 1e-14);  // 28 rounded terms
      CHECK(largest == numberOf(page, "largest"));
      CHECK(numberOf(page, "spread_min") <= largest);
      CHECK(largest <= numberOf(page, "spread_max"));
    }
  }
}

TEST_CASE("over 1,000 seeds the lesson's .168 lies between the 80th and the 99th percentile") {
  const lesson::Page page = pageOf("untrained", {{"draws", "1000"}});
  CHECK(flagOf(page, "lesson_within_spread"));
  const double at_least = numberOf(page, "at_least_lesson");
  CHECK(at_least > 10);
  CHECK(at_least < 200);
  // Two standard normal vectors are added, so q and k have variance 64·2/(3·64) = 2/3 and scaled scores deviation 2/3. Of 28
  // such the largest is about 2 deviations up: e^(4/3) / (28·e^(2/9)) = .11.
  CHECK(numberOf(page, "spread_mean") > 0.09);
  CHECK(numberOf(page, "spread_mean") < 0.14);
  CHECK(numberOf(page, "spread_min") > numberOf(page, "uniform"));
}

TEST_CASE("without any size of the embeddings only biases are left and every row is even") {
  const lesson::Page page = pageOf("untrained", {{"draws", "20"}, {"embedding", "0"}});
  // All keys are the same bias: equal scores, rounded alike.
  CHECK(std::abs(numberOf(page, "largest") - 1.0 / 28) < 1e-15);
  CHECK(std::abs(numberOf(page, "entropy") - std::log(28)) < 1e-13);
  CHECK_FALSE(flagOf(page, "lesson_within_spread"));
}

TEST_CASE("colours are said to end below some weights only where they do") {
  const lesson::Page whole = pageOf("untrained", {{"draws", "20"}, {"weights", "xavier"}, {"embedding", "2"}, {"heads", "1"}});
  CHECK(numberOf(whole, "color_limit") == 1);
  CHECK_FALSE(says(whole, "go beyond it"));
  CHECK(says(pageOf("untrained"), "some cells at the top go beyond it"));
}

TEST_CASE("heads that are not shown are counted") {
  CHECK(says(pageOf("untrained", {{"draws", "20"}, {"heads", "16"}, {"head", "15"}}), "3 of the other 15 heads"));
  CHECK(says(pageOf("untrained", {{"draws", "20"}}), "The other heads"));
  CHECK(says(pageOf("untrained", {{"draws", "20"}, {"heads", "2"}}), "The other head"));
}

TEST_CASE("the place of the largest weight depends on the seed, and an even row has none") {
  const lesson::Page page = pageOf("untrained");
  CHECK(numberOf(page, "same_place") >= 1);
  CHECK(numberOf(page, "same_place") < 40);  // of 200 seeds over 28 positions: about 7 if all are equally likely
  CHECK(numberOf(page, "places") > 20);
  const lesson::Page even = pageOf("untrained", {{"draws", "20"}, {"embedding", "0"}, {"text", "aaaa"}});
  CHECK(flagOf(even, "last_row_even"));
  CHECK_FALSE(flagOf(even, "seeds_differ"));
  CHECK(says(even, "the last row is even"));
  CHECK_FALSE(says(even, "The bottom row is uneven"));
  CHECK_FALSE(says(even, "Marked: the largest weight"));
}

TEST_CASE("small weights make even rows") {
  const lesson::Page even = pageOf("untrained", {{"draws", "20"}, {"weights", "gpt2"}, {"embedding", "0.1"}});
  CHECK(numberOf(even, "spread_max") < 0.04);
}

TEST_CASE("comparing seeds can be stopped") {
  const core::Result<lesson::Page> page = scene::run("untrained", {{"draws", "1000"}}, [](double done) { return done < 0.1; });
  CHECK_FALSE(page.ok());
}

}  // namespace
