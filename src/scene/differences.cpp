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

constexpr Array kOrder[] = {
    Array::kState,  Array::kX,      Array::kXSources, Array::kWq,   Array::kWk,       Array::kWv,
    Array::kQ,      Array::kK,      Array::kV,        Array::kScores, Array::kScaled, Array::kSoftcapped,
    Array::kBiased, Array::kMasked, Array::kWeights,  Array::kZ,    Array::kConcat,   Array::kWo,
    Array::kY,      Array::kResidual};

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

// For the middle of a sentence.
std::string nameInside(Array array) {
  switch (array) {
    case Array::kState: return tr("state");
    case Array::kX: return tr("input x");
    case Array::kXSources: return tr("input of the sources");
    case Array::kQ: return tr("queries q");
    case Array::kK: return tr("keys k");
    case Array::kV: return tr("values v");
    case Array::kScores: return tr("scores");
    case Array::kScaled: return tr("scaled scores");
    case Array::kSoftcapped: return tr("soft-capped scores");
    case Array::kBiased: return tr("scores with bias");
    case Array::kMasked: return tr("masked scores");
    case Array::kWeights: return tr("weights");
    case Array::kZ: return tr("mixture z");
    case Array::kConcat: return tr("heads side by side");
    case Array::kY: return tr("output y");
    case Array::kResidual: return tr("residual");
    default: return arrayLabel(array);
  }
}

}  // namespace

std::vector<Array> comparedArrays(const OpenExample& open) {
  std::vector<Array> arrays;
  for (const Array array : kOrder)
    if (has(*open.trace, array) || has(*open.before, array)) arrays.push_back(array);
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

std::string arrayLabel(Array array) {
  switch (array) {
    case Array::kState: return tr("State");
    case Array::kX: return tr("Input x");
    case Array::kXSources: return tr("Input of the sources");
    case Array::kWq: return "W_Q";
    case Array::kWk: return "W_K";
    case Array::kWv: return "W_V";
    case Array::kWo: return "W_O";
    case Array::kQ: return tr("Queries q");
    case Array::kK: return tr("Keys k");
    case Array::kV: return tr("Values v");
    case Array::kScores: return tr("Scores");
    case Array::kScaled: return tr("Scaled scores");
    case Array::kSoftcapped: return tr("Soft-capped scores");
    case Array::kBiased: return tr("Scores with bias");
    case Array::kMasked: return tr("Masked scores");
    case Array::kWeights: return tr("Weights");
    case Array::kZ: return tr("Mixture z");
    case Array::kConcat: return tr("Heads side by side");
    case Array::kY: return tr("Output y");
    case Array::kResidual: return tr("Residual");
    default: return std::string(core::arrayName(array));
  }
}

std::string arrayText(const OpenExample& open, Array array, Index head) {
  const std::string name = nameInside(array);
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
