// Random numbers: known outputs, the same bits everywhere, and the distributions that they claim.
#include "core/rng.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <cstring>

#include "core/statistics.h"

namespace attn::core {
namespace {

std::uint64_t bitsOf(double value) {
  std::uint64_t bits;
  std::memcpy(&bits, &value, sizeof bits);
  return bits;
}

}  // namespace

TEST_CASE("The generator gives the published outputs of xoshiro256** seeded by splitmix64") {
  // rand_xoshiro's own test values for seed_from_u64(0).
  Rng rng(0);
  CHECK(rng.next() == 11091344671253066420u);
  CHECK(rng.next() == 13793997310169335082u);
  CHECK(rng.next() == 1900383378846508768u);
  CHECK(rng.next() == 7684712102626143532u);
}

TEST_CASE("Normal numbers are the same bits in every build") {
  Rng rng(2026);
  std::uint64_t hash = 14695981039346656037u;  // FNV-1a over the bits of 100,000 numbers
  for (int n = 0; n < 100000; ++n) hash = (hash ^ bitsOf(rng.normal())) * 1099511628211u;
  CHECK(hash == 7606509545041423349u);
}

TEST_CASE("Normal numbers have the moments and the tails of the normal distribution") {
  Rng rng(1);
  constexpr int kDraws = 400000;
  double sum = 0, squares = 0, cubes = 0, fourths = 0;
  int beyond[4] = {};
  for (int n = 0; n < kDraws; ++n) {
    const double x = rng.normal();
    sum += x, squares += x * x, cubes += x * x * x, fourths += x * x * x * x;
    for (int k = 1; k <= 3; ++k) beyond[k] += std::abs(x) > k;
  }
  // Five standard errors of each: the moments x, x², x³, x⁴ have variances 1, 2, 15, 96.
  const double error = 5 / std::sqrt(double{kDraws});
  CHECK(std::abs(sum / kDraws) < error);
  CHECK(std::abs(squares / kDraws - 1) < error * std::sqrt(2.0));
  CHECK(std::abs(cubes / kDraws) < error * std::sqrt(15.0));
  CHECK(std::abs(fourths / kDraws - 3) < error * std::sqrt(96.0));
  for (int k = 1; k <= 3; ++k) {
    const double p = std::erfc(k / std::sqrt(2.0));
    CHECK(std::abs(double(beyond[k]) / kDraws - p) < error * std::sqrt(p));
  }
}

TEST_CASE("Normal numbers fall into narrow bins as the normal distribution says, tail included") {
  Rng rng(8);
  constexpr int kDraws = 2000000, kBins = 80;  // of width 0.1 from −4 to 4
  std::vector<int> counts(kBins, 0);
  int beyond_four = 0;
  for (int n = 0; n < kDraws; ++n) {
    const double x = rng.normal();
    if (std::abs(x) >= 4) ++beyond_four;
    else ++counts[static_cast<std::size_t>(std::floor(x * 10) + 40)];
  }
  double chi_squared = 0;
  for (int bin = 0; bin < kBins; ++bin) {
    const auto below = [](double x) { return std::erfc(-x / std::sqrt(2.0)) / 2; };
    const double expected = kDraws * (below((bin - 39) * 0.1) - below((bin - 40) * 0.1));
    const double excess = counts[static_cast<std::size_t>(bin)] - expected;
    chi_squared += excess * excess / expected;
  }
  // Chi-squared with 80 degrees of freedom has the mean 80 and the deviation 12.6; four of these.
  CHECK(chi_squared < 80 + 4 * 12.6);
  const double expected_beyond = kDraws * std::erfc(4 / std::sqrt(2.0));  // 127
  CHECK(std::abs(beyond_four - expected_beyond) < 4 * std::sqrt(expected_beyond));
}

TEST_CASE("Uniform numbers stay within their bounds and fill them evenly") {
  Rng rng(3);
  Running running;
  for (int n = 0; n < 100000; ++n) running.add(rng.uniform());
  CHECK(running.min() >= 0);
  CHECK(running.max() < 1);
  // Five standard errors: the variance is 1/12.
  CHECK(std::abs(running.mean() - 0.5) < 5 * std::sqrt(1.0 / 12 / 100000));
  // The fourth central moment is 1/80, so the variance has the variance (1/80 − 1/144)/n.
  CHECK(std::abs(running.populationVariance() - 1.0 / 12) < 5 * std::sqrt((1.0 / 80 - 1.0 / 144) / 100000));
}

TEST_CASE("Every order of three is drawn equally often") {
  Rng rng(4);
  int seen[6] = {};
  for (int n = 0; n < 60000; ++n) {
    const std::vector<Index> order = rng.permutation(3);
    std::vector<Index> sorted = order;
    std::sort(sorted.begin(), sorted.end());
    REQUIRE(sorted == std::vector<Index>{0, 1, 2});
    ++seen[order[0] * 2 + (order[1] > order[2])];
  }
  // 10,000 expected, five standard deviations √(n·p·(1 − p)) = 91 each.
  for (int count : seen) CHECK(std::abs(count - 10000) < 460);
}

TEST_CASE("A number below n is below n, also at the edges") {
  Rng rng(5);
  for (int n = 0; n < 100; ++n) {
    CHECK(rng.below(1) == 0);
    CHECK(rng.below(7) < 7);
    CHECK(rng.below(Index(1) << 30) >= 0);
  }
  CHECK(rng.permutation(0).empty());
}

TEST_CASE("Initial weights stay within their bounds and reach them") {
  Rng rng(6);
  const double linear = linearWeights(rng, 64, 192).cwiseAbs().maxCoeff();
  CHECK(linear <= 0.125);
  // The largest of n uniform numbers misses the bound by more than the part 10/n with probability e^−10.
  CHECK(linear > 0.125 * (1 - 10.0 / (64 * 192)));
  CHECK(linearBias(rng, 64, 192).cwiseAbs().maxCoeff() <= 0.125);
  CHECK(xavierWeights(rng, 64, 32).cwiseAbs().maxCoeff() <= 0.25);
  CHECK(xavierWeights(rng, 64, 32).rows() == 64);
  const Matrix<double> normal = normalWeights(rng, 100, 100, 0.02);
  // 10,000 numbers: the standard deviation is known to 1/√20,000 of itself; five of these.
  CHECK(std::abs(std::sqrt(normal.squaredNorm() / 10000) - 0.02) < 0.02 * 5 / std::sqrt(20000.0));
}

}  // namespace attn::core
