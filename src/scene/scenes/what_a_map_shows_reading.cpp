// How a map of weights is read wrongly: a weight of 1 taken for importance, axes turned over, an average taken for a
// head, a bright cell taken for a cause.
#include <algorithm>
#include <cmath>

#include "core/language.h"
#include "core/number.h"
#include "core/product.h"
#include "core/rng.h"
#include "scene/scenes/what_a_map_shows.h"

namespace attn::scene::map {
namespace {

constexpr Index kReadings = 1000;
const Tokens kHeadColumns = {"A 0", "A 1", "B 0", "B 1"};  // the two numbers of head A, then of head B

Matrix<double> sideBySide(const Matrix<double>& a, const Matrix<double>& b) {
  Matrix<double> all(a.rows(), a.cols() + b.cols());
  all << a, b;
  return all;
}

lesson::Grid filled(lesson::Grid look, const Matrix<double>& values) {
  look.rows = values.rows();
  look.columns = values.cols();
  look.values.assign(values.data(), values.data() + values.size());
  return look;
}

// Whether the first weight is exactly 1 for random queries and keys too.
bool firstWeightIsAlwaysOne() {
  core::Rng rng(1);
  bool always = true;
  for (Index draw = 0; draw < kReadings; ++draw) {
    core::Problem<double> problem = lessonHead();
    problem.x = rng.normalMatrix(3, 2, 3);
    always = always && traceOf(problem).heads[0].softmax.weights(0, 0) == 1;
  }
  return always;
}

}  // namespace

void firstRow(Outputs& out) {
  const core::Trace<double> trace = traceOf(lessonHead());
  const Matrix<double>& weights = trace.heads[0].softmax.weights;
  lesson::Grid look = mapLook(tr("Weights"), trace.mask);
  look.marked = {{0, 0}};
  out.figure("first_map", filled(look, weights));
  out.number("a11", weights(0, 0));
  out.flag("a11_always_one", firstWeightIsAlwaysOne());
  core::Problem<double> open = lessonHead();
  open.mask.causal = false;
  out.number("a11_without_mask", traceOf(open).heads[0].softmax.weights(0, 0));
  lesson::Table table;
  table.title = tr("Each position as a source of position 3");
  table.columns = {"", tr("weight on itself"), tr("sources it may read"), tr("z₃ moves by, without it")};
  std::vector<double> effects;
  for (Index i = 0; i < 3; ++i) {
    Matrix<double> values = trace.heads[0].v;
    values.row(i).setZero();
    effects.push_back((traceOf(lessonHeadWith(values)).y - trace.y).row(2).norm());
    table.rows.push_back({tr("position {0}", {i + 1}), core::fixedText(weights(i, i), 4),
                          std::to_string(trace.mask.allowedInRow(i)), core::fixedText(effects.back(), 4)});
  }
  out.figure("first_table", std::move(table));
  out.numbers("effect_on_last", effects);
  const auto most = std::max_element(effects.begin(), effects.end()) - effects.begin();
  out.text("matters_most", positionNames()[static_cast<std::size_t>(most)]);
  out.flag("a11_source_matters_less", most != 0);
}

void transposed(const Inputs& in, Outputs& out) {
  core::Problem<double> problem = lessonHead();
  problem.mask.causal = in.on("causal");
  const core::Trace<double> trace = traceOf(problem);
  const Matrix<double>& weights = trace.heads[0].softmax.weights;
  const Matrix<double> turned = weights.transpose();
  out.figure("map_right", filled(mapLook(tr("As computed"), trace.mask), weights));
  lesson::Grid look = mapLook(tr("Turned over"), core::Mask(3, 3));
  double above = 0, above_as_computed = 0;
  lesson::Table table;
  table.title = tr("What the rows sum to");
  table.columns = {"", tr("as computed"), tr("turned over")};
  std::vector<double> sums, turned_sums;
  for (Index i = 0; i < 3; ++i) {
    above += turned.row(i).tail(2 - i).sum();
    above_as_computed += weights.row(i).tail(2 - i).sum();
    sums.push_back(weights.row(i).sum());
    turned_sums.push_back(turned.row(i).sum());
    table.rows.push_back({tr("row {0}", {i + 1}), core::fixedText(sums.back(), 4),
                          core::fixedText(turned_sums.back(), 4)});
    for (Index j = i + 1; problem.mask.causal && j < 3; ++j) look.marked.emplace_back(i, j);
  }
  out.figure("map_turned", filled(look, turned));
  out.figure("sums", std::move(table));
  const auto one = [](double sum) { return std::abs(sum - 1) <= 1e-12; };
  out.numbers("row_sums", sums);
  out.numbers("row_sums_turned", turned_sums);
  out.flag("rows_sum_to_one", one(sums[0]) && one(sums[1]) && one(sums[2]));
  out.flag("turned_rows_sum_to_one", one(turned_sums[0]) && one(turned_sums[1]) && one(turned_sums[2]));
  out.flag("turned_sums_off", !(one(turned_sums[0]) && one(turned_sums[1]) && one(turned_sums[2])));
  out.number("turned_above_diagonal", above);
  out.number("above_diagonal", above_as_computed);
  out.flag("turned_reads_the_future", above > 0);
}

namespace {

// One destination, three sources, two heads with these scores.
core::Trace<double> pairOf(const Matrix<double>& scores) {
  core::Problem<double> problem;
  problem.T = 1;
  problem.S = 3;
  problem.cross = true;
  problem.scale = 1;
  Matrix<double> first(3, 2), second(3, 2);
  first << 3, 0, 1, 1, 0, 2;
  second << 1, 0, 0, 5, 2, 2;
  problem.q = {Matrix<double>::Ones(1, 1), Matrix<double>::Ones(1, 1)};
  problem.k = {Matrix<double>(scores.row(0).transpose()), Matrix<double>(scores.row(1).transpose())};
  problem.v = {first, second};
  return traceOf(problem);
}

Matrix<double> bothRows(const core::Trace<double>& trace) {
  Matrix<double> rows(2, 3);
  rows << trace.heads[0].softmax.weights, trace.heads[1].softmax.weights;
  return rows;
}

}  // namespace

void averaged(const Inputs& in, Outputs& out) {
  const double logit = in.number("logit");
  Matrix<double> apart(2, 3);
  apart << logit, 0, 0, 0, logit, 0;
  const core::Trace<double> first = pairOf(apart);
  const Matrix<double> rows = bothRows(first);
  const Matrix<double> average = (rows.row(0) + rows.row(1)) / 2;
  // Scores ln w give the weights w again: a second pair, both of whose heads read as the average does.
  Matrix<double> alike(2, 3);
  alike << average.array().log().matrix(), average.array().log().matrix();
  const core::Trace<double> second = pairOf(alike);
  const Matrix<double> second_rows = bothRows(second);
  const Matrix<double> second_average = (second_rows.row(0) + second_rows.row(1)) / 2;
  lesson::Grid look = listLook(tr("Pair 1"), {tr("head {0}", {"A"}), tr("head {0}", {"B"})}, positionNames());
  look.scale = lesson::GridScale::kWeights;
  out.grid("pair_1", rows, look);
  look.title = tr("Pair 2");
  out.grid("pair_2", second_rows, look);
  Matrix<double> averages(2, 3), outputs(2, 4);
  averages << average, second_average;
  outputs << first.concat, second.concat;
  look.title = tr("Average of each pair");
  look.row_labels = {tr("pair {0}", {1}), tr("pair {0}", {2})};
  out.grid("averages", averages, look);
  out.grid("pair_outputs", outputs, listLook(tr("Outputs of both heads, side by side"), look.row_labels, kHeadColumns));
  out.flag("averages_equal", (average - second_average).cwiseAbs().maxCoeff() <= 1e-12);
  const double difference = (first.concat - second.concat).cwiseAbs().maxCoeff();
  out.number("pair_difference", difference);
  out.flag("pair_outputs_equal", difference <= 1e-12);
  out.flag("pair_outputs_differ", difference > 1e-12);
  out.grid("pair_values", sideBySide(first.heads[0].v, first.heads[1].v),
           listLook(tr("Values of both heads, in both pairs"), positionNames(), kHeadColumns));
}

namespace {

// The walkthrough's head as head A, an invented head B beside it, an invented W_O.
core::Problem<double> twoHeads() {
  core::Problem<double> problem = lessonHead();
  Matrix<double> q(2, 2), v(2, 2), wo(4, 2);
  q << 0, 2, 1, 0;
  v << 1, 1, 0, 2;
  wo << 1, 0, 0, 1, 0, 0.5, -0.5, 0;
  problem.wq.push_back(q);
  problem.wk.push_back(Matrix<double>::Identity(2, 2));
  problem.wv.push_back(v);
  problem.wo = wo;
  problem.residual = core::Residual::kInput;
  const core::Trace<double> trace = traceOf(problem);
  for (const auto& head : trace.heads) {
    problem.q.push_back(head.q);
    problem.k.push_back(head.k);
    problem.v.push_back(head.v);
  }
  problem.wq.clear();
  problem.wk.clear();
  problem.wv.clear();
  return problem;
}

// The made-up outcome: at position 3, the first number of X + Y minus the second.
double outcomeOf(const core::Problem<double>& problem) {
  const Matrix<double> residual = *traceOf(problem).residual;
  return residual(2, 0) - residual(2, 1);
}

void zeroHead(core::Problem<double>& problem, std::size_t head) { problem.wo->middleRows(2 * static_cast<Index>(head), 2).setZero(); }
void uniformRow(core::Problem<double>& problem, std::size_t head) { problem.q[head].row(2).setZero(); }
void zeroValue(core::Problem<double>& problem, Index source) {
  for (Matrix<double>& values : problem.v) values.row(source).setZero();
}
void forbid(core::Problem<double>& problem, Index source) {
  problem.mask.allowed.assign(3, std::vector<bool>(3, true));
  problem.mask.allowed[2][static_cast<std::size_t>(source)] = false;
}

struct Act {
  std::string head, what, control;
  double after = 0, after_control = 0;
  core::Trace<double> trace = {};
};

Act actOf(const std::string& kind) {
  core::Problem<double> acted = twoHeads(), control = acted;
  Act act;
  if (kind == "zero-a" || kind == "zero-b") {
    const std::size_t head = kind == "zero-a" ? 0 : 1;
    zeroHead(acted, head);
    zeroHead(control, 1 - head);
    act = {head == 0 ? "A" : "B", tr("what this head adds is set to 0"),
           tr("the same done to head {0}", {head == 0 ? "B" : "A"})};
  } else if (kind == "uniform") {
    uniformRow(acted, 0);
    uniformRow(control, 1);
    act = {"A", tr("row 3 reads its sources evenly"), tr("the same done to head {0}", {"B"})};
  } else if (kind == "value") {
    zeroValue(acted, 1);
    zeroValue(control, 0);
    act = {tr("A and B"), tr("the values of source 2 are set to 0, no weight changes"),
           tr("the same done to source {0}", {1})};
  } else {
    forbid(acted, 1);
    forbid(control, 0);
    act = {tr("A and B"), tr("position 3 may not read source 2, the rest shares its weight"),
           tr("the same done to source {0}", {1})};
  }
  act.trace = traceOf(acted);
  act.after = outcomeOf(acted);
  act.after_control = outcomeOf(control);
  return act;
}

}  // namespace

namespace {

// Both heads' maps before and after, and what the maps leave out.
void showHeads(const core::Trace<double>& before, const core::Trace<double>& after, Outputs& out) {
  const auto weights = [](const core::Trace<double>& trace, std::size_t head) { return trace.heads[head].softmax.weights; };
  out.figure("claim_a", filled(mapLook(tr("Head A, before"), before.mask), weights(before, 0)));
  out.figure("claim_b", filled(mapLook(tr("Head B, before"), before.mask), weights(before, 1)));
  out.grid("claim_a_after", weights(after, 0), mapLook(tr("Head A, after"), after.mask));
  out.grid("claim_b_after", weights(after, 1), mapLook(tr("Head B, after"), after.mask));
  const Matrix<double> values = sideBySide(before.heads[0].v, before.heads[1].v);
  out.figure("claim_values", filled(listLook(tr("Values before"), positionNames(), kHeadColumns), values));
  out.figure("claim_wo", filled(listLook(tr("W_O, for both heads"), kHeadColumns, {"0", "1"}), *before.problem.wo));
  const auto third = [](const core::Trace<double>& trace) {
    const auto z = trace.heads[0].z.row(2);
    const auto number = [&](Index j) { return core::exactText(z(j)).value_or(core::fixedText(z(j), 4)); };
    return "[" + number(0) + ", " + number(1) + "]";
  };
  out.text("claim_z3_before", third(before));
  out.text("claim_z3_after", third(after));
}

}  // namespace

void claims(const Inputs& in, Outputs& out) {
  const core::Trace<double> trace = traceOf(twoHeads());
  const Act act = actOf(in.text("act"));
  const double before = outcomeOf(twoHeads());
  showHeads(trace, act.trace, out);
  const auto number = [](double value) { return core::fixedText(value, 4); };
  lesson::Table table;
  table.title = tr("A claim that can be tested");
  table.columns = {tr("a claim states"), tr("this one")};
  table.rows = {{tr("input"), tr("the walkthrough's three positions")},
                {tr("layer"), tr("the only one")},
                {tr("head"), act.head},
                {tr("mask"), tr("causal")},
                {tr("intervention"), act.what},
                {tr("outcome"), tr("first minus second number of X + Y at position 3: {0} before, {1} after",
                                   {number(before), number(act.after)})},
                {tr("control"), act.control + ": " + number(act.after_control)}};
  out.figure("claim_table", std::move(table));
  out.number("outcome_before", before);
  out.number("outcome_after", act.after);
  out.number("effect", act.after - before);
  out.number("control_effect", act.after_control - before);
  out.flag("effect_above_control", std::abs(act.after - before) > std::abs(act.after_control - before) + 1e-12);
}

}  // namespace attn::scene::map
