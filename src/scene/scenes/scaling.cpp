// Many random queries and keys: how far their dot products spread as vectors get wider, before and after dividing by
// the root of the width. Knows no softmax.
#include <algorithm>
#include <cmath>

#include "core/language.h"
#include "core/number.h"
#include "core/rng.h"
#include "core/statistics.h"
#include "scene/scene.h"

namespace attn::scene {
namespace {

using core::Histogram;
using core::Running;

// What one coordinate of a query and of a key looks like.
enum class Entries { kNormal, kUniform, kMean, kSpread, kCopies, kAlike };

constexpr double kShift = 0.5;     // mean of the coordinates with kMean
constexpr double kWide = 2;        // standard deviation with kSpread
constexpr double kLikeness = 0.5;  // correlation of query and key with kAlike
constexpr Index kPairsPerReport = 500;
constexpr Index kFixedWidths[] = {4, 64, 512};
// One draw of 10,000 pairs each, as a course prints it; to be placed among ours.
constexpr double kPrinted[] = {1.99, 8.01, 22.45};
constexpr Index kPrintedPairs = 10000;
constexpr double kErrors = 4;  // standard errors within which one draw nearly always lies

Entries entriesOf(const std::string& id) {
  constexpr std::string_view kIds[] = {"normal", "uniform", "mean", "spread", "copies", "alike"};
  return static_cast<Entries>(std::find(std::begin(kIds), std::end(kIds), id) - std::begin(kIds));
}

// Mean and standard deviation of the dot product, from the distribution of the coordinates.
struct Expected {
  double mean = 0, deviation = 1;
};

Expected expectedOf(Entries entries, double d) {
  const double root = std::sqrt(d);
  switch (entries) {
    case Entries::kNormal: case Entries::kUniform: return {0, root};
    case Entries::kMean: return {d * kShift * kShift, root * std::sqrt(1 + 2 * kShift * kShift)};
    case Entries::kSpread: return {0, root * kWide * kWide};
    case Entries::kCopies: return {0, d};
    case Entries::kAlike: return {d * kLikeness, root * std::sqrt(1 + kLikeness * kLikeness)};
  }
  return {};
}

// One coordinate of both vectors after another.
class Source {
 public:
  Source(Entries entries, std::uint64_t seed) : entries_(entries), rng_(seed) {}

  void begin() {
    if (entries_ == Entries::kCopies) q_ = rng_.normal(), k_ = rng_.normal();
  }

  double nextProduct() {
    if (entries_ == Entries::kCopies) return q_ * k_;
    const double q = one(), k = one();
    switch (entries_) {
      case Entries::kMean: return (kShift + q) * (kShift + k);
      case Entries::kSpread: return kWide * q * (kWide * k);
      case Entries::kAlike: return q * (kLikeness * q + std::sqrt(1 - kLikeness * kLikeness) * k);
      default: return q * k;
    }
  }

 private:
  // Mean 0, variance 1.
  double one() { return entries_ == Entries::kUniform ? std::sqrt(3.0) * rng_.uniform(-1, 1) : rng_.normal(); }

  Entries entries_;
  core::Rng rng_;
  double q_ = 0, k_ = 0;
};

struct Width {
  Index d;
  Expected expected;
  Running raw;
  Histogram before, after;

  Width(Index width, Entries entries)
      : d(width), expected(expectedOf(entries, static_cast<double>(width))), before(range(1)),
        after(range(1 / std::sqrt(static_cast<double>(width)))) {}

  Histogram range(double scale) const {
    return Histogram(scale * (expected.mean - 4 * expected.deviation), scale * (expected.mean + 4 * expected.deviation),
                     50);
  }

