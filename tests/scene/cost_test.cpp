// Sizes and reach of attention, from the scene as it starts and by independent arithmetic.
#include <cmath>

#include "support/scenes.h"

namespace {

using namespace attn;
using namespace attn::test;

bool shows(const lesson::Page& page, const std::string& text) {
  for (const lesson::Block& block : page.blocks) {
    const auto* table = std::get_if<lesson::Table>(&block.content);
    if (!table) continue;
    for (const auto& row : table->rows) {
      if (std::find(row.begin(), row.end(), text) != row.end()) return true;
    }
  }
  return false;
}

TEST_CASE("a float32 grid takes 16 KiB, 4 MiB, 256 MiB and 64 GiB at the lesson's lengths") {  // L8
  const lesson::Page page = pageOf("cost");
  CHECK(listOf(page, "lengths") == std::vector<double>{64, 1024, 8192, 131072});
  CHECK(listOf(page, "grid_bytes") == std::vector<double>{16384, 4194304, 268435456, 68719476736});
  for (const char* text : {"16 KiB", "4 MiB", "256 MiB", "64 GiB", "4,096", "1,048,576"})
    CHECK_MESSAGE(shows(page, text), text);
  CHECK(numberOf(page, "times_of_64") == 256);  // at 1,024
  CHECK(numberOf(page, "doubled_times") == 4);
}

TEST_CASE("heads, layers, batch and number type multiply the grids") {
  const lesson::Page page =
      pageOf("cost", {{"T", "100"}, {"heads", "3"}, {"layers", "5"}, {"batch", "7"}, {"type", "float16"}});
  CHECK(listOf(page, "all_bytes")[0] == 64.0 * 64 * 2 * 3 * 5 * 7);
  CHECK(numberOf(page, "copies") == 105);
  CHECK(listOf(pageOf("cost", {{"type", "int8"}}), "grid_bytes")[0] == 4096);
  CHECK(listOf(pageOf("cost", {{"type", "float64"}}), "grid_bytes")[0] == 32768);
}

TEST_CASE("a window trades reach for memory") {
  const lesson::Page page =
      pageOf("cost", {{"T", "1000"}, {"windowed", "1"}, {"window", "101"}, {"causal", "1"}, {"layers", "3"}});
  CHECK(numberOf(page, "looks_back") == 100);
  CHECK(numberOf(page, "reach") == 300);
  CHECK(numberOf(page, "out_of_reach") == 699);
  CHECK(numberOf(page, "layers_needed") == 10);
  CHECK_FALSE(flagOf(page, "reaches_the_start"));
  CHECK(numberOf(page, "band_bytes") == 1000.0 * 101 * 4 * 3);
  double cells = 0;  // counted one by one
  for (int i = 0; i < 1000; ++i) cells += std::min(i + 1, 101);
  CHECK(std::abs(numberOf(page, "allowed_percent") - cells / 1e4) < 1e-12);
  CHECK(flagOf(pageOf("cost", {{"T", "1000"}, {"windowed", "1"}, {"window", "101"}, {"causal", "1"}, {"layers", "10"}}),
               "reaches_the_start"));
  CHECK_FALSE(flagOf(pageOf("cost", {{"windowed", "1"}, {"window", "1"}}), "can_reach_the_start"));
}

TEST_CASE("a tile takes the same memory at any length from its side on") {
  const double at_128 = numberOf(pageOf("cost", {{"T", "128"}}), "tile_bytes");
  CHECK(numberOf(pageOf("cost", {{"T", "1048576"}}), "tile_bytes") == at_128);
  CHECK(numberOf(pageOf("cost", {{"T", "16"}}), "tile_bytes") < at_128);
}

TEST_CASE("a sequence shorter than a tile is told that its tile is smaller") {
  const lesson::Page page = pageOf("cost", {{"T", "100"}});
  CHECK_FALSE(flagOf(page, "tile_fits"));
  CHECK(says(page, "From T = 128 on, a tile takes 193 KiB"));
  CHECK(says(page, "the whole grid is one tile and takes 139.844 KiB"));
  CHECK_FALSE(says(page, "at this and every greater length"));
  CHECK(says(pageOf("cost"), "A tile of side 128 takes 193 KiB at this and every greater length"));
  // What it consists of: 128² scores, four times 128·64 numbers, two numbers for each row, 4 bytes each.
  for (const char* part : {"64 KiB for its scores", "32 KiB each", "1 KiB for two"}) CHECK(says(pageOf("cost"), part));
}

TEST_CASE("a window as wide as the sequence saves nothing and gives nothing up") {
  const lesson::Page page = pageOf("cost", {{"T", "100"}, {"windowed", "1"}, {"window", "128"}});
  CHECK(flagOf(page, "window_used"));
  CHECK_FALSE(flagOf(page, "window_narrows"));
  CHECK(says(page, "as wide as the sequence or wider"));
  CHECK_FALSE(says(page, "The price is reach"));
  const lesson::Page narrow = pageOf("cost", {{"windowed", "1"}});
  CHECK(says(narrow, "The price is reach"));
  CHECK(says(narrow, "Through 1 layer,"));
}

TEST_CASE("scores and mixing overtake the projections at twice the model width") {
  const lesson::Page even = pageOf("cost", {{"T", "512"}, {"heads", "4"}});  // 4·64 = 256 wide
  CHECK(numberOf(even, "even_length") == 512);
  CHECK(numberOf(even, "pair_share_percent") == 50);
}

TEST_CASE("time is measured when asked, and never otherwise") {
  const lesson::Page page = pageOf("cost", {{"measure", "1"}});
  const std::vector<double> seconds = listOf(page, "seconds");
  REQUIRE(seconds.size() == 3);
  for (const double time : seconds) CHECK(time >= 0);  // a coarse clock may see nothing of the shortest
  CHECK(seconds[2] > 0);
  for (const auto& result : pageOf("cost").results) CHECK(result.name != "seconds");
}

}  // namespace
