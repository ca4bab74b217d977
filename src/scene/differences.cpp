// See differences.h.
#include "scene/differences.h"

#include <algorithm>
#include <cctype>

#include "core/compare.h"
#include "core/number.h"

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

// "position 3" as "3": "row" or "column" stands before it.
std::string withoutWord(const std::string& position) {
  constexpr std::string_view kWord = "position ";
  return position.rfind(kWord, 0) == 0 ? position.substr(kWord.size()) : position;
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
    case Array::kState: return "State";
    case Array::kX: return "Input x";
    case Array::kXSources: return "Input of the sources";
    case Array::kWq: return "W_Q";
    case Array::kWk: return "W_K";
    case Array::kWv: return "W_V";
    case Array::kWo: return "W_O";
    case Array::kQ: return "Queries q";
    case Array::kK: return "Keys k";
    case Array::kV: return "Values v";
    case Array::kScores: return "Scores";
    case Array::kScaled: return "Scaled scores";
    case Array::kSoftcapped: return "Soft-capped scores";
    case Array::kBiased: return "Scores with bias";
    case Array::kMasked: return "Masked scores";
    case Array::kWeights: return "Weights";
    case Array::kZ: return "Mixture z";
    case Array::kConcat: return "Heads side by side";
    case Array::kY: return "Output y";
    case Array::kResidual: return "Residual";
    default: return std::string(core::arrayName(array));
  }
}

std::string arrayText(const OpenExample& open, Array array, Index head) {
  std::string text = arrayLabel(array);
  if (text[0] != 'W' || array == Array::kWeights) text[0] = static_cast<char>(std::tolower(text[0]));
  return open.heads() > 1 && isOfHead(array) ? text + " of " + headText(open.example, head) : text;
}

std::string rowText(const OpenExample& open, Array array, Index row) {
  if (!rowsArePositions(array)) return ordinal(open.example, row);
  return withoutWord(rowsAreSources(array) ? sourceText(open.example, row) : destinationText(open.example, row));
}

std::string placeText(const OpenExample& open, Array array, Index row, Index col) {
  return "row " + rowText(open, array, row) + ", column " +
         (columnsAreSources(array) ? withoutWord(sourceText(open.example, col)) : ordinal(open.example, col));
}

std::string signedText(double change) { return (change > 0 ? "+" : "") + core::fixedText(change, change == 0 ? 0 : 4); }

}  // namespace attn::scene
