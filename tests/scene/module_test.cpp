// The whole module on a batch.
#include <string>

#include "support/scenes.h"

namespace {

using namespace attn;
using namespace attn::test;

TEST_CASE("the module has the lesson's shapes and 16,640 parameters with any number of heads") {
  const lesson::Page page = pageOf("module");
  CHECK(textOf(page, "input_shape") == "(2, 12, 64)");
  CHECK(textOf(page, "output_shape") == "(2, 12, 64)");
  CHECK(textOf(page, "weights_shape") == "(2, 4, 12, 12)");
  CHECK(numberOf(page, "parameters") == 16640);
  CHECK(listOf(page, "parts") == std::vector<double>{64 * 192, 192, 64 * 64, 64});
  CHECK(listOf(page, "parameters_with_1_2_4_8_16_heads") == std::vector<double>(5, 16640));
  CHECK(flagOf(page, "same_parameters"));
}

TEST_CASE("the module agrees with PyTorch and with the step-by-step computation") {
  const lesson::Page page = pageOf("module");
  CHECK(flagOf(page, "matches_pytorch"));
  CHECK(numberOf(page, "reference_difference") > 0);  // rounding in another order: not a comparison with itself
  CHECK(numberOf(page, "reference_difference") <= 1e-6);
  CHECK(flagOf(page, "agrees_with_walkthrough"));
}

TEST_CASE("every batch, head and width keeps the causal triangle, and sequences do not mix") {
  for (const char* heads : {"1", "2", "4", "8", "16"}) {
    for (const char* tokens : {"1", "5", "24"}) {
      const lesson::Page page = pageOf("module", {{"heads", heads}, {"tokens", tokens}, {"batch", "3"}, {"d_model", "32"}});
      CHECK(flagOf(page, "nothing_above_diagonal"));
      CHECK(flagOf(page, "rows_sum_to_one"));
      CHECK(flagOf(page, "batch_does_not_mix"));
      CHECK(numberOf(page, "parameters") == 4 * 32 * 32 + 4 * 32);
    }
  }
}

TEST_CASE("the comparison with PyTorch is said to be of another module than the one that is set") {
  const lesson::Page page = pageOf("module", {{"d_model", "128"}, {"tokens", "1"}, {"batch", "1"}});
  CHECK(numberOf(page, "reference_difference") == numberOf(pageOf("module"), "reference_difference"));
  CHECK(page.says.find("On the test module the largest difference from PyTorch is 3e-7") != std::string::npos);
  CHECK_FALSE(says(page, "The last sequence computed alone"));  // there is no other that it could read
  CHECK(says(pageOf("module"), "The last sequence computed alone"));
}

TEST_CASE("each of the eleven lines shows an array of its own shape") {
  for (int line = 1; line <= 11; ++line) {
    const lesson::Page page = pageOf("module", {{"line", std::to_string(line)}, {"sequence", "1"}, {"head", "3"}});
    for (const lesson::Block& block : page.blocks) {
      const auto* grid = std::get_if<lesson::Grid>(&block.content);
      if (!grid) continue;
      const std::string shape = std::to_string(grid->rows) + ", " + std::to_string(grid->columns) + ")";
      CHECK_MESSAGE(textOf(page, "shape").find(shape) != std::string::npos, grid->title);
    }
  }
}

}  // namespace
