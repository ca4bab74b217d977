// Times maps. All is told as parts of the same peak, which is measured anew in each round.
#include "bench/map.h"

#include <cmath>
#include <cstdio>
#include <string>
#include <vector>

#include "bench/figures.h"
#include "bench/peak.h"
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

// Pairs per second that vectors of four allow; 0 where that peak is not known.
double mostPairs() { return peakFlopsPerSecond("SSE4.2") / (2 * static_cast<double>(kWidth)); }

bool measurePyramid(const map::Head& head, std::vector<Figure>& figures) {
  const auto cell = map::planPyramid(head.shape(), std::uint64_t{1} << 30);
  if (!cell) return failed(cell.error());
  auto pyramid = map::Pyramid::make(head, cell.value(), 1);
  if (!pyramid) return failed(pyramid.error());
  Figure part{"pyramid ÷ the most pairs/s, cells of 32", 0.5, 0.65, Figure::Better::kHigher, {}};
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
  Figure time{"mean and deviation of all scores, 256×256, s", 0.5, 0.2, Figure::Better::kLower, {}};
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

// A picture of 1024×768 pixels, its row statistics known.
bool measureTile(const map::Head& head, map::Index cell, double floor, double goal, std::vector<Figure>& figures) {
  constexpr map::Index kHeight = 768, kAcross = 1024;
  auto statistics = map::RowStatistics::make(kPositions);
  if (!statistics) return failed(statistics.error());
  const auto rows = map::cellEdges({0, kHeight * cell}, cell), columns = map::cellEdges({0, kAcross * cell}, cell);
  std::vector<float> max(kAcross * kHeight), mean(max);
  core::Check refused = map::findStatistics(head, {0, kHeight * cell}, statistics.value());
  const std::string size = std::to_string(cell);
  Figure part{"1024×768 pixels of " + size + "×" + size + " ÷ the most pairs/s", floor, goal, Figure::Better::kHigher, {}};
  for (int round = 0; round < kMapRounds && !refused; ++round) {
    const double seconds =
        secondsOf([&] { refused = map::weightTile(head, statistics.value(), rows, columns, {max, mean}); });
    part.values.push_back(static_cast<double>(kAcross * kHeight * cell * cell) / seconds / mostPairs());
  }
  figures.push_back(part);
  return refused ? failed(*refused) : true;
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
  if (!measurePyramid(head.value(), figures) || !measureMoments(head.value(), figures)) return false;
  if (!measureTile(head.value(), 1, 0.3, 0.4, figures) || !measureTile(head.value(), 4, 0.45, 0.55, figures)) return false;
  if (!measureTile(head.value(), 16, 0.5, 0.65, figures)) return false;
  printFigures(figures);
  return true;
}

}  // namespace attn::bench
