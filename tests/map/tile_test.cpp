// Tiles at every zoom against the pairs themselves.
#include "map/tile.h"

#include "core/buffer.h"
#include "map/brute_force.h"
#include "map/row.h"
#include "map/synthetic.h"
#include "support/sanitized.h"

using namespace attn;
using namespace attn::map;

namespace {

struct Tile {
  std::vector<float> max, mean;
};

RowStatistics statisticsOf(const Head& head, Range rows) {
  auto made = RowStatistics::make(head.shape().rows);
  REQUIRE(made.ok());
  RowStatistics statistics = made.take();
  REQUIRE_FALSE(findStatistics(head, rows, statistics));
  return statistics;
}

Tile weights(const Head& head, const RowStatistics& statistics, const std::vector<Index>& rows,
             const std::vector<Index>& columns) {
  Tile tile;
  tile.max.resize((rows.size() - 1) * (columns.size() - 1));
  tile.mean.resize(tile.max.size());
  REQUIRE_FALSE(weightTile(head, statistics, rows, columns, {tile.max, tile.mean}));
  return tile;
}

Tile scores(const Head& head, const std::vector<Index>& rows, const std::vector<Index>& columns) {
  Tile tile;
  tile.max.resize((rows.size() - 1) * (columns.size() - 1));
  tile.mean.resize(tile.max.size());
  REQUIRE_FALSE(scoreTile(head, rows, columns, {tile.max, tile.mean}));
  return tile;
}

// Whether the tile is what `value(row, source)` makes of it: weights to 1e-6, and to 1e-5 of themselves however small.
template <class Value>
void compare(const Tile& tile, const std::vector<Index>& rows, const std::vector<Index>& columns, Value value,
             double relative = 1e-5, double absolute = 1e-30) {
  std::size_t at = 0, wrong = 0;
  for (std::size_t y = 0; y + 1 < rows.size(); ++y)
    for (std::size_t x = 0; x + 1 < columns.size(); ++x, ++at) {
      double max = -1e300, sum = 0;
      for (Index i = rows[y]; i < rows[y + 1]; ++i)
        for (Index j = columns[x]; j < columns[x + 1]; ++j) max = std::max(max, value(i, j)), sum += value(i, j);
      const double mean = sum / static_cast<double>((rows[y + 1] - rows[y]) * (columns[x + 1] - columns[x]));
      const double off_max = std::abs(static_cast<double>(tile.max[at]) - max);
      const double off_mean = std::abs(static_cast<double>(tile.mean[at]) - mean);
      wrong += off_max > std::min(1e-6, relative * std::abs(max)) + absolute;
      wrong += off_mean > std::min(1e-6, relative * std::abs(mean)) + absolute;
    }
  CHECK(wrong == 0);
}

}  // namespace

TEST_CASE("Edges cut a side evenly, or into cells of which the last may be smaller") {
  CHECK(evenEdges({3, 10}, 3) == std::vector<Index>{3, 5, 7, 10});
  CHECK(evenEdges({0, 4}, 4) == std::vector<Index>{0, 1, 2, 3, 4});
  CHECK(cellEdges({3, 10}, 3) == std::vector<Index>{3, 6, 9, 10});
  CHECK(cellEdges({0, 6}, 3) == std::vector<Index>{0, 3, 6});
  CHECK(cellEdges({5, 6}, 9) == std::vector<Index>{5, 6});
}

TEST_CASE("A tile has the largest and the mean weight and score of each pixel's pairs, for every rule and ragged size") {
  for (const auto& [shape, rule] : test::manyCases()) {
    const test::RandomHead random(shape, rule);
    const Head head = random.head();
    const RowStatistics statistics = statisticsOf(head, {0, shape.rows});
    std::vector<std::vector<double>> exact;
    for (Index i = 0; i < shape.rows; ++i) exact.push_back(random.weights(i));
    for (const Index cell : {1, 3, 8, 50, 700}) {
      const std::vector<Index> rows = cellEdges({shape.rows / 3, shape.rows}, cell);
      const std::vector<Index> columns = cellEdges({shape.sources / 4, shape.sources}, cell);
      compare(weights(head, statistics, rows, columns), rows, columns,
              [&](Index i, Index j) { return exact[static_cast<std::size_t>(i)][static_cast<std::size_t>(j)]; });
      compare(scores(head, rows, columns), rows, columns, [&](Index i, Index j) { return random.score(i, j); }, 1e-6, 5e-6);
    }
  }
}

