// Two built heads over "to be or not to be", and two heads that approach one-hot routing.
#include <cmath>

#include "support/scenes.h"

namespace {

using namespace attn;
using namespace attn::test;
using core::Index;

TEST_CASE("head A looks one back and head B for its own word, with the weights that the lesson prints") {
  const lesson::Page page = pageOf("heads");
  const core::Matrix<double> a = matrixOf(page, "weights_a"), b = matrixOf(page, "weights_b");
  CHECK(std::abs(a(3, 2) - 0.9802) < 5e-5);  // half a unit of the last printed digit, here and below
  CHECK(std::abs(b(5, 5) - 0.4934) < 5e-5);
  CHECK(std::abs(b(5, 1) - 0.4934) < 5e-5);
  CHECK(a(0, 0) == 1);
  for (Index i = 0; i < 6; ++i) {
    CHECK(std::abs(a.row(i).sum() - 1) < 1e-15 * 8);  // a few roundings
    CHECK(std::abs(b.row(i).sum() - 1) < 1e-15 * 8);
    Index largest = 0;
    a.row(i).maxCoeff(&largest);
    CHECK(largest == std::max<Index>(i - 1, 0));
  }
}

TEST_CASE("weights on a match and elsewhere follow from the score alone") {
  for (const char* score : {"0", "1.5", "5", "20", "60"}) {
    const lesson::Page page = pageOf("heads", {{"logit", score}});
    const double e = std::exp(std::atof(score));
    const core::Matrix<double> a = matrixOf(page, "weights_a");
    for (Index i = 1; i < 6; ++i) {
      const auto others = static_cast<double>(i);
      // The scores go through √6 and back: a few roundings of the score, enlarged at most by its size of 60.
      CHECK(std::abs(a(i, i - 1) - e / (e + others)) < 1e-13);
      CHECK(std::abs(a(i, i) / (1 / (e + others)) - 1) < 1e-12);
    }
  }
}

TEST_CASE("the average holds half of each head, and other heads have the same average") {
  const lesson::Page page = pageOf("heads");
  const core::Matrix<double> average = matrixOf(page, "average");
  CHECK((average - (matrixOf(page, "weights_a") + matrixOf(page, "weights_b")) / 2).cwiseAbs().maxCoeff() == 0);
  CHECK(flagOf(page, "same_average_from_other_heads"));
  CHECK(numberOf(page, "row_average_before") < 0.5);
  CHECK_FALSE(flagOf(pageOf("heads", {{"logit", "0"}}), "same_average_from_other_heads"));
}

TEST_CASE("heads are joined along the features, and the other axis fits neither tokens nor W_O") {
  const lesson::Page page = pageOf("heads");
  CHECK(flagOf(page, "concat_keeps_both"));
  CHECK(matrixOf(page, "concat").rows() == 6);
  CHECK(matrixOf(page, "concat").cols() == 12);
  CHECK(matrixOf(page, "stacked").rows() == 12);
  CHECK_FALSE(flagOf(page, "wrong_axis_one_row_per_token"));
  CHECK_FALSE(flagOf(page, "wrong_axis_fits_wo"));
}

TEST_CASE("W_O may take the update out of the range of what was read") {
  CHECK(flagOf(pageOf("heads"), "y_within_x"));
  CHECK(flagOf(pageOf("heads", {{"wo", "only-a"}}), "y_within_x"));
  CHECK(flagOf(pageOf("heads", {{"wo", "swap"}}), "y_within_x"));
  for (const char* wo : {"mix", "amplify", "negate"}) CHECK_FALSE(flagOf(pageOf("heads", {{"wo", wo}}), "y_within_x"));
  const core::Matrix<double> once = matrixOf(pageOf("heads"), "y"),
                             thrice = matrixOf(pageOf("heads", {{"wo", "amplify"}}), "y");
  CHECK((thrice - 3 * once).cwiseAbs().maxCoeff() < 1e-15 * 8);  // one more rounding of numbers below 4
}

TEST_CASE("constructed weights keep both values apart, and softmax approaches them without arriving") {
  double before = 1;
  for (const char* score : {"0", "2", "5", "10", "20", "40", "60"}) {
    const lesson::Page page = pageOf("heads", {{"logit", score}});
    const core::Matrix<double> concat = matrixOf(page, "routing_concat");
    CHECK(concat.row(0) == (core::RowVector<double>(4) << 3, 0, 0, 5).finished());
    const double missing = numberOf(page, "short_of_one"), e = std::exp(std::atof(score));
    CHECK(std::abs(missing / (2 / (e + 2)) - 1) < 1e-12);  // exponentials of up to 60 and a quotient
    CHECK(missing < before);
    CHECK_FALSE(flagOf(page, "one_hot_reached"));
    before = missing;
  }
  CHECK_FALSE(flagOf(pageOf("heads", {{"logit", "20"}}), "one_hot_in_double"));
  CHECK(flagOf(pageOf("heads", {{"logit", "60"}}), "one_hot_in_double"));
}

TEST_CASE("any sentence of 2 to 12 words has its two heads, others are refused") {
  const lesson::Page page = pageOf("heads", {{"sentence", "the cat saw the dog and the bird"}, {"row", "11"}});
  const core::Matrix<double> b = matrixOf(page, "weights_b");
  CHECK(std::abs(b(6, 0) - b(6, 3)) < 1e-15 * 4);  // three times "the"
  CHECK(std::abs(b(6, 0) - std::exp(5) / (3 * std::exp(5) + 4)) < 1e-14);
  CHECK(textOf(page, "token") == "bird");
  CHECK_FALSE(scene::run("heads", {{"sentence", "alone"}}).ok());
  CHECK_FALSE(scene::run("heads", {{"sentence", "a b c d e f g h i j k l m"}}).ok());
}

TEST_CASE("the two cells that a row is followed to are named with their own averages") {
  const lesson::Page page = pageOf("heads", {{"row", "5"}, {"causal", "0"}});
  const core::Matrix<double> average = matrixOf(page, "average");
  CHECK(numberOf(page, "row_average_before") == average(5, 4));
  CHECK(numberOf(page, "row_average_first_copy") == average(5, 1));
  CHECK_FALSE(flagOf(page, "one_cell"));
  CHECK(flagOf(pageOf("heads", {{"row", "0"}}), "one_cell"));
}

TEST_CASE("no claim about heads is false but that of a W_O which leads out of the range") {
  for (const char* logit : {"0", "5", "60"}) {
    const lesson::Page page = pageOf("heads", {{"logit", logit}});
    CHECK(falseClaims(page).size() == mistakesOf(page).size());
  }
}

TEST_CASE("the score from which a weight is stored as 1 is the first that does so") {
  const double from = numberOf(pageOf("heads"), "stored_as_one_from");
  CHECK(flagOf(pageOf("heads", {{"logit", std::to_string(from)}}), "one_hot_in_double"));
  CHECK_FALSE(flagOf(pageOf("heads", {{"logit", std::to_string(from - 0.5)}}), "one_hot_in_double"));
}

}  // namespace
