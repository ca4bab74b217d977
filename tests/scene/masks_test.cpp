// Masks of all kinds, against patterns and numbers worked out by hand.
#include <cmath>
#include <cstdlib>

#include "support/problems.h"
#include "support/scenes.h"

namespace {

using namespace attn;
using namespace attn::test;
using core::Index;
using Texts = std::vector<std::string>;

Matrix pattern(const std::vector<std::string>& rows) {
  Matrix ones(static_cast<Index>(rows.size()), static_cast<Index>(rows.front().size()));
  for (Index i = 0; i < ones.rows(); ++i) {
    for (Index j = 0; j < ones.cols(); ++j)
      ones(i, j) = rows[static_cast<std::size_t>(i)][static_cast<std::size_t>(j)] == '1';
  }
  return ones;
}

const lesson::Grid& gridOf(const lesson::Page& page, std::string_view title) {
  for (const lesson::Block& block : page.blocks) {
    const auto* grid = std::get_if<lesson::Grid>(&block.content);
    if (grid && grid->title == title) return *grid;
  }
  FAIL(std::string(title));
  std::abort();
}

TEST_CASE("under the causal mask the four tokens have the lesson's weights and mixtures") {  // L5
  const lesson::Page page = pageOf("masks");
  Matrix weights(4, 4), z(4, 2);
  weights << 1, 0, 0, 0, .6698, .3302, 0, 0, .0501, .8482, .1017, 0, .0649, .7706, .1102, .0544;
  z << 1, 0, .6698, .3302, .1518, .9499, .2023, .9080;
  CHECK((matrixOf(page, "weights") - weights).cwiseAbs().maxCoeff() < .00005);  // four printed decimals
  CHECK((matrixOf(page, "z") - z).cwiseAbs().maxCoeff() < .00005);
  CHECK(numberOf(page, "blocked_cells") == 6);
}

TEST_CASE("kinds of masks combine with \"and\", each blocked cell with its reasons") {
  const struct { lesson::Settings settings; std::vector<std::string> rows; } cases[] = {
      {{{"causal", "0"}}, {"1111", "1111", "1111", "1111"}},
      {{}, {"1000", "1100", "1110", "1111"}},
      {{{"window", "2"}}, {"1000", "1100", "0110", "0011"}},  // counts the token itself, as in C8
      {{{"window", "2"}, {"causal", "0"}}, {"1100", "1110", "0111", "0011"}},
      {{{"padding", "2"}, {"causal", "0"}}, {"1100", "1100", "1100", "1100"}},
      {{{"padding", "1"}, {"window", "2"}}, {"1000", "1100", "0110", "0010"}}};
  for (const auto& [settings, rows] : cases) {
    const lesson::Page page = pageOf("masks", settings);
    CHECK(matrixOf(page, "allowed") == pattern(rows));
    CHECK(flagOf(page, "rows_sum_to_one"));
    CHECK(flagOf(page, "blocked_exactly_zero"));
  }
  const lesson::Page page = pageOf("masks", {{"padding", "1"}, {"window", "2"}});
  const lesson::Grid& grid = gridOf(page, "Weights");
  CHECK(grid.blocked == Texts{"", "causal", "causal+window", "causal+window+padding",  //
                              "", "", "causal", "causal+window+padding",              //
                              "window", "", "", "causal+padding",                     //
                              "window", "window", "", "padding"});
}

TEST_CASE("a filler that may read itself only is left with nothing, and no number becomes undefined") {
  const lesson::Page page = pageOf("masks", {{"padding", "1"}, {"window", "1"}});
  CHECK(flagOf(page, "some_row_empty"));
  CHECK(numberOf(page, "rows_without_source") == 1);
  CHECK(matrixOf(page, "weights").row(3).cwiseAbs().maxCoeff() == 0);
  CHECK(matrixOf(page, "z").allFinite());
}

TEST_CASE("the two mistakes of the worked example are a leak and a wrong sum") {  // L12
  const lesson::Page page = pageOf("masks", {{"topic", "mistakes"}});
  Matrix zero(3, 3), late(3, 3);
  zero << 1. / 2, 1. / 4, 1. / 4, 1. / 4, 1. / 2, 1. / 4, 1. / 4, 1. / 4, 1. / 2;  // exponentials 2 1 1, 1 2 1, 2 2 4
  late << 2. / 5, 0, 0, 1. / 5, 2. / 5, 0, 1. / 4, 1. / 4, 1. / 2;                 // exponentials 2 1 2, 1 2 2, 2 2 4
  CHECK((matrixOf(page, "zero_instead") - zero).cwiseAbs().maxCoeff() < 1e-15);  // √2·ln 2 is rounded once
  CHECK((matrixOf(page, "after_softmax") - late).cwiseAbs().maxCoeff() < 1e-15);
  CHECK_FALSE(flagOf(page, "zero_keeps_blocked_out"));
  CHECK_FALSE(flagOf(page, "late_rows_sum_to_one"));
  CHECK(gridOf(page, "Wrong: 0 in place of −∞").marked.size() == 3);
  CHECK(says(page, "1/2"));
  CHECK(says(page, "2/5"));
  Index mistakes = 0;
  for (const lesson::Block& block : page.blocks) {
    const auto* claim = std::get_if<lesson::Claim>(&block.content);
    mistakes += claim && claim->mistake;
  }
  CHECK(mistakes == 2);
}

TEST_CASE("one array of booleans read both ways shares no cell") {
  for (const char* array : {"causal", "padding"}) {
    const lesson::Page page = pageOf("masks", {{"topic", "pytorch"}, {"array", array}});
    CHECK_FALSE(flagOf(page, "readings_agree"));
    CHECK(numberOf(page, "common_cells") == 0);
  }
  const lesson::Page page = pageOf("masks");
  CHECK((matrixOf(page, "true_allows") - matrixOf(page, "weights")).cwiseAbs().maxCoeff() == 0);
  CHECK(numberOf(page, "empty_rows") == 1);  // the last row has no later token
  for (const char* array : {"causal", "padding"}) {  // each with the code that makes it and the mistake in words
    const lesson::Page shown = pageOf("masks", {{"topic", "pytorch"}, {"array", array}});
    CHECK(says(shown, "as meant"));
    CHECK(mistakesOf(shown).size() == 1);
  }
}

TEST_CASE("filler gets nothing as a source, gives something as a row, and must be left out of a mean") {
  for (const char* real : {"1", "2", "3"}) {
    for (const char* causal : {"0", "1"}) {
      const lesson::Page page = pageOf("masks", {{"topic", "batch"}, {"real", real}, {"causal", causal}});
      CHECK(flagOf(page, "padded_keys_get_zero"));
      CHECK_FALSE(flagOf(page, "padded_queries_give_zero"));
      CHECK_FALSE(flagOf(page, "filler_moves_mean_of_real"));
      if (real[0] != '1')
        CHECK(flagOf(page, "filler_moves_mean_of_all"));  // with one source, every row reads just that
    }
  }
  const lesson::Page full = pageOf("masks", {{"topic", "batch"}, {"real", "4"}});
  CHECK(numberOf(full, "mean_all") == doctest::Approx(numberOf(full, "mean_real")).epsilon(1e-15));
}

TEST_CASE("a row that may read nothing is NaN, uniform or unmasked, depending on how it is written, and 0 here") {
  for (const char* scores : {"2,0,1", "-20,20,0", "1,1,1", "0.5,-3,7"}) {
    const lesson::Page page = pageOf("masks", {{"topic", "nothing"}, {"scores", scores}});
    CHECK(listOf(page, "nothing_here") == std::vector<double>{0, 0, 0});
    CHECK(flagOf(page, "infinite_is_nan"));
    CHECK(flagOf(page, "billion_is_uniform"));
    CHECK(flagOf(page, "ten_thousand_leaks"));
    CHECK(flagOf(page, "other_rows_agree"));
  }
  const std::vector<double> leaked = listOf(pageOf("masks"), "nothing_ten_thousand");
  const double sum = std::exp(2.0) + 1 + std::exp(1.0);
  CHECK(std::abs(leaked[0] - std::exp(2.0) / sum) < 1e-3);  // −1e4 in single precision has neighbours 0.001 apart
}

TEST_CASE("with fewer queries than keys the triangle has two places to stand") {  // C6
  const lesson::Page page = pageOf("masks", {{"topic", "align"}});
  CHECK(resultOf<Texts>(page, "top_left") == Texts{"10000", "11000"});
  CHECK(resultOf<Texts>(page, "bottom_right") == Texts{"11110", "11111"});
  CHECK_FALSE(flagOf(page, "alignments_agree"));
  const lesson::Page square = pageOf("masks", {{"topic", "align"}, {"queries", "5"}});
  CHECK(resultOf<Texts>(square, "top_left") == resultOf<Texts>(square, "bottom_right"));
  CHECK(flagOf(square, "alignments_agree"));
}

TEST_CASE("a window hears one more of its width in each layer") {
  for (int window = 1; window <= 6; ++window) {
    for (int layers = 1; layers <= 5; ++layers) {
      const lesson::Page page = pageOf(
          "masks", {{"topic", "reach"}, {"reach_window", std::to_string(window)}, {"layers", std::to_string(layers)}});
      CHECK(numberOf(page, "reached") == std::min(12, 1 + layers * (window - 1)));
      CHECK(flagOf(page, "reach_as_counted"));
    }
  }
}

TEST_CASE("without filler the page of a batch says so and marks no mistake") {
  const lesson::Page page = pageOf("masks", {{"topic", "batch"}, {"real", "4"}});
  CHECK(mistakesOf(page).empty());
  CHECK(falseClaims(page).empty());
  CHECK(says(page, "no filler is needed"));
  CHECK_FALSE(says(page, "Rows of filler"));
  CHECK_FALSE(says(page, "unnoticed"));
  const lesson::Page filled = pageOf("masks", {{"topic", "batch"}});
  CHECK(mistakesOf(filled).size() == 1);
  CHECK(falseClaims(filled).empty());
}

TEST_CASE("a reach beyond the start of the sequence is not said to be that of the sequence") {
  const lesson::Page page = pageOf("masks", {{"topic", "reach"}, {"layers", "5"}, {"reach_window", "6"}});
  CHECK(says(page, "= 26. This sequence has 12, so it is all of them."));
  const lesson::Page within = pageOf("masks", {{"topic", "reach"}});
  CHECK(says(within, "That is 1 + 3 × (3 − 1) = 7"));
  CHECK_FALSE(says(within, "all of them"));
  CHECK(says(within, "What lies further back"));
  CHECK_FALSE(says(page, "What lies further back"));
}

TEST_CASE("rows that may read nothing are framed, and each blocked cell has its letters") {
  const lesson::Page page = pageOf("masks", {{"padding", "3"}, {"window", "1"}, {"causal", "0"}});
  CHECK(numberOf(page, "rows_without_source") == 3);
  CHECK(gridOf(page, "Weights").marked.size() == 12);
  const auto* reasons = figureOf<lesson::Table>(page, "Why a cell is blocked");
  REQUIRE(reasons);
  CHECK(reasons->rows[0] == Texts{"the", "·", "w p", "w p", "w p"});
  CHECK(numberOf(page, "blocked_by_padding") == 12);
}

TEST_CASE("no claim about masks is false but those marked as mistakes") {
  for (const char* topic : {"kinds", "batch", "nothing", "align", "reach"}) {
    for (const char* queries : {"1", "5"}) {
      CHECK(falseClaims(pageOf("masks", {{"topic", topic}, {"queries", queries}})).empty());
    }
  }
}

}  // namespace
