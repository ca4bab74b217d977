// One step of a decoder with keys and values kept; the attention is computed by computeTrace. Knows no text.
#include "core/decoder_cache.h"

#include <string>
#include <utility>

#include "core/decoder_parts.h"
#include "core/language.h"
#include "core/norm.h"

namespace attn::core {

DecoderCache::DecoderCache(const Decoder& decoder) : decoder_(&decoder), layers_(decoder.blocks.size()) {
  for (std::size_t l = 0; l < layers_.size(); ++l) {
    const auto heads = static_cast<std::size_t>(decoder.blocks[l].heads);
    layers_[l].keys.assign(heads, Matrix<float>(0, decoder.width() / decoder.blocks[l].heads));
    layers_[l].values = layers_[l].keys;
  }
}

std::size_t DecoderCache::bytes() const {
  return layers_.size() * static_cast<std::size_t>(2 * decoder_->width() * length_) * sizeof(float);
}

Result<Trace<float>> DecoderCache::attend(std::size_t layer, const Matrix<float>& state) {
  const DecoderBlock& block = decoder_->blocks[layer];
  Problem<float> problem = attentionOf(block);
  const Matrix<float> x = normaliseRows(state, *problem.norm);
  for (std::size_t h = 0; h < problem.wq.size(); ++h) {
    problem.q.push_back(affine(x, problem.wq[h], problem.bq[h]));
    Matrix<float>& keys = layers_[layer].keys[h];
    Matrix<float>& values = layers_[layer].values[h];
    keys.conservativeResize(length_ + 1, Eigen::NoChange);
    values.conservativeResize(length_ + 1, Eigen::NoChange);
    keys.row(length_) = affine(x, problem.wk[h], problem.bk[h]);
    values.row(length_) = affine(x, problem.wv[h], problem.bv[h]);
  }
  problem.k = layers_[layer].keys, problem.v = layers_[layer].values;
  for (auto* weights : {&problem.wq, &problem.wk, &problem.wv}) weights->clear();
  for (auto* biases : {&problem.bq, &problem.bk, &problem.bv}) biases->clear();
  problem.cross = true;  // one destination, and sources that were there before
  problem.T = 1, problem.S = length_ + 1;
  problem.mask.align = Align::kBottomRight;
  problem.norm.reset();
  problem.residual = Residual::kState;
  problem.state = state;
  return computeTrace(problem);
}

Result<DecoderRun> DecoderCache::next(Index token) {
  if (length_ >= decoder_->context())
    return Error{tr("The model has positions for {0} tokens and has read as many; begin a new text.",
                    {decoder_->context()})};
  if (Check bad = checkToken(*decoder_, token, length_)) return *bad;
  if (Check bad = checkRoom(*decoder_, static_cast<std::size_t>(length_) + 1)) return *bad;
  DecoderRun run;
  run.embedded = decoder_->positions.row(length_) + decoder_->tokens.row(token);
  for (std::size_t l = 0; l < layers_.size(); ++l) {
    Result<Trace<float>> attention = attend(l, run.finalState());
    if (!attention) return Error{tr("layer {0}: {1}", {l, attention.error().message})};
    run.blocks.push_back(throughMlp(decoder_->blocks[l], attention.take()));
  }
  readOut(*decoder_, run);
  ++length_;
  return run;
}

}  // namespace attn::core