  void add(double product) {
    raw.add(product);
    before.add(product);
    after.add(product / std::sqrt(static_cast<double>(d)));
  }
};

// One pass over all pairs: a narrow vector is the beginning of the widest one. False when it was stopped.
bool draw(std::vector<Width>& widths, Index pairs, Source& source, const Progress& progress) {
  for (Index pair = 0; pair < pairs; ++pair) {
    if (pair % kPairsPerReport == 0 && !progress(static_cast<double>(pair) / static_cast<double>(pairs))) return false;
    source.begin();
    double product = 0;
    Index at = 0;
    for (Width& width : widths) {
      for (; at < width.d; ++at) product += source.nextProduct();
      width.add(product);
    }
  }
  return true;
}

// The standard error of a standard deviation measured on `pairs` dot products of d normal coordinates, relative to it:
// their kurtosis exceeds that of the normal distribution by 6/d.
double chance(Index d, Index pairs) {
  return std::sqrt((6 / static_cast<double>(d) + 2) / (4 * static_cast<double>(pairs)));
}

// On a logarithmic axis an empty bin has no place.
lesson::Plot::Series outline(const Width& width, const Histogram& histogram, bool logarithmic) {
  lesson::Plot::Series series{"d = " + std::to_string(width.d), lesson::Plot::Kind::kLine, {}, {}};
  for (std::size_t bin = 0; bin < histogram.bins(); ++bin) {
    if (logarithmic && histogram.count(bin) == 0) continue;
    series.x.push_back(histogram.center(bin));
    series.y.push_back(histogram.density(bin));
  }
  return series;
}

// `logarithmic` for curves of which one would dwarf the others.
lesson::Plot outlines(const std::string& title, const char* x_label, const std::vector<Width>& widths, bool after,
                      bool logarithmic) {
  lesson::Plot plot;
  plot.title = title;
  plot.x_label = x_label;
  plot.y_label = tr("share of pairs per unit");
  plot.log_y = logarithmic;
  for (const Width& width : widths)
    plot.series.push_back(outline(width, after ? width.after : width.before, logarithmic));
  return plot;
}

// Where the rule puts one standard deviation, on either side of the mean.
std::vector<lesson::Plot::Mark> marksOf(const Width& width, Entries entries) {
  const double root = std::sqrt(static_cast<double>(width.d)), mean = width.expected.mean;
  if (entries == Entries::kCopies) return {{"√d", root, true}};  // two would stand on one place
  if (mean != 0) return {{tr("mean − √d"), mean - root, true}, {tr("mean + √d"), mean + root, true}};
  return {{"−√d", -root, true}, {"√d", root, true}};
}

lesson::Plot histogramOf(const Width& width, Entries entries) {
  lesson::Plot plot;
  plot.title = tr("Dot products at d = {0}", {width.d});
  plot.x_label = tr("q·k, not scaled");
  plot.y_label = tr("pairs");
  lesson::Plot::Series bars{tr("measured"), lesson::Plot::Kind::kBars, {}, {}};
  for (std::size_t bin = 0; bin < width.before.bins(); ++bin) {
    bars.x.push_back(width.before.center(bin));
    bars.y.push_back(static_cast<double>(width.before.count(bin)));
  }
  plot.series.push_back(std::move(bars));
  plot.marks = marksOf(width, entries);
  return plot;
}

lesson::Table tableOf(const std::vector<Width>& widths, Index chosen, Index pairs) {
  lesson::Table table{tr("Spread of the dot products"), "",
                      {"d", "√d", tr("mean"), tr("standard deviation"), tr("after ÷ √d"), tr("standard error")}, {}, {}};
  for (const Width& width : widths) {
    const double root = std::sqrt(static_cast<double>(width.d)), spread = width.raw.sampleDeviation();
    if (width.d == chosen) table.marked = {static_cast<Index>(table.rows.size())};
    table.rows.push_back({std::to_string(width.d), core::fixedText(root, 2), core::fixedText(width.raw.mean(), 2),
                          core::fixedText(spread, 2), core::fixedText(spread / root, 3),
                          "±" + core::fixedText(100 * chance(width.d, pairs), 1) + " %"});
  }
  return table;
}

void describe(const std::vector<Width>& widths, Index chosen, Index pairs, Outputs& out) {
  std::vector<double> d, measured, scaled, roots;
  bool grows = true, printed = true;
  for (const Width& width : widths) {
    const double root = std::sqrt(static_cast<double>(width.d)), spread = width.raw.sampleDeviation();
    d.push_back(static_cast<double>(width.d));
    roots.push_back(root);
    measured.push_back(spread);
    scaled.push_back(spread / root);
    grows = grows && std::abs(spread / root - 1) <= kErrors * chance(width.d, pairs);
    for (std::size_t i = 0; i < std::size(kPrinted); ++i) {
      if (width.d != kFixedWidths[i]) continue;
      printed = printed && std::abs(kPrinted[i] / root - 1) <= kErrors * chance(width.d, kPrintedPairs);
    }
    if (width.d != chosen) continue;
    out.number("spread", spread);
    out.number("spread_scaled", spread / root);
    out.number("mean", width.raw.mean());
    out.number("mean_scaled", width.raw.mean() / root);
    out.number("root_d", root);
    out.number("chance_percent", 100 * chance(width.d, pairs));
  }
  out.numbers("widths", d);
  out.numbers("roots", roots);
  out.numbers("standard_deviations", measured);
  out.numbers("standard_deviations_scaled", scaled);
  out.flag("grows_like_root", grows);
  out.numbers("printed", {std::begin(kPrinted), std::end(kPrinted)});
  out.flag("printed_within_spread", printed);
}

}  // namespace

core::Check scaling(const Inputs& in, Outputs& out, const Progress& progress) {
  const Index pairs = in.integer("pairs"), chosen = in.integer("d");
  const Entries entries = entriesOf(in.text("entries"));
  std::vector<Index> all(std::begin(kFixedWidths), std::end(kFixedWidths));
  if (std::find(all.begin(), all.end(), chosen) == all.end()) all.push_back(chosen);
  std::sort(all.begin(), all.end());
  std::vector<Width> widths;
  for (const Index d : all) widths.emplace_back(d, entries);
  Source source(entries, in.seed("seed"));
  if (!draw(widths, pairs, source, progress)) return core::Error{"stopped"};

  describe(widths, chosen, pairs, out);
  const auto at = std::find_if(widths.begin(), widths.end(), [&](const Width& width) { return width.d == chosen; });
  out.figure("histogram", histogramOf(*at, entries));
  out.number("errors", kErrors);
  out.number("printed_pairs", static_cast<double>(kPrintedPairs));
  out.flag("assumption_holds", entries == Entries::kNormal || entries == Entries::kUniform);
  out.figure("table", tableOf(widths, chosen, pairs));
  const bool logarithmic = entries == Entries::kCopies;
  out.figure("before", outlines(tr("Before dividing"), "q·k", widths, false, logarithmic));
  out.figure("after", outlines(tr("After dividing by √d"), "q·k ÷ √d", widths, true, logarithmic));
  return {};
}

}  // namespace attn::scene
