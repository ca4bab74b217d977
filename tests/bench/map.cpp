// Times maps. Work that takes longer than a moment is timed in parts, and the best part counts where rates are compared:
// other programs of the machine disturb it least.
#include "bench/map.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <vector>

#include "map/lanes.h"
#include "map/moments.h"
#include "map/pyramid.h"
#include "map/synthetic.h"
#include "map/tile.h"

namespace attn::bench {
namespace {

using namespace attn::map;
using Clock = std::chrono::steady_clock;

constexpr Index kPositions = 131072, kWidth = 64;
constexpr Index kRowsOfPart = 128, kPartsOfPass = 16;
constexpr int kPeakRuns = 2000, kPeakRounds = 5000;

template <class Work>
double secondsOf(Work work) {
  const auto start = Clock::now();
  work();
  return std::chrono::duration<double>(Clock::now() - start).count();
}

bool failed(const core::Error& error) { return std::fprintf(stderr, "attnscope-bench: %s\n", error.message.c_str()), false; }

// Twelve chains of a product and a sum, all in registers.
float multiplyAndAdd(float start) {
  constexpr int kChains = 12;
  Lanes chains[kChains];
  for (int n = 0; n < kChains; ++n) chains[n] = splat(start + static_cast<float>(n));
  const Lanes factor = splat(start), more = splat(1 - start);
  for (int round = 0; round < kPeakRounds; ++round)
    for (Lanes& chain : chains) chain = chain * factor + more;
  Lanes all{};
  for (const Lanes& chain : chains) all += chain;
  return sumOf(all);
}

// Operations per second of one thread.
double peak() {
  double best = 0;
  volatile float kept = 0.5f;
  for (int run = 0; run < kPeakRuns; ++run) {
    const double seconds = secondsOf([&] { kept = multiplyAndAdd(0.5f + 0 * kept); });
    best = std::max(best, 2.0 * 12 * kLanes * kPeakRounds / seconds);
  }
  return best;
}

bool benchPass(const Head& head) {
  const double of_peak = peak();
  const auto cell = planPyramid(head.shape(), std::uint64_t{1} << 30);
  if (!cell) return failed(cell.error());
  auto pyramid = Pyramid::make(head, cell.value(), 1);
  if (!pyramid) return failed(pyramid.error());
  double best = 1e300;
  for (Index part = 0; part < kPartsOfPass; ++part)
    best = std::min(best, secondsOf([&] { pyramid.value().advance(kRowsOfPart); }));
  const double rate = static_cast<double>(kRowsOfPart) * static_cast<double>(kPositions) / best;
  const double bound = of_peak / (2 * static_cast<double>(kWidth));
  std::printf("map    peak of multiplying and adding %.1f GFLOP/s, so at most %.3f Gpair/s\n", of_peak / 1e9, bound / 1e9);
  std::printf("map    pyramid, cells of %d: %.3f Gpair/s, %.2f of that; all rows in %.0f s\n", static_cast<int>(cell.value()),
              rate / 1e9, rate / bound, std::pow(static_cast<double>(kPositions), 2) / rate);
  return true;
}

bool benchMoments(const Head& head) {
  constexpr Index kBlocks = 256;
  std::vector<double> mean(kBlocks * kBlocks), deviation(mean);
  core::Check refused;
  const double seconds = secondsOf([&] {
    const auto moments = Moments::make(head, kPositions / kBlocks);
    refused = moments ? moments.value().evaluate(0, {0, kBlocks}, {0, kBlocks}, mean, deviation) : moments.error();
  });
  if (refused) return failed(*refused);
  std::printf("map    mean and deviation of all scores, 256×256: %.0f ms\n", seconds * 1e3);
  return true;
}

// A picture of 1024×768 pixels, its row statistics known.
bool benchTile(const Head& head, Index cell) {
  constexpr Index kHeight = 768, kPixels = 1024;
  auto statistics = RowStatistics::make(kPositions);
  if (!statistics) return failed(statistics.error());
  const auto rows = cellEdges({0, kHeight * cell}, cell), columns = cellEdges({0, kPixels * cell}, cell);
  std::vector<float> max(kPixels * kHeight), mean(max);
  core::Check refused = findStatistics(head, {0, kHeight * cell}, statistics.value());
  double best = 1e300;
  for (int run = 0; run < 3 && !refused; ++run)
    best = std::min(best, secondsOf([&] { refused = weightTile(head, statistics.value(), rows, columns, {max, mean}); }));
  if (refused) return failed(*refused);
  std::printf("map    1024×768 pixels of %d×%d weights: %.0f ms\n", static_cast<int>(cell), static_cast<int>(cell), best * 1e3);
  return true;
}

}  // namespace

bool benchMap() {
  const auto made = MadeUp::make({kPositions, kWidth, {Part::kRandom, Part::kTopics, Part::kSink, Part::kRotary}, 1});
  if (!made) return failed(made.error());
  const Shape shape{kPositions, kPositions, kWidth};
  const auto head = Head::make(made.value().q(), made.value().k(), shape, {1 / std::sqrt(static_cast<double>(kWidth))});
  if (!head) return failed(head.error());
  return benchPass(head.value()) && benchMoments(head.value()) && benchTile(head.value(), 1) && benchTile(head.value(), 4);
}

}  // namespace attn::bench
