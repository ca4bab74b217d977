// The decoder's forward pass, its attention computed by computeTrace. Knows no text and no file.
#include "core/decoder.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>
#include <string>
#include <utility>

#include "core/buffer.h"
#include "core/norm.h"
#include "core/product.h"

namespace attn::core {
namespace {

constexpr Index kPanelRows = 1024;  // of the unembedding that are floats at a time

Matrix<float> applyLinear(const Linear& linear, const Matrix<float>& x) {
  assert(linear.weight.rows() == x.cols() && linear.weight.cols() == linear.bias.size());
  Matrix<float> y = product(x, linear.weight.toMatrix());
  y.rowwise() += linear.bias;
  return y;
}

Check checkTokens(const Decoder& decoder, std::span<const Index> tokens) {
  if (tokens.empty()) return Error{"The model reads at least one token; the text has none."};
  if (tokens.size() > static_cast<std::size_t>(decoder.context())) {
    return Error{"The text has " + std::to_string(tokens.size()) + " tokens, but the model has positions for " +
                 std::to_string(decoder.context()) + "; give it a shorter text."};
  }
  for (std::size_t t = 0; t < tokens.size(); ++t) {
    if (tokens[t] >= 0 && tokens[t] < decoder.vocabulary()) continue;
    return Error{"Token " + std::to_string(tokens[t]) + " at position " + std::to_string(t) +
                 " is none of the model's, which go from 0 to " + std::to_string(decoder.vocabulary() - 1) + "."};
  }
  return std::nullopt;
}

// Eigen ends the program where there is no memory, so ask first: for what is kept of T tokens beside the traces, which
// ask themselves, and for the floats of one layer's attention, of which the trace makes a copy, or of its MLP.
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
  return Error{"There is no memory to run the model on " + std::to_string(length) +
               " tokens; give it a shorter text, or close something."};
}

Matrix<float> embed(const Decoder& decoder, std::span<const Index> tokens) {
  Matrix<float> state = decoder.positions.middleRows(0, static_cast<Index>(tokens.size()));
  for (std::size_t t = 0; t < tokens.size(); ++t)
    state.row(static_cast<Index>(t)) += decoder.tokens.row(tokens[t]);
  return state;
}

void dropParameters(Problem<float>& problem) {
  for (auto* weights : {&problem.wq, &problem.wk, &problem.wv}) *weights = {};
  for (auto* biases : {&problem.bq, &problem.bk, &problem.bv}) *biases = {};
  problem.wo.reset();
  problem.bo.reset();
}

Result<Trace<float>> attend(const DecoderBlock& block, const Matrix<float>& state) {
  Problem<float> problem = attentionOf(block);
  problem.T = problem.S = state.rows();
  problem.residual = Residual::kPreNorm;
  problem.state = state;
  Result<Trace<float>> trace = computeTrace(problem);
  if (trace) dropParameters(trace.value().problem);
  return trace;
}

Result<BlockRun> runBlock(const DecoderBlock& block, const Matrix<float>& state) {
  Result<Trace<float>> trace = attend(block, state);
  if (!trace) return trace.error();
  BlockRun run;
  run.attention = trace.take();
  const Matrix<float>& between = *run.attention.residual;
  run.mlp_input = normaliseRows(between, block.mlp_norm);
  run.hidden = applyLinear(block.widen, run.mlp_input);
  run.active = run.hidden.unaryExpr([](float x) { return gelu(x); });
  run.mlp = applyLinear(block.narrow, run.active);
  run.state = between + run.mlp;
  return run;
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

Result<DecoderRun> runDecoder(const Decoder& decoder, std::span<const Index> tokens) {
  if (Check bad = checkTokens(decoder, tokens)) return *bad;
  if (Check bad = checkRoom(decoder, tokens.size())) return *bad;
  DecoderRun run;
  run.embedded = embed(decoder, tokens);
  run.blocks.reserve(decoder.blocks.size());
  for (std::size_t l = 0; l < decoder.blocks.size(); ++l) {
    const Matrix<float>& state = l == 0 ? run.embedded : run.blocks.back().state;
    Result<BlockRun> block = runBlock(decoder.blocks[l], state);
    if (!block) return Error{"layer " + std::to_string(l) + ": " + block.error().message};
    run.blocks.push_back(block.take());
  }
  const Matrix<float>& last = run.blocks.empty() ? run.embedded : run.blocks.back().state;
  run.normalised = normaliseRows(last, decoder.final_norm);
  run.logits = logitsOf(run.normalised, decoder.readout());
  return run;
}

}  // namespace attn::core
