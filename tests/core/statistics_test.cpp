// Mean, spread, histogram and quantiles against their definitions, and how the spread of dot products grows (L10).
#include "core/statistics.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "core/rng.h"
#include "support/sanitized.h"

namespace attn::core {
namespace {

// The standard deviation of `pairs` dot products of two unit normal vectors of d numbers.
double dotSpread(Rng& rng, Index d, int pairs) {
  Running running;
  for (int n = 0; n < pairs; ++n) {
    double dot = 0;
    for (Index i = 0; i < d; ++i) {
      const double q = rng.normal();
      dot += q * rng.normal();
    }
    running.add(dot);
  }
  return running.populationDeviation();
}

// Marsaglia and Tsang 2000: the squared length of a vector of d ≥ 2 unit normal numbers, without drawing them.
double squaredLength(Rng& rng, Index d) {
  const double a = static_cast<double>(d) / 2 - 1.0 / 3, c = 1 / std::sqrt(9 * a);
  for (;;) {
    const double x = rng.normal(), root = 1 + c * x;
    if (root <= 0) continue;
    const double v = root * root * root;
    if (std::log(1 - rng.uniform()) < x * x / 2 + a - a * v + a * std::log(v)) return 2 * a * v;
  }
}

// The same statistic, quicker: for a given query the dot product with a unit normal key is normal with deviation ‖q‖.
double dotSpreadByLength(Rng& rng, Index d, int pairs) {
  Running running;
  for (int n = 0; n < pairs; ++n) {
    const double length = std::sqrt(squaredLength(rng, d));
    running.add(length * rng.normal());
  }
  return running.populationDeviation();
}

}  // namespace

TEST_CASE("Mean and spread of a stream are those of the definition") {
  const std::vector<double> values = {2, 4, 4, 4, 5, 5, 7, 9};
  const Running running = summary(values);
  CHECK(running.count() == 8);
  // Eight updates of numbers below 10 and of a sum of squares of 32: a few roundings of each.
  CHECK(std::abs(running.mean() - 5) < 1e-14);
  CHECK(std::abs(running.populationDeviation() - 2) < 1e-14);
  CHECK(std::abs(running.sampleVariance() - 32.0 / 7) < 1e-14);
  CHECK(running.min() == 2);
  CHECK(running.max() == 9);
}

TEST_CASE("A large common offset does not drown the spread") {
  Running running;
  for (double value : {1e9 + 4, 1e9 + 7, 1e9 + 13, 1e9 + 16}) running.add(value);
  CHECK(running.sampleVariance() == 30);  // every step is a whole number or a quarter of one
}

TEST_CASE("Too few numbers have no spread and no mean but 0") {
  Running running;
  CHECK(running.mean() == 0);
  CHECK(running.populationDeviation() == 0);
  running.add(3);
  CHECK(running.mean() == 3);
  CHECK(running.populationDeviation() == 0);
  CHECK(running.sampleDeviation() == 0);
}

TEST_CASE("Two streams merged are one stream") {
  Rng rng(9);
  Running whole, left, right;
  for (int n = 0; n < 1000; ++n) {
    const double value = 3 + rng.normal();
    whole.add(value);
    (n < 300 ? left : right).add(value);
  }
  left.merge(right);
  left.merge(Running());
  CHECK(left.count() == whole.count());
  // A thousand roundings of numbers near 3 and of a sum of squares near 1000, most of which cancel.
  CHECK(std::abs(left.mean() - whole.mean()) < 1e-13);
  CHECK(std::abs(left.sampleDeviation() - whole.sampleDeviation()) < 1e-13);
  CHECK(left.min() == whole.min());
  CHECK(left.max() == whole.max());
}

TEST_CASE("Steps are 1, 2 or 5 times a power of ten") {
  CHECK(roundStep(1) == 1);
  CHECK(roundStep(1.01) == 2);
  CHECK(roundStep(3) == 5);
  CHECK(roundStep(7) == 10);
  CHECK(roundStep(0.3) == doctest::Approx(0.5).epsilon(1e-15));
  CHECK(roundStep(0.1 + 0.2 - 0.1) == doctest::Approx(0.2).epsilon(1e-15));
  CHECK(roundStep(1000) == doctest::Approx(1000).epsilon(1e-15));
}

TEST_CASE("Every value falls into the bin whose edges hold it, and none is lost") {
  Rng rng(10);
  Histogram histogram(-3.2, 3.1, 20);
  CHECK(histogram.step() == 0.5);
  CHECK(histogram.edge(0) == -3.5);
  CHECK(histogram.bins() == 14);
  std::vector<std::uint64_t> expected(histogram.bins(), 0);
  for (int n = 0; n < 5000; ++n) {
    const double value = rng.normal() * 2;
    histogram.add(value);
    for (std::size_t bin = 0; bin < histogram.bins(); ++bin)
      expected[bin] += histogram.edge(bin) <= value && value < histogram.edge(bin + 1);
  }
  std::uint64_t inside = 0;
  double area = 0;
  for (std::size_t bin = 0; bin < histogram.bins(); ++bin) {
    CHECK(histogram.count(bin) == expected[bin]);
    inside += histogram.count(bin);
    area += histogram.density(bin) * histogram.step();
  }
  CHECK(histogram.total() == 5000);
  CHECK(inside + histogram.below() + histogram.above() == 5000);
  CHECK(area == doctest::Approx(static_cast<double>(inside) / 5000).epsilon(1e-13));
  histogram.add(std::nan(""));
  CHECK(histogram.total() == 5000);
}

TEST_CASE("Quantiles are linear between neighbours") {
  CHECK(quantile({4, 1, 3, 2}, 0) == 1);
  CHECK(quantile({4, 1, 3, 2}, 1) == 4);
  CHECK(quantile({4, 1, 3, 2}, 0.5) == 2.5);
  CHECK(quantile({4, 1, 3, 2}, 0.25) == 1.75);
  CHECK(quantile({7}, 0.3) == 7);
}

TEST_CASE("Dot products of d unit normal numbers spread by √d, and by 1 after scaling") {
  Rng rng(11);
  for (Index d : {4, 64, 512}) {
    const double root = std::sqrt(static_cast<double>(d));
    const double spread = dotSpread(rng, d, 10000);
    CHECK(std::abs(spread / root - 1) < 0.03);
    CHECK(std::abs(spread * spread / static_cast<double>(d) - 1) < 0.06);  // lesson 2.2: the variance is d_k
    CHECK(std::abs(dotSpreadByLength(rng, d, 10000) / root - 1) < 0.03);
  }
}

TEST_CASE("A single draw as the lesson prints it lies within the spread of a thousand" *
          doctest::skip(attn::test::kSlow)) {
  struct Case {
    Index d;
    double printed, printed_scaled;
  };
  for (const auto& [d, printed, printed_scaled] : {Case{4, 1.99, 1.00}, Case{64, 8.01, 1.00}, Case{512, 22.45, 0.99}}) {
    Rng rng(static_cast<std::uint64_t>(d));
    std::vector<double> spreads;
    for (int draw = 0; draw < 1000; ++draw)
      spreads.push_back(d == 4 ? dotSpread(rng, d, 10000) : dotSpreadByLength(rng, d, 10000));
    std::sort(spreads.begin(), spreads.end());
    const double root = std::sqrt(static_cast<double>(d));
    const Running running = summary(spreads);
    // The mean of a thousand is known to 1/√1000 of their deviation; four of these.
    CHECK(std::abs(running.mean() - root) < 4 * running.sampleDeviation() / std::sqrt(1000.0) + 1e-3 * root);
    // The printed numbers lie in the middle 95 %.
    CHECK(quantileOfSorted(spreads, 0.025) < printed);
    CHECK(printed < quantileOfSorted(spreads, 0.975));
    // So do those after scaling, as far as two decimals tell.
    CHECK(quantileOfSorted(spreads, 0.025) / root < printed_scaled + 0.005);
    CHECK(printed_scaled - 0.005 < quantileOfSorted(spreads, 0.975) / root);
  }
}

TEST_CASE("The normal density integrates to 1") {
  double area = 0;
  for (int n = -1000; n <= 1000; ++n) area += normalDensity(n * 0.01 * 2 + 3, 3, 2) * 0.02;
  CHECK(std::abs(area - 1) < 1e-12);  // the trapezoid rule is exact to rounding for a function that decays so fast
}

}  // namespace attn::core
