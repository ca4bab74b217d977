// Tokens in another order: when outputs follow and when they do not.
#include <algorithm>
#include <cmath>

#include "core/rng.h"
#include "support/scenes.h"

namespace {

using namespace attn;
using namespace attn::test;

TEST_CASE("five shuffled tokens give the same outputs shuffled, and with position vectors they do not") {
  const lesson::Page page = pageOf("order");
  CHECK(flagOf(page, "shuffled"));
  CHECK(flagOf(page, "shuffled_the_same_way"));
  CHECK(flagOf(page, "same_without_positions"));
  CHECK_FALSE(flagOf(page, "same_with_positions"));
  CHECK_FALSE(flagOf(page, "same_under_causal_mask"));
  for (const char* positions : {"waves", "table", "rotary"}) {
    CHECK_FALSE(flagOf(pageOf("order", {{"positions", positions}}), "shuffled_the_same_way"));
  }
  CHECK_FALSE(flagOf(pageOf("order", {{"causal", "1"}}), "shuffled_the_same_way"));
}

TEST_CASE("dog bites man is man bites dog without positions") {
  const lesson::Page page = pageOf("order", {{"words", "dog"}});
  CHECK(resultOf<std::string>(page, "sentence_before") == "dog bites man");
  CHECK(resultOf<std::string>(page, "sentence_after") == "man bites dog");
  CHECK(flagOf(page, "shuffled_the_same_way"));
  CHECK_FALSE(flagOf(pageOf("order", {{"words", "dog"}, {"positions", "waves"}}), "shuffled_the_same_way"));
}

TEST_CASE("every order of five tokens and every seed gives the same outcome") {
  std::vector<int> order = {0, 1, 2, 3, 4};
  core::Rng rng(3);
  do {
    std::string list;
    for (const int i : order) list += (list.empty() ? "" : ",") + std::to_string(i);
    const lesson::Page page = pageOf("order", {{"order", list}, {"seed", std::to_string(rng.below(1000000))}});
    const bool shuffled = !std::is_sorted(order.begin(), order.end());
    CHECK(flagOf(page, "shuffled") == shuffled);
    CHECK(flagOf(page, "same_without_positions"));
    CHECK(flagOf(page, "same_with_positions") == !shuffled);
    CHECK(flagOf(page, "same_under_causal_mask") == !shuffled);
  } while (std::next_permutation(order.begin(), order.end()));
}

TEST_CASE("the map of a shuffled sentence is the old map with rows and columns moved") {
  const lesson::Page page = pageOf("order");
  const core::Matrix<double> before = matrixOf(page, "weights_before"), after = matrixOf(page, "weights_after");
  const core::Index order[] = {3, 0, 4, 1, 2};
  for (core::Index i = 0; i < 5; ++i) {
    CHECK(std::abs(after.row(i).sum() - 1) < 1e-15 * 5);  // five weights, each rounded once
    for (core::Index j = 0; j < 5; ++j) CHECK(std::abs(after(i, j) - before(order[i], order[j])) < 1e-14);
  }
}

TEST_CASE("rounding is the reason only where nothing else differs") {
  CHECK(says(pageOf("order"), "rounds differently"));
  for (const lesson::Settings& settings : {lesson::Settings{{"positions", "waves"}}, {{"causal", "1"}}}) {
    const lesson::Page page = pageOf("order", settings);
    CHECK_FALSE(says(page, "rounds differently"));
    CHECK(says(page, "Order has got in."));
  }
}

TEST_CASE("that only the first case is blind to order is said only where something has moved") {
  CHECK(says(pageOf("order"), "Only the first case is blind to order"));
  CHECK_FALSE(says(pageOf("order", {{"words", "dog"}, {"order3", "0,1,2"}}), "Only the first case"));
}

TEST_CASE("no number of the outputs or of their difference leaves the scale of colours") {
  const lesson::Page page = pageOf("order", {{"words", "dog"}, {"causal", "1"}});
  for (const char* title : {"Outputs, first order", "Outputs, new order", "Outputs of the new order minus"}) {
    const auto* grid = figureOf<lesson::Grid>(page, title);
    REQUIRE(grid);
    for (const double value : grid->values) CHECK(std::abs(value) <= grid->limit);
  }
}

}  // namespace
