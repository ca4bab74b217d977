// One row in full against softmax as it is written.
#include "map/row.h"

#include <limits>
#include <numeric>

#include "core/buffer_use.h"
#include "map/brute_force.h"

using namespace attn;
using namespace attn::map;

TEST_CASE("The profile of a row is softmax over all that it may read") {
  for (const auto& [shape, rule] : test::manyCases()) {
    const test::RandomHead random(shape, rule);
    const Head head = random.head();
    for (const Index row : {Index{0}, shape.rows / 2, shape.rows - 1}) {
      const auto made = RowProfile::make(head, row);
      REQUIRE(made.ok());
      const RowProfile& profile = made.value();
      const std::vector<double> weights = random.weights(row);
      double entropy = 0, top = -std::numeric_limits<double>::infinity();
      for (Index j = 0; j < shape.sources; ++j) {
        const double w = weights[static_cast<std::size_t>(j)];
        CHECK(test::nearlyEqual(profile.weights()[static_cast<std::size_t>(j)], w, 1e-12));
        if (w > 0) entropy -= w * std::log(w);
        if (random.allowed(row, j)) top = std::max(top, random.score(row, j));
      }
      CHECK(std::abs(profile.entropy() - entropy) <= 1e-12 * (1 + entropy));
      CHECK((profile.largestScore() == top || std::abs(profile.largestScore() - top) < 1e-13));
    }
  }
}

TEST_CASE("The largest weights of a row come in order, and each source knows its rank, equal ones by position") {
  test::RandomHead random({2, 50, 4}, {0.5, true, 0, 40});
  std::copy_n(random.k.begin() + 4 * 7, 4, random.k.begin() + 4 * 30);  // two sources with the same key
  const auto made = RowProfile::make(random.head(), 0);
  REQUIRE(made.ok());
  const RowProfile& profile = made.value();
  CHECK(profile.allowed().end == 41);
  std::vector<Index> order(41);
  std::iota(order.begin(), order.end(), Index{0});
  std::stable_sort(order.begin(), order.end(), [&](Index a, Index b) {
    return profile.weights()[static_cast<std::size_t>(a)] > profile.weights()[static_cast<std::size_t>(b)];
  });
  for (const Index count : {1, 5, 41, 100}) {
    const std::vector<Ranked> best = profile.largest(count);
    REQUIRE(static_cast<Index>(best.size()) == std::min<Index>(count, 41));
    for (std::size_t n = 0; n < best.size(); ++n) {
      CHECK(best[n].source == order[n]);
      CHECK(best[n].rank == static_cast<Index>(n) + 1);
      CHECK(best[n].weight == profile.weights()[static_cast<std::size_t>(order[n])]);
      CHECK(profile.ranked(order[n]).rank == best[n].rank);
    }
  }
}

TEST_CASE("A row that may read nothing has no weights and no largest ones") {
  const test::RandomHead random({70, 33, 4}, {0.5, false, 4});
  const auto made = RowProfile::make(random.head(), 69);
  REQUIRE(made.ok());
  CHECK(made.value().allowed().empty());
  CHECK(made.value().largest(5).empty());
  CHECK(made.value().entropy() == 0);
  CHECK(made.value().largestScore() == -std::numeric_limits<double>::infinity());
}

TEST_CASE("A profile takes 8 bytes for each source, or says that there is no memory") {
  const test::RandomHead random({2, 1000, 4}, {0.5});
  const Head head = random.head();
  const std::size_t before = core::heldBytes();
  {
    const auto made = RowProfile::make(head, 1);
    REQUIRE(made.ok());
    CHECK(core::heldBytes() - before == 8000);
  }
  core::failAllocation(1);
  CHECK_FALSE(RowProfile::make(head, 1).ok());
  core::failAllocation(0);
}
