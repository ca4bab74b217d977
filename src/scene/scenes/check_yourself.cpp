// Questions on everything else, with answers that are computed. Which questions there are stands in the text file; here
// are the numbers that their answers name.
#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "core/cost.h"
#include "core/dispersion.h"
#include "core/multi_head_module.h"
#include "core/position.h"
#include "core/softmax_variants.h"
#include "core/stack.h"
#include "core/trace.h"
#include "io/json.h"
#include "scene/figures.h"
#include "scene/scenes/what_a_map_shows.h"
#include "scene/texts.h"

namespace attn::scene {
namespace {

using core::RowVector;

std::vector<double> weightsOf(const core::Trace<double>& trace, Index row) {
  return listOf(trace.heads[0].softmax.weights.row(row));
}

core::Problem<double> lessonHead() {
  core::Problem<double> problem = map::lessonHead();
  problem.residual = core::Residual::kInput;
  return problem;
}

core::Problem<double> withoutSecondValue(core::Problem<double> problem) {
  Matrix<double> values = traceOf(problem).heads[0].v;
  values.row(1).setZero();
  problem.wv.clear();
  problem.v = {values};
  return problem;
}

// The part "six".
void answerSix(Outputs& out) {
  core::Rng rng(1);
  core::Problem<double> sized;
  sized.T = sized.S = 5;
  sized.x = rng.normalMatrix(5, 12);
  sized.wq = {core::linearWeights(rng, 12, 3)};
  sized.wk = {core::linearWeights(rng, 12, 3)};
  sized.wv = {core::linearWeights(rng, 12, 4)};
  const core::Trace<double> shapes = traceOf(sized);
  out.text("shape_wq", core::shapeText(sized.wq[0].rows(), sized.wq[0].cols()));
  out.text("shape_s", core::shapeText(shapes.heads[0].scaled.rows(), shapes.heads[0].scaled.cols()));
  out.text("shape_a", core::shapeText(shapes.heads[0].softmax.weights.rows(), shapes.heads[0].softmax.weights.cols()));
  out.text("shape_z", core::shapeText(shapes.heads[0].z.rows(), shapes.heads[0].z.cols()));

  const core::Trace<double> lesson = traceOf(lessonHead());
  const auto& head = lesson.heads[0];
  out.numbers("row_2", weightsOf(lesson, 1));
  const Matrix<double> zeroed = core::filledSoftmax(head.scaled, lesson.mask, 0.0);
  out.numbers("row_2_zero_for_blocked", listOf(zeroed.row(1)));
  out.number("leak_of_zero", core::leakedWeight(zeroed, lesson.mask)(1));

  core::Problem<double> rising = lessonHead();
  Matrix<double> bias = Matrix<double>::Zero(3, 3);
  bias(2, 2) = std::numbers::ln2;
  rising.bias = {bias};
  out.number("fixed_score_weight", head.softmax.weights(2, 0));
  out.number("fixed_score_weight_after", traceOf(rising).heads[0].softmax.weights(2, 0));
  out.number("a11", head.softmax.weights(0, 0));
  out.number("allowed_in_first_row", static_cast<double>(lesson.mask.allowedInRow(0)));

}

// What forbidding, zeroing and replacing do to position 3.
void answerActs(Outputs& out) {
  const core::Trace<double> lesson = traceOf(lessonHead());
  const auto& head = lesson.heads[0];
  core::Problem<double> forbidden = lessonHead();
  forbidden.mask.allowed.assign(3, std::vector<bool>(3, true));
  forbidden.mask.allowed[2][1] = false;
  const core::Trace<double> without = traceOf(forbidden), zero_value = traceOf(withoutSecondValue(lessonHead()));
  out.numbers("forbidden_weights", weightsOf(without, 2));
  out.numbers("forbidden_z3", listOf(without.heads[0].z.row(2)));
  out.numbers("row_3", weightsOf(lesson, 2));
  out.numbers("z3", listOf(head.z.row(2)));
  out.numbers("zero_value_z3", listOf(zero_value.heads[0].z.row(2)));
  out.flag("zero_value_same_map", zero_value.heads[0].softmax.weights == head.softmax.weights);

  core::Problem<double> replaced = lessonHead();
  replaced.x->row(0) << -1, 2;
  out.numbers("replaced_z3", listOf(traceOf(replaced).heads[0].z.row(2)));
  const core::Problem<double> stored = lessonHead();
  out.flag("replacing_keeps_parameters",
           replaced.wq == stored.wq && replaced.wk == stored.wk && replaced.wv == stored.wv);
  out.numbers("residual_3", listOf(lesson.residual->row(2)));
}

void answerScores(Outputs& out) {
  const core::Trace<double> lesson = traceOf(lessonHead());
  const auto& head = lesson.heads[0];
  core::Problem<double> longer = lessonHead();
  longer.wq.clear();
  longer.wk.clear();
  longer.q = {head.q};
  Matrix<double> keys = head.k;
  keys.row(2) *= 2;
  longer.k = {keys};
  const core::Trace<double> doubled = traceOf(longer);
  const auto cosine = [](const core::Trace<double>& trace) {
    return core::cosineSimilarity(trace.heads[0].q.row(2), trace.heads[0].k.row(2));
  };
  out.number("score_33", head.scaled(2, 2));
  out.number("score_33_key_doubled", doubled.heads[0].scaled(2, 2));
  out.flag("cosine_unchanged", std::abs(cosine(lesson) - cosine(doubled)) <= 1e-12);
  out.numbers("turned_sums", listOf(head.softmax.weights.colwise().sum()));
  out.number("root_512", std::sqrt(512.0));
  Matrix<double> raw(1, 8);
  raw << -6, -23, -40, -10, 47, -13, 36, 22;
  const Matrix<double> scaled = core::shiftedSoftmaxRows(Matrix<double>(raw / std::sqrt(512.0)));
  const Matrix<double> unscaled = core::shiftedSoftmaxRows(raw);
  out.number("largest_scaled", scaled.maxCoeff());
  out.number("largest_unscaled", unscaled.maxCoeff());
  out.number("entropy_scaled", core::entropy(scaled.row(0)));
  out.number("entropy_most", std::log(8.0));
  Matrix<double> thousand(1, 2);
  thousand << 1000, 1000;
  out.numbers("softmax_1000_1000", listOf(core::shiftedSoftmaxRows(thousand).row(0)));
  out.flag("plain_1000_is_nan", std::isnan(core::plainSoftmaxRows(thousand)(0, 0)));
}

void answerMasks(Outputs& out) {
  core::Rng rng(1);
  core::StackShape shape;
  shape.layers = 3;
  const core::Stack stack = core::randomStack(rng, shape, core::plainMask(true));
  const Matrix<double> x = rng.normalMatrix(5, shape.width);
  Matrix<double> changed = x;
  changed.row(3) = rng.normalMatrix(1, shape.width);
  const core::Result<core::StackRun> before = core::runStack(stack, x), after = core::runStack(stack, changed);
  assert(before.ok() && after.ok());
  const Matrix<double> changes = core::largestChanges(before.value(), after.value());
  out.number("earlier_rows_move", changes.bottomRows(1).leftCols(3).maxCoeff());
  out.number("later_rows_move", changes.bottomRows(1).rightCols(2).maxCoeff());

  core::Problem<double> nothing = lessonHead();
  nothing.mask.allowed.assign(3, std::vector<bool>(3, true));
  nothing.mask.allowed[0][0] = false;
  const core::Trace<double> empty = traceOf(nothing);
  out.flag("empty_row_is_marked", empty.heads[0].softmax.row_status[0] == core::RowStatus::kNoSource);
  out.numbers("empty_row", weightsOf(empty, 0));
  out.flag("plain_softmax_of_nothing_is_nan",
           std::isnan(core::filledSoftmax(empty.heads[0].scaled, empty.mask, -std::numeric_limits<double>::infinity())(0, 0)));
  out.number("reach_4_3", static_cast<double>(core::windowReach(4, 3)));

  core::Problem<double> two;
  two.T = 2;
  two.S = 5;
  two.cross = true;
  two.q = {rng.normalMatrix(2, 3)};
  two.k = {rng.normalMatrix(5, 3)};
  two.v = {rng.normalMatrix(5, 4)};
  const core::Trace<double> cross = traceOf(two);
  out.text("cross_shape", core::shapeText(cross.heads[0].scaled.rows(), cross.heads[0].scaled.cols()));
}

void answerSizes(Outputs& out) {
  core::Rng rng(1);
  std::vector<double> totals;
  for (const Index heads : {Index(4), Index(8)}) {
    totals.push_back(static_cast<double>(core::parametersOf(core::randomModule(rng, 64, heads)).total()));
  }
  out.numbers("parameters_4_8", totals);
  out.number("d_head", static_cast<double>(core::randomModule(rng, 64, 4).headWidth()));
  const double short_grid = core::gridBytes(1024, 1024, core::NumberType::kFloat32);
  const double long_grid = core::gridBytes(8192, 8192, core::NumberType::kFloat32);
  out.text("grid_1024", core::bytesText(short_grid));
  out.text("grid_8192", core::bytesText(long_grid));
  out.number("grid_ratio", long_grid / short_grid);
  const RowVector<double> alike = core::cosineSimilarities(core::sinusoidalPositions(64, 64), 10);
  out.number("cosine_10_11", alike(11));
  out.number("cosine_10_60", alike(60));
  // Head B of "to be or not to be": two matches of score 5 among six sources.
  Matrix<double> scores(1, 6);
  scores << 0, 5, 0, 0, 0, 5;
  out.number("two_matches", core::shiftedSoftmaxRows(scores)(0, 1));
}

// How many of the text file's questions belong to `part`; to any when it is empty.
double countQuestions(const std::string& part) {
  const core::Result<io::Json> json = io::parseJson(texts::check_yourself_json);
  assert(json.ok());
  const io::Json* page = json.value().find("page");
  const auto* items = page ? page->as<io::Json::Items>() : nullptr;
  assert(items);
  return static_cast<double>(std::count_if(items->begin(), items->end(), [&](const io::Json& item) {
    const io::Json* when = item.find("question") ? item.find("when") : nullptr;
    return when && (part.empty() || *when->as<std::string>() == "part=" + part);
  }));
}

}  // namespace

core::Check checkYourself(const Inputs& in, Outputs& out, const Progress&) {
  out.number("questions", countQuestions(""));
  out.number("in_part", countQuestions(in.text("part")));
  answerSix(out);
  answerActs(out);
  answerScores(out);
  answerMasks(out);
  answerSizes(out);
  return {};
}

}  // namespace attn::scene
