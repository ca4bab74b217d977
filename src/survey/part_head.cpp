// The part "head": one head as a map, as numbers, and one of its rows read out. Knows no format and reads no more than this
// head.
#include <algorithm>
#include <cmath>
#include <numeric>

#include "audit/findings.h"
#include "core/contribution.h"
#include "core/dispersion.h"
#include "core/head_scores.h"
#include "core/number.h"
#include "core/product.h"
#include "io/label.h"
#include "lesson/token_text.h"
#include "scene/head_score_words.h"
#include "survey/head_facts.h"
#include "survey/parts.h"
#include "survey/walk.h"

namespace attn::survey {
namespace {

using core::Index;
using core::Matrix;
using opened::Role;

constexpr Index kMostCells = 128;  // of a side of the overview, and bars
constexpr Index kWindow = 32;      // of a side of the exact numbers
constexpr std::size_t kTop = 10;
constexpr double kNear = 1e-3;  // how far a sum may be from 1 for its spread to be said

std::string roundText(double value) { return core::fixedText(value, 4); }
std::string fineText(double value) { return core::fixedText(value, 6); }

// What a head is looked at with, and the blocks that come of it.
class HeadPage {
 public:
  HeadPage(const Chosen& chosen, const Inputs& in, Outputs& out, Shown& shown)
      : chosen_(chosen), model_(chosen.model), place_(chosen.place), causal_(in.text("rule") != "none"), open_rule_(in.text("rule") == "shown"), in_(in), out_(out), shown_(shown) {}

  void show(Matrix<double> weights) {
    weights_ = std::move(weights);
    T_ = weights_.rows(), S_ = weights_.cols();
    if (open_rule_ && weightsFrom(model_, place_.layer) == WeightsFrom::kFile) causal_ = !looksAhead();
    out_.limit("row", static_cast<double>(std::max<Index>(T_ - 1, 0)));
    out_.limit("from", static_cast<double>(std::max<Index>(S_ - kWindow, 0)));
    if (std::max(T_, S_) <= kWindow) out_.hide("from");
    row_ = std::min(in_.integer("row"), T_ - 1);
    addOrigin();
    addWalk();
    addFindings();
    addMap();
    addFacts();
    if (std::max(T_, S_) > kWindow) addWindow();
    addRow();
  }

 private:
  std::string nameOf(Role role) const { return io::ticked(model_.file().arrays[*model_.arrayOf(role, place_.layer)].name); }
  bool has(Role role) const { return model_.arrayOf(role, place_.layer).has_value(); }

  // "12 sat", or "12" where positions are only numbered.
  static std::string label(const std::vector<std::string>& tokens, Index at) {
    const std::string text = std::to_string(at);
    return tokens.empty() ? text : text + " " + lesson::tokenText(tokens[static_cast<std::size_t>(at)], false);
  }
  static std::string quoted(const std::vector<std::string>& tokens, Index at) {
    if (tokens.empty()) return std::to_string(at);
    return tr("{0} “{1}”", {at, lesson::tokenText(tokens[static_cast<std::size_t>(at)], false)});
  }
  static std::vector<std::string> labels(const std::vector<std::string>& tokens, Index first, Index count) {
    std::vector<std::string> names;
    for (Index n = first; n < first + count; ++n) names.push_back(label(tokens, n));
    return names;
  }
  // "0–7", "8–15": blocks of `length` positions as core::smallMap cuts them.
  static std::vector<std::string> blockLabels(Index length, Index blocks) {
    std::vector<std::string> names;
    for (Index n = 0; n < blocks; ++n) {
      const Index first = n * length / blocks, last = (n + 1) * length / blocks - 1;
      names.push_back(first == last ? std::to_string(first) : std::to_string(first) + "–" + std::to_string(last));
    }
    return names;
  }

  // Whether a destination reads a source that stands after it, the last destination standing at the last source.
  bool looksAhead() const {
    for (Index i = 0; i < T_; ++i)
      for (Index j = std::max<Index>(i + S_ - T_ + 1, 0); j < S_; ++j)
        if (weights_(i, j) != 0) return true;
    return false;
  }

  std::string ruleText() const {
    return causal_ ? tr("under a causal mask, the last destination standing at the last source") : tr("without a mask");
  }
  std::string computedText() const {
    const std::string formula = has(Role::kBias) ? "softmax(q·k/√d_k + bias)" : "softmax(q·k/√d_k)";
    return tr("{0} of {1} and {2}, {3}", {formula, nameOf(Role::kQ), nameOf(Role::kK), ruleText()});
  }

