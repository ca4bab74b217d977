// What is made up shows what it says, and is the same everywhere.
#include "map/synthetic.h"

#include <cstring>
#include <limits>

#include "map/brute_force.h"
#include "map/row.h"
#include "map/steady.h"
#include "support/sanitized.h"

using namespace attn;
using namespace attn::map;

namespace {

MadeUp madeUp(const Recipe& recipe) {
  auto made = MadeUp::make(recipe);
  REQUIRE(made.ok());
  return made.take();
}

// Weights of one row without a mask.
std::vector<double> rowOf(const MadeUp& made, const Recipe& recipe, Index row) {
  const Shape shape{recipe.positions, recipe.positions, recipe.width};
  auto head = Head::make(made.q(), made.k(), shape, {test::rootScale(recipe.width)});
  REQUIRE(head.ok());
  auto profile = RowProfile::make(head.value(), row);
  REQUIRE(profile.ok());
  return {profile.value().weights().begin(), profile.value().weights().end()};
}

// FNV-1a of all bits.
std::uint64_t print(const MadeUp& made, const Recipe& recipe) {
  std::uint64_t hash = 0xcbf29ce484222325;
  for (Index n = 0; n < 2 * recipe.positions * recipe.width; ++n) {
    std::uint32_t bits;
    std::memcpy(&bits, made.q() + n, sizeof bits);
    hash = (hash ^ bits) * 0x100000001b3;
  }
  return hash;
}

}  // namespace

TEST_CASE("Powers and turns of the steady kind are those of the library") {
  for (double x = 0; x < 60; x += 0.37) CHECK(test::nearlyEqual(steadyPower(x), std::exp2(-x), 1e-14));
  for (double turns = 0; turns < 9; turns += 0.0371) {
    const Turned turned = steadyTurn(turns);
    CHECK(std::abs(turned.cosine - std::cos(2 * 3.14159265358979323846 * turns)) < 1e-13);
    CHECK(std::abs(turned.sine - std::sin(2 * 3.14159265358979323846 * turns)) < 1e-13);
  }
  CHECK(steadyTurn(0.25).sine == 1);
}

TEST_CASE("Made-up queries and keys are the same bits on every machine, and others for another seed") {
  Recipe recipe{200, 17, {Part::kRandom, Part::kTopics, Part::kSink, Part::kLocal, Part::kRotary, Part::kNeedle}, 42};
  CHECK(print(madeUp(recipe), recipe) == 15043323911432698819u);
  recipe.seed = 43;
  CHECK(print(madeUp(recipe), recipe) != 15043323911432698819u);
}

TEST_CASE("Without parts all is 0, and random numbers have mean 0 and deviation 1") {
  const Recipe nothing{20, 3, {}, 1}, random{2000, 16, {Part::kRandom}, 1};
  const MadeUp zeros = madeUp(nothing), numbers = madeUp(random);
  CHECK(std::all_of(zeros.q(), zeros.k() + 60, [](float x) { return x == 0; }));
  double sum = 0, squares = 0;
  for (const float* x = numbers.q(); x != numbers.k() + 32000; ++x)
    sum += static_cast<double>(*x), squares += static_cast<double>(*x * *x);
  CHECK(std::abs(sum / 64000) < 0.02);
  CHECK(std::abs(squares / 64000 - 1) < 0.03);
}

TEST_CASE("The sink takes much of the weight of rows, not all") {
  const Recipe recipe{4000, 32, {Part::kRandom, Part::kSink}, 5};
  const MadeUp made = madeUp(recipe);
  double share = 0;
  for (Index row = 0; row < 4000; row += 100) share += rowOf(made, recipe, row)[0] / 40;
  CHECK(share > 0.25);
  CHECK(share < 0.95);
}

TEST_CASE("The row of the needle reads it, and its neighbours do not") {
  for (const Index width : {8, 64}) {
    const Recipe recipe{3000, width, {Part::kRandom, Part::kTopics, Part::kSink, Part::kRotary, Part::kNeedle}, 6};
    const MadeUp made = madeUp(recipe);
    const auto source = static_cast<std::size_t>(made.needleSource());
    CHECK(rowOf(made, recipe, made.needleRow())[source] > 0.5);
    CHECK(rowOf(made, recipe, made.needleRow() - 1)[source] < 0.3);
  }
}

TEST_CASE("Local positions read their neighbourhood") {
  const Recipe recipe{20000, 32, {Part::kLocal}, 7};
  const MadeUp made = madeUp(recipe);
  const std::vector<double> row = rowOf(made, recipe, 9000);
  double near = 0;
  for (std::size_t j = 9000 - 64; j <= 9000 + 64; ++j) near += row[j];
  CHECK(near > 0.5);
  CHECK(*std::max_element(row.begin(), row.end()) == row[9000]);
}

TEST_CASE("A topic's positions read one another") {
  const Recipe recipe{2000, 32, {Part::kTopics}, 8};
  const MadeUp made = madeUp(recipe);
  const std::vector<double> row = rowOf(made, recipe, 1000);
  CHECK(row[1001] + row[999] > 1.9 * *std::max_element(row.begin(), row.end()));
  CHECK(*std::max_element(row.begin(), row.end()) > 5 * *std::min_element(row.begin(), row.end()));
}

TEST_CASE("Rotary positions leave the length of queries and make scores depend on the distance") {
  const Recipe plain{300, 16, {Part::kTopics}, 9}, turned{300, 16, {Part::kTopics, Part::kRotary}, 9};
  const MadeUp a = madeUp(plain), b = madeUp(turned);
  const auto product = [](const float* x, const float* y) {
    double sum = 0;
    for (int c = 0; c < 16; ++c) sum += static_cast<double>(x[c]) * static_cast<double>(y[c]);
    return sum;
  };
  for (Index i = 0; i < 300; i += 17) {
    const float *before = a.q() + 16 * i, *after = b.q() + 16 * i;
    CHECK(product(before, before) == doctest::Approx(product(after, after)));
  }
  CHECK(product(b.q() + 16 * 5, b.k() + 16 * 5) == doctest::Approx(product(a.q() + 16 * 5, a.k() + 16 * 5)));
}

TEST_CASE("Parts have a name, a sentence and the width that they need, and refuse less") {
  for (const PartFacts& each : partFacts()) {
    CHECK_FALSE(each.id.empty());
    CHECK(each.says.back() == '.');
    CHECK(MadeUp::make({50, each.least_width, {each.part}, 1}).ok());
    if (each.least_width > 1) CHECK_FALSE(MadeUp::make({50, each.least_width - 1, {each.part}, 1}).ok());
  }
}

TEST_CASE("Made-up numbers come in every size, or say that there is no memory") {
  const Parts all{Part::kRandom, Part::kTopics, Part::kSink, Part::kLocal, Part::kRotary, Part::kNeedle};
  for (const Index positions : {1, 2, 63, 65}) CHECK(MadeUp::make({positions, 17, all, 1}).ok());
  CHECK(MadeUp::make({40, 256, all, 1}).ok());
  if (!test::kSlow) CHECK(MadeUp::make({131072, 64, all, 1}).ok());
  core::failAllocation(1);
  CHECK_FALSE(MadeUp::make({50, 17, all, 1}).ok());
  core::failAllocation(0);
  CHECK_FALSE(MadeUp::make({std::numeric_limits<Index>::max() / 256, 256, {Part::kRandom}, 1}).ok());
}
