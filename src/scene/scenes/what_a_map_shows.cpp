// What a map of weights leaves out: the values, their directions and the output projection.
#include "scene/scenes/what_a_map_shows.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "core/contribution.h"
#include "core/language.h"
#include "core/number.h"
#include "core/product.h"

namespace attn::scene {
namespace map {

using core::RowVector;

const Tokens& positionNames() {
  static const Tokens kPositions = {"1", "2", "3"};
  return kPositions;
}

core::Problem<double> lessonHead() {
  core::Problem<double> problem;
  problem.T = problem.S = 3;
  Matrix<double> x(3, 2), wv(2, 2);
  x << 1, 0, 0, 1, 1, 1;
  wv << 2, 0, 0, 4;
  problem.x = x;
  problem.wq = {Matrix<double>::Identity(2, 2)};
  problem.wk = {Matrix<double>(std::numbers::sqrt2 * std::numbers::ln2 * Matrix<double>::Identity(2, 2))};
  problem.wv = {wv};
  problem.mask.causal = true;
  return problem;
}

core::Problem<double> lessonHeadWith(const Matrix<double>& values) {
  core::Problem<double> problem = lessonHead();
  problem.wv.clear();
  problem.v = {values};
  return problem;
}

lesson::Grid mapLook(const std::string& title, const core::Mask& mask) {
  return scene::mapLook(title, positionNames(), positionNames(), &mask);
}

lesson::Grid listLook(const std::string& title, Tokens rows, Tokens columns) {
  lesson::Grid grid;
  grid.title = title;
  grid.row_labels = std::move(rows);
  grid.column_labels = std::move(columns);
  return grid;
}

namespace {

constexpr double kSameEntry = 1e-12;  // a few products of numbers below 100 are rounded by less

Matrix<double> valuesWith(const std::vector<double>& second) {
  Matrix<double> values(3, 2);
  values << 2, 0, second[0], second[1], 2, 4;
  return values;
}

const Matrix<double>& weightsOf(const core::Trace<double>& trace) { return trace.heads[0].softmax.weights; }

std::string pairText(const Matrix<double>& rows, Index i) {
  const auto number = [&](Index j) { return core::exactText(rows(i, j)).value_or(core::fixedText(rows(i, j), 4)); };
  return "[" + number(0) + ", " + number(1) + "]";
}

Index largestOf(const Matrix<double>& map, Index row) {
  Index at = 0;
  map.row(row).maxCoeff(&at);
  return at;
}

// "source 3", "sources 1 and 2", "none": which have the most in this row, to rounding.
std::string firstText(const Matrix<double>& map, Index row) {
  const double most = map.row(row).maxCoeff();
  Tokens first;
  for (Index j = 0; j < map.cols(); ++j) {
    if (map(row, j) >= most - kSameEntry) first.push_back(positionNames()[static_cast<std::size_t>(j)]);
  }
  if (most <= kSameEntry) return tr("none");
  if (first.size() == 1) return tr("source {0}", {first[0]});
  if (first.size() == 2) return tr("sources {0} and {1}", {first[0], first[1]});
  return tr("sources {0}, {1} and {2}", {first[0], first[1], first[2]});
}

}  // namespace

void norms(const Inputs& in, Outputs& out) {
  const std::vector<double> entries = in.numbers("wo");
  Matrix<double> wo(2, 2);
  wo << entries[0], entries[1], entries[2], entries[3];
  core::Problem<double> problem = lessonHeadWith(valuesWith(in.numbers("v2")));
  problem.wo = wo;
  const core::Trace<double> trace = traceOf(problem);
  const Matrix<double>& weights = weightsOf(trace);
  const Matrix<double> values = trace.heads[0].v, projected = core::product(values, wo);
  const Matrix<double> by_value = core::contributionNorms(weights, values);
  const Matrix<double> by_output = core::contributionNorms(weights, projected);
  out.grid("weights", weights, mapLook(tr("Weights"), trace.mask));
  lesson::Grid look = mapLook(tr("Weight × length of the value"), trace.mask);
  look.scale = lesson::GridScale::kPositive;
  look.limit = std::max({by_value.maxCoeff(), by_output.maxCoeff(), 1e-9});
  out.grid("weight_times_value", by_value, look);
  look.title = tr("Weight × length of value · W_O");
  out.grid("weight_times_output", by_output, look);
  lesson::Table table;
  table.title = tr("What position 3 gets");
  table.columns = {"", tr("weight"), tr("value v"), tr("weight × length of v"), tr("weight × length of v · W_O")};
  for (Index j = 0; j < 3; ++j) {
    table.rows.push_back({tr("source {0}", {j + 1}), core::fixedText(weights(2, j), 4),
                          pairText(values, j), core::fixedText(by_value(2, j), 4), core::fixedText(by_output(2, j), 4)});
  }
  out.figure("contributions", std::move(table));
  out.number("first_by_weight", static_cast<double>(largestOf(weights, 2) + 1));
  out.number("first_by_output", static_cast<double>(largestOf(by_output, 2) + 1));
  out.text("most_by_value", firstText(by_value, 2));
  out.text("most_by_output", firstText(by_output, 2));
  out.flag("same_weight_1_2", weights(2, 0) == weights(2, 1));
  out.flag("contributions_differ_1_2", std::abs(by_output(2, 0) - by_output(2, 1)) > kSameEntry);
  out.matrix("y", trace.y);
}

void sameMap(const Inputs& in, Outputs& out) {
  const core::Trace<double> before = traceOf(lessonHead());
  const core::Trace<double> after = traceOf(lessonHeadWith(valuesWith(in.numbers("new_v2"))));
  out.grid("map_before", weightsOf(before), mapLook(tr("Map before"), before.mask));
  out.grid("map_after", weightsOf(after), mapLook(tr("Map after"), after.mask));
  lesson::Grid look = listLook(tr("Outputs before"), positionNames(), {"0", "1"});
  look.limit = std::max(before.y.cwiseAbs().maxCoeff(), after.y.cwiseAbs().maxCoeff());
  out.grid("z_before", before.y, look);
  look.title = tr("Outputs after");
  for (Index i = 0; i < 3; ++i) {
    for (Index c = 0; c < 2; ++c) {
      if (before.y(i, c) != after.y(i, c)) look.marked.emplace_back(i, c);
    }
  }
  out.grid("z_after", after.y, look);
  out.text("z3_before", pairText(before.y, 2));
  out.text("z3_after", pairText(after.y, 2));
  out.flag("maps_equal", weightsOf(before) == weightsOf(after));
  out.text("new_value", pairText(after.heads[0].v, 1));
  out.flag("outputs_equal", before.y == after.y);
  out.flag("outputs_differ", before.y != after.y);
}

// Sources 1 and 2 hold the same value. A bias on row 3 splits their weight of 1/2 another way: ln 2s and ln 2(1 − s) on
// equal scores give s/2 and (1 − s)/2.
void sameOutput(const Inputs& in, Outputs& out) {
  const double share = in.number("share");
  Matrix<double> values = valuesWith({2, 0});
  core::Problem<double> problem = lessonHeadWith(values);
  const core::Trace<double> before = traceOf(problem);
  Matrix<double> bias = Matrix<double>::Zero(3, 3);
  bias.row(2) << std::log(2 * share), std::log(2 * (1 - share)), 0;
  problem.bias = {bias};
  const core::Trace<double> after = traceOf(problem);
  out.grid("share_map_before", weightsOf(before), mapLook(tr("Map before"), before.mask));
  lesson::Grid look = mapLook(tr("Map after"), after.mask);
  if (largestChange(weightsOf(before), weightsOf(after)) > kSameEntry) look.marked = {{2, 0}, {2, 1}};
  out.grid("share_map_after", weightsOf(after), look);
  const double map_change = (weightsOf(before) - weightsOf(after)).cwiseAbs().maxCoeff();
  const double output_change = (before.y - after.y).cwiseAbs().maxCoeff();
  out.number("share_map_change", map_change);
  out.number("share_output_change", output_change);
  out.flag("share_maps_differ", map_change > 1e-12);
  out.flag("share_outputs_equal", output_change <= 1e-12);
  out.text("share_z3_before", pairText(before.y, 2));
  out.text("share_z3_after", pairText(after.y, 2));
}

// Two sources of equal score whose values are 4 long and `angle` degrees apart.
void cancelling(const Inputs& in, Outputs& out) {
  const double angle = in.number("angle");
  const double turn = angle * std::numbers::pi / 180;
  core::Problem<double> problem;
  problem.T = 1;
  problem.S = 2;
  problem.cross = true;
  Matrix<double> values(2, 2);
  // (3.2, 2.4) is 4 long; turned by half a circle it is its own opposite, which sine and cosine of π miss by a rounding.
  const double cosine = angle == 180 ? -1 : std::cos(turn), sine = angle == 180 ? 0 : std::sin(turn);
  values << 3.2, 2.4, 3.2 * cosine - 2.4 * sine, 2.4 * cosine + 3.2 * sine;
  problem.q = {Matrix<double>::Ones(1, 2)};
  problem.k = {Matrix<double>::Ones(2, 2)};
  problem.v = {values};
  const core::Trace<double> trace = traceOf(problem);
  const Matrix<double> parts = core::contributions(weightsOf(trace).row(0), values);
  const core::Cancellation sum = core::cancellation(weightsOf(trace).row(0), values);
  lesson::Grid look = listLook(tr("Weight × length of the value"), {"3"}, {"1", "2"});
  look.map = true;
  look.scale = lesson::GridScale::kPositive;
  look.limit = 2;
  out.grid("cancel_norms", core::contributionNorms(weightsOf(trace), values), look);
  lesson::Plane plane;
  plane.title = tr("The two contributions, and their sum");
  plane.reach = 4.5;
  using Role = lesson::Plane::Role;
  plane.arrows = {{"½·v₁", parts(0, 0), parts(0, 1), Role::kValue, "", ""},
                  {"½·v₂", parts(1, 0), parts(1, 1), Role::kValue, "", ""},
                  {"z", trace.y(0, 0), trace.y(0, 1), Role::kResult, "", ""}};
  plane.lines = {{"", parts(0, 0), parts(0, 1), trace.y(0, 0), trace.y(0, 1), true},
                 {"", parts(1, 0), parts(1, 1), trace.y(0, 0), trace.y(0, 1), true}};
  out.figure("cancel_plane", std::move(plane));
  out.number("cancel_lengths", sum.lengths);
  out.number("cancel_sum", sum.sum);
  out.flag("cancel_completely", sum.sum == 0);
}

// Position 3 may read source 2, whose detail is the second coordinate of its value. Three ways to lose it, each beside
// the undisturbed head.
void lost(const Inputs& in, Outputs& out) {
  const double lowered = in.number("lowered");
  core::Problem<double> weak = lessonHead(), empty = lessonHead(), removed = lessonHead();
  Matrix<double> bias = Matrix<double>::Zero(3, 3), wo = Matrix<double>::Identity(2, 2);
  bias(2, 1) = -lowered;
  weak.bias = {bias};
  empty.wv[0](1, 1) = 0;
  wo(1, 1) = 0;
  removed.wo = wo;
  const std::string names[] = {tr("undisturbed"), tr("lowered score"), tr("zero in the value"), tr("removed by W_O")};
  const core::Problem<double> ways[] = {lessonHead(), weak, empty, removed};
  lesson::Table table;
  table.title = tr("Source 2 at position 3");
  table.columns = {tr("head"), tr("weight of source 2"), "z₃", "y₃", tr("y₃ moves by")};
  std::vector<double> effects, weights;
  std::vector<lesson::Block> maps;
  for (std::size_t i = 0; i < 4; ++i) {
    const core::Trace<double> trace = traceOf(ways[i]);
    // The detail is one larger: x₂'s second coordinate as the values see it; queries and keys are left as they were.
    core::Problem<double> nudged = ways[i];
    nudged.q = {trace.heads[0].q};
    nudged.k = {trace.heads[0].k};
    nudged.wq.clear();
    nudged.wk.clear();
    (*nudged.x)(1, 1) += 1;
    effects.push_back((traceOf(nudged).y - trace.y).row(2).cwiseAbs().maxCoeff());
    weights.push_back(weightsOf(trace)(2, 1));
    table.rows.push_back({names[i], core::fixedText(weights.back(), 6), pairText(trace.heads[0].z, 2), pairText(trace.y, 2),
                          core::fixedText(effects.back(), 6)});
    lesson::Grid map = mapLook(names[i], trace.mask);
    map.rows = map.columns = 3;
    map.values.assign(weightsOf(trace).data(), weightsOf(trace).data() + 9);
    map.marked = {{2, 1}};
    maps.push_back({std::move(map), i > 0});
  }
  out.figure("lost_table", std::move(table));
  out.blocks("lost_maps", std::move(maps));
  out.numbers("lost_effects", effects);
  out.numbers("lost_weights", weights);
  out.number("detail_factor", lessonHead().wv[0](1, 1));
  out.flag("score_lowered", lowered > 0);
  out.flag("lost_map_hides_value", weights[2] == weights[0]);
  out.flag("lost_map_hides_wo", weights[3] == weights[0]);
}

}  // namespace map

namespace {

// Which controls belong to which case.
void hideOthers(const std::string& shown, Outputs& out) {
  const std::pair<const char*, const char*> owners[] = {
      {"norms", "v2"},      {"norms", "wo"},       {"same-map", "new_v2"},  {"same-output", "share"}, {"cancel", "angle"},
      {"lost", "lowered"},  {"transposed", "causal"}, {"average", "logit"}, {"claim", "act"}};
  for (const auto& [owner, key] : owners) {
    if (shown != owner) out.hide(key);
  }
}

}  // namespace

core::Check whatAMapShows(const Inputs& in, Outputs& out, const Progress&) {
  hideOthers(in.text("case"), out);
  map::norms(in, out);
  map::sameMap(in, out);
  map::sameOutput(in, out);
  map::cancelling(in, out);
  map::lost(in, out);
  map::firstRow(out);
  map::transposed(in, out);
  map::averaged(in, out);
  map::claims(in, out);
  return {};
}

}  // namespace attn::scene