  void addOrigin() {
    const auto known = model_.layerNumber(place_.layer);
    const bool other = known && *known != static_cast<int>(place_.layer);
    std::string name = other ? tr("Layer {0} ({1} in the files), head {2}", {place_.layer, *known, place_.head})
                             : tr("Layer {0}, head {1}", {place_.layer, place_.head});
    if (model_.batches() > 1) name += ", " + tr("sequence {0}", {place_.batch});
    shown_.heading(name + ": " + sizeText(static_cast<std::uint64_t>(T_), static_cast<std::uint64_t>(S_)));
    switch (weightsFrom(model_, place_.layer)) {
      case WeightsFrom::kFile: addExported(); break;
      case WeightsFrom::kScores:
        shown_.text(tr("There are no weights: these are the softmax of the scores in {0}, where −∞ cannot be read.",
                       {nameOf(Role::kScores)}));
        break;
      default: shown_.text(tr("There are no weights: these are {0}. A mask of the files is not used.", {computedText()}));
    }
    if (const std::string steps = stepsText(model_, place_.layer); !steps.empty()) shown_.text(steps);
    if (!chosen_.token_note.empty()) shown_.note(chosen_.token_note);
  }

  void addExported() {
    const auto array = *model_.arrayOf(Role::kWeights, place_.layer);
    std::string text = tr("Weights as they stand in {0} {1}.",
                          {nameOf(Role::kWeights), opened::axesText(model_.guesses()[array].axes)});
    if (model_.headsOf(Role::kWeights, place_.layer) < model_.heads() && model_.headsOf(Role::kWeights, place_.layer) == 1) {
      text += " " + tr("There is one map for all heads of this layer: if it is their mean, it shows none of them.");
    }
    shown_.text(text);
    if (!has(Role::kQ) || !has(Role::kK)) return;
    const core::Result<Matrix<double>> computed = computedWeights(model_, place_, causal_);
    if (!computed) return shown_.note(computed.error().message);
    if (computed.value().rows() != T_ || computed.value().cols() != S_) {
      return shown_.note(model_.unlike(place_.layer, Role::kWeights, Role::kQ, tr("number of positions")).message);
    }
    Index i = 0, j = 0;
    const double largest = (computed.value() - weights_).cwiseAbs().maxCoeff<Eigen::PropagateNaN>(&i, &j);
    out_.number("difference", largest);
    std::string differ = tr("From {0}, they differ by at most {1} (destination {2}, source {3}).",
                            {computedText(), fineText(largest), i, j});
    if (!(largest <= kNear)) {
      other_weights_ = tr("It computes the weights anew from queries and keys, {0}: they are not those of the file, from which "
                          "they differ by at most {1}.", {ruleText(), fineText(largest)});
      differ += " " + tr("The audit says what this may come from.");
    }
    shown_.text(std::move(differ));
  }

  void addWalk() {
    const std::string missing = missingForWalk(model_, place_.layer);
    if (!missing.empty()) {
      shown_.text(tr("To walk through this head step by step, the files must have its {0} too; from the weights on, "
                     "everything is here.", {missing}));
      return;
    }
    shown_.add(lesson::Jump{tr("Walk through this head"), "", {"walk"}, {"1"}});
    const Destinations around = destinationsAround(static_cast<std::uint64_t>(row_), static_cast<std::uint64_t>(T_));
    if (static_cast<std::uint64_t>(T_) > kMostDestinations) {
      shown_.note(tr("It takes destinations {0}–{1}, and every source that they may read {2}.",
                     {around.first, around.end - 1, ruleText()}));
    }
    if (!other_weights_.empty()) shown_.note(other_weights_);
    if (!in_.on("walk")) return;
    core::Result<std::string> document = walkDocument(chosen_, static_cast<std::uint64_t>(row_), causal_, kMostDocument);
    if (document) out_.document(document.take(), "row=" + std::to_string(static_cast<std::uint64_t>(row_) - around.first));
    else shown_.note(document.error().message);
  }

  void addFindings() {
    const auto array = model_.arrayOf(Role::kWeights, place_.layer);
    const audit::Precision precision = array ? opened::precisionOf(model_.file().arrays[*array].type) : audit::Precision::kDouble;
    for (const audit::Finding& finding : audit::findingsOf(weights_, precision, false))
      shown_.text(tr("Found: {0}", {finding.sentence}));
  }

  void addFacts() {
    HeadReading reading = headReading(chosen_, causal_);
    const HeadFacts* known = chosen_.files.headFacts(reading.name, place_);
    if (!known && reading.read) {
      chosen_.files.keep(reading.name, place_, reading.read(place_));
      known = chosen_.files.headFacts(reading.name, place_);
    }
    if (!known || !known->failure.empty()) return;
    lesson::Table table;
    table.title = tr("What the head does");
    table.note = tr("Means over its rows, from 0 to 1; “All heads” says how each is computed.");
    table.columns = {tr("score"), tr("value")};
    for (const scene::HeadScore& score : scene::kHeadScores) {
      out_.number("score_" + std::string(score.id), known->scores.*score.value);
      table.rows.push_back({tr(score.name), scene::scoreText(known->scores.*score.value)});
    }
    shown_.add(std::move(table), true);
  }

