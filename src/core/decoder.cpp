// The decoder's forward pass, its attention computed by computeTrace. Knows no text and no file.
#include "core/decoder.h"

#include <cassert>
#include <cmath>
#include <string>
#include <utility>

#include "core/norm.h"
#include "core/product.h"

namespace attn::core {
namespace {

template <class Scalar>
Matrix<Scalar> applyLinear(const Linear<Scalar>& linear, const Matrix<Scalar>& x) {
  assert(linear.weight.rows() == x.cols() && linear.weight.cols() == linear.bias.size());
  Matrix<Scalar> y = product(x, linear.weight);
  y.rowwise() += linear.bias;
  return y;
}

template <class Scalar>
Check checkTokens(const Decoder<Scalar>& decoder, std::span<const Index> tokens) {
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

template <class Scalar>
Matrix<Scalar> embed(const Decoder<Scalar>& decoder, std::span<const Index> tokens) {
  const auto length = static_cast<Index>(tokens.size());
  Matrix<Scalar> state(length, decoder.width());
  for (Index t = 0; t < length; ++t)
    state.row(t) = decoder.tokens.row(tokens[static_cast<std::size_t>(t)]) + decoder.positions.row(t);
  return state;
}

template <class Scalar>
Result<BlockRun<Scalar>> runBlock(const DecoderBlock<Scalar>& block, const Matrix<Scalar>& state) {
  Problem<Scalar> problem = block.attention;
  problem.T = problem.S = state.rows();
  problem.residual = Residual::kPreNorm;
  problem.state = state;
  Result<Trace<Scalar>> trace = computeTrace(problem);
  if (!trace) return trace.error();
  BlockRun<Scalar> run;
  run.attention = trace.take();
  const Matrix<Scalar>& between = *run.attention.residual;
  run.mlp_input = normaliseRows(between, block.mlp_norm);
  run.hidden = applyLinear(block.widen, run.mlp_input);
  run.active = run.hidden.unaryExpr([](Scalar x) { return gelu(x); });
  run.mlp = applyLinear(block.narrow, run.active);
  run.state = between + run.mlp;
  return run;
}

}  // namespace

template <class Scalar>
Scalar gelu(Scalar x) {
  const auto slope = static_cast<Scalar>(0.79788456080286535588);  // √(2/π)
  return x / 2 * (1 + std::tanh(slope * (x + static_cast<Scalar>(0.044715) * x * x * x)));
}

template <class Scalar>
Result<DecoderRun<Scalar>> runDecoder(const Decoder<Scalar>& decoder, std::span<const Index> tokens) {
  if (Check bad = checkTokens(decoder, tokens)) return *bad;
  DecoderRun<Scalar> run;
  run.embedded = embed(decoder, tokens);
  run.blocks.reserve(decoder.blocks.size());
  for (std::size_t l = 0; l < decoder.blocks.size(); ++l) {
    const Matrix<Scalar>& state = l == 0 ? run.embedded : run.blocks.back().state;
    Result<BlockRun<Scalar>> block = runBlock(decoder.blocks[l], state);
    if (!block) return Error{"layer " + std::to_string(l) + ": " + block.error().message};
    run.blocks.push_back(block.take());
  }
  const Matrix<Scalar>& last = run.blocks.empty() ? run.embedded : run.blocks.back().state;
  run.normalised = normaliseRows(last, decoder.final_norm);
  const Matrix<Scalar>& unembedding = decoder.unembedding.size() > 0 ? decoder.unembedding : decoder.tokens;
  run.logits = product<Scalar>(run.normalised, unembedding.transpose());
  return run;
}

template double gelu(double);
template float gelu(float);
template Result<DecoderRun<double>> runDecoder(const Decoder<double>&, std::span<const Index>);
template Result<DecoderRun<float>> runDecoder(const Decoder<float>&, std::span<const Index>);

}  // namespace attn::core
