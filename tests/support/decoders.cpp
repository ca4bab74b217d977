// See decoders.h.
#include "support/decoders.h"

#include <doctest/doctest.h>

#include <cmath>
#include <utility>

#include "support/problems.h"

namespace attn::test {
namespace {

using core::Index;

core::Matrix<float> randomMatrix(Random& random, Index rows, Index columns) {
  return (random.matrix(rows, columns) / std::sqrt(static_cast<double>(rows))).cast<float>();
}

core::RowVector<float> randomRow(Random& random, Index columns) { return randomMatrix(random, 1, columns); }

core::Norm<float> randomNorm(Random& random) {
  const core::RowVector<float> gain = randomRow(random, kDecoderWidth), bias = randomRow(random, kDecoderWidth);
  return {1e-5f, gain, bias};
}

core::Linear randomLinear(Random& random, Index inputs, Index outputs) {
  core::HalfMatrix weight = halfOf(randomMatrix(random, inputs, outputs));
  return {std::move(weight), randomRow(random, outputs)};
}

}  // namespace

core::HalfMatrix halfOf(const core::Matrix<float>& matrix) {
  core::HalfMatrix half = core::HalfMatrix::allocate(matrix.rows(), matrix.cols()).take();
  REQUIRE_FALSE(half.setRows(0, matrix).has_value());
  return half;
}

core::Decoder randomDecoder(std::uint64_t seed, int blocks) {
  Random random(seed);
  core::Decoder decoder;
  decoder.tokens = halfOf(randomMatrix(random, kDecoderVocabulary, kDecoderWidth));
  decoder.positions = halfOf(randomMatrix(random, kDecoderContext, kDecoderWidth));
  for (int l = 0; l < blocks; ++l) {
    core::DecoderBlock block;
    block.heads = kDecoderHeads;
    block.attention_norm = randomNorm(random);
    block.qkv = randomLinear(random, kDecoderWidth, 3 * kDecoderWidth);
    block.mix = randomLinear(random, kDecoderWidth, kDecoderWidth);
    block.mlp_norm = randomNorm(random);
    block.widen = randomLinear(random, kDecoderWidth, kDecoderHidden);
    block.narrow = randomLinear(random, kDecoderHidden, kDecoderWidth);
    decoder.blocks.push_back(std::move(block));
  }
  decoder.final_norm = randomNorm(random);
  decoder.unembedding = halfOf(randomMatrix(random, kDecoderVocabulary, kDecoderWidth));
  return decoder;
}

}  // namespace attn::test
