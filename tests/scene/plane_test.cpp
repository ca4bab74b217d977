// Scores as projections and mixtures inside a hull.
#include <cmath>
#include <numbers>

#include "core/rng.h"
#include "support/sanitized.h"
#include "support/scenes.h"

namespace {

using namespace attn;
using namespace attn::test;

TEST_CASE("the plane starts with the last row of the three-position example") {
  const lesson::Page page = pageOf("plane");
  const core::Matrix<double> weights = matrixOf(page, "weights"), z = matrixOf(page, "z"),
                             scores = matrixOf(page, "scores");
  const double unit = std::numbers::sqrt2 * std::numbers::ln2;
  const double want_weights[] = {0.25, 0.25, 0.5}, want_scores[] = {unit, unit, 2 * unit};
  for (core::Index j = 0; j < 3; ++j) {
    CHECK(std::abs(weights(0, j) - want_weights[j]) < 1e-15);  // exact in the lesson, rounded once here
    CHECK(std::abs(scores(0, j) - want_scores[j]) < 1e-15);
  }
  CHECK(std::abs(z(0, 0) - 1.5) < 1e-14);  // a sum of three rounded terms up to 4
  CHECK(std::abs(z(0, 1) - 3) < 1e-14);
  CHECK(flagOf(page, "z_inside"));
  CHECK(flagOf(page, "coordinate_beyond"));
}

TEST_CASE("lengthening a key alone changes its score in proportion and its cosine not at all") {
  for (const char* key : {"1", "2", "3"}) {
    for (const char* stretch : {"0.1", "0.5", "2", "4"}) {
      const lesson::Page page = pageOf("plane", {{"key", key}, {"stretch", stretch}, {"k1y", "0.3"}, {"k2x", "-1"}});
      const double factor = std::atof(stretch);
      // Each of the two is a few roundings of numbers below 10.
      CHECK(std::abs(numberOf(page, "score_after") - factor * numberOf(page, "score_before")) < 1e-14);
      CHECK(std::abs(numberOf(page, "cosine_after") - numberOf(page, "cosine_before")) < 1e-15 * 4);
      CHECK(std::abs(numberOf(page, "length_after") - factor * numberOf(page, "length_before")) < 1e-14);
      CHECK(flagOf(page, "cosine_ignores_length"));
      CHECK(flagOf(page, "score_depends_on_length"));
    }
  }
}

TEST_CASE("a key at a right angle to the query keeps its score of zero whatever its length") {
  const lesson::Page page = pageOf("plane", {{"key", "1"}, {"k1x", "1"}, {"k1y", "-1"}, {"stretch", "3"}});
  CHECK(numberOf(page, "score_after") == 0);
  CHECK_FALSE(flagOf(page, "score_depends_on_length"));
}

TEST_CASE("the mixture stays inside the hull wherever queries, keys and values are dragged") {
  core::Rng rng(5);
  for (int draw = 0; draw < (kSanitized ? 10 : 200); ++draw) {
    lesson::Settings settings;
    for (const char* key :
         {"qx", "qy", "k1x", "k1y", "k2x", "k2y", "k3x", "k3y", "v1x", "v1y", "v2x", "v2y", "v3x", "v3y"}) {
      settings.emplace_back(key, std::to_string(rng.uniform(-6, 6)));
    }
    const lesson::Page page = pageOf("plane", settings);
    CHECK(flagOf(page, "z_inside"));
    const double sum = numberOf(page, "weight_sum");
    CHECK(std::abs(sum - 1) < 1e-15 * 4);  // three weights, each rounded once
  }
}

TEST_CASE("output projections take the mixture out of the hull, except the identity") {
  const std::vector<double> outside = listOf(pageOf("plane"), "outside_by_projection");
  CHECK(outside[0] == 0);
  for (std::size_t i = 1; i < 4; ++i) CHECK(outside[i] > 1);
  const double want[][2] = {{1.5, 3}, {-1.5, -3}, {4.5, 9}, {7.5, 3}};
  const char* const ids[] = {"identity", "mirror", "triple", "shear"};
  for (std::size_t i = 0; i < 4; ++i) {
    const lesson::Page page = pageOf("plane", {{"wo", ids[i]}});
    const core::Matrix<double> y = matrixOf(page, "y");
    CHECK(std::abs(y(0, 0) - want[i][0]) < 1e-13);  // three times the rounding of z
    CHECK(std::abs(y(0, 1) - want[i][1]) < 1e-13);
    CHECK(flagOf(page, "y_inside") == (i == 0));
    CHECK(numberOf(page, "y_outside") == outside[i]);
  }
}

TEST_CASE("values below zero give a mixture below zero") {
  const lesson::Page page =
      pageOf("plane", {{"v1x", "-2"}, {"v2x", "-1"}, {"v3x", "-1"}, {"v2y", "0.5"}, {"v3y", "0.5"}});
  CHECK(numberOf(page, "z_smallest") < 0);
  CHECK(flagOf(page, "coordinate_beyond"));
  CHECK(flagOf(page, "z_inside"));
}

TEST_CASE("what is said of y is so for every output projection") {
  for (const char* wo : {"identity", "mirror", "triple", "shear"}) {
    const lesson::Page page = pageOf("plane", {{"wo", wo}});
    CHECK(says(page, "need not be an average"));
    CHECK_FALSE(says(page, "no average of the values"));
    CHECK(says(page, "leaves z as it is") == (std::string(wo) == "identity"));
  }
}

TEST_CASE("a key hidden by the query is named, and a query of zeros is said to have no direction") {
  CHECK(textOf(pageOf("plane"), "covered") == "k3");
  CHECK(textOf(pageOf("plane", {{"stretch", "2"}}), "covered").empty());
  CHECK(textOf(pageOf("plane", {{"qx", "-3"}, {"qy", "2"}}), "covered").empty());
  const lesson::Page zero = pageOf("plane", {{"qx", "0"}, {"qy", "0"}});
  CHECK(says(zero, "no direction"));
  CHECK_FALSE(says(zero, "length of q times"));
}

TEST_CASE("the coordinates stand as numbers when asked for, and can be set either way") {
  const auto shown = [](const lesson::Page& page, const std::string& key) {
    const auto named = [&](const lesson::Param& each) { return each.key == key; };
    return std::find_if(page.params.begin(), page.params.end(), named)->shown;
  };
  CHECK_FALSE(shown(pageOf("plane"), "v2y"));
  CHECK(shown(pageOf("plane", {{"coordinates", "1"}}), "v2y"));
  CHECK(matrixOf(pageOf("plane", {{"v1x", "-6"}, {"v2x", "-6"}, {"v3x", "-6"}}), "z")(0, 0) ==
        doctest::Approx(-6).epsilon(1e-14));  // three weights, each rounded once
}

}  // namespace
