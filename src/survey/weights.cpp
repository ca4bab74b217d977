// Softmax of what is there. See weights.h.
#include "survey/weights.h"

#include <algorithm>
#include <cmath>

#include "core/language.h"
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

// One map of a layer is there for all of its heads.
opened::Place mapPlace(const opened::Model& model, Role role, opened::Place place) {
  if (model.headsOf(role, place.layer) == 1) place.head = 0;
  return place;
}

// What is computed takes five such matrices at once.
core::Check tooMany(Index T, Index S) {
  constexpr double kMostCells = 4096.0 * 4096.0;
  if (static_cast<double>(T) * static_cast<double>(S) <= kMostCells) return {};
  return core::Error{tr("Weights of {0} {0|destination|destinations} × {1} {1|source|sources} are more than are computed here "
                        "(4096 × 4096); export fewer positions, or the weights.", {T, S})};
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
    case WeightsFrom::kFile: return matrixOf(model, Role::kWeights, mapPlace(model, Role::kWeights, place));
    case WeightsFrom::kComputed: return computedWeights(model, place, causal);
    case WeightsFrom::kScores: break;
    case WeightsFrom::kNowhere:
      return core::Error{tr("Layer {0} has no weights, no scores, and not both queries and keys; say which arrays these are.",
                            {place.layer})};
  }
  const core::Result<Matrix<double>> scores = matrixOf(model, Role::kScores, mapPlace(model, Role::kScores, place));
  if (!scores) return scores.error();
  if (core::Check large = tooMany(scores.value().rows(), scores.value().cols())) return *large;
  return softmaxOf(scores.value(), false);
}

core::Check fitting(const opened::Model& model, std::uint64_t layer, const Matrix<double>& q, const Matrix<double>& k) {
  const std::uint64_t heads = model.headsOf(Role::kQ, layer), keys = model.headsOf(Role::kK, layer);
  if (keys == 0 || heads % keys != 0) return model.unlike(layer, Role::kQ, Role::kK, tr("number of heads, or a divisor of it"));
  if (q.cols() != k.cols() || q.cols() == 0) return model.unlike(layer, Role::kQ, Role::kK, tr("width d_k"));
  return {};
}

core::Result<Matrix<double>> biasOf(const opened::Model& model, const opened::Place& place, Index T, Index S) {
  if (!model.arrayOf(Role::kBias, place.layer)) return Matrix<double>();
  const std::uint64_t heads = model.headsOf(Role::kBias, place.layer);
  core::Result<Matrix<double>> bias = matrixOf(model, Role::kBias, {place.layer, place.batch, std::min(place.head, heads - 1)});
  if (bias && (bias.value().rows() != T || bias.value().cols() != S)) {
    return model.unlike(place.layer, Role::kBias, Role::kQ, tr("number of positions"));
  }
  return bias;
}

core::Result<Matrix<double>> computedWeights(const opened::Model& model, const opened::Place& place, bool causal) {
  const core::Result<Matrix<double>> q = matrixOf(model, Role::kQ, place);
  if (!q) return q.error();
  const core::Result<Matrix<double>> k = matrixOf(model, Role::kK, keyPlace(model, place));
  if (!k) return k.error();
  if (core::Check unfit = fitting(model, place.layer, q.value(), k.value())) return *unfit;
  if (core::Check large = tooMany(q.value().rows(), k.value().rows())) return *large;
  const core::Result<Matrix<double>> bias = biasOf(model, place, q.value().rows(), k.value().rows());
  if (!bias) return bias.error();
  Matrix<double> scores = q.value() * k.value().transpose() / std::sqrt(static_cast<double>(q.value().cols()));
  if (bias.value().size() > 0) scores += bias.value();
  return softmaxOf(scores, causal);
}

}  // namespace attn::survey
