// What a map says and leaves out, case by case.
#include <cmath>

#include "support/problems.h"
#include "support/scenes.h"

namespace {

using namespace attn;
using namespace attn::test;
using core::Index;

constexpr const char* kId = "what-a-map-shows";

TEST_CASE("contributions are weight times the length of what is carried") {
  const lesson::Page page = pageOf(kId, {{"v2", "3,-4"}, {"wo", "2,1,0,-1"}});
  const Matrix weights = matrixOf(page, "weights"), value = matrixOf(page, "weight_times_value");
  const Matrix output = matrixOf(page, "weight_times_output");
  const double lengths[] = {2, 5, std::sqrt(20.0)};
  const double projected[] = {std::hypot(4, 2), std::hypot(6, 7), std::hypot(4, -2)};
  for (Index i = 0; i < 3; ++i) {
    for (Index j = 0; j < 3; ++j) {
      CHECK(std::abs(value(i, j) - weights(i, j) * lengths[j]) < 1e-14);  // a root and a product of numbers below 10
      CHECK(std::abs(output(i, j) - weights(i, j) * projected[j]) < 1e-14);
    }
  }
}

TEST_CASE("sources of equal weight contribute differently, and a W_O may silence one") {
  const lesson::Page page = pageOf(kId);
  CHECK(flagOf(page, "same_weight_1_2"));
  CHECK(flagOf(page, "contributions_differ_1_2"));
  CHECK(matrixOf(pageOf(kId, {{"wo", "1,0,0,0"}}), "weight_times_output")(2, 1) == 0);
}

TEST_CASE("zeroing the second value keeps the map bit for bit and gives z3 = [3/2, 2]") {
  const lesson::Page page = pageOf(kId);
  CHECK(flagOf(page, "maps_equal"));
  CHECK_FALSE(flagOf(page, "outputs_equal"));
  CHECK(textOf(page, "z3_before") == "[3/2, 3]");
  CHECK(textOf(page, "z3_after") == "[3/2, 2]");
  CHECK(flagOf(pageOf(kId, {{"new_v2", "0,4"}}), "outputs_equal"));
}

TEST_CASE("weight moved between equal values changes the map only") {
  for (const char* share : {"0.01", "0.25", "0.9", "0.99"}) {
    const lesson::Page page = pageOf(kId, {{"share", share}});
    const Matrix after = matrixOf(page, "share_map_after");
    CHECK(std::abs(after(2, 0) - std::atof(share) / 2) < 1e-14);  // through a logarithm and an exponential
    CHECK(flagOf(page, "share_maps_differ"));
    CHECK(flagOf(page, "share_outputs_equal"));
  }
  CHECK_FALSE(flagOf(pageOf(kId, {{"share", "0.5"}}), "share_maps_differ"));
}

TEST_CASE("two opposite contributions of length 2 each sum to exactly 0") {
  const lesson::Page page = pageOf(kId);
  CHECK(numberOf(page, "cancel_lengths") == 4);
  CHECK(numberOf(page, "cancel_sum") == 0);
  CHECK(flagOf(page, "cancel_completely"));
  CHECK(matrixOf(page, "cancel_norms") == (Matrix(1, 2) << 2, 2).finished());
  // 4·cos(angle/2), through the cosine and sine of the angle.
  CHECK(std::abs(numberOf(pageOf(kId, {{"angle", "90"}}), "cancel_sum") - 4 / std::sqrt(2.0)) < 1e-14);
  CHECK(std::abs(numberOf(pageOf(kId, {{"angle", "0"}}), "cancel_sum") - 4) < 1e-14);
}

TEST_CASE("a first weight of 1 is forced and says nothing about the last output") {
  const lesson::Page page = pageOf(kId);
  CHECK(numberOf(page, "a11") == 1);
  CHECK(flagOf(page, "a11_always_one"));
  CHECK(std::abs(numberOf(page, "a11_without_mask") - 0.4) < 1e-15);  // 2 / (2 + 1 + 2)
  CHECK(flagOf(page, "a11_source_matters_less"));
  const std::vector<double> effects = listOf(page, "effect_on_last");
  CHECK(std::abs(effects[0] - 0.5) < 1e-15);
  CHECK(std::abs(effects[1] - 1) < 1e-15);
  CHECK(std::abs(effects[2] - std::sqrt(5.0)) < 1e-14);
}

TEST_CASE("an allowed source is lost in three ways, one of which shows in the map") {
  const lesson::Page page = pageOf(kId);
  const std::vector<double> effects = listOf(page, "lost_effects"), weights = listOf(page, "lost_weights");
  CHECK(std::abs(effects[0] - 1) < 1e-14);  // 1/4 · 4
  CHECK(effects[1] < 1e-3);
  CHECK(effects[1] > 0);
  CHECK(effects[2] == 0);
  CHECK(effects[3] == 0);
  CHECK(weights[1] < 1e-3);
  CHECK(flagOf(page, "lost_map_hides_value"));
  CHECK(flagOf(page, "lost_map_hides_wo"));
  CHECK(numberOf(page, "detail_factor") == 4);
}

TEST_CASE("a map turned over gives itself away by its sums, and by the triangle with a mask") {
  const lesson::Page page = pageOf(kId);
  CHECK(flagOf(page, "rows_sum_to_one"));
  CHECK_FALSE(flagOf(page, "turned_rows_sum_to_one"));
  CHECK(flagOf(page, "turned_reads_the_future"));
  const std::vector<double> sums = listOf(page, "row_sums_turned");
  CHECK(std::abs(sums[0] - 19.0 / 12) < 1e-15 * 4);  // 1 + 1/3 + 1/4
  CHECK(std::abs(sums[1] - 11.0 / 12) < 1e-15 * 4);
  CHECK(std::abs(sums[2] - 0.5) < 1e-15);
  const lesson::Page open = pageOf(kId, {{"causal", "0"}});
  CHECK(flagOf(open, "rows_sum_to_one"));
  CHECK_FALSE(flagOf(open, "turned_rows_sum_to_one"));
}

TEST_CASE("two pairs of heads have one average and pass on different numbers") {
  for (const char* logit : {"2", "8", "20"}) {
    const lesson::Page page = pageOf(kId, {{"logit", logit}});
    CHECK(flagOf(page, "averages_equal"));
    CHECK_FALSE(flagOf(page, "pair_outputs_equal"));
  }
  CHECK(flagOf(pageOf(kId, {{"logit", "0"}}), "pair_outputs_equal"));  // both heads of both pairs are even
}

TEST_CASE("the first source by weight, by value and after W_O, ties and nothing included") {
  const lesson::Page page = pageOf(kId);
  CHECK(numberOf(page, "first_by_weight") == 3);
  CHECK(textOf(page, "most_by_value") == "source 2");   // 10/4 against √20/2
  CHECK(textOf(page, "most_by_output") == "source 3");  // 5/4 against √8/2
  CHECK(textOf(pageOf(kId, {{"v2", "2,0"}, {"wo", "1,0,0,0"}}), "most_by_output") == "source 3");
  CHECK(textOf(pageOf(kId, {{"v2", "4,0"}, {"wo", "1,0,0,0"}}), "most_by_output") == "sources 2 and 3");
  CHECK(textOf(pageOf(kId, {{"wo", "0,0,0,0"}}), "most_by_output") == "none");
}

TEST_CASE("weight on later positions is a fault only under a mask") {
  const lesson::Page masked = pageOf(kId, {{"case", "transposed"}});
  CHECK(says(masked, "positions seem to read later ones"));
  CHECK(says(masked, "Marked: weight on later positions"));
  const lesson::Page open = pageOf(kId, {{"case", "transposed"}, {"causal", "0"}});
  CHECK_FALSE(says(open, "positions seem to read later ones"));
  CHECK_FALSE(says(open, "Marked: weight on later positions"));
  CHECK(numberOf(open, "above_diagonal") > 0);
  CHECK(numberOf(masked, "above_diagonal") == 0);
}

TEST_CASE("what is marked and what is lost is said only where it is") {
  CHECK(says(pageOf(kId, {{"case", "average"}, {"logit", "0"}}), "both heads read as the average of pair 1 does"));
  CHECK(says(pageOf(kId, {{"case", "average"}, {"logit", "0"}}), "the pairs are the same"));
  CHECK_FALSE(says(pageOf(kId, {{"case", "same-map"}, {"new_v2", "0,4"}}), "Marked"));
  CHECK_FALSE(says(pageOf(kId, {{"case", "same-output"}, {"share", "0.5"}}), "Marked"));
  CHECK(says(pageOf(kId, {{"case", "lost"}}), "Only a lowered score can be seen"));
  CHECK_FALSE(says(pageOf(kId, {{"case", "lost"}, {"lowered", "0"}}), "Only a lowered score can be seen"));
}

TEST_CASE("forbidding source 2 gives head A the weights 1/3 and 2/3, zeroing its values changes no weight") {
  const lesson::Page forbidden = pageOf(kId, {{"act", "forbid"}}), zeroed = pageOf(kId, {{"act", "value"}});
  CHECK(textOf(forbidden, "claim_z3_before") == "[3/2, 3]");
  CHECK(textOf(forbidden, "claim_z3_after") == "[2, 8/3]");
  CHECK(std::abs(matrixOf(forbidden, "claim_a_after")(2, 0) - 1.0 / 3) < 1e-15);
  CHECK(matrixOf(forbidden, "claim_a_after")(2, 1) == 0);
  CHECK(textOf(zeroed, "claim_z3_after") == "[3/2, 2]");
  CHECK(std::abs(matrixOf(zeroed, "claim_a_after")(2, 1) - 0.25) < 1e-15);
}

std::vector<std::string> authorsOf(const lesson::Page& page) {
  std::vector<std::string> authors;
  for (const lesson::Block& block : page.blocks) {
    if (const auto* source = std::get_if<lesson::Source>(&block.content)) authors.push_back(source->authors);
  }
  return authors;
}

TEST_CASE("each case names the works that it rests on, and no others") {
  using Names = std::vector<std::string>;
  CHECK(authorsOf(pageOf(kId)) == Names{"Kobayashi et al."});
  CHECK(authorsOf(pageOf(kId, {{"case", "debate"}})) == Names{"Kobayashi et al.", "Jain and Wallace", "Wiegreffe and Pinter"});
  for (const char* name : {"same-map", "same-output", "cancel", "first-row", "lost", "transposed", "average", "claim"}) {
    CHECK_MESSAGE(authorsOf(pageOf(kId, {{"case", name}})).size() >= 1, name);
  }
}

TEST_CASE("every intervention has an outcome and a control") {
  for (const char* act : {"zero-a", "zero-b", "uniform", "value", "forbid"}) {
    const lesson::Page page = pageOf(kId, {{"act", act}});
    CHECK(std::abs(numberOf(page, "effect") - (numberOf(page, "outcome_after") - numberOf(page, "outcome_before"))) < 1e-15);
    CHECK(numberOf(page, "effect") != 0);
    CHECK(numberOf(page, "control_effect") != 0);
  }
  // Each is the other's control.
  CHECK(numberOf(pageOf(kId, {{"act", "zero-a"}}), "effect") == numberOf(pageOf(kId, {{"act", "zero-b"}}), "control_effect"));
}

}  // namespace
