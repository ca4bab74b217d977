// The spread of dot products, over many seeds and under broken assumptions.
#include <cmath>
#include <cstdlib>

#include "core/statistics.h"
#include "support/sanitized.h"
#include "support/scenes.h"

namespace {

using namespace attn;
using namespace attn::test;

TEST_CASE("10,000 pairs spread by √d within 3 %, and by 1 after dividing") {  // L10
  const lesson::Page page = pageOf("scaling");
  const std::vector<double> spread = listOf(page, "standard_deviations"),
                            scaled = listOf(page, "standard_deviations_scaled");
  const std::vector<double> roots = listOf(page, "roots");
  const double want[] = {2, 8, 22.627416997969522}, printed_roots[] = {2, 8, 22.6};
  REQUIRE(spread.size() == 3);
  for (std::size_t i = 0; i < 3; ++i) {
    CHECK(std::abs(roots[i] - printed_roots[i]) < .05);
    CHECK(std::abs(spread[i] / want[i] - 1) < .03);
    CHECK(std::abs(scaled[i] - 1) < .03);
  }
  CHECK(flagOf(page, "grows_like_root"));
  CHECK(flagOf(page, "printed_within_spread"));
}

TEST_CASE("over a thousand seeds the measured spread scatters as the page says, and the lesson's draw lies within it" *
          doctest::skip(attn::test::kSlow)) {
  constexpr int kSeeds = 1000, kPairs = 100;
  core::Running ratios[3];
  for (int seed = 0; seed < kSeeds; ++seed) {
    const lesson::Page page = pageOf("scaling", {{"pairs", std::to_string(kPairs)}, {"seed", std::to_string(seed)}});
    const std::vector<double> scaled = listOf(page, "standard_deviations_scaled");
    for (std::size_t i = 0; i < 3; ++i) ratios[i].add(scaled[i]);
  }
  const double widths[] = {4, 64, 512}, printed[] = {1.99, 8.01, 22.45};
  for (std::size_t i = 0; i < 3; ++i) {
    const double chance = std::sqrt((6 / widths[i] + 2) / (4 * kPairs));
    CHECK(std::abs(ratios[i].mean() - 1) < .02);  // a sample deviation of 100 pairs is biased by less than 1 %
    // The scatter of 1,000 is known to 1/√2000 = 2.2 %; the formula is that of many pairs, and 100 are few.
    CHECK(std::abs(ratios[i].sampleDeviation() / chance - 1) < .15);
    // Of 10,000 pairs it is a tenth of that: the lesson's single draw lies within three of them.
    CHECK(std::abs(printed[i] / std::sqrt(widths[i]) - 1) < 3 * ratios[i].sampleDeviation() / 10);
  }
}

TEST_CASE("uniform coordinates of variance 1 spread as normal ones do") {
  const std::vector<double> scaled = listOf(pageOf("scaling", {{"entries", "uniform"}}), "standard_deviations_scaled");
  for (const double ratio : scaled) CHECK(std::abs(ratio - 1) < .03);
}

TEST_CASE("each broken assumption breaks the rule in its own way") {
  const auto at = [](const char* entries, const char* d, const char* name) {
    return numberOf(pageOf("scaling", {{"entries", entries}, {"d", d}, {"pairs", "20000"}}), name);
  };
  // Standard errors of 20,000 pairs are below 1 %; of copies, whose products have fat tails, below 2 %.
  CHECK(std::abs(at("mean", "256", "mean") / 64 - 1) < .02);           // d/4
  CHECK(std::abs(at("mean", "256", "spread_scaled") / std::sqrt(1.5) - 1) < .03);
  CHECK(std::abs(at("spread", "100", "spread_scaled") / 4 - 1) < .03);
  CHECK(std::abs(at("copies", "100", "spread") / 100 - 1) < .06);
  CHECK(std::abs(at("alike", "256", "mean") / 128 - 1) < .02);         // d/2
  for (const char* entries : {"mean", "spread", "copies", "alike"}) {
    const lesson::Page page = pageOf("scaling", {{"entries", entries}});
    CHECK_FALSE(flagOf(page, "assumption_holds"));
    CHECK_FALSE(flagOf(page, "grows_like_root"));
  }
}

TEST_CASE("any width can be measured, and one that is there anyway is not measured twice") {
  CHECK(listOf(pageOf("scaling", {{"d", "100"}, {"pairs", "1000"}}), "widths") == std::vector<double>{4, 64, 100, 512});
  CHECK(listOf(pageOf("scaling", {{"d", "1"}, {"pairs", "1000"}}), "widths") == std::vector<double>{1, 4, 64, 512});
  CHECK(listOf(pageOf("scaling", {{"d", "64"}, {"pairs", "1000"}}), "widths") == std::vector<double>{4, 64, 512});
}

TEST_CASE("a long measurement tells how far it is and can be stopped") {
  double last = -1;
  int asked = 0;
  const core::Result<lesson::Page> page = scene::run("scaling", {{"pairs", "1000000"}}, [&](double done) {
    CHECK(done >= last);
    last = done;
    return ++asked < 5;
  });
  CHECK_FALSE(page.ok());
  CHECK(asked == 5);
  CHECK(page.error().message == "stopped");
}

TEST_CASE("what is said of the spread is so with the assumption and without it" * doctest::skip(attn::test::kSlow)) {
  for (const char* entries : {"normal", "uniform"}) {
    const lesson::Page page = pageOf("scaling", {{"entries", entries}});
    CHECK(says(page, "all near 1"));
    CHECK_FALSE(says(page, "on each other"));  // the curve of width 4 has the same spread and another form
    CHECK(says(page, "more peaked") == (std::string(entries) == "normal"));
    CHECK(falseClaims(page).empty());
  }
  for (const char* entries : {"mean", "spread", "copies", "alike"}) {
    const lesson::Page page = pageOf("scaling", {{"entries", entries}});
    CHECK(page.look.find("broken on purpose") != std::string::npos);
    CHECK_FALSE(says(page, "all near 1"));
    CHECK(falseClaims(page).size() == 1);
    for (const double spread : listOf(page, "standard_deviations_scaled")) CHECK(std::abs(spread - 1) > .05);
  }
}

const lesson::Plot& plotCalled(const lesson::Page& page, std::string_view title) {
  for (const lesson::Block& block : page.blocks) {
    const auto* plot = std::get_if<lesson::Plot>(&block.content);
    if (plot && plot->title.find(title) == 0) return *plot;
  }
  FAIL("no such plot");
  std::abort();
}

TEST_CASE("marks stand one root of d from the mean of the dot products") {
  const lesson::Page page = pageOf("scaling", {{"entries", "mean"}, {"d", "256"}});
  const std::vector<lesson::Plot::Mark>& marks = plotCalled(page, "Dot products").marks;
  REQUIRE(marks.size() == 2);
  CHECK(marks[0].at == 64 - 16);  // d/4 − √d
  CHECK(marks[1].at == 64 + 16);
}

TEST_CASE("curves of very different height are all drawn where they can be told apart") {
  const lesson::Page page = pageOf("scaling", {{"entries", "copies"}, {"d", "1024"}});
  for (const char* title : {"Before", "After"}) {
    const lesson::Plot& plot = plotCalled(page, title);
    CHECK(plot.log_y);
    for (const lesson::Plot::Series& series : plot.series) {
      CHECK(series.y.size() > 10);
      for (const double y : series.y) CHECK(y > 0);
    }
  }
}

}  // namespace
