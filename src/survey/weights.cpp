// Softmax of what is there. See weights.h.
#include "survey/weights.h"

#include <algorithm>
#include <cmath>

#include "core/softmax.h"
#include "io/label.h"

namespace attn::survey {
namespace {

using core::Index;
using core::Matrix;
using opened::Role;

core::Result<Matrix<double>> softmaxOf(const Matrix<double>& scores, bool causal) {
  core::MaskSpec spec = core::plainMask(causal);
  spec.align = core::Align::kBottomRight;
  const core::Result<core::Mask> mask = core::makeMask(spec, scores.rows(), scores.cols());
  if (!mask) return mask.error();
  return core::softmaxRows(scores, mask.value()).weights;
}

// "`q` (9×4)"
std::string named(const opened::Model& model, Role role, std::uint64_t layer) {
  const io::ArrayInfo& array = model.file().arrays[*model.arrayOf(role, layer)];
  return io::ticked(array.name) + " (" + io::shapeText(array.shape) + ")";
}

core::Error unlike(const opened::Model& model, std::uint64_t layer, Role a, Role b, const std::string& what) {
  return core::Error{named(model, a, layer) + " and " + named(model, b, layer) + " do not have the same " + what +
                     "; say what their axes are, or which arrays belong together."};
}

}  // namespace

WeightsFrom weightsFrom(const opened::Model& model, std::uint64_t layer) {
  const auto has = [&](Role role) { return model.arrayOf(role, layer).has_value(); };
  if (has(Role::kWeights)) return WeightsFrom::kFile;
  if (has(Role::kScores)) return WeightsFrom::kScores;
  return has(Role::kQ) && has(Role::kK) ? WeightsFrom::kComputed : WeightsFrom::kNowhere;
}

core::Result<Matrix<double>> matrixOf(const opened::Model& model, Role role, const opened::Place& place) {
  return model.matrix(role, place, io::ArrayLimits().held);
}

opened::Place keyPlace(const opened::Model& model, const opened::Place& place) {
  const std::uint64_t keys = model.headsOf(Role::kK, place.layer);
  const std::uint64_t heads = std::max(model.headsOf(Role::kQ, place.layer), keys);
  return {place.layer, place.batch, heads == 0 ? 0 : place.head * keys / heads};
}

core::Result<Matrix<double>> weightsOf(const opened::Model& model, const opened::Place& place, bool causal) {
  switch (weightsFrom(model, place.layer)) {
    case WeightsFrom::kFile: return matrixOf(model, Role::kWeights, place);
    case WeightsFrom::kComputed: return computedWeights(model, place, causal);
    case WeightsFrom::kScores: break;
    case WeightsFrom::kNowhere:
      return core::Error{"Layer " + std::to_string(place.layer) +
                         " has no weights, no scores, and not both queries and keys; say which arrays these are."};
  }
  const core::Result<Matrix<double>> scores = matrixOf(model, Role::kScores, place);
  return scores ? softmaxOf(scores.value(), false) : scores.error();
}

core::Result<Matrix<double>> computedWeights(const opened::Model& model, const opened::Place& place, bool causal) {
  const std::uint64_t layer = place.layer, heads = model.headsOf(Role::kQ, layer), keys = model.headsOf(Role::kK, layer);
  if (keys == 0 || heads % keys != 0) return unlike(model, layer, Role::kQ, Role::kK, "number of heads, or a divisor of it");
  const core::Result<Matrix<double>> q = matrixOf(model, Role::kQ, place);
  if (!q) return q.error();
  const core::Result<Matrix<double>> k = matrixOf(model, Role::kK, keyPlace(model, place));
  if (!k) return k.error();
  if (q.value().cols() != k.value().cols()) return unlike(model, layer, Role::kQ, Role::kK, "width d_k");
  Matrix<double> scores = q.value() * k.value().transpose() / std::sqrt(static_cast<double>(q.value().cols()));
  if (model.arrayOf(Role::kBias, layer)) {
    const std::uint64_t biases = model.headsOf(Role::kBias, layer);
    const core::Result<Matrix<double>> bias = matrixOf(model, Role::kBias, {layer, place.batch, std::min(place.head, biases - 1)});
    if (!bias) return bias.error();
    if (bias.value().rows() != scores.rows() || bias.value().cols() != scores.cols()) {
      return unlike(model, layer, Role::kBias, Role::kQ, "number of positions");
    }
    scores += bias.value();
  }
  return softmaxOf(scores, causal);
}

}  // namespace attn::survey
