// What softmax makes of one row of scores: equal ones, shifted ones, huge ones, and one that rises. Knows no tokens.
#include "scene/scenes/softmax.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/language.h"
#include "core/number.h"
#include "core/softmax.h"
#include "core/softmax_variants.h"
#include "scene/figures.h"

namespace attn::scene {
namespace {

using core::RowVector;

constexpr double kSameWeight = 1e-12;  // scores of up to 2,000 are rounded by up to 1e-13, and weights by as much
constexpr Index kSteps = 90;

template <class Scalar>
core::Softmax<Scalar> stable(const Matrix<Scalar>& scores) {
  return core::softmaxRows(scores, core::Mask(scores.rows(), scores.cols()));
}

Matrix<double> rowOf(const std::vector<double>& values) {
  return Eigen::Map<const Matrix<double>>(values.data(), 1, static_cast<Index>(values.size()));
}

lesson::Plot bars(const std::string& title, const Matrix<double>& weights) {
  lesson::Plot plot;
  plot.title = title;
  plot.x_label = tr("source");
  plot.y_label = tr("weight");
  plot.names = numbered(weights.cols());
  std::vector<double> x;
  for (Index j = 0; j < weights.cols(); ++j) x.push_back(static_cast<double>(j));
  plot.series.push_back({tr("weights"), lesson::Plot::Kind::kBars, x, listOf(weights)});
  return plot;
}

// Whether e^score can be written down for every source, and their sum too.
bool plainFits(const core::Softmax<double>& softmax) {
  return std::isfinite(softmax.row_sum_plain(0)) && softmax.exp_plain.minCoeff() > 0;
}

// One line per source: its score, its exponential, its weight. What is too large or too small for e^score is shown with
// the largest score taken off, as it is computed.
lesson::Table steps(const std::string& title, const Matrix<double>& scores, const core::Softmax<double>& softmax) {
  const bool shifted = !plainFits(softmax);
  const std::string exponential = shifted ? tr("e^(score − largest)") : tr("e^score");
  lesson::Table table{title, "", {tr("source"), tr("score"), exponential, tr("weight")}, {}, {}};
  const Matrix<double>& exp = shifted ? softmax.exp : softmax.exp_plain;
  const RowVector<double>& sum = shifted ? softmax.row_sum : softmax.row_sum_plain;
  for (Index j = 0; j < scores.cols(); ++j) {
    table.rows.push_back({std::to_string(j), core::fixedText(scores(0, j), 2), core::fixedText(exp(0, j), 4),
                          core::fixedText(softmax.weights(0, j), 4)});
  }
  table.rows.push_back({tr("sum"), "", core::fixedText(sum(0), 4), core::fixedText(softmax.weights.sum(), 4)});
  return table;
}

void describeRow(const Inputs& in, Outputs& out) {
  const Matrix<double> scores = rowOf(in.numbers("scores"));
  const core::Softmax<double> softmax = stable(scores);
  const double equal = 1 / static_cast<double>(scores.cols());
  out.numbers("weights", listOf(softmax.weights));
  out.number("weight_sum", softmax.weights.sum());
  out.flag("scores_equal", scores.maxCoeff() == scores.minCoeff());
  out.flag("weights_equal", ((softmax.weights.array() - equal).abs() < kSameWeight).all());
  out.flag("all_positive", (softmax.weights.array() > 0).all());
  out.flag("plain_fits", plainFits(softmax));
  out.figure("bars", bars(tr("Weights"), softmax.weights));
  out.figure("steps", steps(tr("Softmax, step by step"), scores, softmax));

  const Matrix<double> moved = scores.array() + in.number("shift");
  const core::Softmax<double> other = stable(moved);
  out.numbers("weights_shifted", listOf(other.weights));
  out.number("shift_difference", largestChange(softmax.weights, other.weights));
  out.flag("shift_changes_nothing", largestChange(softmax.weights, other.weights) < kSameWeight);
  out.flag("moved_fits", plainFits(other));
  out.figure("steps_shifted", steps(tr("Every score moved by the same amount"), moved, other));
}

// Both ways in one number type; texts, because ∞ and NaN are what they show.
template <class Scalar>
void describeOverflow(double size, double gap, Outputs& out) {
  Matrix<Scalar> scores(1, 2);
  scores << static_cast<Scalar>(size), static_cast<Scalar>(size - gap);
  const core::Softmax<Scalar> softmax = stable(scores);
  const Matrix<Scalar> plain = core::plainSoftmaxRows(scores);
  lesson::Table table{
      "", "",
      {"", tr("score"), tr("naive: e^score"), tr("naive weight"), tr("stable: e^(score − largest)"), tr("stable weight")},
      {}, {}};
  const auto text = [](Scalar value) { return core::fixedText(static_cast<double>(value), 4); };
  for (Index j = 0; j < 2; ++j) {
    table.rows.push_back({std::to_string(j), text(scores(0, j)), text(softmax.exp_plain(0, j)), text(plain(0, j)),
                          text(softmax.exp(0, j)), text(softmax.weights(0, j))});
  }
  table.rows.push_back({tr("sum"), "", text(softmax.row_sum_plain(0)), text(plain.sum()), text(softmax.row_sum(0)),
                        text(softmax.weights.sum())});
  out.figure("overflow", table);
  // Both ways round a few times; a sum that became ∞, or exponentials that have lost digits, are further off.
  const Scalar rounding = 64 * std::numeric_limits<Scalar>::epsilon();
  const bool naive_finite = plain.array().isFinite().all();
  out.number("first_score", size);
  out.number("second_score", size - gap);
  out.flag("naive_finite", naive_finite);
  out.flag("naive_works", naive_finite && (plain - softmax.weights).cwiseAbs().maxCoeff() <= rounding);
  out.flag("naive_overflows", std::isinf(static_cast<double>(softmax.row_sum_plain(0))));
  out.flag("naive_underflows", softmax.row_sum_plain(0) == Scalar(0));
  out.flag("stable_works", softmax.weights.array().isFinite().all());
  out.numbers("naive_weights", listOf(plain.template cast<double>()));
  out.numbers("stable_weights", listOf(softmax.weights.template cast<double>()));
  out.number("overflow_from", std::log(static_cast<double>(std::numeric_limits<Scalar>::max())));
}

Matrix<double> withCompetitor(double score) {
  Matrix<double> scores(1, 3);
  scores << 1, 1, score;
  return scores;
}

lesson::Plot competitorPlot(double chosen) {
  lesson::Plot plot;
  plot.title = tr("Weights while only source 2's score changes");
  plot.x_label = tr("score of source 2");
  plot.y_label = tr("weight");
  plot.marks = {{tr("set here"), chosen, true}};
  lesson::Plot::Series first{tr("sources 0 and 1, each"), lesson::Plot::Kind::kLine, {}, {}};
  lesson::Plot::Series rising{tr("source {0}", {2}), lesson::Plot::Kind::kLine, {}, {}};
  for (Index step = 0; step <= kSteps; ++step) {
    const double score = -3 + 0.1 * static_cast<double>(step);
    const Matrix<double> weights = stable(withCompetitor(score)).weights;
    for (lesson::Plot::Series* series : {&first, &rising}) series->x.push_back(score);
    first.y.push_back(weights(0, 0));
    rising.y.push_back(weights(0, 2));
  }
  plot.series = {std::move(first), std::move(rising)};
  return plot;
}

void describeCompetitor(const Inputs& in, Outputs& out) {
  const double rise = in.number("rise");
  const core::Softmax<double> before = stable(withCompetitor(1)), after = stable(withCompetitor(rise));
  out.number("first_before", before.weights(0, 0));
  out.number("first_after", after.weights(0, 0));
  out.number("denominator_before", before.row_sum_plain(0));
  out.number("denominator_after", after.row_sum_plain(0));
  out.number("numerator", after.exp_plain(0, 0));
  out.flag("unchanged_score_lost_weight", after.weights(0, 0) < before.weights(0, 0));
  out.flag("unchanged_score_kept_weight", after.weights(0, 0) == before.weights(0, 0));
  out.flag("unchanged_score_gained_weight", after.weights(0, 0) > before.weights(0, 0));
  out.figure("competitor_before", steps(tr("All three scores 1"), withCompetitor(1), before));
  out.figure("competitor_after", steps(tr("Source 2 changed"), withCompetitor(rise), after));
  out.figure("competitor", competitorPlot(rise));
}

// The controls that each part has.
void hideOtherParts(const std::string& part, Outputs& out) {
  constexpr std::pair<const char*, const char*> kUsed[] = {
      {"row", "scores"},      {"shift", "scores"},   {"shift", "shift"},    {"overflow", "size"}, {"overflow", "gap"},
      {"overflow", "type"},   {"competitor", "rise"}, {"axis", "causal"},   {"dropout", "drop"},  {"dropout", "seed"},
      {"vocabulary", "seed"}};
  for (const char* key : {"scores", "shift", "size", "gap", "type", "rise", "causal", "drop", "seed"}) {
    const bool used = std::any_of(std::begin(kUsed), std::end(kUsed), [&](const auto& use) {
      return use.first == part && std::string_view(use.second) == key;
    });
    if (!used) out.hide(key);
  }
}

}  // namespace

core::Check softmaxOfScores(const Inputs& in, Outputs& out, const Progress&) {
  hideOtherParts(in.text("part"), out);
  describeRow(in, out);
  if (in.text("type") == "float32") describeOverflow<float>(in.number("size"), in.number("gap"), out);
  else describeOverflow<double>(in.number("size"), in.number("gap"), out);
  describeCompetitor(in, out);
  describeAxis(in, out);
  describeDropout(in, out);
  describeVocabulary(in, out);
  return {};
}

}  // namespace attn::scene
