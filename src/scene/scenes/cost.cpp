// What a grid of every position against every other costs in memory and time, and what a window and tiles change.
// Measures the clock only when asked to. Knows no tokens.
#include <algorithm>
#include <chrono>
#include <cmath>

#include "core/cost.h"
#include "core/language.h"
#include "core/names.h"
#include "core/number.h"
#include "core/product.h"
#include "core/rng.h"
#include "core/softmax.h"
#include "scene/scene.h"
#include "scene/words.h"

namespace attn::scene {
namespace {

using core::CostShape;

constexpr double kLengths[] = {64, 1024, 8192, 131072};
constexpr double kHeadWidth = 64;
constexpr Index kMeasured[] = {128, 256, 512};
constexpr int kRepeats = 3;  // the quickest counts: a slow one was disturbed

CostShape shapeOf(const Inputs& in) {
  CostShape shape;
  shape.T = in.number("T");
  shape.heads = in.number("heads");
  shape.layers = in.number("layers");
  shape.batch = in.number("batch");
  shape.d_model = kHeadWidth * shape.heads;
  shape.causal = in.on("causal");
  if (in.on("windowed")) shape.window = in.number("window");
  shape.type = *core::valueNamed<core::NumberType>(core::kNumberTypeNames, in.text("type"));
  return shape;
}

CostShape withLength(CostShape shape, double T) {
  shape.T = T;
  return shape;
}

double copiesOf(const CostShape& shape) { return shape.heads * shape.layers * shape.batch; }

// 65536 → "65,536"; counts too long to read in powers of ten: "1.25 × 10¹⁶".
std::string countText(double count) {
  if (count >= 1e15) {
    constexpr const char* kRaised[] = {"⁰", "¹", "²", "³", "⁴", "⁵", "⁶", "⁷", "⁸", "⁹"};
    const int power = static_cast<int>(std::floor(std::log10(count)));
    return core::fixedText(count / std::pow(10, power), 2) + " × 10" + kRaised[power / 10] + kRaised[power % 10];
  }
  return grouped(count);
}

lesson::Table memoryTable(const CostShape& shape, Outputs& out) {
  lesson::Table table{
      tr("Memory for the grids of scores"), "",
      {tr("positions"), tr("scores in a grid"), tr("one grid"), tr("all grids")}, {}, {}};
  if (shape.window) table.columns.push_back(tr("all, stored as a band"));
  std::vector<double> lengths(std::begin(kLengths), std::end(kLengths)), grids, all;
  if (std::find(lengths.begin(), lengths.end(), shape.T) == lengths.end()) lengths.push_back(shape.T);
  std::sort(lengths.begin(), lengths.end());
  for (const double T : lengths) {
    const CostShape at = withLength(shape, T);
    if (T == shape.T) table.marked = {static_cast<Index>(table.rows.size())};
    table.rows.push_back({"T = " + countText(T), countText(T * T), core::bytesText(core::gridBytes(T, T, shape.type)),
                          core::bytesText(core::allGridsBytes(at))});
    if (shape.window) table.rows.back().push_back(core::bytesText(core::bandBytes(at) * copiesOf(at)));
  }
  for (const double T : kLengths) {
    grids.push_back(core::gridBytes(T, T, shape.type));
    all.push_back(core::allGridsBytes(withLength(shape, T)));
  }
  out.numbers("lengths", {std::begin(kLengths), std::end(kLengths)});
  out.numbers("grid_bytes", grids);
  out.numbers("all_bytes", all);
  return table;
}

lesson::Plot memoryPlot(const CostShape& shape, double tile) {
  lesson::Plot plot;
  plot.title = tr("Memory against length");
  plot.x_label = tr("positions T");
  plot.y_label = tr("bytes");
  plot.log_x = plot.log_y = true;
  lesson::Plot::Series whole{tr("all whole grids"), lesson::Plot::Kind::kLine, {}, {}},
      band{tr("as a band"), lesson::Plot::Kind::kLine, {}, {}};
  lesson::Plot::Series tiles{tr("one tile at a time"), lesson::Plot::Kind::kLine, {}, {}},
      cache{tr("keys and values"), lesson::Plot::Kind::kLine, {}, {}};
  for (double T = 16; T <= 1048576; T *= 2) {
    const CostShape at = withLength(shape, T);
    for (lesson::Plot::Series* series : {&whole, &band, &tiles, &cache}) series->x.push_back(T);
    whole.y.push_back(core::allGridsBytes(at));
    band.y.push_back(core::bandBytes(at) * copiesOf(at));
    tiles.y.push_back(core::tileBytes(std::min(tile, T), std::min(tile, T), kHeadWidth, kHeadWidth, shape.type));
    cache.y.push_back(core::cacheBytes(at));
  }
  plot.series = {std::move(whole)};
  if (shape.window) plot.series.push_back(std::move(band));
  plot.series.push_back(std::move(tiles));
  plot.series.push_back(std::move(cache));
  plot.marks = {{tr("T set here"), shape.T, true}};
  return plot;
}

// How far a window lets the last position look, directly and through the layers below.
void describeWindow(const CostShape& shape, Outputs& out) {
  const double w = std::min(shape.window.value_or(shape.T), shape.T), back = w - 1;
  const double reach = std::min(shape.T - 1, shape.layers * back), needed = back > 0 ? std::ceil((shape.T - 1) / back) : 0;
  out.flag("window_used", shape.window.has_value());
  out.flag("window_narrows", shape.window && *shape.window < shape.T);
  out.text("layers_text", tr("{0} {0|layer|layers}", {countText(shape.layers)}));
  out.text("layers_needed_text", tr("{0} {0|layer|layers}", {countText(needed)}));
  out.text("looks_back_text", tr("{0} {0|position|positions}", {countText(back)}));
  out.number("looks_back", back);
  out.number("reach", reach);
  out.number("out_of_reach", shape.T - 1 - reach);
  out.number("layers_needed", needed);
  out.flag("reaches_the_start", reach == shape.T - 1);
  out.flag("can_reach_the_start", back > 0 || shape.T == 1);
  const double share = core::allowedCells(shape) / (shape.T * shape.T);
  out.number("allowed_percent", 100 * share);
  out.number("band_bytes", core::bandBytes(shape) * copiesOf(shape));
  out.text("band_text", core::bytesText(core::bandBytes(shape) * copiesOf(shape)));
}

// A tile at T positions, no larger than the sequence; and a whole one with what it consists of.
void describeTile(const CostShape& shape, double side, Outputs& out) {
  const double used = std::min(side, shape.T), d = kHeadWidth;
  const double whole = core::tileBytes(side, side, d, d, shape.type);
  out.number("tile_bytes", core::tileBytes(used, used, d, d, shape.type));
  out.text("tile_text", core::bytesText(core::tileBytes(used, used, d, d, shape.type)));
  out.text("whole_tile_text", core::bytesText(whole));
  out.text("tile_scores_text", core::bytesText(core::gridBytes(side, side, shape.type)));
  out.text("tile_vectors_text", core::bytesText(core::gridBytes(side, d, shape.type)));
  out.text("tile_state_text", core::bytesText(core::gridBytes(side, 2, shape.type)));
  out.flag("tile_fits", side <= shape.T);
}

lesson::Table workTable(const CostShape& shape, Outputs& out) {
  const core::MultiplyAdds plain = core::multiplyAdds(shape, false), skipped = core::multiplyAdds(shape, true);
  lesson::Table table{
      tr("Multiplications (each with an addition) of one pass"), "",
      {tr("part"), tr("every cell"), tr("allowed cells only")}, {}, {}};
  const auto row = [&](const std::string& name, double a, double b) {
    table.rows.push_back({name, countText(a), countText(b)});
  };
  row(tr("queries, keys, values"), plain.projections, skipped.projections);
  row(tr("scores"), plain.scores, skipped.scores);
  row(tr("mixing"), plain.mixing, skipped.mixing);
  row(tr("output projection"), plain.output, skipped.output);
  row(tr("together"), plain.total(), skipped.total());
  out.number("multiply_adds", plain.total());
  out.number("multiply_adds_allowed", skipped.total());
  out.number("pair_share_percent", 100 * (plain.scores + plain.mixing) / plain.total());
  out.number("even_length", core::evenLength(shape.d_model));
  return table;
}

// Seconds of the plain way for one head of width 64: whole grid of scores, softmax, mixture, in float64.
double secondsOnce(Index T) {
  core::Rng rng(static_cast<std::uint64_t>(T));
  const Matrix<double> q = rng.normalMatrix(T, static_cast<Index>(kHeadWidth), 1 / std::sqrt(kHeadWidth));
  const Matrix<double> k = rng.normalMatrix(T, static_cast<Index>(kHeadWidth)),
                       v = rng.normalMatrix(T, static_cast<Index>(kHeadWidth));
  const auto start = std::chrono::steady_clock::now();
  const Matrix<double> scores = core::product(q, Matrix<double>(k.transpose()));
  const core::Softmax<double> softmax = core::softmaxRows(scores, core::Mask(T, T));
  const Matrix<double> z = core::product(softmax.weights, v);
  const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - start;
  return z.allFinite() ? taken.count() : 0;  // reading z: nothing of this may be left out
}

core::Check measure(const CostShape& shape, Outputs& out, const Progress& progress) {
  lesson::Table table{
      tr("Measured on this machine"), "", {tr("positions T"), tr("time"), tr("against the row above")}, {}, {}};
  std::vector<double> times;
  int done = 0;
  for (const Index T : kMeasured) {
    double best = secondsOnce(T);
    for (int repeat = 0; repeat < kRepeats; ++repeat) {
      if (!progress(static_cast<double>(done++) / (kRepeats * std::size(kMeasured)))) return core::Error{"stopped"};
      best = std::min(best, secondsOnce(T));
    }
    const std::string ratio = times.empty() || times.back() == 0 ? "–" : "× " + core::fixedText(best / times.back(), 2);
    table.rows.push_back({std::to_string(T), core::fixedText(1000 * best, 2) + " ms", ratio});
    times.push_back(best);
  }
  const double last = static_cast<double>(kMeasured[std::size(kMeasured) - 1]);
  const double here = times.back() * (shape.T / last) * (shape.T / last) * copiesOf(shape);
  out.numbers("seconds", times);
  out.number("seconds_here", here);
  out.text("time_here", here < 1      ? core::fixedText(1000 * here, 2) + " ms"
                        : here < 3600 ? core::fixedText(here, 1) + " s"
                                      : core::fixedText(here / 3600, 1) + " h");
  out.figure("measured", table);
  return {};
}

}  // namespace

core::Check costOfAttention(const Inputs& in, Outputs& out, const Progress& progress) {
  const CostShape shape = shapeOf(in);
  if (!shape.window) out.hide("window");
  const double tile = in.number("tile");
  const double grid = core::gridBytes(shape.T, shape.T, shape.type);
  out.figure("memory", memoryTable(shape, out));
  out.figure("plot", memoryPlot(shape, tile));
  out.number("copies", copiesOf(shape));
  out.text("copies_text", tr("{0} {0|grid|grids}", {countText(copiesOf(shape))}));
  out.number("scores_in_a_grid", shape.T * shape.T);
  out.text("grid_text", core::bytesText(grid));
  out.text("all_text", core::bytesText(core::allGridsBytes(shape)));
  out.number("doubled_times", core::gridBytes(2 * shape.T, 2 * shape.T, shape.type) / grid);
  out.number("times_of_64", grid / core::gridBytes(64, 64, shape.type));
  out.text("cache_text", core::bytesText(core::cacheBytes(shape)));
  describeTile(shape, tile, out);
  describeWindow(shape, out);
  out.figure("work", workTable(shape, out));
  return in.on("measure") ? measure(shape, out, progress) : core::Check();
}

}  // namespace attn::scene
