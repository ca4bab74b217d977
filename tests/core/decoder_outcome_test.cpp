// Chances and losses of rows of logits, by hand.
#include "core/decoder_outcome.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <initializer_list>
#include <limits>
#include <string>
#include <utility>
#include <vector>

namespace attn::core {
namespace {

RowVector<float> row(std::initializer_list<float> values) {
  RowVector<float> out(static_cast<Index>(values.size()));
  std::copy(values.begin(), values.end(), out.data());
  return out;
}

std::string refusalOf(Index length, Index first, Index end) {
  std::vector<Index> tokens(static_cast<std::size_t>(length), 0);
  const auto loss = lossOn(Matrix<float>::Zero(length, 4), tokens, first, end);
  return loss ? "computed" : loss.error().message;
}

}  // namespace

TEST_CASE("Probabilities of a row are in the ratio of e to its logits, and sum to 1") {
  const RowVector<double> p = probabilities(row({0, std::log(2.0f), std::log(5.0f)}));
  CHECK(p(0) == doctest::Approx(1.0 / 8).epsilon(1e-6));
  CHECK(p(1) == doctest::Approx(2.0 / 8).epsilon(1e-6));
  CHECK(p(2) == doctest::Approx(5.0 / 8).epsilon(1e-6));
  CHECK(p.sum() == doctest::Approx(1).epsilon(1e-14));
  CHECK(probabilities(row({1000, 1000}))(0) == doctest::Approx(0.5).epsilon(1e-14));
}

TEST_CASE("The logarithm of a chance is there where the chance itself is too small for a number") {
  CHECK(logProbability(row({0, 2000}), 0) == -2000);
  CHECK(logProbability(row({0, 2000}), 1) == 0);
  const RowVector<float> logits = row({0.25f, -1, 3});
  for (Index c = 0; c < 3; ++c)
    CHECK(std::exp(logProbability(logits, c)) == doctest::Approx(probabilities(logits)(c)).epsilon(1e-14));
}

TEST_CASE("The likeliest tokens come in order, the lower one first where logits are equal") {
  const float none = std::numeric_limits<float>::quiet_NaN(), never = -std::numeric_limits<float>::infinity();
  const RowVector<float> logits = row({1, none, 4, never, 4, 2});
  CHECK(likeliest(logits, 3) == std::vector<Index>{2, 4, 5});
  CHECK(likeliest(logits, 99) == std::vector<Index>{2, 4, 5, 0, 3, 1});
  CHECK(likeliest(logits, 0).empty());
}

TEST_CASE("The loss is the mean of what each following token's chance costs, over the positions asked for") {
  // Row t gives the token after t the chance 1/2, 1/4, 1/8 and nothing is asked of the last row.
  const std::vector<Index> tokens = {0, 1, 0, 1};
  Matrix<float> logits = Matrix<float>::Zero(4, 2);
  logits(1, 1) = std::log(3.0f);
  logits(2, 0) = std::log(7.0f);
  const auto whole = lossOn(logits, tokens, 0, 3), part = lossOn(logits, tokens, 1, 2);
  REQUIRE(whole.ok());
  REQUIRE(part.ok());
  CHECK(whole.value() == doctest::Approx(2 * std::log(2.0)).epsilon(1e-6));
  CHECK(part.value() == doctest::Approx(std::log(4.0)).epsilon(1e-6));
}

TEST_CASE("A model that finds all tokens alike loses ln V") {
  CHECK(lossOn(Matrix<float>::Constant(5, 63, -3.5f), std::vector<Index>{1, 2, 3, 4, 62}, 0, 4).value() ==
        doctest::Approx(std::log(63.0)).epsilon(1e-14));
}

TEST_CASE("A loss where no token follows is refused") {
  CHECK(refusalOf(4, 0, 3) == "computed");
  CHECK(refusalOf(4, 0, 4) == "A loss over positions 0 to 3 of a text of 4 tokens cannot be had; each position needs a "
                              "token after it, so give a range within 0 to 2 or a longer text.");
  for (const std::pair<Index, Index>& range : {std::pair<Index, Index>{-1, 2}, {2, 2}, {3, 2}})
    CHECK(refusalOf(4, range.first, range.second) != "computed");
  CHECK(refusalOf(1, 0, 1) != "computed");
}

}  // namespace attn::core