TEST_CASE("At 4,096 positions tiles are exact at every zoom") {
  const Index positions = test::kSlow ? 1024 : 4096;
  auto made = MadeUp::make({positions, 64, {Part::kRandom, Part::kTopics, Part::kSink, Part::kLocal}, 3});
  REQUIRE(made.ok());
  test::RandomHead like({positions, positions, 64}, {test::rootScale(64), true});
  std::copy_n(made.value().q(), like.q.size(), like.q.begin());
  std::copy_n(made.value().k(), like.k.size(), like.k.begin());
  const Head head = like.head();
  for (const Index cell : {1, 2, 4, 16, 64, 256}) {
    // A strip of pixels across the head, one pixel high, near its end.
    const Range side{positions - cell - 5, positions - 5};
    const RowStatistics statistics = statisticsOf(head, side);
    const std::vector<Index> rows = cellEdges(side, cell), columns = cellEdges({0, positions}, cell);
    std::vector<std::vector<double>> exact;
    for (Index i = side.begin; i < side.end; ++i) exact.push_back(like.weights(i));
    compare(weights(head, statistics, rows, columns), rows, columns,
            [&](Index i, Index j) { return exact[static_cast<std::size_t>(i - side.begin)][static_cast<std::size_t>(j)]; });
  }
}

TEST_CASE("At 131,072 positions a line of pixels is the profile of its row") {
  if (test::kSlow) return;
  constexpr Index kPositions = 131072;
  const Parts parts{Part::kRandom, Part::kTopics, Part::kSink, Part::kRotary, Part::kNeedle};
  const auto made = MadeUp::make({kPositions, 64, parts, 2});
  REQUIRE(made.ok());
  const Shape shape{kPositions, kPositions, 64};
  const auto head = Head::make(made.value().q(), made.value().k(), shape, {test::rootScale(64), true});
  REQUIRE(head.ok());
  for (const Index row : {Index{1000}, made.value().needleRow(), kPositions - 1}) {
    const auto profile = RowProfile::make(head.value(), row);
    REQUIRE(profile.ok());
    const RowStatistics statistics = statisticsOf(head.value(), {row, row + 1});
    const std::vector<Index> rows{row, row + 1}, columns = cellEdges({0, kPositions}, 100);
    compare(weights(head.value(), statistics, rows, columns), rows, columns,
            [&](Index, Index j) { return profile.value().weights()[static_cast<std::size_t>(j)]; });
  }
}

TEST_CASE("Parts of a tile are the same numbers as the whole") {
  const test::RandomHead random({300, 300, 12}, {0.3, true});
  const Head head = random.head();
  const RowStatistics statistics = statisticsOf(head, {0, 300});
  const std::vector<Index> rows = evenEdges({10, 290}, 40), columns = evenEdges({3, 299}, 33);
  const Tile whole = weights(head, statistics, rows, columns);
  const Tile part = weights(head, statistics, {rows.begin() + 7, rows.begin() + 20}, columns);
  for (std::size_t n = 0; n < part.max.size(); ++n) {
    CHECK(part.max[n] == whole.max[7 * 33 + n]);
    CHECK(part.mean[n] == whole.mean[7 * 33 + n]);
  }
}

TEST_CASE("The weights of a row add up to 1 at every length") {
  const test::RandomHead random({2, 5000, 6}, {1.0});
  const Head head = random.head();
  const RowStatistics statistics = statisticsOf(head, {0, 2});
  const Tile tile = weights(head, statistics, {0, 1, 2}, {0, 5000});
  CHECK(static_cast<double>(tile.mean[0]) * 5000 == doctest::Approx(1).epsilon(1e-6));
  CHECK(static_cast<double>(tile.mean[1]) * 5000 == doctest::Approx(1).epsilon(1e-6));
}

TEST_CASE("A tile and row statistics say when there is no memory") {
  const test::RandomHead random({20, 20, 3}, {1.0});
  const Head head = random.head();
  RowStatistics statistics = statisticsOf(head, {0, 20});
  std::vector<float> max(1), mean(1);
  const std::vector<Index> edges{0, 20};
  for (const int n : {1, 2}) {
    core::failAllocation(n);
    CHECK(weightTile(head, statistics, edges, edges, {max, mean}).has_value());
  }
  core::failAllocation(1);
  CHECK_FALSE(RowStatistics::make(20).ok());
  core::failAllocation(1);
  CHECK(findStatistics(head, {0, 20}, statistics).has_value());
  core::failAllocation(0);
}
