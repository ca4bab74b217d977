// Eight scores through softmax with and without their scale: how the largest takes everything, and with it the slope.
// Knows no tokens.
#include <algorithm>
#include <cmath>

#include "core/dispersion.h"
#include "core/language.h"
#include "core/number.h"
#include "core/product.h"
#include "core/rng.h"
#include "core/trace.h"
#include "scene/figures.h"
#include "scene/scene.h"

namespace attn::scene {
namespace {

using core::RowVector;

constexpr Index kKeys = 8;
constexpr double kVanished = 1e-3;  // a size of the Jacobian below which the scene calls the slope gone
constexpr double kManyTimes = 100;  // a ratio from which decimals say nothing

// One destination whose dot products with the sources are the scores.
core::Trace<double> attend(const RowVector<double>& scores, double scale, double temperature) {
  core::Problem<double> problem;
  problem.T = 1;
  problem.S = scores.size();
  problem.cross = true;
  problem.q = {Matrix<double>::Ones(1, 1)};
  problem.k = {Matrix<double>(scores.transpose())};
  problem.v = problem.k;
  problem.scale = scale;
  problem.temperature = temperature;
  return traceOf(problem);
}

struct Softened {
  RowVector<double> weights;
  Matrix<double> jacobian;
  double entropy = 0, frobenius = 0, spectral = 0;
};

Softened soften(const RowVector<double>& scores, double scale, double temperature) {
  Softened result;
  result.weights = attend(scores, scale, temperature).heads[0].softmax.weights.row(0);
  result.jacobian = core::softmaxJacobian(result.weights);
  result.entropy = core::entropy(result.weights);
  result.frobenius = core::jacobianFrobenius(result.weights);
  result.spectral = core::jacobianSpectral(result.weights);
  return result;
}

// Three decimals; what would read as 1 and is not, as "1 − 2e-5", from the sum of all other weights.
std::string shareText(const RowVector<double>& weights, Index at) {
  double others = 0;
  for (Index j = 0; j < weights.size(); ++j) others += j == at ? 0 : weights(j);
  const std::string text = core::fixedText(weights(at), 3);
  return text == "1.000" && others > 0 ? "1 − " + core::fixedText(others, 3) : text;
}

std::string largestText(const RowVector<double>& weights) {
  Index top = 0;
  weights.maxCoeff(&top);
  return shareText(weights, top);
}

std::string ratioText(double ratio) { return core::fixedText(ratio, ratio < kManyTimes ? 2 : 0); }

RowVector<double> randomScores(std::uint64_t seed, Index d) {
  core::Rng rng(seed);
  const Matrix<double> q = rng.normalMatrix(1, d), k = rng.normalMatrix(kKeys, d);
  return core::product(q, Matrix<double>(k.transpose())).row(0);
}

// Between the largest and the second largest.
double gapOf(const RowVector<double>& scores) {
  std::vector<double> sorted = listOf(scores);
  std::sort(sorted.rbegin(), sorted.rend());
  return sorted[0] - sorted[1];
}

lesson::Plot weightBars(const Softened& raw, const Softened& scaled) {
  lesson::Plot plot;
  plot.title = tr("Weights of the eight keys");
  plot.x_label = tr("key");
  plot.y_label = tr("weight");
  plot.names = numbered(kKeys);
  std::vector<double> x;
  for (Index j = 0; j < kKeys; ++j) x.push_back(static_cast<double>(j));
  plot.series.push_back({tr("without scaling"), lesson::Plot::Kind::kBars, x, listOf(raw.weights)});
  plot.series.push_back({tr("with scaling"), lesson::Plot::Kind::kBars, x, listOf(scaled.weights)});
  return plot;
}

lesson::Table scoreTable(const core::Trace<double>& raw, const core::Trace<double>& scaled) {
  lesson::Table table{
      tr("Key by key"), "",
      {tr("key"), tr("raw score"), tr("weight without scaling"), tr("divided"), tr("weight with scaling")}, {}, {}};
  const core::HeadTrace<double>&a = raw.heads[0], &b = scaled.heads[0];
  for (Index j = 0; j < kKeys; ++j) {
    table.rows.push_back({std::to_string(j), core::fixedText(a.scores(0, j), 2),
                          shareText(a.softmax.weights.row(0), j), core::fixedText(b.scaled(0, j), 3),
                          shareText(b.softmax.weights.row(0), j)});
  }
  return table;
}

enum class Shown { kSoftness, kSlopes, kBoth };

lesson::Table sizeTable(const std::string& title, const Softened& raw, const Softened& scaled, Shown which) {
  lesson::Table table{title, "", {"", tr("without scaling"), tr("with scaling"), tr("all weights equal")}, {}, {}};
  const RowVector<double> equal = RowVector<double>::Constant(kKeys, 1.0 / kKeys);
  const auto row = [&](const std::string& what, double a, double b, double c) {
    table.rows.push_back({what, core::fixedText(a, 3), core::fixedText(b, 3), core::fixedText(c, 3)});
  };
  if (which != Shown::kSlopes) {
    table.rows.push_back({tr("largest weight"), largestText(raw.weights), largestText(scaled.weights), largestText(equal)});
    row(tr("entropy (nats)"), raw.entropy, scaled.entropy, core::entropy(equal));
  }
  if (which != Shown::kSoftness) {
    row(tr("size of the Jacobian"), raw.frobenius, scaled.frobenius, core::jacobianFrobenius(equal));
    row(tr("largest stretch"), raw.spectral, scaled.spectral, core::jacobianSpectral(equal));
  }
  return table;
}

lesson::Grid jacobianLook(const std::string& title, double limit) {
  lesson::Grid grid = signedLook(title, numbered(kKeys, "w{0}"), numbered(kKeys, "s{0}"));
  grid.limit = limit;
  return grid;
}

// Softness and slope over the divisors that the controls allow, from below 0.3 to 100·√4096.
lesson::Plot sweep(const RowVector<double>& scores, double temperature, double divisor) {
  lesson::Plot plot;
  plot.title = tr("The same scores divided by more and more");
  plot.x_label = tr("what the raw scores are divided by");
  plot.y_label = tr("nats, size");
  plot.log_x = true;
  lesson::Plot::Series entropy{tr("entropy"), lesson::Plot::Kind::kLine, {}, {}};
  lesson::Plot::Series size{tr("size of the Jacobian"), lesson::Plot::Kind::kLine, {}, {}};
  for (Index step = 0; step <= 100; ++step) {
    const double x = std::pow(10.0, -1 + 0.05 * static_cast<double>(step));
    const Softened softened = soften(scores, 1 / x, 1);
    for (lesson::Plot::Series* series : {&entropy, &size}) series->x.push_back(x);
    entropy.y.push_back(softened.entropy);
    size.y.push_back(softened.frobenius);
  }
  plot.series = {std::move(entropy), std::move(size)};
  plot.marks = {{tr("unscaled"), temperature, true}, {tr("scaled"), divisor, true}, {"ln 8", std::log(8.0), false}};
  return plot;
}

RowVector<double> equalWeights() { return RowVector<double>::Constant(kKeys, 1.0 / kKeys); }

void describe(const Softened& raw, const Softened& scaled, double divisor, double temperature, Outputs& out) {
  out.numbers("weights_unscaled", listOf(raw.weights));
  out.numbers("weights_scaled", listOf(scaled.weights));
  out.number("largest_unscaled", raw.weights.maxCoeff());
  out.number("largest_scaled", scaled.weights.maxCoeff());
  out.number("entropy_unscaled", raw.entropy);
  out.number("entropy_scaled", scaled.entropy);
  out.number("entropy_maximum", core::entropy(equalWeights()));
  out.number("jacobian_unscaled", raw.frobenius);
  out.number("jacobian_scaled", scaled.frobenius);
  out.number("jacobian_equal", core::jacobianFrobenius(equalWeights()));
  out.number("slope_through_scale", scaled.frobenius / divisor);
  out.number("slope_unscaled", raw.frobenius / temperature);
  out.flag("vanished_unscaled", raw.frobenius < kVanished);
  out.flag("slopes_left_scaled", scaled.frobenius >= kVanished);
  out.number("vanishing", kVanished);
  out.text("largest_unscaled_said", largestText(raw.weights));
  out.text("largest_scaled_said", largestText(scaled.weights));
  double limit = core::softmaxJacobian(equalWeights()).cwiseAbs().maxCoeff();
  for (const Softened* each : {&raw, &scaled}) limit = std::max(limit, each->jacobian.cwiseAbs().maxCoeff());
  out.grid("jacobian_map_unscaled", raw.jacobian, jacobianLook(tr("Jacobian without scaling"), limit));
  out.grid("jacobian_map_scaled", scaled.jacobian, jacobianLook(tr("Jacobian with scaling"), limit));
  out.figure("weights", weightBars(raw, scaled));
  out.figure("sizes", sizeTable(tr("How soft"), raw, scaled, Shown::kSoftness));
  out.figure("slopes", sizeTable(tr("How steep"), raw, scaled, Shown::kSlopes));
}

}  // namespace

core::Check saturation(const Inputs& in, Outputs& out, const Progress&) {
  const bool random = in.text("source") == "random";
  if (random) out.hide("scores");
  const Index d = in.integer("d");
  const double temperature = in.number("temperature"), root = std::sqrt(static_cast<double>(d));
  const std::vector<double> given = in.numbers("scores");
  const RowVector<double> drawn = randomScores(in.seed("seed"), d);
  const RowVector<double> scores =
      random ? drawn : RowVector<double>(Eigen::Map<const RowVector<double>>(given.data(), kKeys));
  const double gap = gapOf(scores);
  out.numbers("raw_scores", listOf(scores));
  out.numbers("drawn_scores", listOf(drawn));
  out.number("gap", gap);
  out.number("ratio", std::exp(gap / temperature));
  out.number("ratio_scaled", std::exp(gap / (root * temperature)));
  out.text("ratio_said", ratioText(std::exp(gap / temperature)));
  out.text("ratio_scaled_said", ratioText(std::exp(gap / (root * temperature))));
  out.number("root_mean_square", std::sqrt(scores.squaredNorm() / static_cast<double>(kKeys)));
  out.number("root_d", root);
  out.number("divisor", root * temperature);
  describe(soften(scores, 1, temperature), soften(scores, 1 / root, temperature), root * temperature, temperature, out);
  out.figure("scores", scoreTable(attend(scores, 1, temperature), attend(scores, 1 / root, temperature)));
  out.figure("drawn_sizes", sizeTable(tr("Random scores"), soften(drawn, 1, temperature),
                                      soften(drawn, 1 / root, temperature), Shown::kBoth));
  out.figure("sweep", sweep(scores, temperature, root * temperature));
  return {};
}

}  // namespace attn::scene
