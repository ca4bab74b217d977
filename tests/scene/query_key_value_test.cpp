// Matching and content, each moved on its own; the lesson's grid of scores.
#include <cmath>

#include "support/problems.h"
#include "support/scenes.h"

namespace {

using namespace attn;
using namespace attn::test;
using core::Index;

TEST_CASE("the four tokens have the lesson's scores, weights and mixtures") {  // L4
  const lesson::Page page = pageOf("query-key-value");
  Matrix scores(4, 4), weights(4, 4), z(4, 2);
  scores << 1, 0, .5, .5, 1, 0, .5, .5, 0, 4, 1, 0, .5, 4, 1.25, .25;
  weights << .3451, .1702, .2423, .2423, .3451, .1702, .2423, .2423, .0477, .8077, .0968, .0477, .0649, .7706, .1102,
      .0544;
  z << .7087, .5337, .7087, .5337, .1684, .9284, .2023, .9080;
  CHECK(matrixOf(page, "scores") == scores);  // halves and whole numbers: exact in double
  CHECK((matrixOf(page, "weights") - weights).cwiseAbs().maxCoeff() < .00005);  // four printed decimals
  CHECK((matrixOf(page, "z") - z).cwiseAbs().maxCoeff() < .00005);
  CHECK(flagOf(page, "scores_equal"));
  CHECK(textOf(page, "reading") == "sat");
  CHECK(textOf(page, "top") == "cat");
  CHECK(std::abs(numberOf(page, "largest_weight") - .8077) < .00005);
}

TEST_CASE("moving a key changes weights and no value, moving a value changes results and no weight") {
  for (const char* reader : {"the", "cat", "sat", "down"}) {
    for (const char* moved : {"the", "cat", "sat", "down"}) {
      const lesson::Page page =
          pageOf("query-key-value", {{"reader", reader}, {"moved", moved}, {"key_x", "1.5"}, {"key_y", "-2"}});
      CHECK(flagOf(page, "key_changes_weights"));
      CHECK(flagOf(page, "key_keeps_values"));
      CHECK(flagOf(page, "value_keeps_weights"));
      CHECK(flagOf(page, "value_changes_z"));
    }
  }
}

TEST_CASE("a key or value moved to where it was changes nothing") {
  const lesson::Page page =
      pageOf("query-key-value", {{"key_x", "2"}, {"key_y", "0"}, {"value_x", "0"}, {"value_y", "1"}});
  CHECK_FALSE(flagOf(page, "key_changes_weights"));
  CHECK_FALSE(flagOf(page, "value_changes_z"));
}

TEST_CASE("a longer query comes nearer to one record and does not get there") {
  double last = 1;
  for (const char* length : {"1", "2", "4", "8"}) {
    const lesson::Page page = pageOf("query-key-value", {{"length", length}});
    CHECK(flagOf(page, "result_is_mixture"));
    CHECK(numberOf(page, "nearest_distance") < last);
    last = numberOf(page, "nearest_distance");
  }
  CHECK(last < 1e-4);
}

TEST_CASE("loops and the matrix product agree on the matrices that are timed") {
  const lesson::Page page = pageOf("query-key-value", {{"measure", "1"}, {"size", "64"}});
  CHECK(flagOf(page, "timed_equal"));
  CHECK(numberOf(page, "loops_ms") > 0);
  CHECK(numberOf(page, "product_ms") > 0);
}

TEST_CASE("the scores and weights that are shown are those of the queries and keys that are shown") {
  for (const char* length : {"0", "0.5", "1/3", "4", "8"}) {
    for (const char* reader : {"the", "sat", "down"}) {
      const lesson::Page page = pageOf("query-key-value", {{"length", length}, {"reader", reader}});
      const Matrix q = matrixOf(page, "q"), k = matrixOf(page, "k"), scores = matrixOf(page, "scores"),
                           weights = matrixOf(page, "weights");
      CHECK((scores - q * k.transpose()).cwiseAbs().maxCoeff() < 1e-14);  // two products of numbers up to 16
      for (Index i = 0; i < 4; ++i) {
        const core::RowVector<double> e = (scores.row(i) / std::sqrt(2.0)).array().exp();
        CHECK((weights.row(i) - e / e.sum()).cwiseAbs().maxCoeff() < 1e-13);  // exp of up to 12 carries its rounding
      }
      CHECK((matrixOf(page, "z") - weights * matrixOf(page, "v")).cwiseAbs().maxCoeff() < 1e-14);
    }
  }
  const lesson::Page page = pageOf("query-key-value", {{"length", "4"}, {"reader", "down"}});
  CHECK(matrixOf(page, "scores")(3, 1) == 16);  // [8, 2]·[2, 0]
}

TEST_CASE("a query of zeros finds all keys alike, and the page names none of them") {
  const lesson::Page page = pageOf("query-key-value", {{"length", "0"}});
  CHECK(flagOf(page, "top_tied"));
  CHECK(numberOf(page, "largest_weight") == .25);
  CHECK_FALSE(flagOf(page, "key_changes_weights"));
  CHECK_FALSE(says(page, "of \"the\""));
  CHECK_FALSE(says(page, "on \"the\""));
  CHECK(says(page, "the same dot product"));
}

}  // namespace