  void addMap() {
    const Index rows = std::min(T_, kMostCells), columns = std::min(S_, kMostCells);
    const bool whole = rows == T_ && columns == S_;
    lesson::Grid grid;
    grid.title = whole ? tr("Weights") : tr("The whole head, in blocks");
    if (!whole) {
      grid.note = tr("A cell is how much of its weight a destination of its rows gives to the sources of its columns, on average.");
    }
    grid.map = true;
    grid.scale = lesson::GridScale::kWeights;
    grid.row_labels = rows == T_ ? labels(chosen_.tokens, 0, T_) : blockLabels(T_, rows);
    grid.column_labels = columns == S_ ? labels(chosen_.sources, 0, S_) : blockLabels(S_, columns);
    grid.marked = {};
    fill(grid, whole ? weights_ : core::smallMap(weights_, rows, columns));
    shown_.add(std::move(grid));
  }

  void addWindow() {
    const Index rows = std::min(T_, kWindow), columns = std::min(S_, kWindow);
    const Index first = std::clamp<Index>(row_ - kWindow / 2, 0, T_ - rows), from = std::min(in_.integer("from"), S_ - columns);
    lesson::Grid grid;
    grid.title = tr("The numbers of destinations {0}–{1}, sources {2}–{3}",
                    {first, first + rows - 1, from, from + columns - 1});
    grid.map = true;
    grid.scale = lesson::GridScale::kWeights;
    grid.row_labels = labels(chosen_.tokens, first, rows);
    grid.column_labels = labels(chosen_.sources, from, columns);
    fill(grid, weights_.block(first, from, rows, columns));
    shown_.add(std::move(grid));
  }

  static void fill(lesson::Grid& grid, const Matrix<double>& values) {
    grid.rows = values.rows(), grid.columns = values.cols();
    grid.values.assign(values.data(), values.data() + values.size());
  }

  void addRow() {
    const core::RowVector<double> row = weights_.row(row_);
    shown_.heading(tr("Destination {0}", {quoted(chosen_.tokens, row_)}));
    shown_.text(sumText(row));
    shown_.add(bars(row));
    const Matrix<double> v = valuesOf();
    const std::vector<Index> order = mostRead(row);
    shown_.add(topTable(row, order, v));
    if (v.size() > 0) addMix(row, v);
    const std::string destination = quoted(chosen_.tokens, row_);
    shown_.says = order.empty() ? tr("Layer {0}, head {1}: destination {2} reads nothing.", {place_.layer, place_.head, destination})
                                : tr("Layer {0}, head {1}: destination {2} gives most of its weight, {3}, to source {4}.",
                                     {place_.layer, place_.head, destination, roundText(row(order.front())),
                                      quoted(chosen_.sources, order.front())});
  }

  std::string sumText(const core::RowVector<double>& row) {
    const double sum = row.sum();
    out_.number("sum", sum);
    const std::string text = tr("Its weights sum to {0}.", {fineText(sum)}) + " ";
    if (!(std::abs(sum - 1) <= kNear) || row.minCoeff() < 0) {
      return text + tr("Since they are no shares of 1, their spread is not given.");
    }
    const double entropy = core::entropy(row);
    out_.number("entropy", entropy);
    return text + tr("Spread: entropy −Σ w ln w = {0} nats, as much as {1} sources with equal weights (e to the power of the "
                     "entropy).", {roundText(entropy), core::fixedText(std::exp(entropy), 2)});
  }

  lesson::Plot bars(const core::RowVector<double>& row) const {
    const Index count = std::min(S_, kMostCells);
    lesson::Plot plot;
    plot.title = count == S_ ? tr("Its weight on each source") : tr("Its weight on blocks of sources, summed");
    plot.x_label = count == S_ ? tr("source") : tr("sources");
    plot.y_label = tr("weight");
    plot.names = count == S_ ? labels(chosen_.sources, 0, S_) : blockLabels(S_, count);
    lesson::Plot::Series series{tr("weight"), lesson::Plot::Kind::kBars, {}, {}};
    for (Index n = 0; n < count; ++n) {
      const Index first = n * S_ / count, end = (n + 1) * S_ / count;
      series.x.push_back(static_cast<double>(n));
      series.y.push_back(row.segment(first, end - first).sum());
    }
    plot.series.push_back(std::move(series));
    return plot;
  }

  // Sources by weight, largest first, those of weight 0 and NaN left out.
  std::vector<Index> mostRead(const core::RowVector<double>& row) const {
    std::vector<Index> order;
    for (Index j = 0; j < S_; ++j)
      if (row(j) != 0 && !std::isnan(row(j))) order.push_back(j);
    std::stable_sort(order.begin(), order.end(), [&](Index a, Index b) { return row(a) > row(b); });
    if (order.size() > kTop) order.resize(kTop);
    return order;
  }

