// Attention tile by tile, against the whole grid.
#include <cmath>

#include "support/sanitized.h"
#include "support/scenes.h"

namespace {

using namespace attn;
using namespace attn::test;

TEST_CASE("tiles of any size give the whole grid's result, with a mask and without") {
  for (const char* causal : {"0", "1"}) {
    for (int rows = 1; rows <= 16; rows += 3) {
      for (int columns = 1; columns <= 16; ++columns) {
        const lesson::Page page = pageOf("tiles", {{"T", "11"}, {"causal", causal}, {"tile_rows", std::to_string(rows)},
                                                   {"tile_columns", std::to_string(columns)}});
        CHECK(flagOf(page, "equal_to_full"));
        CHECK(numberOf(page, "largest_difference") < 1e-12);  // as the page says
      }
    }
  }
}

TEST_CASE("a thousand seeds agree with the whole grid" * doctest::skip(attn::test::kSlow)) {
  for (int seed = 0; seed < 1000; ++seed)
    CHECK(flagOf(pageOf("tiles", {{"seed", std::to_string(seed)}}), "equal_to_full"));
}

TEST_CASE("the running maximum never falls, and the last step ends at the full result") {
  const int tiles = static_cast<int>(numberOf(pageOf("tiles"), "tiles"));
  CHECK(tiles == 8);  // 2 blocks of 4 rows, 4 tiles of 2 sources
  std::vector<double> before;
  for (int step = 1; step <= tiles; ++step) {
    const lesson::Page page = pageOf("tiles", {{"step", std::to_string(step)}});
    const std::vector<double> largest = listOf(page, "running_max"), sum = listOf(page, "running_sum");
    const bool first = numberOf(page, "first_source") == 0;
    for (std::size_t i = 0; i < largest.size(); ++i) {
      if (!first) CHECK(largest[i] >= before[i]);
      CHECK(sum[i] >= 1);  // the largest itself counts e^0
    }
    CHECK(flagOf(page, "rows_finished") == (step % 4 == 0));
    before = largest;
  }
  CHECK(numberOf(pageOf("tiles", {{"step", std::to_string(tiles)}}), "difference_so_far") < 1e-12);
  CHECK(numberOf(pageOf("tiles", {{"step", "1"}}), "difference_so_far") > .1);
}

TEST_CASE("a step beyond the last tile is the last") {
  const lesson::Page page = pageOf("tiles", {{"step", "256"}});
  CHECK(numberOf(page, "tile") == numberOf(page, "tiles"));
}

TEST_CASE("under a causal mask tiles above the diagonal are skipped") {
  const lesson::Page page = pageOf("tiles", {{"causal", "1"}, {"step", "3"}});  // rows 0–3, sources 4–5
  CHECK(flagOf(page, "tile_blocked"));
  CHECK_FALSE(flagOf(page, "largest_grew"));
}

TEST_CASE("only a causal mask is said to save multiplications") {
  const lesson::Page causal = pageOf("tiles", {{"causal", "1"}, {"tile_rows", "2"}, {"step", "3"}});
  CHECK(numberOf(causal, "skipped_tiles") == 6);  // of 4 × 4 square tiles those above the diagonal
  CHECK(says(causal, "this tile is blocked and skipped"));
  CHECK(says(causal, "6 of 16 here"));
  CHECK_FALSE(says(causal, "The multiplications stay the same"));
  CHECK(says(pageOf("tiles"), "The multiplications stay the same"));
  CHECK(numberOf(pageOf("tiles"), "skipped_tiles") == 0);
}

TEST_CASE("a row without a source is told of where there is one") {
  for (int step = 1; step <= 8; ++step) {
    const lesson::Page page = pageOf("tiles", {{"causal", "1"}, {"step", std::to_string(step)}});
    // Rows 0 to 3 and 4 to 7, two columns at a time: a row above the tile's first column reads none of it.
    const double row = numberOf(page, "first_row"), source = numberOf(page, "first_source"), last = numberOf(page, "last_row");
    const bool expected = row < source && source <= last;
    CHECK(flagOf(page, "row_without_source") == expected);
    CHECK(says(page, "leaves that row nothing to read") == expected);
  }
}

TEST_CASE("a tile is said to stop growing at its side, not before") {
  CHECK(says(pageOf("tiles"), "once T has passed its side, 128"));
  CHECK(says(pageOf("tiles", {{"long_T", "500"}, {"long_tile", "1000"}}), "up to its side, 1000, which this sequence does not reach"));
}

TEST_CASE("rows under way end at rounding, whatever rows have not begun") {
  for (int step = 1; step <= 8; ++step) {
    const lesson::Page page = pageOf("tiles", {{"step", std::to_string(step)}});
    CHECK((numberOf(page, "rows_difference") < 1e-12) == flagOf(page, "rows_finished"));
  }
}

TEST_CASE("the memory of both ways is what their numbers take") {
  const lesson::Page page = pageOf("tiles");
  CHECK(numberOf(page, "grid_bytes") == 8192.0 * 8192 * 4);
  // Queries, keys, values and output of 128×64, scores of 128×128, two numbers for each row.
  CHECK(numberOf(page, "tile_bytes") == (4 * 128 * 64 + 128 * 128 + 2 * 128) * 4.0);
}

}  // namespace
