// Times maps: the pass as a part of a peak that is measured anew in each round, the rest in seconds of one thread.
#include "bench/map.h"

#include <cmath>
#include <cstdio>
#include <string>
#include <vector>

#include "bench/figures.h"
#include "bench/peak.h"
#include "core/streaming/instruction_set.h"
#include "map/moments.h"
#include "map/pyramid.h"
#include "map/synthetic.h"
#include "map/tile.h"

namespace attn::bench {
namespace {

constexpr map::Index kPositions = 131072, kWidth = 64;
constexpr map::Index kRowsOfRound = 512;
constexpr int kMapRounds = 5;

template <class Work>
double secondsOf(Work work) {
  const double start = threadSeconds();
  work();
  return threadSeconds() - start;
}

bool failed(const core::Error& error) {
  return std::fprintf(stderr, "attnscope-bench: %s\n", error.message.c_str()), false;
}

// Pairs per second that this machine allows, its widest vectors included; 0 where that peak is not known.
double mostPairs() { return peakFlopsPerSecond(core::streaming::bestKernel().name) / (2 * static_cast<double>(kWidth)); }

bool measurePyramid(const map::Head& head, std::vector<Figure>& figures) {
  const auto cell = map::planPyramid(head.shape(), std::uint64_t{1} << 30);
  if (!cell) return failed(cell.error());
  auto pyramid = map::Pyramid::make(head, cell.value(), 1);
  if (!pyramid) return failed(pyramid.error());
  Figure part{"pyramid ÷ the most pairs/s, cells of 32", 0.47, 0.6, Figure::Better::kHigher, {}};
  for (int round = 0; round < kMapRounds; ++round) {
    const double seconds = secondsOf([&] { pyramid.value().advance(kRowsOfRound); });
    part.values.push_back(static_cast<double>(kRowsOfRound) * static_cast<double>(kPositions) / seconds / mostPairs());
  }
  figures.push_back(part);
  return true;
}

bool measureMoments(const map::Head& head, std::vector<Figure>& figures) {
  constexpr map::Index kBlocks = 256;
  std::vector<double> mean(kBlocks * kBlocks), deviation(mean);
  Figure time{"mean and deviation of all scores, 256×256, s", 0.5, 0.25, Figure::Better::kLower, {}};
  for (int round = 0; round < kMapRounds; ++round) {
    core::Check refused;
    time.values.push_back(secondsOf([&] {
      const auto moments = map::Moments::make(head, kPositions / kBlocks);
      refused = moments ? moments.value().evaluate(0, {0, kBlocks}, {0, kBlocks}, mean, deviation) : moments.error();
    }));
    if (refused) return failed(*refused);
  }
  figures.push_back(time);
  return true;
}

// A picture of 1024×768 pairs, with the statistics of rows that nobody has looked at yet.
bool measureView(const map::Head& head, std::vector<Figure>& figures) {
  constexpr map::Index kHeight = 768, kAcross = 1024;
  auto statistics = map::RowStatistics::make(kPositions);
  if (!statistics) return failed(statistics.error());
  std::vector<float> max(kAcross * kHeight), mean(max);
  Figure time{"1024×768 weights of fresh rows, s", 0.5, 0.3, Figure::Better::kLower, {}};
  const auto columns = map::cellEdges({0, kAcross}, 1);
  for (int round = 0; round < kMapRounds; ++round) {
    const map::Range rows{round * kHeight, (round + 1) * kHeight};
    core::Check refused;
    time.values.push_back(secondsOf([&] {
      refused = map::findStatistics(head, rows, statistics.value());
      if (!refused) refused = map::weightTile(head, statistics.value(), map::cellEdges(rows, 1), columns, {max, mean});
    }));
    if (refused) return failed(*refused);
  }
  figures.push_back(time);
  return true;
}

}  // namespace

bool benchMap() {
  using map::Part;
  const map::Parts parts{Part::kRandom, Part::kTopics, Part::kSink, Part::kRotary};
  const auto made = map::MadeUp::make({kPositions, kWidth, parts, 1});
  if (!made) return failed(made.error());
  const map::Shape shape{kPositions, kPositions, kWidth};
  const auto head = map::Head::make(made.value().q(), made.value().k(), shape, {1 / std::sqrt(static_cast<double>(kWidth))});
  if (!head) return failed(head.error());
  std::vector<Figure> figures;
  if (!measurePyramid(head.value(), figures) || !measureMoments(head.value(), figures) || !measureView(head.value(), figures))
    return false;
  printFigures(figures);
  return true;
}

}  // namespace attn::bench