  // Values of the head, or no rows: they may be of another length, which is said.
  Matrix<double> valuesOf() {
    if (!has(Role::kV)) return {};
    core::Result<Matrix<double>> v = matrixOf(model_, Role::kV, keyPlace(model_, place_));
    if (v && v.value().rows() == S_) return v.take();
    const WeightsFrom from = weightsFrom(model_, place_.layer);
    const Role map = from == WeightsFrom::kFile ? Role::kWeights : from == WeightsFrom::kScores ? Role::kScores : Role::kK;
    shown_.note(v ? model_.unlike(place_.layer, Role::kV, map, tr("number of sources")).message : v.error().message);
    return {};
  }

  lesson::Table topTable(const core::RowVector<double>& row, const std::vector<Index>& order, const Matrix<double>& v) const {
    lesson::Table table;
    table.title = tr("Most read");
    table.note = tr("At most ten sources, by weight; those of weight 0 are left out.");
    table.columns = {tr("source"), tr("token"), tr("weight")};
    if (v.size() > 0) table.columns.insert(table.columns.end(), {"‖v‖", tr("weight · ‖v‖")});
    const Matrix<double> lengths = v.size() > 0 ? core::contributionNorms(row, v) : Matrix<double>();
    for (const Index j : order) {
      table.rows.push_back({std::to_string(j), chosen_.sources.empty() ? "" : io::ticked(lesson::tokenText(chosen_.sources[static_cast<std::size_t>(j)], false)), fineText(row(j))});
      if (v.size() > 0) table.rows.back().insert(table.rows.back().end(), {roundText(v.row(j).norm()), roundText(lengths(0, j))});
    }
    return table;
  }

  void addMix(const core::RowVector<double>& row, const Matrix<double>& v) {
    const Matrix<double> lengths = core::contributionNorms(row, v), mix = core::product<double>(row, v);
    Index most = 0;
    lengths.row(0).maxCoeff(&most);
    shown_.text(tr("What it reads is mixed: z = Σ weight · v. Each source adds a vector of length weight · ‖v‖; the longest, "
                   "{0}, comes from source {1}.", {roundText(lengths(0, most)), quoted(chosen_.sources, most)}));
    lesson::Grid grid;
    grid.title = tr("z of this destination");
    fill(grid, mix);
    out_.matrix("z", mix);
    shown_.add(std::move(grid));
    if (!has(Role::kZ)) return;
    const core::Result<Matrix<double>> z = matrixOf(model_, Role::kZ, place_);
    if (!z) return shown_.note(z.error().message);
    if (z.value().rows() != T_ || z.value().cols() != v.cols()) {
      return shown_.note(model_.unlike(place_.layer, Role::kZ, Role::kV, tr("width d_v, or number of positions")).message);
    }
    const double difference = (z.value().row(row_) - mix.row(0)).cwiseAbs().maxCoeff<Eigen::PropagateNaN>();
    out_.number("z_difference", difference);
    shown_.text(tr("The z in {0} differs from it by at most {1}.", {nameOf(Role::kZ), fineText(difference)}));
  }

  const Chosen& chosen_;
  const opened::Model& model_;
  opened::Place place_;
  bool causal_, open_rule_;
  std::string other_weights_;  // what a walk has to be warned of, or ""
  const Inputs& in_;
  Outputs& out_;
  Shown& shown_;
  Matrix<double> weights_;
  Index T_ = 0, S_ = 0, row_ = 0;
};

}  // namespace

core::Check showHead(const Chosen& chosen, const Inputs& in, Outputs& out, Shown& shown) {
  const auto refuse = [&](std::string sentence) {
    shown.says = std::move(sentence);
    shown.text(shown.says + " " + tr("What the arrays are can be said under “What is in the file”."));
    shown.add(lesson::Jump{tr("What is in the file"), "", {"part"}, {"file"}});
    return core::Check{};
  };
  const opened::Place& place = chosen.place;
  const WeightsFrom from = weightsFrom(chosen.model, place.layer);
  if (from != WeightsFrom::kComputed && !(chosen.model.has(Role::kQ) && chosen.model.has(Role::kK))) out.hide("rule");
  core::Result<Matrix<double>> weights = weightsOf(chosen.model, place, in.text("rule") != "none");
  if (!weights) return refuse(weights.error().message);
  if (weights.value().size() == 0) {
    return refuse(tr("This head has no cells: it is {0}; export at least one position.",
                     {core::shapeText(weights.value().rows(), weights.value().cols())}));
  }
  HeadPage(chosen, in, out, shown).show(weights.take());
  return {};
}

}  // namespace attn::survey
