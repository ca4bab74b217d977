// The decoder's forward pass, its attention computed by computeTrace. Knows no text and no file.
#include "core/decoder.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <string>
#include <utility>

#include "core/decoder_parts.h"
#include "core/language.h"

namespace attn::core {
namespace {

Check checkTokens(const Decoder& decoder, std::span<const Index> tokens) {
  if (tokens.empty()) return Error{tr("The model reads at least one token; the text has none.")};
  if (tokens.size() > static_cast<std::size_t>(decoder.context())) {
    return Error{tr("The text has {0} tokens, but the model has positions for {1}; give it a shorter text.",
                    {tokens.size(), decoder.context()})};
  }
  for (std::size_t t = 0; t < tokens.size(); ++t)
    if (Check bad = checkToken(decoder, tokens[t], static_cast<Index>(t))) return bad;
  return std::nullopt;
}

Matrix<float> embed(const Decoder& decoder, std::span<const Index> tokens) {
  Matrix<float> state = decoder.positions.middleRows(0, static_cast<Index>(tokens.size()));
  for (std::size_t t = 0; t < tokens.size(); ++t)
    state.row(static_cast<Index>(t)) += decoder.tokens.row(tokens[t]);
  return state;
}

// Some position may read nothing any more.
Check checkSources(const Trace<float>& trace) {
  for (std::size_t h = 0; h < trace.heads.size(); ++h) {
    const std::vector<RowStatus>& status = trace.heads[h].softmax.row_status;
    const auto none = std::find(status.begin(), status.end(), RowStatus::kNoSource);
    if (none == status.end()) continue;
    return Error{tr("head {0} leaves position {1} nothing to read; let each position read at least one",
                    {h, none - status.begin()})};
  }
  return std::nullopt;
}

Result<Trace<float>> attend(const DecoderBlock& block, const Matrix<float>& state,
                            std::vector<Intervention> interventions) {
  Problem<float> problem = attentionOf(block);
  problem.T = problem.S = state.rows();
  problem.residual = Residual::kPreNorm;
  problem.state = state;
  problem.interventions = std::move(interventions);
  Result<Trace<float>> trace = computeTrace(problem);
  if (trace && !problem.interventions.empty())
    if (Check bad = checkSources(trace.value())) return *bad;
  return trace;
}

// Those of one layer, in their order.
std::vector<Intervention> ofLayer(std::span<const LayerIntervention> interventions, Index layer) {
  std::vector<Intervention> some;
  for (const LayerIntervention& one : interventions)
    if (one.layer == layer) some.push_back(one.what);
  return some;
}

Check checkLayers(const Decoder& decoder, std::span<const LayerIntervention> interventions) {
  const auto layers = static_cast<Index>(decoder.blocks.size());
  for (const LayerIntervention& one : interventions)
    if (one.layer < 0 || one.layer >= layers)
      return Error{tr("An intervention is about layer {0}, but the model has {1}, counted from 0.", {one.layer, layers})};
  return std::nullopt;
}

}  // namespace

template <class Scalar>
Scalar gelu(Scalar x) {
  const auto slope = static_cast<Scalar>(0.79788456080286535588);  // √(2/π)
  return x / 2 * (1 + std::tanh(slope * (x + static_cast<Scalar>(0.044715) * x * x * x)));
}

template double gelu(double);
template float gelu(float);

Problem<float> attentionOf(const DecoderBlock& block) {
  const Matrix<float> qkv = block.qkv.weight.toMatrix();
  const Index width = qkv.rows(), d = width / block.heads;
  assert(qkv.cols() == 3 * width && block.qkv.bias.size() == 3 * width && d * block.heads == width);
  Problem<float> attention;
  const auto part = [&](Index n, std::vector<Matrix<float>>& weights, std::vector<RowVector<float>>& biases) {
    for (Index h = 0; h < block.heads; ++h) {
      weights.push_back(qkv.middleCols(n * width + h * d, d));
      biases.push_back(block.qkv.bias.segment(n * width + h * d, d));
    }
  };
  part(0, attention.wq, attention.bq);
  part(1, attention.wk, attention.bk);
  part(2, attention.wv, attention.bv);
  attention.wo = block.mix.weight.toMatrix();
  attention.bo = block.mix.bias;
  attention.norm = block.attention_norm;
  attention.mask = plainMask(true);
  return attention;
}

Result<DecoderRun> runDecoder(const Decoder& decoder, std::span<const Index> tokens,
                              std::span<const LayerIntervention> interventions) {
  if (Check bad = checkTokens(decoder, tokens)) return *bad;
  if (Check bad = checkLayers(decoder, interventions)) return *bad;
  if (Check bad = checkRoom(decoder, tokens.size())) return *bad;
  DecoderRun run;
  run.embedded = embed(decoder, tokens);
  run.blocks.reserve(decoder.blocks.size());
  for (std::size_t l = 0; l < decoder.blocks.size(); ++l) {
    Result<Trace<float>> attention =
        attend(decoder.blocks[l], run.finalState(), ofLayer(interventions, static_cast<Index>(l)));
    if (!attention) return Error{tr("layer {0}: {1}", {l, attention.error().message})};
    run.blocks.push_back(throughMlp(decoder.blocks[l], attention.take()));
  }
  readOut(decoder, run);
  return run;
}

}  // namespace attn::core
