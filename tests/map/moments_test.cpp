// Means and deviations out of moments against all pairs.
#include "map/moments.h"

#include "core/buffer_use.h"
#include "map/brute_force.h"

using namespace attn;
using namespace attn::map;

namespace {

Moments momentsOf(const Head& head, Index block) {
  auto made = Moments::make(head, block);
  REQUIRE(made.ok());
  return made.take();
}

// Whether mean and deviation of one block of scores are right to 1e-6, a mean near 0 to a millionth of the deviation.
bool right(const std::vector<double>& scores, Index all_sources, Range rows, Range sources, double mean, double deviation) {
  const auto average = [&](auto of) {
    double sum = 0;
    for (Index i = rows.begin; i < rows.end; ++i)
      for (Index j = sources.begin; j < sources.end; ++j) sum += of(scores[static_cast<std::size_t>(i * all_sources + j)]);
    return sum / static_cast<double>(rows.size() * sources.size());
  };
  const double exact = average([](double score) { return score; });
  const double spread = std::sqrt(average([&](double score) { return (score - exact) * (score - exact); }));
  return std::abs(mean - exact) <= 1e-6 * std::max(std::abs(exact), 1e-6 * spread) + 1e-12 &&
         std::abs(deviation - spread) <= 1e-6 * spread + 1e-12 * std::abs(exact);
}

void checkAll(const test::RandomHead& random, const Moments& moments) {
  std::vector<double> scores;
  for (Index i = 0; i < random.shape.rows; ++i)
    for (Index j = 0; j < random.shape.sources; ++j) scores.push_back(random.score(i, j));
  for (int level = 0; level < moments.levels(); ++level) {
    const Index size = moments.blockSize(level);
    const Shape blocks = moments.blocks(level);
    const Range rows{blocks.rows / 3, blocks.rows}, sources{blocks.sources / 4, blocks.sources};
    std::vector<double> mean(static_cast<std::size_t>(rows.size() * sources.size())), deviation(mean);
    REQUIRE_FALSE(moments.evaluate(level, rows, sources, mean, deviation));
    std::size_t at = 0, wrong = 0;
    for (Index r = rows.begin; r < rows.end; ++r)
      for (Index c = sources.begin; c < sources.end; ++c, ++at)
        wrong += !right(scores, random.shape.sources, {r * size, std::min(r * size + size, random.shape.rows)},
                        {c * size, std::min(c * size + size, random.shape.sources)}, mean[at], deviation[at]);
    CHECK(wrong == 0);
  }
  CHECK(moments.blocks(moments.levels() - 1).rows == 1);
  CHECK(moments.blocks(moments.levels() - 1).sources == 1);
}

}  // namespace

TEST_CASE("Moments give mean and deviation of the scores of every block at every level, ragged ends too") {
  for (const auto& [shape, rule] : test::manyCases()) {
    const test::RandomHead random(shape, rule);
    for (const Index block : {1, 4, 64}) checkAll(random, momentsOf(random.head(), block));
  }
}

TEST_CASE("Scores that hardly vary about a large mean keep their deviation") {
  test::RandomHead random({96, 100, 6}, {0.4});
  for (float& x : random.q) x = 30 + x * 1e-3f;
  for (float& x : random.k) x = 20 + x * 1e-3f;
  checkAll(random, momentsOf(random.head(), 16));
}

TEST_CASE("Moments take the memory that they state, and the plan keeps to a limit") {
  const test::RandomHead random({600, 300, 9}, {1.0});
  const Head head = random.head();
  const std::size_t before = core::heldBytes();
  const Moments moments = momentsOf(head, 8);
  CHECK(core::heldBytes() - before == Moments::bytes(random.shape, 8) + 4 * 9 * sizeof(double));
  for (const std::size_t limit : {20000u, 200000u, 100000000u}) {
    const auto block = Moments::plan(random.shape, limit);
    REQUIRE(block.ok());
    CHECK(Moments::bytes(random.shape, block.value()) <= limit);
    CHECK((block.value() == 1 || Moments::bytes(random.shape, block.value() / 2) > limit));
  }
  CHECK_FALSE(Moments::plan(random.shape, 100).ok());
  // 131,072 positions of width 64 in blocks of 256.
  CHECK(Moments::bytes({131072, 131072, 64}, 256) < 36u << 20);
}

TEST_CASE("Moments say when there is no memory") {
  const test::RandomHead random({20, 20, 3}, {1.0});
  const Head head = random.head();
  const Moments moments = momentsOf(head, 8);
  core::failAllocation(1);
  CHECK_FALSE(Moments::make(head, 8).ok());
  std::vector<double> mean(1), deviation(1);
  core::failAllocation(1);
  CHECK(moments.evaluate(0, {0, 1}, {0, 1}, mean, deviation).has_value());
  core::failAllocation(0);
}
