// The pyramid against weights in double, once complete; its estimates and their errors before.
#include "map/pyramid.h"

#include "core/buffer_use.h"
#include "map/brute_force.h"
#include "map/student.h"
#include "map/synthetic.h"
#include "support/sanitized.h"

using namespace attn;
using namespace attn::map;

namespace {

Pyramid pyramidOf(const Head& head, Index cell, std::uint64_t seed = 1) {
  auto made = Pyramid::make(head, cell, seed);
  REQUIRE(made.ok());
  return made.take();
}

Range part(Index cell, Index n, Index whole) { return {n * cell, std::min(n * cell + cell, whole)}; }

// Largest and mean weight of a block.
struct Block {
  double max = 0, mean = 0;
};
Block blockOf(const std::vector<std::vector<double>>& weights, Range rows, Range sources) {
  Block block;
  for (Index i = rows.begin; i < rows.end; ++i)
    for (Index j = sources.begin; j < sources.end; ++j) {
      const double w = weights[static_cast<std::size_t>(i)][static_cast<std::size_t>(j)];
      block.max = std::max(block.max, w);
      block.mean += w / static_cast<double>(rows.size() * sources.size());
    }
  return block;
}

std::vector<std::vector<double>> allWeights(const test::RandomHead& random) {
  std::vector<std::vector<double>> weights;
  for (Index i = 0; i < random.shape.rows; ++i) weights.push_back(random.weights(i));
  return weights;
}

// Calls check(level, row, column, cell) for all cells.
template <class Check>
void forAll(const Pyramid& pyramid, Check check) {
  for (int level = 0; level < pyramid.levels(); ++level)
    for (Index r = 0; r < pyramid.cells(level).rows; ++r)
      for (Index c = 0; c < pyramid.cells(level).sources; ++c) check(level, r, c, pyramid.at(level, r, c));
}

}  // namespace

TEST_CASE("A complete pyramid has the largest and the mean weight of every cell at every level, for every rule") {
  for (const auto& [shape, rule] : test::manyCases()) {
    const test::RandomHead random(shape, rule);
    const Head head = random.head();
    const std::vector<std::vector<double>> weights = allWeights(random);
    for (const Index cell : {1, 2, 16, 512}) {
      Pyramid pyramid = pyramidOf(head, cell);
      while (!pyramid.done()) pyramid.advance(50);
      Index wrong = 0;
      forAll(pyramid, [&](int level, Index r, Index c, const Cell& got) {
        const Index size = pyramid.cellSize(level);
        const Block exact = blockOf(weights, part(size, r, random.shape.rows), part(size, c, random.shape.sources));
        wrong += !got.exact() || got.error != 0 || !test::nearlyEqual(static_cast<double>(got.max), exact.max, 4e-6) ||
                 !test::nearlyEqual(static_cast<double>(got.mean), exact.mean, 4e-6);
      });
      CHECK(wrong == 0);
      CHECK(pyramid.cells(pyramid.levels() - 1).rows == 1);
    }
  }
}

TEST_CASE("Coarser levels of a complete pyramid are the largest of the largest and the mean of the means") {
  const test::RandomHead random({333, 250, 5}, {0.7, true});
  const Head head = random.head();
  Pyramid pyramid = pyramidOf(head, 4);
  pyramid.advance(333);
  for (int level = 1; level < pyramid.levels(); ++level) {
    const Index cell = pyramid.cellSize(level);
    for (Index r = 0; r < pyramid.cells(level).rows; ++r)
      for (Index c = 0; c < pyramid.cells(level).sources; ++c) {
        const Range rows = part(cell, r, 333), sources = part(cell, c, 250);
        float max = 0;
        double sum = 0;
        for (Index i = rows.begin / 4; i * 4 < rows.end; ++i)
          for (Index j = sources.begin / 4; j * 4 < sources.end; ++j) {
            const Cell fine = pyramid.at(0, i, j);
            max = std::max(max, fine.max);
            sum += static_cast<double>(fine.mean) * static_cast<double>(part(4, i, 333).size() * part(4, j, 250).size());
          }
        CHECK(pyramid.at(level, r, c).max == max);
        CHECK(static_cast<double>(pyramid.at(level, r, c).mean) ==
              doctest::Approx(sum / static_cast<double>(rows.size() * sources.size())).epsilon(1e-6));
      }
  }
}

TEST_CASE("A pyramid in parts is the same, and says how many rows each cell has") {
  const test::RandomHead random({150, 150, 8}, {0.4, true});
  const Head head = random.head();
  Pyramid whole = pyramidOf(head, 8), parts = pyramidOf(head, 8);
  CHECK(parts.at(0, 3, 3).seen == 0);
  CHECK(std::isinf(parts.at(0, 3, 3).error));
  CHECK(whole.advance(1000) == 150);
  CHECK(parts.advance(19) == 19);  // each of the 19 rows of cells has one
  for (Index r = 0; r < 19; ++r) CHECK(parts.at(0, r, 0).seen <= 1);
  CHECK(parts.at(0, 18, 0).rows == 6);
  CHECK(parts.at(parts.levels() - 1, 0, 0).seen == 19);
  while (!parts.done()) parts.advance(7);
  forAll(whole, [&](int level, Index r, Index c, const Cell& cell) {
    CHECK(cell.max == parts.at(level, r, c).max);
    CHECK(test::nearlyEqual(static_cast<double>(parts.at(level, r, c).mean), static_cast<double>(cell.mean), 1e-6));
  });
}

