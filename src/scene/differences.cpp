// See differences.h.
#include "scene/differences.h"

#include <algorithm>

#include "core/compare.h"
#include "core/language.h"
#include "core/number.h"
#include "lesson/token_text.h"

namespace attn::scene {
namespace {

using core::Array;

struct Compared {
  Array array;
  std::string_view label, inside;  // for controls and tables; for the middle of a sentence
};
// In the order of the computation.
constexpr Compared kCompared[] = {
    {Array::kState, trLater("State"), trLater("state")},
    {Array::kX, trLater("Input x"), trLater("input x")},
    {Array::kXSources, trLater("Input of the sources"), trLater("input of the sources")},
    {Array::kWq, "W_Q", "W_Q"},
    {Array::kWk, "W_K", "W_K"},
    {Array::kWv, "W_V", "W_V"},
    {Array::kQ, trLater("Queries q"), trLater("queries q")},
    {Array::kK, trLater("Keys k"), trLater("keys k")},
    {Array::kV, trLater("Values v"), trLater("values v")},
    {Array::kScores, trLater("Scores"), trLater("scores")},
    {Array::kScaled, trLater("Scaled scores"), trLater("scaled scores")},
    {Array::kSoftcapped, trLater("Soft-capped scores"), trLater("soft-capped scores")},
    {Array::kBiased, trLater("Scores with bias"), trLater("scores with bias")},
    {Array::kMasked, trLater("Masked scores"), trLater("masked scores")},
    {Array::kWeights, trLater("Weights"), trLater("weights")},
    {Array::kZ, trLater("Mixture z"), trLater("mixture z")},
    {Array::kConcat, trLater("Heads side by side"), trLater("heads side by side")},
    {Array::kWo, "W_O", "W_O"},
    {Array::kY, trLater("Output y"), trLater("output y")},
    {Array::kResidual, trLater("Residual"), trLater("residual")},
};

Compared namesOf(Array array) {
  const auto is = [&](const Compared& each) { return each.array == array; };
  const auto* found = std::find_if(std::begin(kCompared), std::end(kCompared), is);
  return found == std::end(kCompared) ? Compared{array, core::arrayName(array), core::arrayName(array)} : *found;
}

Matrix<double> matrixOf(const core::ArrayView& view) {
  if (!view) return {};
  return Eigen::Map<const Matrix<double>>(view.data, view.rows, view.columns);
}

// masked, concat and y always exist; they count where they are a stage of their own.
bool has(const core::Trace<double>& trace, Array array) {
  const auto stages = core::stagesOf(trace.problem);
  const auto isStage = [&](core::Stage stage) {
    return std::find(stages.begin(), stages.end(), stage) != stages.end();
  };
  if (array == Array::kMasked) return isStage(core::Stage::kMasked);
  if (array == Array::kConcat) return isStage(core::Stage::kConcat);
  if (array == Array::kY) return isStage(core::Stage::kY);
  return static_cast<bool>(core::arrayOf(trace, 0, array));
}

}  // namespace

std::vector<Array> comparedArrays(const OpenExample& open) {
  std::vector<Array> arrays;
  for (const Compared& each : kCompared)
    if (has(*open.trace, each.array) || has(*open.before, each.array)) arrays.push_back(each.array);
  return arrays;
}

double changeOf(double before, double after) { return core::sameNumber(before, after) ? 0 : after - before; }

Difference differenceOf(const OpenExample& open, Array array, Index head_before, Index head) {
  Difference all;
  all.array = array;
  const core::ArrayView before = core::arrayOf(*open.before, head_before, array);
  const core::ArrayView after = core::arrayOf(*open.trace, head, array);
  all.before = matrixOf(before);
  all.after = matrixOf(after);
  const auto change = before && after ? core::changeOf(before, after) : std::nullopt;
  if (!change) return all;
  all.comparable = true;
  all.changed = change->cells;
  all.rows = change->rows;
  all.row = change->row, all.col = change->col;
  if (all.changed > 0) all.largest = changeOf(all.before(all.row, all.col), all.after(all.row, all.col));
  return all;
}

bool rowsAreSources(Array array) { return array == Array::kK || array == Array::kV || array == Array::kXSources; }
bool rowsArePositions(Array array) { return !core::isParameter(array); }
bool columnsAreSources(Array array) { return array >= Array::kScores && array <= Array::kWeights; }
bool isOfHead(Array array) {
  return array != Array::kState && array != Array::kX && array != Array::kXSources && array < Array::kConcat;
}

std::string arrayLabel(Array array) { return tr(namesOf(array).label); }

std::string arrayText(const OpenExample& open, Array array, Index head) {
  const std::string name = tr(namesOf(array).inside);
  return open.heads() > 1 && isOfHead(array) ? tr("{0} of head {1}", {name, ordinal(open.example, head)}) : name;
}

std::string rowText(const OpenExample& open, Array array, Index row) {
  if (!rowsArePositions(array)) return ordinal(open.example, row);
  return lesson::positionName(open.example, row, rowsAreSources(array), false);
}

std::string placeText(const OpenExample& open, Array array, Index row, Index col) {
  const std::string column =
      columnsAreSources(array) ? lesson::positionName(open.example, col, true, false) : ordinal(open.example, col);
  return tr("row {0}, column {1}", {rowText(open, array, row), column});
}

std::string signedText(double change) { return (change > 0 ? "+" : "") + core::fixedText(change, change == 0 ? 0 : 4); }

}  // namespace attn::scene
