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
