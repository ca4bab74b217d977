// Lists of interventions, made. Carries none out.
#include "core/decoder_change.h"

#include <limits>
#include <utility>

namespace attn::core {
namespace {

Intervention setting(Array array, std::optional<Index> head, std::optional<Index> row, std::vector<double> values) {
  Intervention one;
  one.array = array, one.head = head, one.row = row, one.values = std::move(values);
  return one;
}

template <class Row>
std::vector<double> valuesOf(const Row& row) {
  return {row.data(), row.data() + row.size()};
}

}  // namespace

Intervention zeroOutput(Index head) {
  Intervention one;
  one.kind = Intervention::Kind::kAblate, one.head = head;
  return one;
}

Intervention setOutput(Index head, std::optional<Index> position, const RowVector<double>& row) {
  return setting(Array::kZ, head, position, valuesOf(row));
}

std::vector<Intervention> setOutputs(Index head, const Matrix<double>& rows) {
  std::vector<Intervention> all;
  for (Index t = 0; t < rows.rows(); ++t) all.push_back(setOutput(head, t, rows.row(t)));
  return all;
}

Intervention forbidSource(std::optional<Index> head, Index source, std::optional<Index> position) {
  Intervention one = setting(Array::kMasked, head, position, {-std::numeric_limits<double>::infinity()});
  one.col = source;
  return one;
}

Intervention zeroWeight(std::optional<Index> head, Index source, std::optional<Index> position) {
  Intervention one = setting(Array::kWeights, head, position, {0});
  one.col = source;
  return one;
}

Intervention zeroValue(std::optional<Index> head, Index source, Index d_v) {
  return setting(Array::kV, head, source, std::vector<double>(static_cast<std::size_t>(d_v), 0));
}

std::vector<LayerIntervention> inLayers(Index first, Index end, std::span<const Intervention> interventions) {
  std::vector<LayerIntervention> all;
  for (Index layer = first; layer < end; ++layer)
    for (const Intervention& one : interventions) all.push_back({layer, one});
  return all;
}

std::vector<LayerIntervention> frozenPatterns(const DecoderRun& run, Index first) {
  std::vector<LayerIntervention> all;
  for (auto l = static_cast<std::size_t>(first); l < run.blocks.size(); ++l) {
    const std::vector<HeadTrace<float>>& heads = run.blocks[l].attention.heads;
    for (std::size_t h = 0; h < heads.size(); ++h) {
      const Matrix<double> weights = heads[h].softmax.weights.cast<double>();
      for (Index t = 0; t < weights.rows(); ++t)
        all.push_back({static_cast<Index>(l),
                       setting(Array::kWeights, static_cast<Index>(h), t, valuesOf(weights.row(t)))});
    }
  }
  return all;
}

}  // namespace attn::core
