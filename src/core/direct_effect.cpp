// One direction, and its product with each part. Knows no text.
#include "core/direct_effect.h"

#include <cassert>
#include <cmath>
#include <numeric>

#include "core/product.h"

namespace attn::core {
namespace {

// With this direction d a part p speaks with p·d: centring p is the same as centring d.
RowVector<double> directionOf(const Norm<float>& norm, const RowVector<double>& state, const RowVector<double>& readout) {
  RowVector<double> direction = readout;
  if (norm.gain) direction.array() *= norm.gain->cast<double>().array();
  const double mean = state.mean();
  const double variance = (state.array() - mean).square().mean();
  return (direction.array() - direction.mean()) / std::sqrt(variance + static_cast<double>(norm.eps));
}

LayerParts partsOf(const DecoderBlock& block, const BlockRun& run, Index t, const RowVector<double>& direction) {
  LayerParts parts;
  Index row = 0;
  for (const HeadTrace<float>& head : run.attention.heads) {
    const Matrix<double> wo = block.mix.weight.middleRows(row, head.z.cols()).cast<double>();
    parts.heads.push_back(product<double>(head.z.row(t).cast<double>(), wo).row(0).dot(direction));
    row += head.z.cols();
  }
  parts.attention_bias = block.mix.bias.cast<double>().dot(direction);
  parts.mlp = run.mlp.row(t).cast<double>().dot(direction);
  return parts;
}

}  // namespace

double LogitParts::sum() const {
  double sum = token + position + norm_bias;
  for (const LayerParts& layer : layers)
    sum += std::accumulate(layer.heads.begin(), layer.heads.end(), layer.attention_bias + layer.mlp);
  return sum;
}

LogitParts logitParts(const Decoder& decoder, const DecoderRun& run, std::span<const Index> tokens, Index t, Index token) {
  assert(t >= 0 && t < run.logits.rows() && token >= 0 && token < run.logits.cols());
  assert(run.blocks.size() == decoder.blocks.size());
  const RowVector<double> readout = decoder.readout().row(token).cast<double>();
  const RowVector<double> direction =
      directionOf(decoder.final_norm, run.finalState().row(t).cast<double>(), readout);
  LogitParts parts;
  parts.token = decoder.tokens.row(tokens[static_cast<std::size_t>(t)]).cast<double>().dot(direction);
  parts.position = decoder.positions.row(t).cast<double>().dot(direction);
  for (std::size_t l = 0; l < run.blocks.size(); ++l)
    parts.layers.push_back(partsOf(decoder.blocks[l], run.blocks[l], t, direction));
  if (decoder.final_norm.bias) parts.norm_bias = decoder.final_norm.bias->cast<double>().dot(readout);
  return parts;
}

}  // namespace attn::core
