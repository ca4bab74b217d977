// Answers that are computed, and questions that lead to where they can be seen.
#include <cmath>
#include <set>
#include <string>

#include "core/tensor.h"
#include "support/scenes.h"

namespace {

using namespace attn;
using namespace attn::test;

constexpr const char* kParts[] = {"six", "reading", "scores", "masks", "heads", "places", "maps", "glossary"};

bool near(const std::vector<double>& found, const std::vector<double>& wanted) {
  bool all = found.size() == wanted.size();
  for (std::size_t i = 0; all && i < found.size(); ++i) all = std::abs(found[i] - wanted[i]) < 1e-14;  // exact fractions
  return all;
}

TEST_CASE("the answers to lesson 2.2's questions are the lesson's") {
  const lesson::Page page = pageOf("check-yourself");
  CHECK(textOf(page, "shape_wq") == "12×3");
  CHECK(textOf(page, "shape_s") == "5×5");
  CHECK(textOf(page, "shape_a") == "5×5");
  CHECK(textOf(page, "shape_z") == "5×4");
  CHECK(near(listOf(page, "row_2_zero_for_blocked"), {0.25, 0.5, 0.25}));
  CHECK(numberOf(page, "fixed_score_weight_after") < numberOf(page, "fixed_score_weight"));
  CHECK(numberOf(page, "a11") == 1);
  CHECK(near(listOf(page, "forbidden_weights"), {1.0 / 3, 0, 2.0 / 3}));
  CHECK(near(listOf(page, "forbidden_z3"), {2, 8.0 / 3}));
  CHECK(near(listOf(page, "row_3"), {0.25, 0.25, 0.5}));
  CHECK(near(listOf(page, "zero_value_z3"), {1.5, 2}));
  CHECK(flagOf(page, "zero_value_same_map"));
  CHECK(listOf(page, "replaced_z3") != listOf(page, "z3"));
  CHECK(near(listOf(page, "residual_3"), {2.5, 4}));
}

TEST_CASE("the other answers hold the numbers that the lessons print") {
  const lesson::Page page = pageOf("check-yourself");
  CHECK(numberOf(page, "score_33_key_doubled") == 2 * numberOf(page, "score_33"));
  CHECK(flagOf(page, "cosine_unchanged"));
  CHECK(std::abs(numberOf(page, "largest_scaled") - 0.442) < 5e-4);  // half a unit of the last printed digit, as below
  CHECK(std::abs(numberOf(page, "largest_unscaled") - 1) < 5e-4);
  CHECK(std::abs(numberOf(page, "entropy_scaled") - 1.480) < 5e-4);
  CHECK(std::abs(numberOf(page, "entropy_most") - 2.079) < 5e-4);
  CHECK(listOf(page, "softmax_1000_1000") == std::vector<double>{0.5, 0.5});
  CHECK(flagOf(page, "plain_1000_is_nan"));
  CHECK(numberOf(page, "earlier_rows_move") == 0);
  CHECK(numberOf(page, "later_rows_move") > 0.01);
  CHECK(flagOf(page, "empty_row_is_marked"));
  CHECK(flagOf(page, "plain_softmax_of_nothing_is_nan"));
  CHECK(numberOf(page, "reach_4_3") == 10);
  CHECK(textOf(page, "cross_shape") == "2×5");
  CHECK(listOf(page, "parameters_4_8") == std::vector<double>{16640, 16640});
  CHECK(numberOf(page, "d_head") == 16);
  CHECK(textOf(page, "grid_1024") == "4 MiB");
  CHECK(textOf(page, "grid_8192") == "256 MiB");
  CHECK(std::abs(numberOf(page, "cosine_10_11") - 0.966) < 5e-4);
  CHECK(std::abs(numberOf(page, "cosine_10_60") - 0.490) < 5e-4);
  CHECK(std::abs(numberOf(page, "two_matches") - 0.493) < 5e-4);
}

TEST_CASE("every question has an answer of its own and a place to see it, and all are counted") {
  std::size_t questions = 0;
  std::set<std::string> seen;
  for (const char* part : kParts) {
    const lesson::Page page = pageOf("check-yourself", {{"part", part}});
    for (std::size_t i = 0; i < page.blocks.size(); ++i) {
      const auto* question = std::get_if<lesson::Question>(&page.blocks[i].content);
      if (!question) continue;
      ++questions;
      CHECK_FALSE(question->answer.empty());
      CHECK(seen.insert(question->text).second);
      CHECK_MESSAGE((i + 1 < page.blocks.size() && std::holds_alternative<lesson::Jump>(page.blocks[i + 1].content)),
                    question->text);
    }
    CHECK(numberOf(page, "questions") > 30);
  }
  CHECK(static_cast<double>(questions) == numberOf(pageOf("check-yourself"), "questions"));
}

std::string linkOf(const std::string& part, const std::string& question) {
  const lesson::Page page = pageOf("check-yourself", {{"part", part}});
  for (std::size_t i = 0; i + 1 < page.blocks.size(); ++i) {
    const auto* asked = std::get_if<lesson::Question>(&page.blocks[i].content);
    const auto* jump = std::get_if<lesson::Jump>(&page.blocks[i + 1].content);
    if (asked && jump && asked->text.find(question) != std::string::npos) return jump->link;
  }
  return "";
}

TEST_CASE("links lead to the numbers of the answers, and to nothing that is not carried out") {
  const lesson::Page page = pageOf("check-yourself");
  CHECK(linkOf("scores", "has rows that sum to 1.58, 0.92 and 0.50") == "v=1&scene=what-a-map-shows&set.case=transposed");
  const lesson::Page turned = pageOf("what-a-map-shows", {{"case", "transposed"}});
  CHECK(near(listOf(turned, "row_sums_turned"), listOf(page, "turned_sums")));
  CHECK(linkOf("six", "the score of another allowed source rises") == "v=1&scene=plane&set.stretch=1.5");
  const core::Matrix<double> weights = matrixOf(pageOf("plane", {{"stretch", "1.5"}}), "weights");
  CHECK(std::abs(weights(0, 0) - numberOf(page, "fixed_score_weight_after")) < 1e-12);  // √2·ln 2 is rounded in both
  CHECK(linkOf("six", "may no longer read source 2") == "v=1&scene=what-a-map-shows&set.case=claim&set.act=forbid");
  CHECK(linkOf("reading", "\"self-attention\"") == "v=1&scene=cross&set.target=le%20chat");
  const core::Matrix<double> cross = matrixOf(pageOf("cross", {{"target", "le chat"}}), "cross");
  CHECK(core::shapeText(cross.rows(), cross.cols()) == textOf(page, "cross_shape"));
  for (const char* part : kParts) {
    for (const lesson::Block& block : pageOf("check-yourself", {{"part", part}}).blocks) {
      const auto* jump = std::get_if<lesson::Jump>(&block.content);
      if (jump) CHECK(jump->link.find("edits=") == std::string::npos);
    }
  }
}

TEST_CASE("the questions of the parts add up to all of them") {
  double sum = 0;
  for (const char* part : kParts) sum += numberOf(pageOf("check-yourself", {{"part", part}}), "in_part");
  CHECK(sum == numberOf(pageOf("check-yourself"), "questions"));
}

TEST_CASE("the glossary has the words that scenes use without more ado") {
  const lesson::Page page = pageOf("check-yourself", {{"part", "glossary"}});
  for (const char* word : {"Token:", "Embedding:", "Batch:", "Seed:", "Loss:", "Entropy:", "Jacobian:", "Norm,", "State:",
                           "Float32,", "Parameters:", "Projection:", "Layer:"}) {
    CHECK_MESSAGE(says(page, word), word);
  }
}

TEST_CASE("the questions lead to every other scene") {
  std::set<std::string> reached;
  for (const char* part : kParts) {
    for (const lesson::Block& block : pageOf("check-yourself", {{"part", part}}).blocks) {
      const auto* jump = std::get_if<lesson::Jump>(&block.content);
      const std::size_t at = jump ? jump->link.find("&scene=") : std::string::npos;
      if (at == std::string::npos) continue;
      const std::string rest = jump->link.substr(at + 7);
      reached.insert(rest.substr(0, rest.find('&')));
    }
  }
  for (const scene::Scene& scene : scene::scenes()) {
    if (scene.id != "check-yourself") CHECK_MESSAGE(reached.count(std::string(scene.id)) == 1, scene.id);
  }
}

TEST_CASE("the glossary says that the lessons use one word for two things") {
  bool found = false;
  for (const lesson::Block& block : pageOf("check-yourself", {{"part", "glossary"}}).blocks) {
    const auto* words = std::get_if<lesson::Words>(&block.content);
    found = found || (words && words->text.find("Lesson 6.3 says \"score\" for both") != std::string::npos);
  }
  CHECK(found);
}

}  // namespace
