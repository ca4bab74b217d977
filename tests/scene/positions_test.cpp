// Vectors for positions: their likeness, and scores that depend on distance only.
#include <cmath>

#include "support/sanitized.h"
#include "support/scenes.h"

namespace {

using namespace attn;
using namespace attn::test;

TEST_CASE("the similarities of position 10 are those of the lesson") {  // L7
  const lesson::Page page = pageOf("positions");
  const std::vector<double> similarity = listOf(page, "similarity");
  REQUIRE(similarity.size() == 64);
  const std::pair<std::size_t, double> printed[] = {{10, 1.000}, {11, .966}, {15, .734}, {30, .590}, {60, .490}};
  for (const auto& [position, value] : printed) CHECK(std::abs(similarity[position] - value) < .0005);
  CHECK_FALSE(flagOf(page, "falls_at_every_step"));  // "not perfectly smoothly"
  CHECK(flagOf(page, "nearer_is_more_alike"));
  CHECK(flagOf(page, "similarity_by_distance"));
}

TEST_CASE("waves are sines and cosines of slower and slower angles, for any size and base") {
  for (const char* d : {"2", "7", "64"}) {
    const lesson::Page page = pageOf("positions", {{"d", d}, {"T", "20"}, {"base", "100"}});
    const core::Matrix<double> table = matrixOf(page, "table");
    const double width = std::atof(d);
    for (core::Index t = 0; t < table.rows(); ++t) {
      for (core::Index c = 0; c < table.cols(); ++c) {
        const double angle = static_cast<double>(t) / std::pow(100, static_cast<double>(c / 2 * 2) / width);
        CHECK(std::abs(table(t, c) - (c % 2 ? std::cos(angle) : std::sin(angle))) < 1e-12);  // angles up to 20
      }
    }
  }
}

TEST_CASE("with an odd width similarity depends on more than the distance") {
  const lesson::Page page = pageOf("positions", {{"d", "7"}});
  CHECK(flagOf(page, "odd"));
  CHECK_FALSE(flagOf(page, "similarity_by_distance"));
}

TEST_CASE("a table before training is alike at random, over a thousand seeds" * doctest::skip(attn::test::kSlow)) {
  constexpr int kSeeds = 1000;
  double with_neighbour = 0, spread = 0;
  int nearer = 0;
  for (int seed = 0; seed < kSeeds; ++seed) {
    const lesson::Page page = pageOf("positions", {{"kind", "learned"}, {"T", "20"}, {"seed", std::to_string(seed)}});
    with_neighbour += numberOf(page, "with_neighbour") / kSeeds;
    spread += numberOf(page, "similarity_spread") / kSeeds;
    nearer += flagOf(page, "nearer_is_more_alike");
  }
  CHECK(std::abs(with_neighbour) < 4 * .125 / std::sqrt(kSeeds));  // mean 0, deviation 1/√64 = .125
  CHECK(std::abs(spread - .125) < .01);
  CHECK(std::abs(nearer - kSeeds / 2) < 64);  // a coin thrown 1,000 times, four standard deviations of 16
}

TEST_CASE("turned pairs give scores that depend on distance only, in either layout but not across layouts") {
  for (const char* layout : {"interleaved", "half-split"}) {
    for (const char* d : {"2", "9", "64"}) {
      const lesson::Page page = pageOf("positions", {{"kind", "rotary"}, {"layout", layout}, {"d", d}});
      CHECK(flagOf(page, "depends_on_distance_only"));
      CHECK(std::abs(numberOf(page, "score_here") - numberOf(page, "score_there")) < 1e-9);
      CHECK(flagOf(page, "mixed_layouts_work") == (std::string(d) == "2"));  // with one pair there is only one layout
      CHECK_FALSE(flagOf(page, "added_depends_on_distance_only"));
    }
  }
}

TEST_CASE("a position beyond the last one counts as the last") {
  const lesson::Page page = pageOf("positions", {{"T", "5"}, {"position", "200"}});
  CHECK(numberOf(page, "position_used") == 4);
  CHECK(numberOf(page, "neighbour") == 3);
}

TEST_CASE("what chance decides in an untrained table is no claim") {
  for (const char* position : {"3", "10"}) {
    const lesson::Page page = pageOf("positions", {{"kind", "learned"}, {"T", "16"}, {"position", position}});
    CHECK(std::none_of(page.blocks.begin(), page.blocks.end(),
                       [](const auto& block) { return std::holds_alternative<lesson::Claim>(block.content); }));
    CHECK(says(page, "is chance"));
  }
}

TEST_CASE("nothing is said of what lies to the right of the last position") {
  CHECK_FALSE(says(pageOf("positions", {{"position", "63"}}), "To the right"));
  CHECK(says(pageOf("positions"), "To the right of position 10 the similarity does not fall at every step"));
  CHECK(falseClaims(pageOf("positions")).empty());
}

TEST_CASE("with one pair there is no first and no last one") {
  const lesson::Page page = pageOf("positions", {{"T", "2"}, {"d", "2"}});
  CHECK_FALSE(says(page, "the last needs"));
  CHECK_FALSE(says(page, "farthest position"));
  const lesson::Page rotary = pageOf("positions", {{"kind", "rotary"}, {"d", "2"}});
  CHECK(mistakesOf(rotary).empty());
  CHECK(falseClaims(rotary).empty());
  CHECK(says(pageOf("positions", {{"kind", "rotary"}, {"distance", "11"}}), "no other pair so far apart"));
}

}  // namespace
