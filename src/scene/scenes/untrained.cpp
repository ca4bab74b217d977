// The maps of a multi-head module that has learned nothing, over a few characters, and how much one draw of its random
// numbers differs from another. Knows no text but what was set.
#include <algorithm>
#include <cmath>
#include <string>

#include "core/dispersion.h"
#include "core/language.h"
#include "core/multi_head_module.h"
#include "core/rng.h"
#include "core/statistics.h"
#include "io/text.h"
#include "scene/figures.h"
#include "scene/scene.h"

namespace attn::scene {
namespace {

using core::RowVector;

constexpr std::size_t kOthersShown = 3;
constexpr double kNearlyOne = 0.9;
constexpr double kEven = 1e-12;  // weights that are equal but for rounding
constexpr double kLessonWeight = 0.168;  // what the lesson's one draw had, to be marked in the spread

// Characters, blanks and new lines as signs that can be seen.
std::vector<std::string> charactersOf(const std::string& text) {
  std::vector<std::string> characters;
  for (std::string_view rest = text; !rest.empty();) {
    const auto length = static_cast<std::size_t>(std::max(1, io::characterLength(rest)));
    const std::string_view one = rest.substr(0, length);
    characters.emplace_back(one == " " ? "␣" : one == "\n" ? "⏎" : one);
    rest.remove_prefix(length);
  }
  return characters;
}

struct Choice {
  std::vector<std::string> characters;
  Index width = 64, heads = 4, head = 0;
  double embedding_deviation = 1;
  std::string weights;
};

// Everything random of one draw, in the order in which it is drawn.
struct Draw {
  Matrix<double> x;        // T×D: token vector + position vector
  Matrix<double> weights;  // D×3D: queries, keys, values
  RowVector<double> bias;  // 3D
};

Matrix<double> initialWeights(core::Rng& rng, const Choice& choice) {
  if (choice.weights == "xavier") return core::xavierWeights(rng, choice.width, 3 * choice.width);
  if (choice.weights == "gpt2") return core::normalWeights(rng, choice.width, 3 * choice.width, 0.02);
  return core::linearWeights(rng, choice.width, 3 * choice.width);
}

Draw draw(const Choice& choice, std::uint64_t seed) {
  core::Rng rng(seed);
  Draw drawn;
  drawn.x = core::untrainedEmbeddings(rng, choice.characters, choice.width) * choice.embedding_deviation;
  drawn.weights = initialWeights(rng, choice);
  drawn.bias = choice.weights == "linear" ? core::linearBias(rng, choice.width, 3 * choice.width)
                                          : RowVector<double>::Zero(3 * choice.width);
  return drawn;
}

void addHead(core::Problem<double>& problem, const Draw& drawn, const Choice& choice, Index head) {
  const Index D = choice.width, d = D / choice.heads;
  const auto columns = [&](Index part) { return Matrix<double>(drawn.weights.middleCols(part * D + head * d, d)); };
  const auto biases = [&](Index part) { return RowVector<double>(drawn.bias.segment(part * D + head * d, d)); };
  problem.wq.push_back(columns(0));
  problem.wk.push_back(columns(1));
  problem.wv.push_back(columns(2));
  problem.bq.push_back(biases(0));
  problem.bk.push_back(biases(1));
  problem.bv.push_back(biases(2));
}

core::Trace<double> wholeTrace(const Draw& drawn, const Choice& choice) {
  core::Problem<double> problem;
  problem.T = problem.S = drawn.x.rows();
  problem.x = drawn.x;
  problem.mask.causal = true;
  for (Index head = 0; head < choice.heads; ++head) addHead(problem, drawn, choice, head);
  return traceOf(problem);
}

// The last position reads everything, so its row needs no mask and no other row.
RowVector<double> lastRow(const Draw& drawn, const Choice& choice) {
  core::Problem<double> problem;
  problem.T = 1;
  problem.S = drawn.x.rows();
  problem.cross = true;
  problem.x = Matrix<double>(drawn.x.bottomRows(1));
  problem.x_sources = drawn.x;
  addHead(problem, drawn, choice, choice.head);
  return traceOf(problem).heads[0].softmax.weights.row(0);
}

bool isEven(const RowVector<double>& row) { return row.maxCoeff() - row.minCoeff() < kEven; }

lesson::Grid mapOf(const core::Trace<double>& trace, Index head, const Choice& choice, double limit) {
  const Matrix<double>& weights = trace.heads[static_cast<std::size_t>(head)].softmax.weights;
  lesson::Grid grid;
  grid.title = tr("Head {0}", {head});
  grid.scale = lesson::GridScale::kPositive;
  grid.limit = limit;
  grid.map = true;
  grid.rows = weights.rows();
  grid.columns = weights.cols();
  grid.values.assign(weights.data(), weights.data() + weights.size());
  grid.row_labels = grid.column_labels = choice.characters;
  grid.blocked = blockedCells(trace.mask);
  Index largest = 0;
  const RowVector<double> last = weights.row(grid.rows - 1);
  last.maxCoeff(&largest);
  if (!isEven(last)) grid.marked = {{grid.rows - 1, largest}};
  return grid;
}

void showMaps(const core::Trace<double>& trace, const Choice& choice, Outputs& out) {
  std::vector<lesson::Block> others;
  double above = 0, limit = 0, brightest = 0;
  for (const auto& head : trace.heads) {
    const Matrix<double>& weights = head.softmax.weights;
    for (Index i = 0; i < weights.rows(); ++i) above = std::max(above, weights.row(i).tail(weights.cols() - i - 1).sum());
    limit = std::max(limit, weights.bottomRows((weights.rows() + 1) / 2).maxCoeff());
    brightest = std::max(brightest, weights.maxCoeff());
  }
  if (limit > kNearlyOne) limit = 1;  // then cutting the colours shows no more
  for (Index head = 0; head < choice.heads && others.size() < kOthersShown; ++head) {
    if (head != choice.head) others.push_back({mapOf(trace, head, choice, limit), !others.empty()});
  }
  const auto all = static_cast<std::size_t>(choice.heads - 1), shown = others.size();
  out.text("others_title", shown < all ? tr("{0} of the other {1} heads", {shown, all})
                           : all == 1  ? tr("The other head")
                                       : tr("The other heads"));
  out.flag("beyond_colors", brightest > limit);
  out.figure("map", mapOf(trace, choice.head, choice, limit));
  out.blocks("others", std::move(others));
  out.number("color_limit", limit);
  out.flag("nothing_above_diagonal", above == 0);
  const RowVector<double> row = trace.heads[static_cast<std::size_t>(choice.head)].softmax.weights.bottomRows(1);
  Index at = 0;
  out.number("largest", row.maxCoeff(&at));
  out.number("largest_at", static_cast<double>(at));
  out.text("largest_character", choice.characters[static_cast<std::size_t>(at)]);
  out.flag("last_row_even", isEven(row));
  out.number("entropy", core::entropy(row));
  out.numbers("last_row", {row.begin(), row.end()});
}

lesson::Plot spreadPlot(const std::vector<double>& largest, double uniform, double now) {
  const auto [low, high] = std::minmax_element(largest.begin(), largest.end());
  core::Histogram histogram(std::min(*low, uniform), *high + 1e-9, 24);
  for (const double value : largest) histogram.add(value);
  lesson::Plot plot;
  plot.title = tr("Largest weight of the last row, one count for each seed");
  plot.x_label = tr("largest weight");
  plot.y_label = tr("seeds");
  lesson::Plot::Series bars{tr("seeds"), lesson::Plot::Kind::kBars, {}, {}};
  for (std::size_t bin = 0; bin < histogram.bins(); ++bin) {
    bars.x.push_back(histogram.center(bin));
    bars.y.push_back(static_cast<double>(histogram.count(bin)));
  }
  plot.series.push_back(std::move(bars));
  plot.marks = {{tr("even"), uniform, true}, {tr("this seed"), now, true}};
  // Far from all draws it would leave them no room.
  const double room = *high - std::min(*low, uniform);
  if (kLessonWeight > *low - room && kLessonWeight < *high + room)
    plot.marks.push_back({tr("lesson 6.3"), kLessonWeight, true});
  return plot;
}

// On which position the largest weight lies, seed by seed.
void showPlaces(const std::vector<Index>& places, const Choice& choice, Outputs& out) {
  lesson::Plot plot;
  plot.title = tr("Where it lies, one count for each seed");
  plot.x_label = tr("position of the largest weight");
  plot.y_label = tr("seeds");
  lesson::Plot::Series bars{tr("seeds"), lesson::Plot::Kind::kBars, {}, {}};
  Index used = 0;
  for (Index at = 0; at < static_cast<Index>(choice.characters.size()); ++at) {
    const auto count = std::count(places.begin(), places.end(), at);
    used += count > 0;
    bars.x.push_back(static_cast<double>(at));
    bars.y.push_back(static_cast<double>(count));
  }
  plot.series.push_back(std::move(bars));
  plot.marks = {{tr("this seed"), static_cast<double>(places.front()), true}};
  out.number("same_place", static_cast<double>(std::count(places.begin(), places.end(), places.front())));
  out.number("places", static_cast<double>(used));
  out.figure("places", std::move(plot));
}

void showSpread(const std::vector<double>& largest, double uniform, double now, Outputs& out) {
  const core::Running running = core::summary(largest);
  out.number("spread_min", running.min());
  out.number("spread_max", running.max());
  out.number("spread_mean", running.mean());
  out.number("spread_deviation", running.sampleDeviation());
  out.number("spread_5", core::quantile(largest, 0.05));
  out.number("spread_95", core::quantile(largest, 0.95));
  out.number("lesson", kLessonWeight);
  out.flag("seeds_differ", running.max() - running.min() > kEven);
  out.flag("lesson_within_spread", running.min() <= kLessonWeight && kLessonWeight <= running.max());
  const auto at_least = std::count_if(largest.begin(), largest.end(), [](double value) { return value >= kLessonWeight; });
  out.number("at_least_lesson", static_cast<double>(at_least));
  out.figure("spread", spreadPlot(largest, uniform, now));
}

}  // namespace

core::Check untrainedModule(const Inputs& in, Outputs& out, const Progress& progress) {
  Choice choice;
  choice.characters = charactersOf(in.text("text"));
  if (choice.characters.size() < 2) return core::Error{tr("The text has fewer than 2 characters; write at least two.")};
  choice.heads = std::stol(in.text("heads"));
  choice.width = std::stol(in.text("d_model"));
  choice.embedding_deviation = in.number("embedding");
  choice.weights = in.text("weights");
  out.limit("head", static_cast<double>(choice.heads - 1));
  choice.head = std::min(in.integer("head"), choice.heads - 1);
  const std::uint64_t seed = in.seed("seed");
  const core::Trace<double> trace = wholeTrace(draw(choice, seed), choice);
  const double uniform = 1 / static_cast<double>(choice.characters.size());
  out.number("characters", static_cast<double>(choice.characters.size()));
  out.number("head_shown", static_cast<double>(choice.head));
  out.number("uniform", uniform);
  out.number("largest_entropy", std::log(static_cast<double>(choice.characters.size())));
  showMaps(trace, choice, out);
  const Index draws = in.integer("draws");
  std::vector<double> largest;
  std::vector<Index> places;
  for (Index i = 0; i < draws; ++i) {
    const RowVector<double> row = lastRow(draw(choice, seed + static_cast<std::uint64_t>(i)), choice);
    largest.push_back(row.maxCoeff(&places.emplace_back()));
    if (i % 10 == 0 && !progress(static_cast<double>(i) / static_cast<double>(draws))) return core::Error{"stopped"};
  }
  showSpread(largest, uniform, largest.front(), out);
  showPlaces(places, choice, out);
  return {};
}

}  // namespace attn::scene
