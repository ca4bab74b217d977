// Softmax in its parts, against numbers done by hand and properties.
#include <cmath>
#include <numeric>

#include "support/sanitized.h"
#include "support/scenes.h"

namespace {

using namespace attn;
using namespace attn::test;

double sumOf(const std::vector<double>& list) { return std::accumulate(list.begin(), list.end(), 0.0); }

TEST_CASE("equal scores give equal weights, at any level") {
  for (const char* scores : {"1,1,1,1", "0,0,0,0", "1000,1000,1000,1000", "-1000,-1000,-1000,-1000"}) {
    const lesson::Page page = pageOf("softmax", {{"scores", scores}});
    CHECK(listOf(page, "weights") == std::vector<double>(4, .25));
    CHECK(flagOf(page, "weights_equal"));
  }
  CHECK_FALSE(flagOf(pageOf("softmax", {{"scores", "1,2,1,1"}}), "weights_equal"));
}

TEST_CASE("moving all scores moves no weight") {
  for (const char* shift : {"-1000", "-0.1", "0", "3", "1000"}) {
    const lesson::Page page = pageOf("softmax", {{"part", "shift"}, {"scores", "1,0.3,-2,5"}, {"shift", shift}});
    CHECK(flagOf(page, "shift_changes_nothing"));
    CHECK(std::abs(sumOf(listOf(page, "weights_shifted")) - 1) < 1e-15 * 4);  // four weights, each rounded once
  }
}

TEST_CASE("1000 and 1000 overflow the naive way and give one half each the stable way") {  // L11
  const lesson::Page page = pageOf("softmax", {{"part", "overflow"}});
  CHECK(listOf(page, "stable_weights") == std::vector<double>{.5, .5});
  CHECK_FALSE(flagOf(page, "naive_works"));
  CHECK(flagOf(page, "naive_overflows"));
  CHECK(flagOf(page, "stable_works"));
  for (const double weight : listOf(page, "naive_weights")) CHECK(std::isnan(weight));
  const lesson::Page zero = pageOf("softmax", {{"part", "overflow"}, {"size", "0"}});
  CHECK(listOf(zero, "stable_weights") == std::vector<double>{.5, .5});
  CHECK(flagOf(zero, "naive_works"));
  CHECK(flagOf(pageOf("softmax", {{"part", "overflow"}, {"size", "-1000"}}), "naive_underflows"));
}

TEST_CASE("the naive way fails from the score on that the page names, in both number types") {
  for (const auto& [type, limit] : {std::pair("float64", 709.78), std::pair("float32", 88.72)}) {
    const auto at = [number_type = std::string(type)](double size) {
      return pageOf("softmax", {{"type", number_type}, {"size", std::to_string(size)}});
    };
    CHECK(std::abs(numberOf(at(0), "overflow_from") - limit) < .005);
    CHECK(flagOf(at(limit - 1), "naive_works"));  // the sum of two is below twice the largest
    CHECK_FALSE(flagOf(at(limit + .1), "naive_works"));
    CHECK(flagOf(at(limit + .1), "stable_works"));
  }
}

TEST_CASE("a score that stays loses weight while a competitor rises, and gains while it falls") {
  double last = 1;
  for (const double rise : {-3., 0., .9, 1., 1.1, 3., 6.}) {
    const lesson::Page page = pageOf("softmax", {{"part", "competitor"}, {"rise", std::to_string(rise)}});
    const double weight = numberOf(page, "first_after"), e = std::exp(1.0);
    CHECK(std::abs(weight - e / (2 * e + std::exp(rise))) < 1e-15 * 4);  // a quotient of rounded numbers near 1
    CHECK(weight < last);
    CHECK(flagOf(page, "unchanged_score_lost_weight") == (rise > 1));
    last = weight;
  }
}

TEST_CASE("along the wrong axis the columns sum to one and the rows give it away") {
  for (const char* causal : {"0", "1"}) {
    const lesson::Page page = pageOf("softmax", {{"part", "axis"}, {"causal", causal}});
    CHECK(flagOf(page, "right_rows_sum_to_one"));
    CHECK_FALSE(flagOf(page, "wrong_rows_sum_to_one"));
    CHECK(flagOf(page, "wrong_columns_sum_to_one"));
  }
  // The right map is that of the lesson (L4), and under the mask L5.
  const core::Matrix<double> right = matrixOf(pageOf("softmax"), "axis_right");
  const double want[4][4] = {{.3451, .1702, .2423, .2423},
                             {.3451, .1702, .2423, .2423},
                             {.0477, .8077, .0968, .0477},
                             {.0649, .7706, .1102, .0544}};
  for (core::Index i = 0; i < 4; ++i) {
    for (core::Index j = 0; j < 4; ++j) CHECK(std::abs(right(i, j) - want[i][j]) < .00005);
  }
  CHECK(numberOf(pageOf("softmax", {{"causal", "1"}}), "only_choice_right") == 1);
  CHECK(numberOf(pageOf("softmax", {{"causal", "1"}}), "only_choice_wrong") < 1);
}

TEST_CASE("dropout breaks the sums of rows and keeps each weight on the average" *
          doctest::skip(attn::test::kSlow)) {
  int broken = 0;
  std::vector<double> sums(4, 0);
  constexpr int kSeeds = 1000;
  for (int seed = 0; seed < kSeeds; ++seed) {
    const lesson::Page page = pageOf("softmax", {{"drop", "0.1"}, {"seed", std::to_string(seed)}});
    broken += !flagOf(page, "dropout_rows_sum_to_one");
    for (std::size_t i = 0; i < 4; ++i) sums[i] += listOf(page, "row_sums_dropout")[i] / kSeeds;
  }
  CHECK(broken == kSeeds);  // keeping all 16 also breaks them: 1/0.9
  // One row sum has a deviation below √(.1/.9) = .33; of a thousand, .0105; four of them.
  for (const double sum : sums) CHECK(std::abs(sum - 1) < .042);
  CHECK(flagOf(pageOf("softmax", {{"drop", "0"}}), "dropout_rows_sum_to_one"));
  CHECK(std::abs(numberOf(pageOf("softmax"), "enlarged") - 1 / .9) < 1e-15);
}

TEST_CASE("the vocabulary's softmax draws each token as often as its share says, and attention mixes all values") {
  const lesson::Page page = pageOf("softmax", {{"part", "vocabulary"}});
  const std::vector<double> shares = listOf(page, "token_shares"), counts = listOf(page, "token_counts");
  CHECK(std::abs(sumOf(shares) - 1) < 1e-15 * 5);
  CHECK(sumOf(counts) == 1000);
  for (std::size_t i = 0; i < shares.size(); ++i) {
    CHECK(std::abs(counts[i] - 1000 * shares[i]) < 4 * std::sqrt(1000 * shares[i] * (1 - shares[i])));  // binomial
  }
  CHECK_FALSE(flagOf(page, "mixture_is_one_value"));
  const std::vector<double> mixture = listOf(page, "mixture");
  CHECK(std::abs(mixture[0] - .1684) < .00005);  // L4: sat
  CHECK(std::abs(mixture[1] - .9284) < .00005);
}

TEST_CASE("the naive way is called a mistake only where it fails") {
  const lesson::Page works = pageOf("softmax", {{"part", "overflow"}, {"size", "10"}, {"type", "float32"}});
  CHECK(flagOf(works, "naive_works"));
  CHECK(mistakesOf(works).empty());
  CHECK(falseClaims(works).empty());
  CHECK(mistakesOf(pageOf("softmax", {{"part", "overflow"}})).size() == 1);
  // Each exponential still fits, but not their sum: 0 and 0, which are numbers and no weights.
  const lesson::Page sum = pageOf("softmax", {{"part", "overflow"}, {"size", "709.5"}});
  CHECK(listOf(sum, "naive_weights") == std::vector<double>{0, 0});
  CHECK_FALSE(flagOf(sum, "naive_works"));
  // Exponentials near the smallest numbers have lost digits.
  const lesson::Page small = pageOf("softmax", {{"part", "overflow"}, {"size", "-741"}, {"gap", "2"}});
  CHECK_FALSE(flagOf(small, "naive_works"));
  CHECK(says(small, "only some of their digits"));
}

TEST_CASE("the steps show e to the score itself as long as it can be written") {
  const lesson::Page page = pageOf("softmax", {{"scores", "2,1,0,-1"}});
  const auto* table = figureOf<lesson::Table>(page, "Softmax, step by step");
  REQUIRE(table);
  CHECK(table->columns[2] == "e^score");
  CHECK(table->rows[0][2] == "7.3891");
  const lesson::Page large = pageOf("softmax", {{"scores", "1000,999,0,0"}});
  const auto* shifted = figureOf<lesson::Table>(large, "Softmax, step by step");
  REQUIRE(shifted);
  CHECK(shifted->columns[2] == "e^(score − largest)");
  CHECK(says(large, "the largest score is subtracted first"));
}

TEST_CASE("no claim of softmax is false where nothing is broken on purpose") {
  for (const char* part : {"row", "shift", "competitor", "dropout", "vocabulary"}) {
    for (const char* rise : {"-1", "1", "4"}) {
      for (const char* drop : {"0", "0.1"}) {
        CHECK(falseClaims(pageOf("softmax", {{"part", part}, {"rise", rise}, {"drop", drop}})).empty());
      }
    }
  }
}

}  // namespace
