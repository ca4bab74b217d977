// Room, MLP and logits of a pass. Knows neither keys nor interventions.
#include "core/decoder_parts.h"

#include <algorithm>
#include <cassert>
#include <limits>
#include <string>
#include <utility>

#include "core/buffer.h"
#include "core/language.h"
#include "core/norm.h"

namespace attn::core {
namespace {

constexpr Index kPanelRows = 1024;  // of the unembedding that are floats at a time

Matrix<float> applyLinear(const Linear& linear, const Matrix<float>& x) {
  assert(linear.weight.rows() == x.cols() && linear.weight.cols() == linear.bias.size());
  return affine(x, linear.weight.toMatrix(), linear.bias);
}

// Cells are the same whatever the panels are; see core/product.h.
Matrix<float> logitsOf(const Matrix<float>& normalised, const HalfMatrix& unembedding) {
  Matrix<float> logits(normalised.rows(), unembedding.rows());
  for (Index first = 0; first < unembedding.rows(); first += kPanelRows) {
    const Index count = std::min(kPanelRows, unembedding.rows() - first);
    logits.middleCols(first, count) = product<float>(normalised, unembedding.middleRows(first, count).transpose());
  }
  return logits;
}

void dropParameters(Problem<float>& problem) {
  for (auto* weights : {&problem.wq, &problem.wk, &problem.wv}) *weights = {};
  for (auto* biases : {&problem.bq, &problem.bk, &problem.bv}) *biases = {};
  problem.wo.reset();
  problem.bo.reset();
}

}  // namespace

Check checkRoom(const Decoder& decoder, std::size_t length) {
  const auto width = static_cast<double>(decoder.width());
  double kept = 2 * width + static_cast<double>(decoder.vocabulary());
  double passing = 2 * static_cast<double>(kPanelRows) * width;
  for (const DecoderBlock& block : decoder.blocks) {
    const auto hidden = static_cast<double>(block.widen.weight.cols());
    kept += 3 * width + 2 * hidden;
    passing = std::max({passing, 3 * 4 * width * width, width * hidden});
  }
  const double bytes = (static_cast<double>(length) * kept + passing) * sizeof(float);
  if (bytes < static_cast<double>(std::numeric_limits<Index>::max()))
    if (const auto room = Buffer::allocate(static_cast<std::size_t>(bytes))) return std::nullopt;
  return Error{tr("There is no memory to run the model on {0} tokens; give it a shorter text, or close something.",
                  {length})};
}

Check checkToken(const Decoder& decoder, Index token, Index position) {
  if (token >= 0 && token < decoder.vocabulary()) return std::nullopt;
  return Error{tr("Token {0} at position {1} is none of the model's, which go from 0 to {2}.",
                  {token, position, decoder.vocabulary() - 1})};
}

BlockRun throughMlp(const DecoderBlock& block, Trace<float> attention) {
  BlockRun run;
  run.attention = std::move(attention);
  dropParameters(run.attention.problem);
  const Matrix<float>& between = *run.attention.residual;
  run.mlp_input = normaliseRows(between, block.mlp_norm);
  run.hidden = applyLinear(block.widen, run.mlp_input);
  run.active = run.hidden.unaryExpr([](float x) { return gelu(x); });
  run.mlp = applyLinear(block.narrow, run.active);
  run.state = between + run.mlp;
  return run;
}

Matrix<float> logitsFrom(const Decoder& decoder, const Matrix<float>& state) {
  return logitsOf(normaliseRows(state, decoder.final_norm), decoder.readout());
}

void readOut(const Decoder& decoder, DecoderRun& run) {
  run.normalised = normaliseRows(run.finalState(), decoder.final_norm);
  run.logits = logitsOf(run.normalised, decoder.readout());
}

}  // namespace attn::core