TEST_CASE("Until its rows are in, a cell's largest weight is a lower bound and its mean that of the rows so far") {
  const test::RandomHead random({256, 200, 8}, {0.4});
  const Head head = random.head();
  const std::vector<std::vector<double>> weights = allWeights(random);
  Pyramid pyramid = pyramidOf(head, 32, 9);
  pyramid.advance(100);
  std::vector<Index> in;
  for (Index i = 0; i < 256; ++i)
    if (pyramid.statistics().known(i)) in.push_back(i);
  CHECK(in.size() == 100);
  forAll(pyramid, [&](int level, Index r, Index c, const Cell& cell) {
    const Index size = pyramid.cellSize(level);
    const Range rows = part(size, r, 256), sources = part(size, c, 200);
    double mean = 0;
    Index seen = 0;
    for (const Index i : in)
      if (rows.begin <= i && i < rows.end) ++seen, mean += blockOf(weights, {i, i + 1}, sources).mean;
    CHECK(cell.seen == seen);
    CHECK(test::nearlyEqual(static_cast<double>(cell.mean), mean / static_cast<double>(seen), 1e-5));
    CHECK(static_cast<double>(cell.max) <= blockOf(weights, rows, sources).max * (1 + 4e-6));
  });
}

TEST_CASE("A part of the rows with a shifted rule is that part of the pyramid") {
  const test::RandomHead random({128, 128, 8}, {0.4, true});
  const Head head = random.head();
  auto made = Head::make(random.q.data() + 64 * 8, random.k.data(), {64, 128, 8}, {0.4, true, 0, 64});
  REQUIRE(made.ok());
  Pyramid whole = pyramidOf(head, 16), lower = pyramidOf(made.value(), 16);
  whole.advance(128), lower.advance(64);
  for (Index r = 0; r < 4; ++r)
    for (Index c = 0; c < 8; ++c) CHECK(lower.at(0, r, c).max == whole.at(0, r + 4, c).max);
}

TEST_CASE("The stated error of an estimate holds in as many cells as is said, over ten seeds") {
  const Index positions = test::kSlow ? 512 : 1024;
  const auto share = [&](Parts parts, int turns) {
    Index held = 0, all = 0;
    for (int seed = 1; seed <= 10; ++seed) {
      auto made = MadeUp::make({positions, 32, parts, static_cast<std::uint64_t>(seed)});
      REQUIRE(made.ok());
      auto head = Head::make(made.value().q(), made.value().k(), {positions, positions, 32}, {test::rootScale(32)});
      REQUIRE(head.ok());
      Pyramid early = pyramidOf(head.value(), 32, static_cast<std::uint64_t>(seed)), late = pyramidOf(head.value(), 32);
      early.advance(positions / 32 * turns), late.advance(positions);
      forAll(early, [&](int level, Index r, Index c, const Cell& cell) {
        if (cell.seen < 2 || cell.exact()) return;
        ++all;
        held += std::abs(cell.mean - late.at(level, r, c).mean) <= cell.error + 1e-6f * cell.mean;
      });
    }
    return static_cast<double>(held) / static_cast<double>(all);
  };
  for (const int turns : {2, 4, 8, 16}) {
    CHECK(share({Part::kRandom}, turns) >= 0.93);
    CHECK(share({Part::kRandom, Part::kTopics, Part::kSink, Part::kRotary}, turns) >= 0.8);
  }
}

TEST_CASE("The error of a mean is that of Student's t without putting back") {
  CHECK(meanError(5, 5, 3.0) == 0);
  CHECK(std::isinf(meanError(1, 2, 0)));
  CHECK(meanError(2, 1000000000, 2.0) == doctest::Approx(12.7062).epsilon(1e-5));
  CHECK(meanError(12, 1000000000, 11.0 * 12) == doctest::Approx(2.20099).epsilon(1e-3));
  CHECK(meanError(101, 1000000000, 100.0 * 101) == doctest::Approx(1.98397).epsilon(1e-5));
  CHECK(meanError(4, 16, 3.0 * 4) == doctest::Approx(3.1824 * std::sqrt(0.75)).epsilon(1e-5));
}

TEST_CASE("A pyramid takes the memory that it states, and the plan keeps to limits") {
  const test::RandomHead random({600, 300, 9}, {1.0});
  const Head head = random.head();
  for (const Index cell : {1, 8, 512}) {
    const std::size_t before = core::heldBytes();
    const Pyramid pyramid = pyramidOf(head, cell);
    CHECK(core::heldBytes() - before == pyramidBytes(random.shape, cell));
  }
  const Shape large{131072, 131072, 64};
  CHECK(planPyramid(large, std::uint64_t{1} << 30).value() == 32);
  CHECK(pyramidBytes(large, 32) < std::uint64_t{264} << 20);
  CHECK(planPyramid(large, std::uint64_t{100} << 20).value() == 64);
  CHECK(planPyramid({4096, 4096, 64}, std::uint64_t{1} << 30).value() == 1);
  CHECK(planPyramid({4097, 10, 64}, std::uint64_t{1} << 30).value() == 2);
  CHECK_FALSE(planPyramid(large, 1000).ok());
  CHECK_FALSE(planPyramid({4096 * 512 + 1, 1, 1}, std::uint64_t{1} << 40).ok());
}

TEST_CASE("A pyramid says when there is no memory") {
  const test::RandomHead random({20, 20, 3}, {1.0});
  const Head head = random.head();
  for (const int n : {1, 2, 3}) {
    core::failAllocation(n);
    CHECK_FALSE(Pyramid::make(head, 4, 1).ok());
  }
  core::failAllocation(0);
}
